package ledger_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestASecondProcessWaitsAndTakesOverWhenTheFirstIsGone(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		first := testkit.StartLedger(t, dsn)
		mustPost(t, first, deposit(annFunds, "10"))
		db := testkit.Open(t, dsn)
		second := ledger.Start(ledger.Options{Store: db.Ledger(), Signer: first.Signer, Clock: clock.NewFake(testkit.Epoch), Log: testkit.Log(), Holder: "second"})
		t.Cleanup(second.Close)
		time.Sleep(300 * time.Millisecond)
		_, err := second.Do(context.Background(), pay("k", "b", annFunds, bobFunds, "1"))
		wantCode(t, err, errs.Unavailable)
		if holder, err := db.Holder(context.Background()); holder != "http://127.0.0.1:1" || err != nil {
			t.Errorf("holder is %q, %v", holder, err)
		}
		first.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := second.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := second.Do(ctx, pay("k", "b", annFunds, bobFunds, "1")); err != nil {
			t.Error(err)
		}
	})
}

func TestAStaleSequencerIsFencedAndWritesNothing(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "10"))
		// Another process becomes the sequencer while this one does not notice
		// (a long pause, a lost lease): only the epoch tells.
		head, err := l.DB.Ledger().TakeOver(context.Background(), "other")
		if err != nil {
			t.Fatal(err)
		}
		_, err = l.Do(context.Background(), pay("k", "b", annFunds, bobFunds, "1"))
		wantCode(t, err, errs.Unavailable)
		if err == nil || !strings.Contains(err.Error(), "took over") {
			t.Errorf("error is %v", err)
		}
		now, err := l.DB.Ledger().Head(context.Background())
		if err != nil || now.Seq != head.Seq || now.Hash != head.Hash {
			t.Errorf("the stale sequencer wrote: %+v, %v", now, err)
		}
		var rows int
		if err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM transfer").Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d transfers, %v; want the deposit only", rows, err)
		}
		// It steps down, leads again with a newer epoch and knows the truth.
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := l.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Do(ctx, pay("k", "b", annFunds, bobFunds, "1")); err != nil {
			t.Error(err)
		}
		wantBalance(t, l, bobFunds, "1", "0")
	})
}

func TestAKeyIsNeverOverwrittenAndItsPublicHalfIsListed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys", "ledger.key")
	a, err := ledger.CreateSigner(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.CreateSigner(path); err == nil {
		t.Error("a second key overwrote the first")
	}
	b, err := ledger.LoadSigner(path)
	if err != nil || b.KeyID() != a.KeyID() {
		t.Errorf("loaded %v, %v; want key %s", b, err, a.KeyID())
	}
	keys, err := ledger.ReadPublicKeys(ledger.PublicKeyFile(path))
	if err != nil || keys[a.KeyID()] == nil {
		t.Errorf("public keys %v, %v", keys, err)
	}
}
