package ledger_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func place(t *testing.T, l *testkit.Ledger, code, amount string, d time.Duration) int64 {
	t.Helper()
	var h ledger.Hold
	if err := do(l, "", func(tx *ledger.Tx) (err error) {
		h, err = tx.PlaceHold(ledger.HoldRequest{Account: acct(code), Amount: usd(amount), For: d, Reason: "withdrawal", Reference: "w1"})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return h.ID
}

func settle(l *testkit.Ledger, id int64, t ledger.Transfer) error {
	return do(l, "", func(tx *ledger.Tx) error { _, err := tx.Settle(id, t); return err })
}

func void(l *testkit.Ledger, id int64) error {
	return do(l, "", func(tx *ledger.Tx) error { _, err := tx.Void(id, "cancelled"); return err })
}

func expire(l *testkit.Ledger) (n int, err error) {
	err = do(l, "", func(tx *ledger.Tx) (err error) { n, err = tx.ExpireHolds(100); return err })
	return n, err
}

func TestHeldMoneyCannotBeSpentAndComesBackOnce(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "100"))
		a, b, c := place(t, l, annFunds, "40", time.Hour), place(t, l, annFunds, "30", time.Hour), place(t, l, annFunds, "20", time.Minute)
		wantBalance(t, l, annFunds, "100", "90")
		wantCode(t, post(l, move(annFunds, bobFunds, "10.000001")), errs.Refused)

		if err := settle(l, a, move(annFunds, bobFunds, "35")); err != nil { // less than held: the rest is free again
			t.Error(err)
		}
		wantBalance(t, l, annFunds, "65", "50")
		if err := void(l, b); err != nil {
			t.Error(err)
		}
		l.Clock.Advance(time.Minute)
		if n, err := expire(l); n != 1 || err != nil {
			t.Errorf("expired %d, %v", n, err)
		}
		wantBalance(t, l, annFunds, "65", "0")
		for _, id := range []int64{a, b, c} {
			wantCode(t, settle(l, id, move(annFunds, bobFunds, "1")), errs.Conflict)
			wantCode(t, void(l, id), errs.Conflict)
		}
		wantCode(t, void(l, 999), errs.NotFound)
	})
}

func TestWrongHoldsAreRefused(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	mustPost(t, l, deposit(annFunds, "100"), deposit(bobFunds, "100"))
	for name, r := range map[string]ledger.HoldRequest{
		"of nothing":       {Account: acct(annFunds), Amount: usd("0"), For: time.Hour},
		"of less":          {Account: acct(annFunds), Amount: usd("-1"), For: time.Hour},
		"for no time":      {Account: acct(annFunds), Amount: usd("1")},
		"for ever":         {Account: acct(annFunds), Amount: usd("1"), For: 1 << 62},
		"of no account":    {Amount: usd("1"), For: time.Hour},
		"a reason of junk": {Account: acct(annFunds), Amount: usd("1"), For: time.Hour, Reason: "\xff"},
	} {
		err := do(l, "", func(tx *ledger.Tx) error { _, err := tx.PlaceHold(r); return err })
		if !errs.Is(err, errs.Invalid) {
			t.Errorf("hold %s: %v", name, err)
		}
	}
	id := place(t, l, annFunds, "10", time.Hour)
	for name, tr := range map[string]ledger.Transfer{
		"more than held":      move(annFunds, bobFunds, "10.000001"),
		"from another wallet": move(bobFunds, annFunds, "1"),
		"not from the wallet": move(bobFunds, "L:FUND:FUNDS:3", "1"),
	} {
		if err := settle(l, id, tr); !errs.Is(err, errs.Invalid) {
			t.Errorf("settling %s: %v", name, err)
		}
	}
	wantBalance(t, l, annFunds, "100", "10")
}

func TestAHoldResolvedBySettleVoidAndExpiryAtOnceHasOneWinner(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "1000"))
		for range 20 {
			before := balance(t, l, annFunds).Posted
			id := place(t, l, annFunds, "10", time.Minute)
			l.Clock.Advance(time.Minute - time.Microsecond)
			var settled, voided, expired atomic.Int64
			var wg sync.WaitGroup
			wg.Go(func() { l.Clock.Advance(time.Microsecond) }) // the deadline passes in the middle
			for range 4 {
				wg.Go(func() {
					if settle(l, id, move(annFunds, bobFunds, "10")) == nil {
						settled.Add(1)
					}
				})
				wg.Go(func() {
					if void(l, id) == nil {
						voided.Add(1)
					}
				})
				wg.Go(func() {
					n, _ := expire(l)
					expired.Add(int64(n))
				})
			}
			wg.Wait()
			if settled.Load()+voided.Load()+expired.Load() != 1 {
				t.Fatalf("settled %d, voided %d, expired %d: want one winner", settled.Load(), voided.Load(), expired.Load())
			}
			want, _ := before.Sub(usd("10"))
			if settled.Load() == 0 {
				want = before
			}
			wantBalance(t, l, annFunds, want.String(), "0")
		}
	})
}

