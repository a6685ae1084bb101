package pgserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestStopLeavesNothing(t *testing.T) {
	s := start(t, Options{})
	pids := family(t, s)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	wantGone(t, pids)
	wantNoFile(t, s.base)
	if err := s.Stop(); err != nil {
		t.Errorf("the second Stop: %v", err)
	}
	if err := s.Restart(t.Context()); err == nil {
		t.Error("Restart after Stop was not refused")
	}
}

func TestDirKeepsItsOwner(t *testing.T) {
	dir := t.TempDir()
	s := start(t, Options{Dir: dir})
	if filepath.Dir(s.log) != s.base {
		t.Errorf("log is %s", s.log)
	}
	if _, err := Start(t.Context(), Options{Dir: dir}); err == nil {
		t.Error("a second cluster in the same directory was not refused")
	}
	query(t, s, "postgres", "SELECT 1") // the refusal left the first one alone
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left in %s: %v (%v)", dir, left, err)
	}

	made := filepath.Join(dir, "made")
	s = start(t, Options{Dir: made})
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	wantNoFile(t, made)
}

func TestTwoAtOnce(t *testing.T) {
	servers := make([]*Server, 2)
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() {
			var err error
			if servers[i], err = Start(t.Context(), Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, s := range servers {
		if s == nil {
			continue
		}
		t.Cleanup(func() { _ = s.Stop() })
		query(t, s, "postgres", fmt.Sprintf("CREATE TABLE mine_%d (n int)", i))
		rows := query(t, s, "postgres", "SELECT relname FROM pg_class WHERE relname LIKE 'mine_%'")
		if len(rows) != 1 || rows[0][0] != fmt.Sprintf("mine_%d", i) {
			t.Errorf("cluster %d holds %v", i, rows)
		}
	}
}

func TestCommitsAreDurableUnlessConfigured(t *testing.T) {
	s := start(t, Options{Settings: map[string]string{"work_mem": "7MB", "synchronous_commit": "off", "cluster_name": "it's"}})
	want := map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "off", "work_mem": "7MB", "cluster_name": "it's",
		"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "server_encoding": "UTF8", "TimeZone": "UTC",
		"port": strconv.Itoa(s.Port()),
	}
	for name, value := range want {
		if got := query(t, s, "postgres", "SHOW "+name)[0][0]; got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if got := query(t, s, "postgres", "SELECT datcollate FROM pg_database WHERE datname = 'postgres'")[0][0]; got != "C" {
		t.Errorf("collation is %q", got)
	}
}

func TestBadSettingShowsTheLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	_, err := Start(t.Context(), Options{Dir: dir, Settings: map[string]string{"no_such_setting": "1"}})
	if err == nil || !strings.Contains(err.Error(), "no_such_setting") {
		t.Errorf("got %v", err)
	}
	wantNoFile(t, dir)
}

func TestKillKeepsCommittedData(t *testing.T) {
	s := start(t, Options{})
	query(t, s, "postgres", "CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2)")

	// An open transaction and a busy backend: neither may survive.
	open, err := pgconn.Connect(t.Context(), s.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = open.Close(context.Background()) }()
	if _, err := open.Exec(t.Context(), "BEGIN; INSERT INTO kept VALUES (3)").ReadAll(); err != nil {
		t.Fatal(err)
	}
	busy := make(chan error)
	go func() {
		_, err := s.Query(context.Background(), "postgres", "SELECT count(*) FROM generate_series(1, 1000000000000)")
		busy <- err
	}()
	within(t, 10*time.Second, "no busy backend", func() bool {
		return query(t, s, "postgres", "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' AND pid <> pg_backend_pid()")[0][0] == "1"
	})

	backends := family(t, s)[2:]
	port := s.Port()
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := waitGone(backends, -1, 0); err != nil {
		t.Error(err)
	}
	if err := <-busy; err == nil {
		t.Error("the busy backend finished")
	}
	if _, err := s.Query(t.Context(), "postgres", "SELECT 1"); err == nil {
		t.Error("a killed cluster answered")
	}
	for range 2 { // the second time it is running
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rows := query(t, s, "postgres", "SELECT n FROM kept ORDER BY n"); fmt.Sprint(rows) != "[[1] [2]]" {
			t.Errorf("after the crash: %v", rows)
		}
	}
	if s.Port() != port {
		t.Errorf("the port went from %d to %d", port, s.Port())
	}
	log, err := os.ReadFile(s.log)
	if err != nil || !strings.Contains(string(log), "was not properly shut down") {
		t.Errorf("that was no crash (%v):\n%s", err, log)
	}
}

func TestStopAfterKillLeavesNoSharedMemory(t *testing.T) {
	if _, err := exec.LookPath("ipcrm"); err != nil {
		t.Skip("no ipcrm")
	}
	s := start(t, Options{})
	text, err := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	id := strings.Fields(strings.Split(string(text), "\n")[6])[1]
	if err := errors.Join(s.Kill(), s.Kill(), s.Stop()); err != nil {
		t.Fatal(err)
	}
	if exec.CommandContext(t.Context(), "ipcrm", "-m", id).Run() == nil {
		t.Error("the segment was still there")
	}
	wantNoFile(t, s.base)
}

func TestTakenPort(t *testing.T) {
	s := start(t, Options{})
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:"+strconv.Itoa(s.Port()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if err := s.Restart(t.Context()); !errors.Is(err, errPortTaken) {
		t.Errorf("got %v", err)
	}
	// Another cluster on the port is the worse case: it does answer.
	s.port = start(t, Options{}).Port()
	if err := s.Restart(t.Context()); !errors.Is(err, errPortTaken) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledStartLeavesNothing(t *testing.T) {
	for _, limit := range []int{0, 60, 200, 400} {
		dir := filepath.Join(t.TempDir(), "x")
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(limit)*time.Millisecond)
		s, err := Start(ctx, Options{Dir: dir})
		cancel()
		if err == nil {
			_ = s.Stop() // a fast machine
			continue
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		wantNoFile(t, dir)
	}
}

func TestDiesWithItsProcess(t *testing.T) {
	cmd := helper(t, []string{helperVar + "=hang"})
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, port, _ := strings.Cut(strings.TrimSpace(line), " ")
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	within(t, 10*time.Second, "the server still listens", func() bool {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp4", "127.0.0.1:"+port)
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	within(t, 15*time.Second, base+" is still there", func() bool {
		_, err := os.Stat(base)
		return errors.Is(err, os.ErrNotExist)
	})
}

func TestPgBench(t *testing.T) {
	s := &Server{bin: t.TempDir()}
	t.Setenv("PATH", "")
	if _, err := s.PgBench(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	want := filepath.Join(s.bin, "pgbench")
	if err := os.WriteFile(want, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := s.PgBench(); got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestKeptDataIsReused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	s := start(t, Options{Dir: dir, Keep: true})
	query(t, s, "postgres", "CREATE TABLE kept (n int)")
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, Options{Dir: dir, Keep: true})
	query(t, s, "postgres", "SELECT n FROM kept")
	if _, err := Start(t.Context(), Options{Dir: dir}); err == nil {
		t.Error("a cluster that somebody keeps was not left alone")
	}
}

func TestClosedParent(t *testing.T) {
	account, err := account()
	if err != nil {
		t.Fatal(err)
	}
	if account == nil {
		t.Skip("only root changes the user")
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, filepath.Dir(dir), filepath.Dir(filepath.Dir(dir)), filepath.Dir(filepath.Dir(filepath.Dir(dir)))} {
		if err := os.Chmod(d, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	if got := closedParent(filepath.Join(dir, "x"), account); got != "" {
		t.Errorf("%s is open", got)
	}
	if err := os.Chmod(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := closedParent(filepath.Join(dir, "x"), account); got != filepath.Dir(dir) {
		t.Errorf("got %q", got)
	}
}
