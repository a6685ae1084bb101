package payout_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// everything is what somebody puts back to what it was: with where the line is
// that was valid then, it looks right.
var everything = []string{"withdrawal", "payout", "payout_batch", "witness_at"}

// putBackBy writes the rows that were kept over what they are now.
var putBackBy = map[string]string{
	"withdrawal": `UPDATE withdrawal SET state = o.state, remark = o.remark, decided_name = o.decided_name, decided_at = o.decided_at, batch = o.batch, hash = o.hash,
		sent_at = o.sent_at, confirmed_at = o.confirmed_at FROM old_withdrawal o WHERE o.id = withdrawal.id`,
	"payout": `UPDATE payout SET state = o.state, sender = o.sender, nonce = o.nonce, hash = o.hash, note = o.note, signed_at = o.signed_at, sent_at = o.sent_at, ended_at = o.ended_at
		FROM old_payout o WHERE o.batch = payout.batch AND o.withdrawal = payout.withdrawal`,
	"payout_batch": `UPDATE payout_batch SET state = o.state, approved_by = o.approved_by, approved_name = o.approved_name, approved_at = o.approved_at, exported_at = o.exported_at,
		ended_at = o.ended_at FROM old_payout_batch o WHERE o.id = payout_batch.id`,
	"witness_at": "UPDATE witness_at SET batch = o.batch FROM old_witness_at o WHERE o.what = witness_at.what",
}

func (b *books) save(dsn string) {
	b.t.Helper()
	for _, table := range everything {
		b.raw(dsn, "CREATE TABLE old_"+table+" AS SELECT * FROM "+table)
	}
}

func (b *books) putBack(dsn string, tables ...string) {
	b.t.Helper()
	for _, table := range tables {
		b.raw(dsn, putBackBy[table])
	}
}

func (b *books) reject(id int64) {
	b.t.Helper()
	b.command(func(ctx context.Context, tx *ledger.Tx) error {
		_, err := b.withdrawals.Reject(ctx, tx, "third", id, "no")
		return err
	})
}

// undone takes a batch back and gives the money of its withdrawal back.
func (b *books) undone(batch, id int64) {
	b.t.Helper()
	if _, err := b.Cancel(b.t.Context(), maker, "", batch); err != nil {
		b.t.Fatal(err)
	}
	b.reject(id)
}

// Somebody who can write to the database puts a withdrawal and its payout back to
// an older state, with their valid lines of that time. The ledger knows that
// the money is no longer held: nothing is paid, and payments freeze.
func TestARolledBackWithdrawalIsNotPaid(t *testing.T) {
	t.Parallel()
	propose := func(b *books) error {
		_, err := b.Propose(b.t.Context(), maker, "", payout.Manual, nil)
		return err
	}
	run := func(b *books) error {
		b.run()
		return errs.New(errs.Conflict, "test.error", "{trouble}", "trouble", b.Trouble().Message)
	}
	for name, c := range map[string]struct {
		way    payout.Way
		before func(b *books) // leads to what is put back
		after  func(f *funded, b *books, id int64)
		tables []string
		step   func(b *books) error
		says   string
	}{
		"rejected": {payout.Manual, func(*books) {}, func(_ *funded, b *books, id int64) { b.reject(id) }, []string{"withdrawal", "witness_at"}, propose, "was voided"},
		"confirmed": {payout.Hot, func(*books) {}, func(f *funded, b *books, _ int64) {
			b.batch(payout.Hot)
			b.settle(f)
		}, []string{"withdrawal", "witness_at"}, propose, "was settled"},
		"sent": {payout.Manual, func(*books) {}, func(_ *funded, b *books, id int64) {
			b.noted(b.batch(payout.Manual), id, "0x"+strings.Repeat("ab", 32))
		}, []string{"withdrawal", "witness_at"}, propose, "its payout is in batch 1"},
		"proposed": {payout.Manual, func(b *books) {
			if err := propose(b); err != nil {
				b.t.Fatal(err)
			}
		}, func(_ *funded, b *books, id int64) { b.undone(1, id) }, everything, func(b *books) error {
			_, err := b.Approve(b.t.Context(), checker, "", 1, b.digest(1))
			return err
		}, "was voided"},
		"approved": {payout.Manual, func(b *books) { b.batch(payout.Manual) }, func(_ *funded, b *books, id int64) { b.undone(1, id) }, everything, func(b *books) error {
			_, err := b.Export(b.t.Context(), maker, 1)
			return err
		}, "was voided"},
		"paid by hand": {payout.Manual, func(b *books) { b.batch(payout.Manual) }, func(_ *funded, b *books, id int64) {
			b.noted(1, id, "0x"+strings.Repeat("ab", 32))
		}, everything, func(b *books) error {
			_, err := b.Export(b.t.Context(), maker, 1)
			return err
		}, "pays it"},
		"hot": {payout.Hot, func(b *books) { b.batch(payout.Hot) }, func(_ *funded, b *books, id int64) { b.undone(1, id) }, everything, run, "was voided"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				f, b := desk(t, dsn)
				b.trust()
				_, to := chaintest.Wallet(t)
				id := b.approved(ann, "25", to)
				c.before(b)
				b.save(dsn)
				c.after(f, b, id)
				paid := f.Balance(t, f.token, to)
				b.putBack(dsn, c.tables...)
				err := c.step(b)
				refused(t, err, errs.Conflict, "was changed outside Bifolia")
				refused(t, err, errs.Conflict, "ithdrawal 100001")
				refused(t, err, errs.Conflict, c.says)
				if why := b.l.State().Head.Frozen; !strings.Contains(why, "changed outside Bifolia") {
					t.Errorf("payments are frozen for %q", why)
				}
				if now := f.Balance(t, f.token, to); now.Cmp(paid) != 0 {
					t.Errorf("it was paid: %s became %s", paid, now)
				}
			})
		})
	}
}

// If the hold's row is put back too, the row that released it shows the change. verify
// finds a withdrawal that was put back and changed since, so that its row is signed.
func TestTheLedgerRevealsARolledBackRow(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		b := openBooks(t, testkit.StartLedger(t, dsn), nil)
		b.trust()
		b.join(ann, "1000")
		_, to := chaintest.Wallet(t)
		id := b.approved(ann, "25", to)
		b.save(dsn)
		b.reject(id)
		b.putBack(dsn, "withdrawal", "witness_at")
		b.command(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := b.withdrawals.SetBatch(ctx, tx, id, 0, tx.Now())
			return err
		})
		if err := closing.CheckBooks(t.Context(), b.l.DB.Books()); err == nil || !strings.Contains(err.Error(), "money is held until") {
			t.Errorf("verify says %v", err)
		}
		b.raw(dsn, "UPDATE hold SET state = 'open', resolved = 0")
		_, err := b.Propose(t.Context(), maker, "", payout.Manual, nil)
		refused(t, err, errs.Conflict, "its money is not held any more")
	})
}
