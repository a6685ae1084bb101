package payout_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// copied is a copy of the database as it is now.
func (b *books) copied() string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "copy.db")
	if err := b.l.DB.CopyTo(b.t.Context(), path, nil); err != nil {
		b.t.Fatal(err)
	}
	return "sqlite:" + path
}

// restored continues with a copy in place of the books, as after a restore; noted means
// that 'bifolia restore' made it.
func (b *books) restored(f *funded, dsn string, made time.Time, noted bool) *books {
	b.t.Helper()
	b.l.Close()
	db := testkit.Open(b.t, dsn)
	if noted {
		if err := db.NoteRestore(b.t.Context(), payout.NewNote(made, 1, b.l.Clock.Now())); err != nil {
			b.t.Fatal(err)
		}
	}
	after := openBooks(b.t, testkit.StartLedgerWith(b.t, db, b.l.Signer, b.l.Clock), client(b.t, f.node.URL, f.token, f.key))
	if err := after.TakeNote(b.t.Context(), db.RevokeSignIns); err != nil {
		b.t.Fatal(err)
	}
	return after
}

// held fails unless a hold is in a state.
func (b *books) held(state payout.HoldState) payout.Standing {
	b.t.Helper()
	st, err := b.Standing(b.t.Context())
	if err != nil || !st.Held || st.Hold.State != state {
		b.t.Fatalf("%+v, %v, want one that is %s", st.Hold, err, state)
	}
	return st
}

// settleWallet begins to settle, and mines until the hold is settled.
func (b *books) settleWallet(f *funded) payout.Standing {
	b.t.Helper()
	if err := b.Settle(b.t.Context(), maker, "", "the disk was lost"); err != nil {
		b.t.Fatal(err)
	}
	for range 12 {
		b.run()
		f.Mine(needed)
		if st, err := b.Standing(b.t.Context()); err != nil || st.Hold.State == payout.Settled {
			break
		}
	}
	return b.held(payout.Settled)
}

// adopt lifts the hold by two operators.
func (b *books) adopt() {
	b.t.Helper()
	st := b.held(payout.Settled)
	digest := payout.HoldDigest(st.Hold, st.Found, st.Waiting)
	if lifted, err := b.Adopt(b.t.Context(), maker, "", digest, "looked at it"); err != nil || lifted {
		b.t.Fatalf("the first: %v, %v", lifted, err)
	}
	_, err := b.Adopt(b.t.Context(), maker, "", digest, "and again")
	refused(b.t, err, errs.Conflict, "Another operator")
	_, err = b.Adopt(b.t.Context(), checker, "", strings.Repeat("0", 64), "something else")
	refused(b.t, err, errs.Refused, "has changed")
	if lifted, err := b.Adopt(b.t.Context(), checker, "", digest, "looked at it too"); err != nil || !lifted {
		b.t.Fatalf("the second: %v, %v", lifted, err)
	}
}

// stands fails unless a withdrawal is in a state.
func (b *books) stands(id int64, state withdrawal.State) withdrawal.Withdrawal {
	b.t.Helper()
	w, err := b.withdrawals.Get(b.t.Context(), nil, id)
	if err != nil || w.State != state {
		b.t.Errorf("withdrawal %d is %s, %v; want %s", id, w.State, err, state)
	}
	return w
}

// standsStill fails if anything leaves while payouts are held.
func (b *books) standsStill(f *funded, o order) {
	b.t.Helper()
	sent := f.node.Calls("eth_sendRawTransaction")
	for range 3 {
		b.run()
	}
	if n := f.node.Calls("eth_sendRawTransaction"); n != sent {
		b.t.Errorf("%d transactions were sent while payouts are held", n-sent)
	}
	if !strings.Contains(b.Trouble().Message, "Payouts are held") {
		b.t.Errorf("trouble is %q", b.Trouble().Message)
	}
	_, err := b.Propose(b.t.Context(), maker, "", payout.Manual, nil)
	refused(b.t, err, errs.Refused, "Payouts are held")
	_, err = b.Approve(b.t.Context(), checker, "", o.batch, b.digest(o.batch))
	if err == nil {
		b.t.Error("a batch was approved while payouts are held")
	}
}

