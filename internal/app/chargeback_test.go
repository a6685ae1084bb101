package app

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Money in a pending withdrawal is not available for a chargeback: it becomes a debt, and
// the day still closes.
func TestChargebackLeavesMoneyOnHoldForAWithdrawal(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		anna := s.register(s.root.UID, tree.Left, "Anna Beta")
		s.buy(s.root.UID, 5, "1000")
		sold := s.buy(anna, 5, "1000")
		s.clock.SetWall(time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			wallet := ledger.MustAccount("L:INCOME:LevelIncome:" + id(s.root.UID))
			b, err := tx.Balance(wallet)
			if err != nil {
				return err
			}
			if b.Available.Sign() <= 0 {
				t.Fatal("the sale paid no level income")
			}
			if _, err := tx.PlaceHold(ledger.HoldRequest{Account: wallet, Amount: b.Available, For: time.Hour * 999, Reason: "withdrawal", Reference: "w"}); err != nil {
				return err
			}
			e := closing.Event{ID: "back", At: tx.Now(), Recorded: tx.Now()}
			return s.closing.Book(ctx, tx, e, closing.Booking{Kind: "chargeback", Sale: sold, Reference: "bank"})
		})
		s.clock.SetWall(time.Date(2026, 12, 3, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-12-01"); err != nil {
			t.Fatal(err)
		}
		var debt int64
		if err := testkit.Raw(t, dsn).QueryRowContext(t.Context(), "SELECT debt FROM carry WHERE no = 1").Scan(&debt); err != nil || debt <= 0 {
			t.Errorf("the debt is %d, %v", debt, err)
		}
		if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
			t.Error(err)
		}
	})
}

// The audit log names the member, who reads the chargeback once it is approved.
func TestChargebackIsInTheMembersAuditLog(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	anna, _ := s.anna()
	sold := s.buy(anna.uid, 5, "1000")
	s.clock.SetWall(time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-11-29"); err != nil {
		t.Fatal(err)
	}
	maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleFinance)
	anna = s.login(anna.uid, password)
	var p struct{ Data struct{ ID, Digest string } }
	maker.post("operator/chargeback", m{"sale": sold, "reference": "letter of the bank"}).into(&p)
	if seen := anna.get("audit?uid=" + id(anna.uid)).rows(); len(seen) != 0 {
		t.Errorf("before it is approved she reads %v", seen)
	}
	checker.post("operator/booking/decide", m{"id": p.Data.ID, "digest": p.Data.Digest, "approve": true}).into(&m{})
	for _, rows := range [][]any{anna.get("audit?uid=" + id(anna.uid)).rows(), s.operator().get("operator/audit?act=chargeback&member=" + id(anna.uid)).rows()} {
		if len(rows) != 1 || rows[0].(m)["act"] != "chargeback" {
			t.Errorf("the record says %v", rows)
		}
	}
}
