package app

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// sealed checks that a payload is complete and that its digest matches.
func (s *site) sealed(payload, digest string, has ...string) {
	s.t.Helper()
	if sum := sha256.Sum256([]byte(payload)); hex.EncodeToString(sum[:]) != digest {
		s.t.Errorf("%s is not the digest of %s", digest, payload)
	}
	for _, part := range has {
		if !strings.Contains(payload, part) {
			s.t.Errorf("%s is not in %s", part, payload)
		}
	}
}

// onlyByTwo checks that the maker cannot approve, neither by the calls nor in the
// database; another operator can, once, and a retry returns the same response.
func (s *site) onlyByTwo(maker, checker client, p bookingProposal, unchanged ...string) string {
	s.t.Helper()
	if d := p.Data; !d.Own || d.MayApprove || d.State != "waiting" || d.Booking != "" {
		s.t.Errorf("the maker sees %+v", d)
	}
	before := s.counts(unchanged...)
	maker.approve(p).says(http.StatusForbidden, "Another operator must approve it")
	other := p
	other.Data.Digest = strings.Repeat("0", 64)
	checker.approve(other).says(http.StatusUnprocessableEntity, "has changed")
	raw := testkit.Raw(s.t, s.dsn)
	for what, change := range map[string]string{
		"the maker approves":         "state = 'approved', decided_by = proposed_by, decided_at = 1, event = 'o1'",
		"nobody approves":            "state = 'approved', event = 'o1'",
		"another claim or booking":   "claim = claim || 'x', booking = booking || 'x'",
		"another kind of booking":    "cancels = cancels || 'x'",
		"a recall that names none":   "claim = '', booking = ''",
		"it is about something else": "kind = 'pnl'",
	} {
		if _, err := raw.Exec("UPDATE booking_proposal SET " + change + " WHERE id = " + p.Data.ID); err == nil {
			s.t.Errorf("the database lets pass: %s", what)
		}
	}
	if now := s.counts(unchanged...); now != before {
		s.t.Errorf("nobody approved it, and still:\n%s\n%s", before, now)
	}
	var seen bookingProposal
	checker.get("operator/booking/proposal?id=" + p.Data.ID).into(&seen)
	if seen.Data.Digest != p.Data.Digest || seen.Data.Payload != p.Data.Payload || !seen.Data.MayApprove {
		s.t.Errorf("the checker sees %+v", seen.Data)
	}
	first := checker.approve(p, "Idempotency-Key", "of "+p.Data.ID)
	first.into(&seen)
	if again := checker.approve(p, "Idempotency-Key", "of "+p.Data.ID); again.text != first.text || again.status != http.StatusOK {
		s.t.Errorf("replayed it answers %s, not %s", again.text, first.text)
	}
	checker.approve(p).says(http.StatusConflict, "already approved")
	if seen.Data.State != "approved" || seen.Data.Booking == "" {
		s.t.Errorf("approved it is %+v", seen.Data)
	}
	return seen.Data.Booking
}

func TestApprovedBookingIsReversedByTwo(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		booked := checker.approved(maker.propose("pnl", statement))
		undo := m{"booking": booked, "reason": "the wrong line"}
		p := maker.propose("booking/cancel", undo)
		s.sealed(p.Data.Payload, p.Data.Digest, `"kind":"cancel"`, `"booking":"`+booked+`"`, `"cancels":"pnl"`, `"line":"FOREX"`, `"amount":"-12.500000"`, `"day":"2026-11-16"`, `"reference":"the wrong line"`)
		checker.post("operator/booking/cancel", undo).says(http.StatusConflict, "already")
		var days struct {
			Data struct{ Next struct{ Waiting int } }
		}
		s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC)) // the day is over, and still open
		maker, checker = s.signIn(p.Data.ProposedBy), s.operator()
		if checker.get("operator/close/days").into(&days); days.Data.Next.Waiting != 1 {
			t.Errorf("the calendar warns of %d", days.Data.Next.Waiting)
		}
		s.onlyByTwo(maker, checker, p, "operator_act", "day_event")
		var open struct{ Data struct{ Bookings []m } }
		if checker.get("operator/bookings").into(&open); len(open.Data.Bookings) != 0 {
			t.Errorf("still booked: %+v", open)
		}
		var trail auditPage
		checker.get("operator/audit?act=cancel").into(&trail)
		if e := trail.Data[0]; len(e) != 1 || e[0].Became["digest"] != p.Data.Digest || e[0].Became["proposed by"] != p.Data.ProposedBy || e[0].Was["amount"] != "-12.500000" {
			t.Errorf("the record says %+v", e)
		}
		// A rejected cancellation leaves the booking unchanged, and may be proposed again.
		booked = checker.approved(maker.propose("pnl", statement))
		p = maker.propose("booking/cancel", m{"booking": booked, "reason": "the wrong line"})
		checker.decideBooking(p, false, "it is the right one").into(&p)
		p = maker.propose("booking/cancel", m{"booking": booked, "reason": "it is not"})
		s.clock.SetWall(time.Date(2026, 11, 18, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-17"); err != nil {
			t.Fatal(err)
		}
		s.operator().approve(p).says(http.StatusNotFound, "its day is closed")
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
}

func TestCashIsRecalledByTwo(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.invest(s.root.UID, "500")
		s.clock.SetWall(testkit.Epoch.AddDate(0, 0, 182))
		if err := s.closeUntil("2027-05-15"); err != nil {
			t.Fatal(err)
		}
		claim := "C-p" + id(s.root.UID)
		maker, checker := s.hire(auth.RoleFinance), s.operator()
		p := maker.propose("recall", m{"claim": claim, "amount": "200", "reference": "wire 8"})
		s.sealed(p.Data.Payload, p.Data.Digest, `"kind":"recall"`, `"claim":"`+claim+`"`, `"line":"FOREX"`, `"amount":"200.000000"`, `"reference":"wire 8"`)
		checker.post("operator/recall", m{"claim": claim, "amount": "300.000001"}).says(http.StatusUnprocessableEntity, "above the claim's open amount")
		// It is not bound to a day: the second operator may approve it later.
		s.clock.Advance(24 * time.Hour)
		if err := s.closeUntil("2027-05-16"); err != nil {
			t.Fatal(err)
		}
		maker, checker = s.signIn(p.Data.ProposedBy), s.operator()
		s.has("A:CLIENT", "0")
		s.onlyByTwo(maker, checker, p, "operator_act", "day_event")
		s.has("A:CLIENT", "200")
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
		raw := testkit.Raw(t, dsn)
		if _, err := raw.Exec("UPDATE operator_act SET amount = 1 WHERE kind = 'recall'"); err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "what two operators approved was done so") {
			t.Errorf("verify of a recall that nobody approved so: %v", err)
		}
	})
}