// A payout that is signed after the backup is not in the database that is restored,
// which takes its withdrawal for unpaid.
func TestALostPayoutIsNotPaidTwiceAfterARestore(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]func(f *funded, b *books){
		"mined before the restore":  func(f *funded, b *books) { b.settle(f) },
		"mined after the restore":   func(_ *funded, b *books) { b.run() },
		"signed but never sent":     func(f *funded, b *books) { f.node.HoldBack(); b.run() },
		"outbid before the restore": nil,
		"never signed":              func(*funded, *books) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, b, o := single(t)
			if lost == nil { // the copy knows the payment, and not the one that replaced it
				b.run()
				lost = func(_ *funded, b *books) {
					if _, err := b.Replace(t.Context(), checker, "", o.batch, o.id); err != nil {
						t.Fatal(err)
					}
				}
			}
			dsn, made := b.copied(), b.l.Clock.Now()
			lost(f, b)
			f.node = f.Serve(t) // one that keeps nothing back
			b = b.restored(f, dsn, made, true)
			b.held(payout.Held)
			b.standsStill(f, o)
			st := b.settleWallet(f)
			b.standsStill(f, o)
			paidBefore := name != "signed but never sent" && name != "never signed"
			if paidBefore != (len(st.Found) == 1 && st.Found[0].Withdrawal == o.id && st.Found[0].Own) {
				t.Errorf("found %+v", st.Found)
			}
			b.adopt()
			for range 3 {
				b.settle(f)
			}
			f.got(t, o.to, 25)
			switch name {
			case "signed but never sent", "never signed", "outbid before the restore":
				b.is(o.batch, o.id, payout.Confirmed, withdrawal.Confirmed)
			default:
				b.is(o.batch, o.id, payout.Cancelled, withdrawal.Sent)
				if w := b.stands(o.id, withdrawal.Sent); w.Hash != st.Found[0].Hash || w.Batch != 0 {
					t.Errorf("%+v", w)
				}
			}
			id := b.approved(ann, "30", o.to) // and payouts go on
			next := b.batch(payout.Hot)
			b.settle(f)
			b.is(next, id, payout.Confirmed, withdrawal.Confirmed)
			f.got(t, o.to, 55)
			testkit.Verify(t, b.l)
		})
	}
}

// If the copy is put back without the restore command, no restore is noted: the chain
// knows a nonce that the database does not.
func TestAReplacedDatabaseFilePaysNobodyTwice(t *testing.T) {
	t.Parallel()
	for _, mined := range []bool{true, false} {
		t.Run(fmt.Sprint("mined=", mined), func(t *testing.T) {
			t.Parallel()
			f, b, o := single(t)
			dsn, made := b.copied(), b.l.Clock.Now()
			b.run()
			if mined {
				f.Mine(needed)
			}
			b = b.restored(f, dsn, made, false)
			b.run() // it finds out
			b.held(payout.Held)
			b.standsStill(f, o)
			b.settleWallet(f)
			b.adopt()
			b.settle(f)
			f.got(t, o.to, 25)
			b.stands(o.id, withdrawal.Sent)
		})
	}
}