func TestNoJumpOfTheClockExtendsAHoldOrTurnsTimeBack(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "100"))
		id := place(t, l, annFunds, "10", time.Hour)
		l.Clock.SetWall(testkit.Epoch.Add(-24 * time.Hour)) // a day back
		mustPost(t, l, move(annFunds, bobFunds, "1"))
		l.Clock.Advance(time.Hour) // an hour really passes
		wantCode(t, settle(l, id, move(annFunds, bobFunds, "10")), errs.Conflict)
		if n, err := expire(l); n != 1 || err != nil {
			t.Errorf("expired %d holds, %v", n, err)
		}
		l.Clock.SetWall(testkit.Epoch.Add(24 * time.Hour)) // a day forth
		mustPost(t, l, move(annFunds, bobFunds, "1"))
		l.Clock.SetWall(testkit.Epoch) // and back
		mustPost(t, l, move(annFunds, bobFunds, "1"))

		// The same over a restart with the clock set back meanwhile.
		id = place(t, l, annFunds, "10", time.Hour)
		l.Close()
		again := testkit.StartLedgerWith(t, l.DB, l.Signer, clock.NewFake(testkit.Epoch.Add(-48*time.Hour)))
		mustPost(t, again, move(annFunds, bobFunds, "1"))
		again.Clock.Advance(time.Hour)
		wantCode(t, settle(again, id, move(annFunds, bobFunds, "10")), errs.Conflict)

		var turned int
		err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM transfer a JOIN transfer b ON b.seq = a.seq + 1 WHERE b.recorded_at <= a.recorded_at").Scan(&turned)
		if err != nil || turned != 0 {
			t.Errorf("recorded_at does not rise %d times, %v", turned, err)
		}
	})
}

func TestATransferIsReversedOnceAndExactly(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "100"), move(annFunds, bobFunds, "40"))
		reverse := func(seq int64) error {
			return do(l, "", func(tx *ledger.Tx) error { _, err := tx.Reverse(seq, "entered twice"); return err })
		}
		if err := reverse(2); err != nil {
			t.Fatal(err)
		}
		wantBalance(t, l, annFunds, "100", "0")
		wantBalance(t, l, bobFunds, "0", "0")
		wantCode(t, reverse(2), errs.Conflict)
		wantCode(t, reverse(77), errs.NotFound)
		wantCode(t, do(l, "", func(tx *ledger.Tx) error {
			if _, err := tx.Reverse(1, "a"); err != nil {
				return err
			}
			_, err := tx.Reverse(1, "b")
			return err
		}), errs.Conflict)
		wantBalance(t, l, annFunds, "100", "0")
	})
}

func TestAFrozenLedgerRefusesMoneyUntilThawed(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		ctx := context.Background()
		mustPost(t, l, deposit(annFunds, "100"))
		id := place(t, l, annFunds, "10", time.Hour)
		if err := l.Freeze(ctx, "a balance is off"); err != nil {
			t.Fatal(err)
		}
		wantCode(t, post(l, move(annFunds, bobFunds, "1")), errs.Refused)
		wantCode(t, settle(l, id, move(annFunds, bobFunds, "1")), errs.Refused)
		wantCode(t, do(l, "", func(tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: acct(annFunds), Amount: usd("1"), For: time.Hour})
			return err
		}), errs.Refused)
		if err := void(l, id); err != nil {
			t.Errorf("giving a hold back while frozen: %v", err)
		}
		l.Close() // a restart does not thaw
		again := testkit.StartLedgerWith(t, l.DB, l.Signer, clock.NewFake(testkit.Epoch))
		wantCode(t, post(again, move(annFunds, bobFunds, "1")), errs.Refused)
		_, err := again.Do(ctx, ledger.Command{Actor: "operator", Thaw: true, Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
			_, err := tx.Post(move(annFunds, bobFunds, "1"))
			return nil, err
		}})
		if err != nil {
			t.Errorf("a correction while frozen: %v", err)
		}
		// Another process thaws it: the running sequencer takes notice.
		if _, err := testkit.Raw(t, dsn).Exec("UPDATE head SET frozen = ''"); err != nil {
			t.Fatal(err)
		}
		mustPost(t, again, move(annFunds, bobFunds, "1"))
		// And freezes it again, while the sequencer believes otherwise.
		if _, err := testkit.Raw(t, dsn).Exec("UPDATE head SET frozen = 'a row is missing'"); err != nil {
			t.Fatal(err)
		}
		wantCode(t, post(again, move(annFunds, bobFunds, "1")), errs.Refused)
	})
}
