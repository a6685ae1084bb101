package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestRolesLimitOperatorCalls(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	money := map[auth.Role]bool{auth.RoleOwner: true, auth.RoleFinance: true}
	review := map[auth.Role]bool{auth.RoleOwner: true, auth.RoleCompliance: true}
	for _, role := range auth.Roles() {
		operator := s.hire(role)
		operator.get("operator/close/days").into(&m{})
		operator.get("operator/close/progress").into(&m{})
		for path, c := range map[string]struct {
			body m
			may  bool
		}{
			"operator/close/preview":  {m{"day": "2026-11-15"}, money[role]},
			"operator/close/propose":  {m{"day": "2026-11-15", "digest": strings.Repeat("0", 64)}, money[role]},
			"operator/close/commit":   {m{"day": "2026-11-15", "digest": strings.Repeat("0", 64)}, money[role]},
			"operator/pnl":            {m{"line": "FOREX", "amount": "10", "reference": "of " + string(role)}, money[role]},
			"operator/settle":         {m{"line": "FOREX", "amount": "1", "reference": "of " + string(role)}, money[role]},
			"operator/chargeback":     {m{"sale": "none", "reference": "a bank's letter"}, money[role]},
			"operator/recall":         {m{"claim": "none", "amount": "1"}, money[role]},
			"operator/booking/decide": {m{"id": "9", "digest": "0", "approve": true}, money[role]},
			"operator/booking/cancel": {m{"booking": "none", "reason": "mistyped"}, money[role]},
			"operator/block":          {m{"uid": uid, "reason": "papers are missing"}, review[role]},
			"operator/unblock":        {m{"uid": uid, "reason": "papers came"}, review[role]},
			"operator/plan/propose":   {m{"from": "2026-11-16", "plan": draft(t, "p"+string(role), nil), "reason": "we try it out"}, money[role]},
			"operator/plan/approve":   {m{"version": "none", "digest": strings.Repeat("0", 64), "reason": "we try it out"}, money[role]},
			"operator/plan/cancel":    {m{"version": "none", "reason": "we try it out"}, money[role]},
		} {
			if a := operator.post(path, c.body); (a.status != http.StatusForbidden) != c.may || a.status >= 500 {
				t.Errorf("%s at %s: %d %s", role, path, a.status, a.text)
			}
		}
	}
}

func TestBookingUnderOneKeyIsBookedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.invest(s.root.UID, "500")
		s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-15"); err != nil {
			t.Fatal(err)
		}
		operator, checker := s.operator(), s.hire(auth.RoleFinance)
		pnl := m{"line": "FOREX", "amount": "100", "reference": "statement 7"}
		operator.post("operator/settle", m{"line": "FOREX", "amount": "1", "reference": "wire 1"}).says(422, "above the booked profit")
		first := operator.post("operator/pnl", pnl, "Idempotency-Key", "k1")
		var profit bookingProposal
		if first.into(&profit); profit.Data.Day != "2026-11-16" || profit.Data.ID == "" {
			t.Errorf("proposed as %+v", profit.Data)
		}
		before := s.counts(booksTables...)
		if again := operator.post("operator/pnl", pnl, "Idempotency-Key", "k1"); again.text != first.text {
			t.Errorf("asked again it answers %s, not %s", again.text, first.text)
		}
		operator.post("operator/pnl", m{"line": "FOREX", "amount": "101", "reference": "statement 7"}, "Idempotency-Key", "k1").refused(409)
		operator.post("operator/pnl", pnl).says(409, "already")
		operator.post("operator/pnl", m{"line": "FOREX", "amount": "5", "reference": "statement 7"}).says(409, "already")
		operator.post("operator/pnl", m{"line": "GOLD", "amount": "0", "reference": " "}).names("line", "amount", "reference")
		operator.post("operator/pnl", m{"line": "FOREX", "amount": "x", "reference": "r"}).names("amount")
		operator.post("operator/pnl", m{"line": "FOREX", "amount": "1", "reference": "r", "at": "2026-11-17T00:00:00Z"}).names("at")
		operator.post("operator/settle", m{"line": "FOREX", "amount": "100.000001", "reference": "wire 1"}).says(422, "above the booked profit")
		operator.post("operator/recall", m{"claim": "C-none", "amount": "1"}).says(404, "no claim")
		if after := s.counts(booksTables...); after != before {
			t.Errorf("refused and still written:\n%s\n%s", before, after)
		}
		settled := operator.propose("settle", m{"line": "FOREX", "amount": "90", "reference": "wire 1"})
		checker.approve(settled).says(422, "above the booked profit") // which nobody has approved
		checker.approved(profit)
		checker.approved(settled)
		operator.post("operator/pnl", pnl).says(409, "already")
		operator.post("operator/settle", m{"line": "FOREX", "amount": "10.5", "reference": "wire 2"}).says(422, "of which 10")
		s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC))
		var report struct {
			Data struct{ Totals map[string]string }
		}
		s.operator().post("operator/close/preview", m{"day": "2026-11-16"}).into(&report)
		if report.Data.Totals["Roi"] != "70" && report.Data.Totals["Roi"] != "70.000000" {
			t.Errorf("the day pays %v", report.Data.Totals)
		}
		if got := s.counts("operator_act", "booking"); got != "operator_act 2, booking 2, " {
			t.Errorf("the record has %s", got)
		}
	})
}

