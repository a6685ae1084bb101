package main

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// installed is a data folder with a first member, and that member's id.
func installed(t *testing.T) (dir, uid string) {
	t.Helper()
	dir = t.TempDir()
	code, stdout, stderr := call(t, nil, initFlags(dir, nil)...)
	if code != 0 {
		t.Fatalf("init: exit %d, %s", code, stderr)
	}
	return dir, strings.TrimSuffix(strings.Fields(stdout)[4], ".")
}

// at calls a command on a data folder.
func at(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return call(t, nil, append([]string{args[0], "--data-dir", dir, "--log-level", "error"}, args[1:]...)...)
}

func TestADayIsPreviewedAndClosedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	if code, _, stderr := at(t, dir, "close", "--preview", "--commit", "x"); code != 2 || !strings.Contains(stderr, "either --preview or --commit") {
		t.Errorf("both: exit %d, %q", code, stderr)
	}
	code, stdout, stderr := at(t, dir, "close", "--preview", "--json")
	var report struct{ Day, Digest string }
	if code != 0 || json.Unmarshal([]byte(stdout), &report) != nil || len(report.Digest) != 64 {
		t.Fatalf("preview: exit %d, %q, %q", code, stdout, stderr)
	}
	for want, args := range map[string][]string{
		"is not over":                        {"--day", report.Day, "--commit", report.Digest},
		"The next day to close":              {"--day", "2999-01-01", "--commit", report.Digest},
		"2001-01-01 is closed, or is before": {"--day", "2001-01-01", "--preview"},
		"1970-01-01 is closed, or is before": {"--day", "1970-01-01", "--preview"}, // the day of number 0
		"written as 2026-01-31":              {"--day", "today", "--preview"},
		"no day 2026-02-31 in":               {"--day", "2026-02-31", "--preview"},
	} {
		if code, stdout, stderr := at(t, dir, append([]string{"close"}, args...)...); code != 1 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %q, %q; want %q", args, code, stdout, stderr, want)
		}
	}
	// A demo closes today.
	dir = t.TempDir()
	if code, _, stderr := call(t, nil, append(initFlags(dir, nil), "--demo")...); code != 0 {
		t.Fatal(stderr)
	}
	if code, stdout, stderr = at(t, dir, "close", "--demo", "--preview", "--json"); code != 0 || json.Unmarshal([]byte(stdout), &report) != nil {
		t.Fatalf("preview: exit %d, %q, %q", code, stdout, stderr)
	}
	if code, stdout, stderr := at(t, dir, "close", "--demo", "--day", report.Day, "--commit", strings.Repeat("0", 64)); code != 1 || stdout != "" || !strings.Contains(stderr, "has changed since the preview") {
		t.Errorf("another digest: exit %d, %q, %q", code, stdout, stderr)
	}
	code, stdout, stderr = at(t, dir, "close", "--demo", "--commit", report.Digest)
	if code != 0 || stderr != "" || strings.Count(stdout, "\n") != 1 || !strings.HasPrefix(stdout, report.Day+" is closed without a second operator") || !strings.Contains(stdout, report.Digest) {
		t.Errorf("commit: exit %d, %q, %q", code, stdout, stderr)
	}
	again := []string{"close", "--demo", "--day", report.Day, "--commit"}
	if code, stdout, stderr := at(t, dir, append(again, report.Digest)...); code != 0 || stderr != "" || stdout != report.Day+" is already closed with digest "+report.Digest+": nothing was done.\n" {
		t.Errorf("again: exit %d, %q, %q", code, stdout, stderr)
	}
	if code, stdout, stderr := at(t, dir, append(again, strings.Repeat("0", 64))...); code != 1 || stdout != "" || !strings.Contains(stderr, "was already closed with digest "+report.Digest) {
		t.Errorf("again by another digest: exit %d, %q, %q", code, stdout, stderr)
	}
	var by int64
	var name, alone string
	query(t, dir, "SELECT approved_by, approved_name, alone FROM close_proposal", &by, &name, &alone)
	if by != 0 || !strings.HasSuffix(name, "at the command line") || alone != "command line" {
		t.Errorf("recorded is %d, %q, %q", by, name, alone)
	}
}

