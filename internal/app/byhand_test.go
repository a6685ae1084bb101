package app

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The approver of a batch sees how much of it was credited manually, even if the money
// passed through another member.
func TestPayoutBatchShowsHandCreditedMoneyAndItsOperator(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		root := s.login(s.root.UID, rootPassword)
		credit := func(c client, amount, number string) (operator string) {
			t.Helper()
			if got := c.post("FundRequest", m{"uid": id(c.uid), "bankid": 1, "amount": amount, "utrno": number}).word(); got != "success" {
				t.Fatal(got)
			}
			o := s.hire(auth.RoleFinance)
			o.post("operator/fundRequests/approve", m{"id": o.get("operator/fundRequests?state=Pending").rows()[0].(m)["id"]}).into(&m{})
			var who struct{ Data struct{ Email string } }
			o.get("operator/me").into(&who)
			s.clock.Advance(time.Minute)
			return who.Data.Email
		}
		first := credit(root, "60", "HDFC00000001")
		s.command(func(_ context.Context, tx *ledger.Tx) error {
			return fund.Transfer(tx, s.root.UID, me.uid, fund.Robot, money.MustParse("50"), "t1")
		})
		s.clock.Advance(time.Minute)
		second := credit(me, "30", "HDFC00000002")
		s.deposit(me.uid, fund.Robot, "5") // by a machine
		numbers := []string{me.withdraw("FundBalance", "82"), me.withdraw("LevelIncome", "40")}
		maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleOwner)
		var batch struct{ Data m }
		see := func(withdrawal string) (got struct {
			Data struct {
				ByHand struct {
					Amount    string
					Operators []struct{ Names, Amount string }
				}
			}
		},
		) {
			t.Helper()
			maker.post("operator/withdrawals/approve", m{"id": withdrawal}).into(&m{})
			maker.post("operator/payouts/propose", m{"way": "manual", "withdrawals": []string{withdrawal}}).into(&batch)
			checker.get("operator/payouts/batch?batch=" + id(int64(batch.Data["id"].(float64)))).into(&got)
			return got
		}
		got := see(numbers[0]).Data.ByHand
		if got.Amount != "80.000000" || len(got.Operators) != 2 || got.Operators[0].Names != first || got.Operators[0].Amount != "50.000000" ||
			got.Operators[1].Names != second || got.Operators[1].Amount != "30.000000" {
			t.Errorf("of 82, of which 80 were credited by hand: %+v", got)
		}
		if income := see(numbers[1]).Data.ByHand; income.Amount != "0.000000" || len(income.Operators) != 0 {
			t.Errorf("of an income: %+v", income)
		}
	})
}
