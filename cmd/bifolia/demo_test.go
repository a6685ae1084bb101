package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// brief is a short history.
func brief(dir string, more ...string) []string {
	return append([]string{"demo", "--data-dir", dir, "--members", "100", "--days", "24", "--log-level", "error"}, more...)
}

// closedDays is the number of closed days of an installation.
func closedDays(t *testing.T, dir string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_ = db.QueryRow("SELECT COUNT(*) FROM close_day").Scan(&n) // there may be no table yet
	return n
}

func TestAKilledDemoIsContinuedServedAndPrintsItsSignIns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), self, brief(dir)...)
	build.Env = []string{runAs + "=1"}
	if err := build.Start(); err != nil {
		t.Fatal(err)
	}
	for closedDays(t, dir) < 3 {
		time.Sleep(10 * time.Millisecond)
	}
	if err := build.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := build.Wait(); err == nil || closedDays(t, dir) == 24 {
		t.Fatal("it was done before it was killed")
	}

	code, stdout, stderr := call(t, nil, brief(dir, "--json")...)
	if code != 0 || stderr != "" || closedDays(t, dir) != 24 {
		t.Fatalf("exit %d, stderr %q, %d days", code, stderr, closedDays(t, dir))
	}
	var got map[string]map[string]string
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	for who, fields := range map[string][]string{
		"leader": {"password", "transaction_password", "uid"}, "member": {"password", "transaction_password", "uid"}, "operator": {"email", "password", "totp_secret"},
	} {
		var have []string
		for name, value := range got[who] {
			if value != "" {
				have = append(have, name)
			}
		}
		if slices.Sort(have); !slices.Equal(have, fields) {
			t.Errorf("%s has %v", who, have)
		}
	}
	if code, stdout, stderr := call(t, nil, "verify", "--data-dir", dir); code != 0 {
		t.Errorf("verify: exit %d, %s%s", code, stdout, stderr)
	}

	p := startServe(t, "--data-dir", dir, "--demo", "true") // it is complete: served unchanged
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	told := regexp.MustCompile(`a leader +` + got["leader"]["uid"] + `, password ` + got["leader"]["password"] + `, transaction`)
	if code, _ := p.wait(t); code != 0 || !told.MatchString(p.stderr.String()) {
		t.Errorf("exit %d, stderr:\n%s", code, &p.stderr)
	}
	if members, operators := people(t, dir); members != 100 || operators != 1 {
		t.Errorf("there are %d members and %d operators", members, operators)
	}
}

func TestADemoNeedsAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, initFlags(dir, nil)...); code != 0 {
		t.Fatal(stderr)
	}
	if code, stdout, stderr := call(t, nil, brief(dir)...); code != 1 || stdout != "" || !strings.Contains(stderr, "a demo needs an empty one") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	for sentence, args := range map[string][]string{
		"A demo must have 100": brief(t.TempDir(), "--days", "3"),
		"flags only":           brief(t.TempDir(), "more"),
	} {
		if code, _, stderr := call(t, nil, args...); code == 0 || !strings.Contains(stderr, sentence) {
			t.Errorf("%v: exit %d, stderr %q", args, code, stderr)
		}
	}
}