// A mistyped booking does not block closes: it can be cancelled, and an invalid one is
// rejected.
func TestBookingIsReversedUntilItsDayIsClosed(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.invest(s.root.UID, "500")
		s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-15"); err != nil {
			t.Fatal(err)
		}
		operator, checker := s.operator(), s.hire(auth.RoleFinance)
		for _, wrong := range []string{"1000000000.000001", "-9000000000000"} {
			operator.post("operator/pnl", m{"line": "FOREX", "amount": wrong, "reference": "statement 7"}).names("amount")
		}
		book := func(amount string) string {
			return checker.approved(operator.propose("pnl", m{"line": "FOREX", "amount": amount, "reference": "statement 7"}))
		}
		cancel := func(booking, why string) answer {
			return operator.post("operator/booking/cancel", m{"booking": booking, "reason": why})
		}
		first := book("100")
		cancel(first, " ").names("reason")
		cancel("none", "mistyped").says(404, "no open booking")
		if _, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE booking SET amount = 9000000000000000000"); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "a booking is what an operator booked (booking "+first+")") {
			t.Errorf("verify of a changed booking: %v", err)
		}
		if _, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE booking SET amount = 100000000"); err != nil {
			t.Fatal(err)
		}
		s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)) // the day is over, and still open
		operator, checker = s.operator(), s.hire(auth.RoleFinance)
		var undo bookingProposal
		if cancel(first, "mistyped").into(&undo); undo.Data.Day != "2026-11-16" {
			t.Errorf("cancelled on %s", undo.Data.Day)
		}
		checker.approved(undo)
		cancel(first, "again").says(404, "no open booking")
		var report struct {
			Data struct{ Totals map[string]string }
		}
		a := operator.post("operator/close/preview", m{"day": "2026-11-16"})
		if !strings.Contains(a.text, "cancelled: mistyped") {
			t.Errorf("the preview does not tell: %s", a.text)
		}
		if a.into(&report); report.Data.Totals["Roi"] != "" && report.Data.Totals["Roi"] != "0" && report.Data.Totals["Roi"] != "0.000000" {
			t.Errorf("the day pays %v", report.Data.Totals)
		}
		if err := s.closeUntil("2026-11-16"); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestOnlyFinalSalesAreChargedBack(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		final := s.buy(s.root.UID, 5, "1000")
		refunded := s.buy(s.register(s.root.UID, tree.Left, "Anna Alpha"), 5, "1000")
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			return s.services.Market.Refund(ctx, tx, refunded)
		})
		operator := s.operator()
		back := func(sold string) answer {
			return operator.post("operator/chargeback", m{"sale": sold, "reference": "a bank's letter"})
		}
		back(final).says(422, "still cooling off")
		back(refunded).says(422, "was refunded")
		back("s-none").says(404, "There is no sale")
		s.clock.SetWall(time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-30"); err != nil {
			t.Fatal(err)
		}
		operator = s.operator()
		s.hire(auth.RoleFinance).approved(operator.propose("chargeback", m{"sale": final, "reference": "a bank's letter"}))
		back(final).says(409, "is already booked for the close")
		s.clock.SetWall(time.Date(2026, 12, 2, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-12-01"); err != nil {
			t.Fatal(err)
		}
		operator = s.operator()
		back(final).says(422, "was charged back already")
	})
}

func TestAReviewHoldsIncomesUntilItEnds(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	s.buy(s.root.UID, 5, "1000")
	s.buy(s.register(s.root.UID, tree.Left, "Anna Alpha"), 5, "1000")
	operator := s.hire(auth.RoleCompliance)
	operator.post("operator/unblock", m{"uid": s.root.UID, "reason": "papers came"}).refused(409)
	operator.post("operator/unblock", m{"uid": s.root.UID, "reason": " "}).names("reason")
	operator.post("operator/block", m{"uid": s.root.UID, "reason": " "}).names("reason")
	operator.post("operator/block", m{"uid": 1, "reason": "nobody"}).refused(404)
	operator.post("operator/block", m{"uid": s.root.UID, "reason": "papers are missing"}).into(&m{})
	operator.post("operator/block", m{"uid": s.root.UID, "reason": "again"}).refused(409)
	s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-11-29"); err != nil {
		t.Fatal(err)
	}
	held := func() (n int) {
		raw := testkit.Raw(t, s.dsn)
		if err := raw.QueryRow("SELECT COUNT(*) FROM income WHERE held = 1 AND released_day = 0").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if held() == 0 {
		t.Error("nothing is on Hold")
	}
	s.operator().post("operator/unblock", m{"uid": s.root.UID, "reason": "papers came"}).into(&m{})
	if n := held(); n != 0 {
		t.Errorf("%d rows are still on Hold", n)
	}
}

