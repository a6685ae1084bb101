package job_test

import (
	"context"
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

var (
	client = ledger.MustAccount("A:CLIENT")
	ann    = ledger.MustAccount("L:FUND:FUNDS:100001")
)

func command(l *testkit.Ledger, f func(tx *ledger.Tx) error) error {
	_, err := l.Do(context.Background(), ledger.Command{Actor: "test", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) { return nil, f(tx) }})
	return err
}

func deposit(l *testkit.Ledger) error {
	return command(l, func(tx *ledger.Tx) error {
		ten := money.MustParse("10")
		_, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: client, Delta: ten}, {Account: ann, Delta: ten}}})
		return err
	})
}

func reconciler(t *testing.T, l *testkit.Ledger, anchors string) *job.Reconciler {
	t.Helper()
	return job.NewReconciler(job.ReconcileOptions{
		Ledger: l, Audit: l.DB.Audit, Clock: l.Clock, Log: testkit.Log(), AnchorFile: anchors,
		PublicKeys: keys(l),
	})
}

func keys(l *testkit.Ledger) map[string]ed25519.PublicKey {
	return map[string]ed25519.PublicKey{l.Signer.KeyID(): l.Signer.Public()}
}

func TestTheMinuteReconciliationFreezesMoneyWhenARowIsWrong(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		r := reconciler(t, l, filepath.Join(t.TempDir(), "anchors"))
		for range 5 {
			if err := deposit(l); err != nil {
				t.Fatal(err)
			}
			if err := r.Run(context.Background()); err != nil || r.Status().Finding != "" {
				t.Fatalf("a right ledger: %v, %q", err, r.Status().Finding)
			}
		}
		if _, err := testkit.Raw(t, dsn).Exec("UPDATE account SET posted = posted + 1 WHERE code = 'L:FUND:FUNDS:100001'"); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(r.Status().Finding, "100001") {
			t.Errorf("the finding is %q", r.Status().Finding)
		}
		err := deposit(l)
		if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), ledger.FrozenMessage) || strings.Contains(err.Error(), "100001") {
			t.Errorf("money still moves: %v", err)
		}
		if err := r.Run(context.Background()); err != nil { // and again: it stays frozen, without a word more
			t.Error(err)
		}
	})
}

func TestTheAnchorRevealsAnEndCutOffWhileTheServerWasDown(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	l := testkit.StartLedger(t, dsn)
	anchors := filepath.Join(t.TempDir(), "anchors")
	for range 3 {
		if err := deposit(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := reconciler(t, l, anchors).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	l.Close()
	// A thief puts the ledger back to its second batch, all tables at once.
	raw := testkit.Raw(t, dsn)
	for _, stmt := range []string{
		"DROP TRIGGER transfer_no_delete", "DROP TRIGGER entry_no_delete", "DROP TRIGGER batch_no_delete",
		"DELETE FROM transfer WHERE seq = 3", "DELETE FROM entry WHERE seq = 3", "DELETE FROM batch WHERE no = 3",
		"UPDATE account SET posted = 20000000, version = 2",
		"UPDATE head SET seq = 2, batch = 2, entries = 4, hash = (SELECT hash FROM batch WHERE no = 2), recorded_at = (SELECT recorded_at FROM batch WHERE no = 2)",
	} {
		if _, err := raw.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	again := testkit.StartLedgerWith(t, l.DB, l.Signer, l.Clock)
	if _, err := testkit.Audit(again); err != nil {
		t.Errorf("the chain alone cannot see it: %v", err)
	}
	r := reconciler(t, again, anchors)
	if err := r.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Status().Finding, "cut off") {
		t.Errorf("the finding is %q", r.Status().Finding)
	}
	list, err := audit.ReadAnchors(anchors)
	if err != nil || len(list) != 1 || list[0].Seq != 3 {
		t.Errorf("anchors %v, %v", list, err)
	}
}

func TestATornAnchorIsCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "anchors")
	for before, want := range map[string]string{"": "new\n", "{\"ba": "new\n", "one\n": "one\nnew\n", "one\n{\"ba": "one\nnew\n"} {
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := job.AppendLine(path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("after %q the file holds %q, want %q", before, got, want)
		}
	}
}

func TestJobsExpireHolds(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		if err := deposit(l); err != nil {
			t.Fatal(err)
		}
		if err := command(l, func(tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: ann, Amount: money.MustParse("4"), For: time.Minute})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		jobs, err := job.Start(l, reconciler(t, l, filepath.Join(t.TempDir(), "anchors")), time.Hour, testkit.Log())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = jobs.Close() })
		l.Clock.Advance(time.Minute)
		for range 200 {
			var b ledger.Balance
			if err := command(l, func(tx *ledger.Tx) (err error) { b, err = tx.Balance(ann); return err }); err != nil {
				t.Fatal(err)
			}
			if b.Held.IsZero() {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Error("the hold was never given back")
	})
}

func TestATaskRunsOnlyInTheProcessThatLeads(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	leader := testkit.StartLedger(t, dsn)
	second, err := ledger.CreateSigner(filepath.Join(t.TempDir(), "ledger.key"))
	if err != nil {
		t.Fatal(err)
	}
	standby := ledger.Start(ledger.Options{Store: testkit.Open(t, dsn).Ledger(), Signer: second, Clock: leader.Clock, Log: testkit.Log(), Holder: "http://127.0.0.1:2"})
	t.Cleanup(standby.Close)
	ran := make(chan string)
	for name, l := range map[string]job.Ledger{"leader": leader, "standby": standby} {
		task := job.Task{Name: "say", Every: 10 * time.Millisecond, Run: func(ctx context.Context) error {
			select {
			case ran <- name:
			case <-ctx.Done():
			}
			return nil
		}}
		jobs, err := job.Start(l, reconciler(t, leader, filepath.Join(t.TempDir(), "anchors")), time.Hour, testkit.Log(), task)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = jobs.Close() })
	}
	for range 20 {
		if who := <-ran; who != "leader" {
			t.Fatalf("it ran in the %s", who)
		}
	}
}
