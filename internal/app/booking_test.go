package app

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// bookingProposal is a booking in responses.
type bookingProposal struct {
	Data struct {
		ID, Kind, Day, Amount, State, Reason, Booking, Alone string
		ProposedBy, DecidedBy                                string
		Own, MayApprove                                      bool
		Payload, Digest                                      string
		Warning, LineHas, Missing, Buyer, Payer              string
		Package                                              int64
		Takes                                                []struct{ UID, Amount string }
	}
}

func (c client) propose(kind string, body m) (p bookingProposal) {
	c.s.t.Helper()
	c.post("operator/"+kind, body).into(&p)
	return p
}

func (c client) decideBooking(p bookingProposal, approve bool, reason string, header ...string) answer {
	c.s.t.Helper()
	return c.post("operator/booking/decide", m{"id": p.Data.ID, "digest": p.Data.Digest, "approve": approve, "reason": reason}, header...)
}

func (c client) approve(p bookingProposal, header ...string) answer {
	c.s.t.Helper()
	return c.decideBooking(p, true, "", header...)
}

// approved approves a proposal and gives the booking.
func (c client) approved(p bookingProposal) string {
	c.s.t.Helper()
	c.approve(p).into(&p)
	if p.Data.State != "approved" || p.Data.Booking == "" {
		c.s.t.Fatalf("approved it is %+v", p.Data)
	}
	return p.Data.Booking
}

// atWork is a site whose first day is closed, with two operators.
func atWork(t *testing.T, dsn string) (s *site, maker, checker client) {
	t.Helper()
	s = openSite(t, dsn, "--demo", "false", "--crypto-licence", "L-1")
	s.invest(s.root.UID, "500")
	s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-11-15"); err != nil {
		t.Fatal(err)
	}
	return s, s.hire(auth.RoleFinance), s.operator()
}

var statement = m{"line": "FOREX", "amount": "-12.5", "reference": "statement <7> & more"}

func TestBookingTakesASecondOperatorsApproval(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		p := maker.propose("pnl", statement)
		if d := p.Data; !d.Own || d.MayApprove || d.State != "waiting" || d.Day != "2026-11-16" || d.Booking != "" {
			t.Errorf("the maker sees %+v", d)
		}
		if sum := sha256.Sum256([]byte(p.Data.Payload)); hex.EncodeToString(sum[:]) != p.Data.Digest ||
			!strings.Contains(p.Data.Payload, `"amount":"-12.500000","day":"2026-11-16"`) || !strings.Contains(p.Data.Payload, "statement <7> & more") {
			t.Errorf("the digest is not that of %s", p.Data.Payload)
		}
		before := s.counts("booking", "operator_act", "day_event")
		maker.approve(p).says(http.StatusForbidden, "Another operator must approve it")
		other := p
		other.Data.Digest = strings.Repeat("0", 64)
		checker.approve(other).says(http.StatusUnprocessableEntity, "has changed")
		other.Data.ID = "77"
		checker.approve(other).refused(http.StatusNotFound)
		for _, role := range []auth.Role{auth.RoleReadOnly, auth.RoleSupport, auth.RoleCompliance} {
			o := s.hire(role)
			o.approve(p).refused(http.StatusForbidden)
			o.post("operator/booking/decide", m{"id": p.Data.ID, "digest": p.Data.Digest, "approve": true, "role": "owner"}, "X-Role", "owner").refused(http.StatusForbidden)
		}
		forged := checker
		forged.token = forgeRole(t, s.hire(auth.RoleReadOnly).token)
		forged.approve(p).unauthenticated()
		raw := testkit.Raw(t, dsn)
		for what, query := range map[string]string{
			"the maker approves":       "UPDATE booking_proposal SET state = 'approved', decided_by = proposed_by, decided_at = 1, event = 'o1'",
			"nobody approves":          "UPDATE booking_proposal SET state = 'approved', event = 'o1'",
			"an approval books naught": "UPDATE booking_proposal SET state = 'approved', decided_by = 99, decided_at = 1",
			"the amount is exchanged":  "UPDATE booking_proposal SET amount = 1",
			"one begins approved": `INSERT INTO booking_proposal (id, kind, line, sale, claim, booking, cancels, amount, reference, evidence, happened_at, day, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, reason, alone, event)
				SELECT 9, kind, line, sale, claim, booking, cancels, amount, reference, evidence, happened_at, day, proposed_by, proposed_name, proposed_at,
				'approved', 99, 'x', 1, '', '', 'o9' FROM booking_proposal`,
		} {
			if _, err := raw.Exec(query); err == nil {
				t.Errorf("the database lets pass: %s", what)
			}
		}
		if now := s.counts("booking", "operator_act", "day_event"); now != before {
			t.Errorf("nobody approved it, and still:\n%s\n%s", before, now)
		}
		var seen bookingProposal
		checker.get("operator/booking/proposal?id=" + p.Data.ID).into(&seen)
		if seen.Data.Digest != p.Data.Digest || seen.Data.Payload != p.Data.Payload || !seen.Data.MayApprove {
			t.Errorf("the checker sees %+v", seen.Data)
		}
		first := checker.approve(p, "Idempotency-Key", "a1")
		first.into(&seen)
		if again := checker.approve(p, "Idempotency-Key", "a1"); again.text != first.text || again.status != 200 {
			t.Errorf("replayed it answers %s, not %s", again.text, first.text)
		}
		checker.approve(p).says(http.StatusConflict, "already approved")
		maker.decideBooking(p, false, "").says(http.StatusConflict, "already approved")
		if _, err := raw.Exec("UPDATE booking_proposal SET state = 'refused', event = ''"); err == nil {
			t.Error("the database lets a decision be changed")
		}
		s.checkBooked(checker, seen)
	})
}