func query(t *testing.T, dir, text string, into ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow(text).Scan(into...); err != nil {
		t.Fatal(err)
	}
}

func TestOperatorsCommandsWorkWithoutAServer(t *testing.T) {
	t.Parallel()
	dir, uid := installed(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"pnl", "--line", "FOREX", "--amount", "-12.5", "--reference", "statement 1", "--forex-licence", "L-1"}, 0, "FOREX can cover 0.000000 of this loss. The company would pay 12.500000"},
		{[]string{"pnl", "--line", "FOREX", "--amount", "-12.5", "--reference", "statement 1", "--alone", "--forex-licence", "L-1"}, 1, "already"},
		{[]string{"pnl", "--line", "FOREX", "--amount", "7", "--reference", "statement 2", "--json", "--forex-licence", "L-1"}, 0, `"proposal":2`},
		{[]string{"pnl", "--line", "CRYPTO", "--amount", "5", "--reference", "statement 1", "--alone", "--json", "--crypto-licence", "L-1"}, 0, `"id":"o`},
		{[]string{"settle", "--line", "CRYPTO", "--amount", "6", "--reference", "wire"}, 1, "above the booked profit"},
		{[]string{"settle", "--line", "CRYPTO", "--amount", "4", "--reference", "wire", "--alone"}, 0, "Done: settle is event o"},
		{[]string{"recall", "--claim", "C-1", "--amount", "1"}, 1, "There is no claim C-1."},
		{[]string{"chargeback", "--sale", "s1", "--reference", "letter"}, 1, "There is no sale s1."},
		{[]string{"block", "--uid", uid, "--reason", "papers are missing"}, 0, "Done: block"},
		{[]string{"block", "--uid", uid, "--reason", "again"}, 1, "blocked"},
		{[]string{"unblock", "--uid", uid}, 1, "The reason has 1 to 200 characters"},
		{[]string{"unblock", "--uid", uid, "--reason", "it was a mistake"}, 0, "Done: unblock"},
		{[]string{"unblock", "--uid", "me"}, 2, "digits only"},
		{[]string{"pnl", "--line", "GOLD", "--amount", "1"}, 1, "FOREX or CRYPTO"},
		{[]string{"pnl", "--amount", "much"}, 2, "--amount"},
		{[]string{"pnl", "extra"}, 2, "takes flags only"},
	} {
		code, stdout, stderr := at(t, dir, c.args...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) || strings.Count(stdout+stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q; want %q", c.args, code, stdout, stderr, c.want)
		}
	}
	var n, by int64
	var name string
	query(t, dir, "SELECT COUNT(*), MAX(operator), MIN(name) FROM operator_act", &n, &by, &name)
	if n != 4 || by != 0 || !strings.HasSuffix(name, "at the command line") {
		t.Errorf("the record has %d acts of %d, %q", n, by, name)
	}
	var waiting, booked, alone int64
	query(t, dir, "SELECT COUNT(*) FROM booking_proposal WHERE state = 'waiting' AND proposed_by = 0", &waiting)
	query(t, dir, "SELECT COUNT(*) FROM booking", &booked)
	query(t, dir, "SELECT COUNT(*) FROM booking_proposal WHERE state = 'approved' AND alone = 'command line'", &alone)
	if waiting != 2 || booked != 2 || alone != 2 {
		t.Errorf("%d proposals wait; of %d bookings %d say that one was enough", waiting, booked, alone)
	}
}

func TestOperatorsCommandsNameTheCallWhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startServe(t, "--data-dir", dir)
	defer func() {
		_ = p.cmd.Process.Kill()
		_, _ = p.wait(t)
	}()
	for call, args := range map[string][]string{
		"close/preview": {"close", "--preview"},
		"close/commit":  {"close", "--commit", "x"},
		"pnl":           {"pnl", "--line", "FOREX", "--amount", "1", "--reference", "r"},
		"block":         {"block", "--uid", "1", "--reason", "r"},
	} {
		code, stdout, stderr := at(t, dir, args...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "let an operator call POST /api/operator/"+call+" there") {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
