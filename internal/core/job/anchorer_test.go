package job_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func anchorer(t *testing.T, l *testkit.Ledger, file string, known bool) *job.Anchorer {
	t.Helper()
	return job.NewAnchorer(job.AnchorOptions{
		File: file, State: l.State, BatchHash: l.DB.Ledger().BatchHash, Clock: l.Clock, Log: testkit.Log(),
		Known: func(context.Context) (bool, error) { return known, nil },
	})
}

func check(t *testing.T, a *job.Anchorer) job.Anchored {
	t.Helper()
	if err := a.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a.State()
}

func TestAnOlderCopyThatIsPutBackIsNamedByHowMuchIsMissing(t *testing.T) {
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		file := filepath.Join(t.TempDir(), "anchors")
		a := anchorer(t, l, file, false)
		for range 3 {
			if err := deposit(l); err != nil {
				t.Fatal(err)
			}
			a.Write()
		}
		if s := check(t, anchorer(t, l, file, false)); s.Finding != nil {
			t.Errorf("a whole ledger: %v", s.Finding)
		}
		head := l.State().Head
		gone := audit.Anchor{Batch: head.Batch + 7, Seq: head.Seq + 7, Hash: head.Hash, At: l.Clock.Now()}
		if err := audit.WriteLast(file, 0, gone); err != nil {
			t.Fatal(err)
		}
		late := anchorer(t, l, file, false)
		s := check(t, late)
		if s.Behind == nil || s.Behind.Ends != head.Batch || s.Behind.Anchored != gone.Batch || !strings.Contains(s.Finding.Error(), "are missing") {
			t.Fatalf("got %+v", s)
		}
		// The anchor that shows it is not overwritten, and payments are frozen.
		r := job.NewReconciler(job.ReconcileOptions{Ledger: l, Anchor: late, AnchorFile: file, Clock: l.Clock, Log: testkit.Log()})
		if err := r.Run(t.Context()); err != nil || l.State().Head.Frozen == "" {
			t.Errorf("money moves: %v", err)
		}
		late.Write()
		if last, err := audit.ReadLast(file); err != nil || last.Batch != gone.Batch {
			t.Errorf("the anchor is %v now, %v", last, err)
		}
	})
}

func TestABatchThatIsAnotherThanWasAnchoredIsNamed(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	file := filepath.Join(t.TempDir(), "anchors")
	if err := deposit(l); err != nil {
		t.Fatal(err)
	}
	h := l.State().Head
	if err := audit.WriteLast(file, 0, audit.Anchor{Batch: h.Batch, Seq: h.Seq, Hash: ledger.Hash{1}, At: l.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	if s := check(t, anchorer(t, l, file, false)); s.Finding == nil || s.Behind != nil || !strings.Contains(s.Finding.Error(), "rewritten") {
		t.Errorf("got %+v", s)
	}
}

func TestAMissingAnchorIsReportedAndNotRecreated(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	file := filepath.Join(t.TempDir(), "anchors")
	if err := deposit(l); err != nil {
		t.Fatal(err)
	}
	a := anchorer(t, l, file, true)
	if s := check(t, a); len(s.Missing) != 2 {
		t.Errorf("got %+v", s)
	}
	a.Write()
	r := job.NewReconciler(job.ReconcileOptions{Ledger: l, Audit: l.DB.Audit, Anchor: a, AnchorFile: file, Clock: l.Clock, Log: testkit.Log(), PublicKeys: keys(l)})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if missing, err := audit.Missing(file); err != nil || len(missing) != 2 {
		t.Errorf("it was made anew: %v missing, %v", missing, err)
	}
}

func TestTheAnchorFollowsEveryGroupWithinASecond(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	file := filepath.Join(t.TempDir(), "anchors")
	a := anchorer(t, l, file, false)
	a.Start()
	for range 2 { // the second right after the first: it waits, and is not forgotten
		if err := deposit(l); err != nil {
			t.Fatal(err)
		}
		a.Poke()
	}
	want := l.State().Head.Batch
	begun := time.Now()
	for {
		if last, err := audit.ReadLast(file); err == nil && last.Batch == want {
			break
		}
		if time.Since(begun) > 10*time.Second { // of a machine that has much to do
			t.Fatal("it did not follow")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if err := deposit(l); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if last, err := audit.ReadLast(file); err != nil || last.Batch != want+1 {
		t.Errorf("at the end it says %v, %v", last, err)
	}
}

func TestAHeadThatACrashLeftHalfWrittenLeavesTheOneBefore(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "anchors")
	for n := range int64(3) {
		if err := audit.WriteLast(file, n, audit.Anchor{Batch: 10 + n, At: testkit.Epoch}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(audit.LastFile(file), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(`{"batch":13,"se`), 0); err != nil { // over the slot of 12
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if last, err := audit.ReadLast(file); err != nil || last.Batch != 11 {
		t.Errorf("got %v, %v", last, err)
	}
}