// forgeRole is a token that claims an owner's role with another token's signature.
func forgeRole(t *testing.T, token string) string {
	t.Helper()
	parts := strings.Split(token, ".")
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	owner := strings.TrimSuffix(string(claims), "}") + `,"role":"owner"}`
	return parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(owner)) + "." + parts[2]
}

// checkBooked checks the results of an approved loss: one booking, both names in the audit
// log, and a database that verifies until it is changed.
func (s *site) checkBooked(checker client, p bookingProposal) {
	s.t.Helper()
	var open struct {
		Data struct {
			Bookings []struct{ ID, Amount string }
			Waiting  []m
			Decided  []struct{ ID, State, ProposedBy, DecidedBy string }
		}
	}
	checker.get("operator/bookings").into(&open)
	if d := open.Data; len(d.Bookings) != 1 || d.Bookings[0].ID != p.Data.Booking || d.Bookings[0].Amount != "-12.500000" || len(d.Waiting) != 0 || len(d.Decided) != 1 ||
		d.Decided[0].State != "approved" || d.Decided[0].DecidedBy != operatorEmail || d.Decided[0].ProposedBy == operatorEmail {
		s.t.Errorf("booked is %+v", d)
	}
	var trail auditPage
	checker.get("operator/audit?size=5").into(&trail)
	if e := trail.Data[0]; e[0].Act != "pnl" || e[0].Name != operatorEmail || e[0].Became["digest"] != p.Data.Digest || e[0].Became["proposed by"] != p.Data.ProposedBy {
		s.t.Errorf("the record says %+v", e[0])
	}
	if _, err := Verify(s.t.Context(), s.cfg, false, nil); err != nil {
		s.t.Errorf("verify: %v", err)
	}
	raw := testkit.Raw(s.t, s.dsn)
	if _, err := raw.Exec("UPDATE booking SET reference = 'another statement'"); err != nil {
		s.t.Fatal(err)
	}
	if _, err := Verify(s.t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "what two operators approved") {
		s.t.Errorf("verify of a booking that nobody approved so: %v", err)
	}
}

func TestProposedBookingIsRefusedWithdrawnOrExpires(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		p := maker.propose("pnl", statement)
		checker.decideBooking(p, false, " ").names("reason")
		checker.decideBooking(p, false, "the broker says -12.05").into(&p)
		if d := p.Data; d.State != "refused" || d.Reason != "the broker says -12.05" || d.DecidedBy != operatorEmail {
			t.Errorf("refused it is %+v", d)
		}
		checker.approve(p).says(http.StatusConflict, "already refused")

		p = maker.propose("pnl", statement) // what was refused may be proposed again
		maker.decideBooking(p, false, "").into(&p)
		if p.Data.State != "withdrawn" {
			t.Errorf("withdrawn it is %+v", p.Data)
		}
		checker.approve(p).says(http.StatusConflict, "already withdrawn")

		p = maker.propose("pnl", statement)
		var days struct {
			Data struct{ Next struct{ Waiting int } }
		}
		var preview struct{ Data struct{ Waiting int } }
		s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)) // the day is over, and still open
		maker, checker = s.hire(auth.RoleFinance), s.operator()
		late := maker.propose("pnl", m{"line": "CRYPTO", "amount": "3", "reference": "of the next day"})
		checker.get("operator/close/days").into(&days)
		checker.post("operator/close/preview", m{"day": "2026-11-16"}).into(&preview)
		if days.Data.Next.Waiting != 1 || preview.Data.Waiting != 1 || late.Data.Day != "2026-11-17" {
			t.Errorf("the calendar warns of %d, the preview of %d; the later one is for %s", days.Data.Next.Waiting, preview.Data.Waiting, late.Data.Day)
		}
		if err := s.closeUntil("2026-11-16"); err != nil {
			t.Fatal(err)
		}
		before := s.counts(booksTables...)
		checker.approve(p).says(http.StatusUnprocessableEntity, "2026-11-16 has been closed")
		if now := s.counts(booksTables...); now != before {
			t.Errorf("refused and still written:\n%s\n%s", before, now)
		}
		checker.decideBooking(p, false, "its day is closed").into(&m{})
		checker.approved(late)
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
}

