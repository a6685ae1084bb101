package app

import (
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// secondTold are, by operator, the new mails about pending approvals.
func (s *site) secondTold(seen map[string]int) map[string]string {
	s.t.Helper()
	got := map[string]string{}
	all, err := s.services.Auth.Operators(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range all {
		var mine []letter
		for _, l := range s.letters(o.Email) {
			if strings.Contains(l.Subject, "Your approval is needed") {
				mine = append(mine, l)
			}
		}
		for range len(mine) - seen[o.Email] {
			got[o.Email] += mine[0].Text
		}
		seen[o.Email] = len(mine)
	}
	return got
}

// Every proposal is mailed once to every other operator whose role may approve it, and to
// nobody else.
func TestSecondOperatorIsMailedPendingApprovalsOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--crypto-licence", "L-1") // a demo, which shows its mails
		s.invest(s.root.UID, "500")
		s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-15"); err != nil {
			t.Fatal(err)
		}
		maker, owner := s.hire(auth.RoleFinance), s.operator()
		other := s.hire(auth.RoleFinance)
		officer := s.hire(auth.RoleCompliance)
		s.hire(auth.RoleSupport)
		s.hire(auth.RoleReadOnly)
		email := func(c client) string {
			var me struct{ Data struct{ Email string } }
			c.get("operator/me").into(&me)
			return me.Data.Email
		}
		money, compliance, owners := []string{email(other), operatorEmail}, []string{operatorEmail}, []string(nil)
		seen := map[string]int{}
		s.secondTold(seen)
		expect := func(what string, who []string, words string) {
			t.Helper()
			got := s.secondTold(seen)
			if len(got) != len(who) {
				t.Errorf("%s: told %d operators, want %v", what, len(got), who)
			}
			for _, w := range who {
				if strings.Count(got[w], "needs the approval of a second operator") != 1 || !strings.Contains(got[w], words) {
					t.Errorf("%s: %s gets %q", what, w, got[w])
				}
			}
		}
		p := maker.propose("pnl", m{"line": "FOREX", "amount": "100", "reference": "statement 7"})
		expect("booking", money, "/admin/trading")
		other.approve(p).into(&m{})
		expect("an approval", nil, "")
		s.deposit(s.root.UID, fund.Robot, "100")
		s.earned("30")
		maker.correct(fix(s.root.UID, "FUNDS", "credit", "12.5"))
		expect("correction", money, "12.5")
		maker.post("operator/plan/propose", m{"from": "2026-11-20", "plan": sharper(t), "reason": "the board decided so"}, "Idempotency-Key", "p").into(&m{})
		maker.post("operator/plan/propose", m{"from": "2026-11-20", "plan": sharper(t), "reason": "the board decided so"}, "Idempotency-Key", "p").into(&m{}) // the same
		expect("plan", money, "sharper")
		maker.proposeSetting("usdt", m{"usdt": newAddress})
		expect("settings", money, "usdt")
		officer.proposeSetting("content", riskier(t, "All of it may be lost."))
		expect("brand", compliance, "/admin/brand")
		owner.invite("new@bifolia.example", "support") // the only owner, whose approval is enough
		expect("operator, alone", owners, "")
		s.hire(auth.RoleOwner)
		owner = s.operator()
		seen = map[string]int{}
		s.secondTold(seen)
		owner.post("operator/member/erasure/propose", m{"uid": s.root.UID, "reason": "x"}).refused(400)
		expect("a refused proposal", nil, "")
		s.twoOfMoney(maker, expect, append(money, s.newest(auth.RoleOwner)))
		s.verified()
	})
}

// newest is the e-mail address of the newest operator of a role.
func (s *site) newest(role auth.Role) (email string) {
	s.t.Helper()
	all, err := s.services.Auth.Operators(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range all {
		if o.Role == role {
			email = o.Email
		}
	}
	return email
}

// twoOfMoney covers pending large credits, withdrawals, batches and closes.
func (s *site) twoOfMoney(maker client, expect func(string, []string, string), money []string) {
	s.t.Helper()
	email := func() string {
		var me struct{ Data struct{ Email string } }
		maker.get("operator/me").into(&me)
		return me.Data.Email
	}()
	me, _ := s.earner("2000")
	me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": "9001", "utrno": "HDFC00000001"})
	number := me.withdraw("LevelIncome", "1001")
	small := me.withdraw("LevelIncome", "40")
	me.withdraw("LevelIncome", "30")
	s.clock.Advance(time.Hour)
	maker = s.signIn(email)
	request := maker.get("operator/fundRequests?state=Pending").rows()[0].(m)["id"]
	maker.post("operator/fundRequests/approve", m{"id": request}).into(&m{})
	expect("fund request", money, "$9,001.00")
	maker.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
	expect("withdrawal", money, number)
	maker.post("operator/withdrawals/approve", m{"id": small}).into(&m{})
	expect("a withdrawal that takes one", nil, "")
	third := maker.get("operator/withdrawals?state=Pending").rows()[0].(m)["id"]
	if third == number {
		third = maker.get("operator/withdrawals?state=Pending").rows()[1].(m)["id"]
	}
	maker.post("operator/withdrawals/approve", m{"id": third}).into(&m{})
	maker.post("operator/withdrawals/sent", m{"id": third, "hash": someHash}).into(&m{})
	expect("payment", money, "/admin/withdrawals")
	maker.post("operator/payouts/propose", m{"way": "manual"}).into(&m{})
	expect("batch", money, "/admin/payouts")
	maker.post("operator/close/propose", m{"day": "2026-11-16", "digest": maker.digest("2026-11-16")}).into(&m{})
	expect("close", money, "2026-11-16")
}

// A new kind of proposal must name its deciding call.
func TestEveryProposalKindHasADecidingCall(t *testing.T) {
	for kind, way := range approvalmail.Ways {
		if !httpx.RoleAllows(auth.RoleOwner, way.Call) || way.Screen == "" || way.Words == "" {
			t.Errorf("%s: %+v", kind, way)
		}
	}
}
