// Package crash repeatedly kills the program and PostgreSQL under load, as a power cut would.
// It then checks that every acknowledged request is stored, that each other request is
// stored completely or not at all, and that the ledger verifies.
package crash

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

// program is the binary under test, built once.
var program string

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "bifolia-crash-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "bifolia")
	build := exec.Command("go", "build", "-o", program, "github.com/bifolia/bifolia/cmd/bifolia")
	if out, err := build.CombinedOutput(); err != nil {
		panic("building the program: " + string(out))
	}
	return pgserver.Main(m.Run)
}

// kills is how often each engine is killed: a few by default, CRASH_KILLS in
// the long run, shared between the three tests.
func kills(t *testing.T, share float64) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("CRASH_KILLS"))
	if err != nil {
		n = 24
	}
	return max(1, int(float64(n)*share))
}

func TestCrashOfTheServerOnSQLite(t *testing.T) {
	t.Parallel()
	killServers(t, "sqlite:"+filepath.Join(t.TempDir(), "crash.db"), kills(t, 0.4))
}

func TestCrashOfTheServerOnPostgreSQL(t *testing.T) {
	t.Parallel()
	_, dsn := cluster(t)
	killServers(t, dsn, kills(t, 0.3))
}

// killServers starts and kills n servers on one database, one after the other.
func killServers(t *testing.T, dsn string, n int) {
	t.Helper()
	h := newHarness(t, dsn)
	for i := range n {
		h.start()
		h.load(pause())
		h.killServer()
		h.settle(i)
	}
	h.finish()
}

// Only PostgreSQL is killed: the server must reconnect and determine the outcome of the
// interrupted commit.
func TestCrashOfPostgreSQLUnderALivingServer(t *testing.T) {
	t.Parallel()
	server, dsn := cluster(t)
	h := newHarness(t, dsn)
	h.start()
	for i := range kills(t, 0.3) {
		h.load(pause())
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // load continues against a dead database
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		if err := server.Restart(ctx); err != nil {
			t.Fatal(err)
		}
		cancel()
		h.settle(i)
	}
	h.finish()
}

func cluster(t *testing.T) (*pgserver.Server, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	server, err := pgserver.Start(ctx, pgserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	if err := server.CreateDB(ctx, "crash", ""); err != nil {
		t.Fatal(err)
	}
	return server, server.DSN("crash")
}

// pause returns the time until a kill: mostly short, sometimes longer, so that kills hit the
// start, first groups, checkpoints and steady work.
func pause() time.Duration {
	if rand.IntN(4) == 0 {
		return time.Duration(rand.IntN(1200)) * time.Millisecond
	}
	return time.Duration(rand.IntN(250)) * time.Millisecond
}

// verify runs 'bifolia verify' as an operator would.
func verify(t *testing.T, dsn, dir string) {
	t.Helper()
	cmd := exec.Command(program, "verify", "--json", "--db", dsn, "--data-dir", dir)
	out, err := cmd.Output()
	var result struct{ OK bool }
	if err != nil || json.Unmarshal(out, &result) != nil || !result.OK {
		t.Fatalf("verify: %v: %s", err, out)
	}
}
