package payout_test

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// Somebody who can write to the database gives a withdrawal, or its payout,
// another address or amount, at any step on its way out. Nothing is paid, the
// operator reads which row it is, and payments freeze.
func TestATamperedWithdrawalIsNotPaid(t *testing.T) {
	t.Parallel()
	const other = "0x52908400098527886E0F7030069857D2E4169EE7"
	address, amount := "UPDATE withdrawal SET address = '"+other+"'", "UPDATE withdrawal SET net = net + 1000000, amount = amount + 1000000"
	payee := "UPDATE payout SET address = '" + other + "'"
	propose := func(b *books) error {
		_, err := b.Propose(b.t.Context(), maker, "", payout.Manual, nil)
		return err
	}
	approve := func(b *books) error {
		_, err := b.Approve(b.t.Context(), checker, "", 1, b.digest(1))
		return err
	}
	for name, c := range map[string]struct {
		way    payout.Way
		before func(b *books) // leads to the step
		change []string
		step   func(b *books) error
		row    string
	}{
		"made": {payout.Manual, func(*books) {}, []string{address, amount}, propose, "Withdrawal 100001 was"},
		"approved": {payout.Manual, func(b *books) {
			if err := propose(b); err != nil {
				b.t.Fatal(err)
			}
		}, []string{address, amount, payee}, approve, "withdrawal 100001"},
		"exported": {payout.Manual, func(b *books) { b.batch(payout.Manual) }, []string{address, payee}, func(b *books) error {
			list, err := b.Export(b.t.Context(), maker, 1)
			if strings.Contains(string(list), other) {
				b.t.Error("the list pays the other address")
			}
			return err
		}, "withdrawal 100001"},
		"sent": {payout.Hot, func(b *books) { b.batch(payout.Hot) }, []string{address, payee, address + "; " + payee}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				for _, change := range c.change {
					dsn := another(t, dsn)
					f, b := desk(t, dsn)
					b.trust()
					_, to := chaintest.Wallet(t)
					b.approved(ann, "25", to)
					c.before(b)
					for one := range strings.SplitSeq(change, "; ") {
						b.raw(dsn, one)
					}
					if c.step != nil {
						err := c.step(b)
						refused(t, err, errs.Conflict, "was changed outside Bifolia")
						if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.row)) {
							t.Errorf("%v does not name the row", err)
						}
					} else {
						b.run()
						if !strings.Contains(b.Trouble().Message, "was changed outside Bifolia") {
							t.Errorf("the trouble is %q", b.Trouble().Message)
						}
						b.settle(f)
						f.got(t, other, 0)
						f.got(t, to, 0)
					}
					if why := b.l.State().Head.Frozen; !strings.Contains(why, "changed outside Bifolia") {
						t.Errorf("%s: payments are frozen for %q", change, why)
					}
				}
			})
		})
	}
}

// The signature shows a change of the row and its line in the chain, and an operator's next
// action does not sign the change.
func TestATamperedLineOrALaterActionHidesNoChange(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		b := openBooks(t, testkit.StartLedger(t, dsn), nil)
		b.trust()
		b.join(ann, "1000")
		_, to := chaintest.Wallet(t)
		id := b.asked(ann, "25", to)
		if strings.HasPrefix(dsn, "sqlite") {
			b.raw(dsn, "DROP TRIGGER command_keep_row")
		}
		for _, c := range []struct{ change, back, says string }{
			{"UPDATE withdrawal SET uid = uid + 1", "UPDATE withdrawal SET uid = uid - 1", "is not what the signed chain says of it"},
			{"UPDATE command SET recorded_at = recorded_at + 1", "UPDATE command SET recorded_at = recorded_at - 1", "is not what was signed"},
		} {
			b.raw(dsn, c.change)
			refused(t, b.approve(id), errs.Conflict, c.says)
			b.raw(dsn, c.back)
			if err := b.l.Unfreeze(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		b.raw(dsn, "DELETE FROM witness_at") // only a way to find the line: without it the chain is read
		if err := b.approve(id); err != nil {
			t.Fatal(err)
		}
		testkit.Verify(t, b.l)
	})
}

func TestAForgedWithdrawalIsNotPaid(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		b := openBooks(t, testkit.StartLedger(t, dsn), nil)
		b.trust()
		b.join(ann, "1000")
		_, to := chaintest.Wallet(t)
		b.approved(ann, "25", to)
		b.raw(dsn, "CREATE TABLE made AS SELECT * FROM withdrawal")
		b.raw(dsn, "UPDATE made SET id = id + 1")
		b.raw(dsn, "INSERT INTO withdrawal SELECT * FROM made")
		_, err := b.Propose(t.Context(), maker, "", payout.Manual, []int64{100002})
		refused(t, err, errs.Conflict, "Withdrawal 100002 was changed outside Bifolia: no command has written it")
		if b.l.State().Head.Frozen == "" {
			t.Error("money moves on")
		}
	})
}

// another is a separate database on the engine of dsn.
func another(t *testing.T, dsn string) string {
	t.Helper()
	if strings.HasPrefix(dsn, "sqlite:") {
		return testkit.SQLite(t)
	}
	return testkit.Postgres(t)
}

// raw changes the database directly.
func (b *books) raw(dsn, query string) {
	b.t.Helper()
	if _, err := testkit.Raw(b.t, dsn).ExecContext(b.t.Context(), query); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
}

// trust makes the database believe only what the ledger's key has signed.
func (b *books) trust() {
	b.l.DB.Trust(map[string]ed25519.PublicKey{b.l.Signer.KeyID(): b.l.Signer.Public()})
}
