//go:build linux

package ledger_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/pgserver"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// smallDisk is a separate disk that can really be full.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0777,size="+size); err != nil {
		t.Skipf("a small disk can only be mounted as root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// ballast fills the disk up to a rest and gives the file to remove.
func ballast(t *testing.T, dir string, rest int64) string {
	t.Helper()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ballast")
	if err := os.WriteFile(path, make([]byte, int64(fs.Bavail)*fs.Bsize-rest), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// fillUp posts until the disk is full and gives how many were acknowledged.
func fillUp(t *testing.T, l *testkit.Ledger) (acknowledged int64, refusal error) {
	t.Helper()
	for i := range 200_000 {
		err := do(l, fmt.Sprint("fill", i), func(tx *ledger.Tx) error {
			tr := move(annFunds, bobFunds, "0.01")
			tr.Reason = strings.Repeat("x", 400)
			_, err := tx.Post(tr)
			return err
		})
		if err != nil {
			return acknowledged, err
		}
		acknowledged++
	}
	t.Fatal("the disk never became full")
	return 0, nil
}

func wantMoved(t *testing.T, l *testkit.Ledger, n int64) {
	t.Helper()
	if got := balance(t, l, bobFunds).Posted.Micros() / 10_000; got != n {
		t.Errorf("%d acknowledged, %d there", n, got)
	}
}

func TestAFullDiskIsRefusedClearlyLosesNothingAndResumesOnSQLite(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t, "16m")
	l := testkit.StartLedger(t, "sqlite:"+filepath.Join(dir, "bifolia.db"))
	mustPost(t, l, deposit(annFunds, "100000"))
	weight := ballast(t, dir, 2<<20)
	n, err := fillUp(t, l)
	wantCode(t, err, errs.Unavailable)
	if !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("the refusal says %q", err)
	}
	wantMoved(t, l, n) // reading still works
	if err := os.Remove(weight); err != nil {
		t.Fatal(err)
	}
	if err := post(l, move(annFunds, bobFunds, "0.01")); err != nil {
		t.Fatalf("with space again: %v", err)
	}
	wantMoved(t, l, n+1)
	testkit.Verify(t, l)
}

func TestAFullDiskLosesNothingAndResumesOnPostgreSQL(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t, "300m")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	server, err := pgserver.Start(ctx, pgserver.Options{Dir: filepath.Join(dir, "pg")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	if err := server.CreateDB(ctx, "full", ""); err != nil {
		t.Fatal(err)
	}
	l := testkit.StartLedger(t, server.DSN("full"))
	mustPost(t, l, deposit(annFunds, "100000"))
	weight := ballast(t, dir, 24<<20)
	n, err := fillUp(t, l)
	wantCode(t, err, errs.Unavailable)
	if err := os.Remove(weight); err != nil {
		t.Fatal(err)
	}
	// PostgreSQL stops itself when its log cannot grow: start it as its
	// supervisor would, if it has.
	if err := server.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	if err := l.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	if err := postUntil(ctx, l); err != nil {
		t.Fatalf("with space again: %v", err)
	}
	wantMoved(t, l, n+1)
	testkit.Verify(t, l)
}

// postUntil posts once, asking again with the same key while the ledger finds
// its way back to the database.
func postUntil(ctx context.Context, l *testkit.Ledger) error {
	for {
		_, err := l.Do(ctx, pay("after", "b", annFunds, bobFunds, "0.01"))
		if !errs.Is(err, errs.Unavailable) || ctx.Err() != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}
