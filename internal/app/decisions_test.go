package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// told lists the audit log of a member in short: act, subject, was, became.
func (c client) told(uid int64) string {
	c.s.t.Helper()
	var page auditPage
	c.get("operator/audit?member=" + id(uid)).into(&page)
	out := []string{}
	for _, e := range page.Data[0] {
		out = append(out, fmt.Sprintf("%s %s %v>%v %v", e.Act, e.Subject, e.Was["state"], e.Became["state"], e.Became["amount"]))
	}
	return strings.Join(out, "\n")
}

func TestMoneyDecisionsNameTheMemberAndTheChange(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("2000")
		for _, number := range []string{"HDFC00000001", "HDFC00000002"} {
			if got := me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": "50", "utrno": number}).word(); got != "success" {
				t.Fatal(got)
			}
		}
		owner := s.hire(auth.RoleOwner)
		funds := owner.get("operator/fundRequests?sort=id").rows()
		good, bad := funds[0].(m)["id"], funds[1].(m)["id"]
		owner.post("operator/fundRequests/approve", m{"id": good}).into(&m{})
		owner.post("operator/fundRequests/reject", m{"id": bad, "remark": "nothing came"}).into(&m{})
		owner.post("operator/fundRequests/release", m{"id": bad, "remark": "it was 100009 who paid"}).into(&m{})
		small, large := me.withdraw("LevelIncome", "40"), me.withdraw("LevelIncome", "1001")
		me, owner = s.login(me.uid, password), s.hire(auth.RoleOwner)
		second := s.hire(auth.RoleFinance)
		owner.post("operator/withdrawals/approve", m{"id": small}).into(&m{})
		owner.post("operator/withdrawals/sent", m{"id": small, "hash": someHash}).into(&m{})
		owner.post("operator/withdrawals/confirm", m{"id": small}).into(&m{})
		owner.post("operator/withdrawals/approve", m{"id": large}).into(&m{})
		second.post("operator/withdrawals/reject", m{"id": large, "remark": "look again"}).into(&m{})
		want := strings.Join([]string{
			"withdrawal.reject " + large + " Pending>Rejected 1001.000000",
			"withdrawal.approve " + large + " Pending>Pending 1001.000000",
			"withdrawal.confirm " + small + " Sent>Confirmed 40.000000",
			"withdrawal.sent " + small + " Approved>Sent 40.000000",
			"withdrawal.approve " + small + " Pending>Approved 40.000000",
			fmt.Sprintf("fund.release %v Rejected>Rejected 50.000000", bad),
			fmt.Sprintf("fund.reject %v Pending>Rejected 50.000000", bad),
			fmt.Sprintf("fund.approve %v Pending>Approved 50.000000", good),
		}, "\n")
		if got := owner.told(me.uid); got != want {
			t.Errorf("the record says\n%s\nwant\n%s", got, want)
		}
		var mine struct {
			Data [][]struct{ Act, Subject, Was, Became, Amount, Reason string }
		}
		me.get("audit?uid=" + id(me.uid)).into(&mine)
		if rows := mine.Data[0]; len(rows) != 8 || rows[0].Act != "withdrawal.reject" || rows[0].Subject != large || rows[0].Was != "Pending" || rows[0].Became != "Rejected" ||
			rows[0].Amount != "1001.000000" || rows[0].Reason != "look again" || rows[5].Act != "fund.release" || rows[5].Reason != "" {
			t.Errorf("the member sees %+v", rows)
		}
		s.verified()
	})
}

func TestPayoutsAreInTheirMembersAuditLog(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	number := me.withdraw("LevelIncome", "40")
	owner := s.hire(auth.RoleOwner)
	owner.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
	var batch struct{ Data m }
	owner.post("operator/payouts/propose", m{"way": "manual"}).into(&batch)
	owner.post("operator/payouts/cancel", m{"batch": batch.Data["id"]}).into(&m{})
	var page auditPage
	owner.get("operator/audit?member=" + id(me.uid)).into(&page)
	if got := fmt.Sprint(page.acts()); got != "[payout.cancel payout.propose withdrawal.approve]" {
		t.Fatalf("the record says %s", got)
	}
	if e := page.Data[0][0]; e.Was["batch"] != "proposed" || e.Became["batch"] != "cancelled" || e.Became["amount"] == nil || !strings.HasSuffix(e.Subject, "/"+number) {
		t.Errorf("the cancelling is %+v", e)
	}
}