// A withdrawal that was pending at the backup may have been approved and paid since: it can
// neither be paid again nor cancelled.
func TestAWithdrawalPaidInTheLostTimeIsNotCancelled(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	id, other := b.asked(ann, "25", to), b.asked(ann, "26", to)
	dsn, made := b.copied(), b.l.Clock.Now()
	if err := b.approve(id); err != nil {
		t.Fatal(err)
	}
	b.batch(payout.Hot)
	b.settle(f)
	b = b.restored(f, dsn, made, true)
	b.settleWallet(f)
	b.adopt()
	open := func(id int64) error {
		return b.try(func(ctx context.Context, tx *ledger.Tx) error { return b.Open(ctx, tx, id) })
	}
	refused(t, open(id), errs.Refused, "has paid withdrawal")
	if err := open(other); err != nil {
		t.Error(err)
	}
	for _, w := range []int64{id, other} {
		if err := b.approve(w); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Propose(t.Context(), maker, "", payout.Hot, nil)
	if err != nil || p.Payouts != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := b.Approve(t.Context(), checker, "", p.ID, b.digest(p.ID)); err != nil {
		t.Fatal(err)
	}
	b.settle(f)
	f.got(t, to, 51)
}

// Somebody else's transfer to a member's address may have been a payment by hand: an
// operator accepts or dismisses it.
func TestAManualPaymentInTheLostTimeWaitsForAnOperator(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	id := b.approved(ann, "25", to)
	dsn, made := b.copied(), b.l.Clock.Now()
	f.Transfer(t, f.token, to, chaintest.Units(18, 25)) // from another wallet
	f.Transfer(t, f.token, to, chaintest.Units(18, 99)) // which fits nothing
	f.Mine(needed)
	b = b.restored(f, dsn, made, true)
	st := b.settleWallet(f)
	if len(st.Found) != 1 || st.Found[0].Own || st.Found[0].Withdrawal != id {
		t.Fatalf("found %+v", st.Found)
	}
	if err := b.Dismiss(t.Context(), maker, "", st.Hold.ID, 1, "the member's own money"); err != nil {
		t.Fatal(err)
	}
	refused(t, b.Dismiss(t.Context(), maker, "", st.Hold.ID, 1, "once more"), errs.Conflict, "already")
	b.adopt()
	b.batch(payout.Hot)
	b.settle(f)
	b.stands(id, withdrawal.Confirmed)
	f.got(t, to, 25+99+25)
}

// A hold that somebody lifts in the database lifts nothing.
func TestATamperedHoldStaysInForce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		f, b := desk(t, dsn)
		_, to := chaintest.Wallet(t)
		id := b.approved(ann, "25", to)
		batch := b.batch(payout.Hot)
		if err := b.l.DB.NoteRestore(t.Context(), payout.NewNote(b.l.Clock.Now(), 1, b.l.Clock.Now())); err != nil {
			t.Fatal(err)
		}
		b.run() // the note alone holds
		b.is(batch, id, payout.Waiting, withdrawal.Approved)
		if err := b.TakeNote(t.Context(), b.l.DB.RevokeSignIns); err != nil {
			t.Fatal(err)
		}
		if _, err := testkit.Raw(t, dsn).Exec("UPDATE payout_hold SET state = 'lifted', alone = 'demo'"); err != nil {
			t.Fatal(err)
		}
		b.run()
		b.is(batch, id, payout.Waiting, withdrawal.Approved)
		f.Mine(1)
		f.got(t, to, 0)
		if b.l.State().Head.Frozen == "" {
			t.Error("money moves on")
		}
	})
}

func TestOneOperatorAdoptsOnlyWithoutOthers(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t), func(o *payout.Options) {
		o.Others = func(context.Context, *ledger.Tx, int64) (int, error) { return 0, nil }
	})
	if err := b.l.DB.NoteRestore(t.Context(), payout.NewNote(b.l.Clock.Now(), 1, b.l.Clock.Now())); err != nil {
		t.Fatal(err)
	}
	if err := b.TakeNote(t.Context(), b.l.DB.RevokeSignIns); err != nil {
		t.Fatal(err)
	}
	_, err := b.Adopt(t.Context(), maker, "", "", "too early")
	refused(t, err, errs.Conflict, "Settle the hot wallet first")
	st := b.settleWallet(f)
	digest := payout.HoldDigest(st.Hold, st.Found, st.Waiting)
	_, err = b.Adopt(t.Context(), actor.By{Name: "root"}, "", digest, "at the command line")
	refused(t, err, errs.Forbidden, "signed-in operator")
	if lifted, err := b.Adopt(t.Context(), maker, "", digest, "nobody else is here"); err != nil || !lifted {
		t.Errorf("%v, %v", lifted, err)
	}
	if st, err := b.Standing(t.Context()); err != nil || st.Held || st.Hold.Alone != "only operator" {
		t.Errorf("%+v, %v", st, err)
	}
}