func TestAClaimWaitsForTheCashThatIsRecalledForIt(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.invest(uid, "500")
	s.clock.SetWall(testkit.Epoch.AddDate(0, 0, 182))
	if err := s.closeUntil("2027-05-15"); err != nil { // the term is 180 days
		t.Fatal(err)
	}
	claim := "C-p" + id(uid)
	me, operator, checker := s.login(uid, password), s.operator(), s.hire(auth.RoleFinance)
	row := func() m { return me.report("FOREXWithdrawalCliam", nil).Data[0][0] }
	position := func() m { return me.get("investments?line=FOREX&uid=" + id(uid)).rows()[0].(m) }
	collect := func() any {
		return me.post("Claiminvestment", m{"referby": uid, "user_id": uid, "RowID": claim}).data()
	}
	if got := collect(); got != "The cash for this claim isn’t available yet. We’ll notify you when you can collect it." {
		t.Errorf("before its cash a claim answers %v", got)
	}
	s.shows("without cash", row(), m{"ready": false, "ss": "Pending"})
	s.shows("without cash", position(), m{"ready": false, "state": "matured", "netamount": "500.000000", "ends": "2027-05-14", "days_gone": 180.0, "result": "0.000000"})
	operator.post("operator/recall", m{"claim": claim, "amount": "500.000001"}).says(422, "above the claim's open amount")
	checker.approved(operator.propose("recall", m{"claim": claim, "amount": "200"}))
	if got := collect(); got != "The cash for this claim isn’t available yet. We’ll notify you when you can collect it." {
		t.Errorf("with some of its cash a claim answers %v", got)
	}
	hand := testkit.Raw(t, s.dsn)
	edit := func(query string) {
		t.Helper()
		if _, err := hand.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	edit("UPDATE claim SET recalled = net")
	me.post("Claiminvestment", m{"referby": uid, "user_id": uid, "RowID": claim}).says(409, "Contact support")
	if why := s.ledger.State().Head.Frozen; !strings.Contains(why, "Claim "+claim) {
		t.Errorf("with cash that nobody recalled payments are frozen: %q", why)
	}
	if err := s.ledger.Unfreeze(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(24 * time.Hour)
	if err := s.closeUntil("2027-05-16"); err == nil || !strings.Contains(err.Error(), "a line's cash is") {
		t.Errorf("a close over changed books: %v", err)
	}
	if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "recalled cash is what the ledger recalled for it (claim "+claim+"); it is 500.000000, not 200.000000") {
		t.Errorf("verify of changed books: %v", err)
	}
	edit("UPDATE claim SET recalled = 200000000")
	if err := s.closeUntil("2027-05-16"); err != nil {
		t.Error(err)
	}
	me, operator, checker = s.login(uid, password), s.operator(), s.hire(auth.RoleFinance)
	var rest bookingProposal
	for range 2 {
		operator.post("operator/recall", m{"claim": claim, "amount": "300", "reference": "wire 9"}, "Idempotency-Key", "k").into(&rest)
	}
	operator.post("operator/recall", m{"claim": claim, "amount": "1"}).says(422, "above the claim's open amount") // with what waits
	s.shows("with a proposed recall", operator.get("operator/claims?uid=" + id(uid)).rows()[0].(m), m{"state": "Open", "need": "300.000000", "waiting": "300.000000"})
	if got := collect(); got != "The cash for this claim isn’t available yet. We’ll notify you when you can collect it." {
		t.Errorf("with cash that is only proposed a claim answers %v", got)
	}
	checker.approved(rest)
	operator.post("operator/recall", m{"claim": claim, "amount": "1"}).says(422, "above the claim's open amount")
	s.shows("with cash", row(), m{"ready": true})
	s.shows("with cash", position(), m{"ready": true})
	if got := collect(); got != "Claim Successfully...!!!" {
		t.Errorf("with its cash a claim answers %v", got)
	}
	s.shows("paid", row(), m{"ready": false, "ss": "Claimed"})
	s.shows("paid", position(), m{"ready": false, "state": "claimed"})
	for _, subject := range []string{"Your Bifolia investment can be collected", "Your Bifolia investment was paid out"} {
		var n int
		if err := hand.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM outbox WHERE uid = $1 AND subject = $2", uid, subject).Scan(&n); err != nil || n != 1 {
			t.Errorf("%d mails say %q, %v", n, subject, err)
		}
	}
	operator.post("operator/recall", m{"claim": claim, "amount": "1"}).says(422, "already claimed")
}
