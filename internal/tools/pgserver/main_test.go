package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/pgprograms"
)

// helperVar makes this test binary run as something other than the tests, in
// a process whose user or end a test decides.
const helperVar = "PGSERVER_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVar) == "hang" {
		hang()
	}
	os.Exit(Main(m.Run))
}

// hang starts a cluster, prints its address, and waits to be killed.
func hang() {
	s, err := Start(context.Background(), Options{})
	if err == nil {
		_, err = fmt.Fprintln(os.Stdout, s.base, s.port)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

// helper runs this test binary again, from a place that every user can reach.
func helper(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgserver-helper-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "pgserver.test")
	copyProgram(t, os.Args[0], program)
	bin, err := pgprograms.Find(os.Getenv, "initdb", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir, "POSTGRES_BIN="+bin, "GOCOVERDIR="+dir)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = src.Close() }()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(dst, src)
	if err := errors.Join(err, dst.Close()); err != nil {
		t.Fatal(err)
	}
}

// start returns a cluster that ends with the test.
func start(t *testing.T, opts Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func query(t *testing.T, s *Server, db, sql string) [][]string {
	t.Helper()
	rows, err := s.Query(t.Context(), db, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return rows
}

// family is the postmaster, its backends and the guard.
func family(t *testing.T, s *Server) []int {
	t.Helper()
	all, err := processes()
	if err != nil {
		t.Fatal(err)
	}
	postmaster := s.proc.cmd.Process.Pid
	pids := []int{postmaster, s.guard.cmd.Process.Pid}
	for pid, info := range all {
		if info.parent == postmaster {
			pids = append(pids, pid)
		}
	}
	if len(pids) < 4 {
		t.Fatalf("only %d processes: the look is wrong", len(pids))
	}
	return pids
}

func wantGone(t *testing.T, pids []int) {
	t.Helper()
	if err := waitGone(pids, -1, 5*time.Second); err != nil {
		t.Error(err)
	}
}

func wantNoFile(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after %s: %s", limit, what)
		}
	}
}

// TestAsOtherUser runs the other tests as a user without rights; when this
// one runs without rights, they have been run that way already.
func TestAsOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root: every other test shows it")
	}
	cmd := helper(t, nil, "-test.run=^(TestStopLeavesNothing|TestKillKeepsCommittedData|TestTempDB)$", "-test.v")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "--- PASS"); n != 3 {
		t.Fatalf("%d of 3 tests passed\n%s", n, out)
	}
}