// A booking proposed in time belongs to its day, even if the second operator approves it
// after the day is over.
func TestABookingProposedInTimeBooksIntoItsDay(t *testing.T) {
	t.Parallel()
	s, maker, _ := atWork(t, testkit.SQLite(t))
	p := maker.propose("pnl", m{"line": "FOREX", "amount": "100", "reference": "statement 8"})
	s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC))
	checker := s.operator()
	checker.approved(p)
	var report struct {
		Data struct{ Totals map[string]string }
	}
	checker.post("operator/close/preview", m{"day": "2026-11-16"}).into(&report)
	if !strings.HasPrefix(report.Data.Totals["Roi"], "70") {
		t.Errorf("the day pays %v", report.Data.Totals)
	}
}

func TestFundRequestAboveTheLimitTakesTwoOperators(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--fund-two-above", "100")
		me, _ := s.anna()
		for number, amount := range map[string]string{"HDFC00000001": "100", "HDFC00000002": "101"} {
			if got := me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": amount, "utrno": number}).word(); got != "success" {
				t.Fatalf("a request of %s: %s", amount, got)
			}
		}
		maker, checker, fund := s.hire(auth.RoleFinance), s.hire(auth.RoleOwner), "L:FUND:FUNDS:"+id(me.uid)
		var large m
		for _, r := range maker.get("operator/fundRequests").rows() {
			if row := r.(m); row["needsTwo"] == true {
				large = row
			} else {
				maker.post("operator/fundRequests/approve", m{"id": row["id"]}).into(&m{})
			}
		}
		s.has(fund, "100")
		seen := func(c client) m {
			for _, r := range c.get("operator/fundRequests?state=Pending").rows() {
				if row := r.(m); row["id"] == large["id"] {
					return row
				}
			}
			return m{}
		}
		approve := func(c client, header ...string) answer {
			return c.post("operator/fundRequests/approve", m{"id": large["id"], "digest": seen(c)["digest"]}, header...)
		}
		if large["payload"] != "" {
			t.Errorf("before anybody approved it: %v", large["payload"])
		}
		approve(maker).into(&m{})
		s.sealed(seen(checker)["payload"].(string), seen(checker)["digest"].(string), `"id":`+large["id"].(string), `"uid":`+id(me.uid), `"fund":"FUNDS"`, `"amount":"101.000000"`, `"number":"HDFC00000002"`)
		for _, wrong := range []string{"", strings.Repeat("0", 64)} {
			checker.post("operator/fundRequests/approve", m{"id": large["id"], "digest": wrong}).says(http.StatusUnprocessableEntity, "has changed")
		}
		approve(maker).says(http.StatusConflict, "Another operator must approve it too")
		s.has(fund, "100")
		raw := testkit.Raw(t, dsn)
		for what, query := range map[string]string{
			"the same operator twice": "UPDATE fund_request SET state = 'Approved', decided_by = first_by, decided_name = first_name, decided_at = 1 WHERE needs_two = 1",
			"one operator for two":    "UPDATE fund_request SET state = 'Approved', first_by = 0, decided_by = 1, decided_name = 'x', decided_at = 1 WHERE needs_two = 1",
		} {
			if _, err := raw.Exec(query); err == nil {
				t.Errorf("the database lets pass: %s", what)
			}
		}
		last := m{"id": large["id"], "digest": seen(checker)["digest"]}
		for range 2 { // replayed it is done once
			checker.post("operator/fundRequests/approve", last, "Idempotency-Key", "second").into(&m{})
		}
		checker.post("operator/fundRequests/approve", last).refused(http.StatusConflict)
		s.has(fund, "201")
		row := checker.get("operator/fundRequests?state=Approved&sort=-id").rows()
		for _, r := range row {
			if x := r.(m); x["id"] == large["id"] && (x["firstBy"] == "" || x["firstBy"] == x["decidedBy"]) {
				t.Errorf("approved by %v and %v", x["firstBy"], x["decidedBy"])
			}
		}
		s.verified()
	})
}

func TestConcurrentApprovalsHaveOneWinner(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		p := maker.propose("pnl", statement)
		clients := []client{checker, s.hire(auth.RoleFinance), s.hire(auth.RoleOwner), maker}
		var mu sync.Mutex
		var wg sync.WaitGroup
		statuses := map[int]int{}
		for i := range 8 {
			wg.Go(func() {
				a := clients[i%len(clients)].approve(p)
				mu.Lock()
				defer mu.Unlock()
				statuses[a.status]++
			})
		}
		wg.Wait()
		maker.approve(p).refused(http.StatusConflict)
		if statuses[http.StatusOK] != 1 || statuses[http.StatusConflict]+statuses[http.StatusForbidden] != 7 {
			t.Errorf("the answers are %v", statuses)
		}
		if got := s.counts("booking", "operator_act"); got != "booking 1, operator_act 1, " {
			t.Errorf("there are %s", got)
		}
	})
}