func TestLoweredLimitAppliesToPendingRequests(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		number := me.withdraw("LevelIncome", "40")
		if got := me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": "60", "utrno": "HDFC00000001"}).word(); got != "success" {
			t.Fatal(got)
		}
		maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleOwner)
		limits := m{"withdraw_member_daily": "5000", "withdraw_total_daily": "50000", "withdraw_two_above": "39", "withdraw_factor_above": "0", "fund_two_above": "59", "fund_alone_daily": "5000"}
		checker.decideSetting(maker.proposeSetting("limits", limits), true).into(&m{})
		for what, thing := range map[string]struct{ id, before, after string }{
			"withdrawals":  {number, "Pending", "Approved"},
			"fundRequests": {maker.get("operator/fundRequests").rows()[0].(m)["id"].(string), "Pending", "Approved"},
		} {
			state := func() string {
				row := maker.get("operator/" + what).rows()[0].(m)
				if row["needsTwo"] != true {
					t.Errorf("%s: the list says that one is enough", what)
				}
				if what == "withdrawals" {
					return row["ss"].(string)
				}
				return row["st"].(string)
			}
			approve := func(c client) answer {
				row := c.get("operator/" + what).rows()[0].(m)
				body := m{"id": thing.id}
				if digest, _ := row["digest"].(string); digest != "" {
					body["digest"] = digest
				}
				return c.post("operator/"+what+"/approve", body)
			}
			approve(maker).into(&m{})
			if got := state(); got != thing.before {
				t.Errorf("%s: after one it is %s", what, got)
			}
			approve(maker).refused(http.StatusConflict)
			approve(checker).into(&m{})
			if got := state(); got != thing.after {
				t.Errorf("%s: after two it is %s", what, got)
			}
		}
		s.verified()
	})
}

func TestWrongCodesSayHowLongWithdrawalsAreLocked(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	code := me.code("LevelIncome", "40")
	for range 5 {
		me.take("LevelIncome", "40", other(code))
	}
	s.clock.Advance(4 * time.Minute)
	letters := len(s.letters(annasMail))
	const shut = "Too many wrong OTPs. Try again in 11 minutes."
	if got := me.post("Withdrawalupdate", m{"Email": annasMail}).word(); got != shut {
		t.Errorf("asking for another code answers %q", got)
	}
	if got := me.take("LevelIncome", "40", code).result(); got != shut {
		t.Errorf("a withdrawal answers %q", got)
	}
	if got := s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "uid": id(me.uid)}).word(); got != "Successfull" {
		t.Errorf("a stranger reads %q", got)
	}
	if got := len(s.letters(annasMail)); got != letters {
		t.Errorf("%d letters, before %d", got, letters)
	}
}

func TestBlockedMemberReceivesNoPurchase(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	anna, ben := s.register(s.root.UID, tree.Left, "Anna Alpha"), s.register(s.root.UID, tree.Right, "Ben Beta")
	for _, kind := range []fund.Kind{"FUNDS", "FOREXFUNDS"} {
		s.deposit(anna, kind, "1000")
	}
	me, pin := s.login(anna, password), s.pin("anna.alpha@mail.example")
	s.block(ben)
	const review = "This member's account is under review, so nothing can be bought for it."
	if got := me.post("ActivationByFund", m{"user_id": id(ben), "referby": anna, "package": "1", "topuptype": "Activation", "ctrans_password": pin}).text; !strings.Contains(got, review) {
		t.Errorf("a package: %s", got)
	}
	if got := me.post("ActivationByFund_investment", m{"user_id": id(ben), "referby": anna, "package": "11", "amount": "100", "type": "FOREXFUNDS", "topuptype": "Activation", "ctrans_password": pin}).text; !strings.Contains(got, review) {
		t.Errorf("an investment: %s", got)
	}
	s.has("L:FUND:FUNDS:"+id(anna), "1000")
	s.has("L:FUND:FOREXFUNDS:"+id(anna), "1000")
}

func TestApproversRemarkIsSaved(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	s.invest(s.root.UID, "500")
	maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleOwner)
	p := maker.propose("pnl", m{"line": "FOREX", "amount": "10", "reference": "statement 7"})
	checker.decideBooking(p, true, strings.Repeat("x", 201)).names("reason")
	checker.decideBooking(p, true, "as the broker said").into(&m{})
	var open struct {
		Data struct {
			Decided []struct{ State, Reason string }
		}
	}
	checker.get("operator/bookings").into(&open)
	if d := open.Data.Decided; len(d) != 1 || d[0].State != "approved" || d[0].Reason != "as the broker said" {
		t.Errorf("decided: %+v", d)
	}
	var page auditPage
	checker.get("operator/audit?act=pnl").into(&page)
	if e := page.Data[0][0]; e.Became["reason"] != "as the broker said" {
		t.Errorf("the record says %+v", e)
	}
}
