package app

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A loss above the capacity of a line is the company's: proposer and approver see that,
// and the repair from the guide pays no member.
func TestLossAboveTheLinesCapitalIsReportedAndRepaired(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		first := maker.propose("pnl", m{"line": "FOREX", "amount": "-100", "reference": "statement 1"})
		if d := first.Data; d.Warning != "" || d.LineHas != "500.000000" || d.Missing != "0.000000" {
			t.Errorf("a loss that the line bears: %+v", d)
		}
		p := maker.propose("pnl", m{"line": "FOREX", "amount": "-700", "reference": "statement 2"})
		var seen bookingProposal
		checker.get("operator/booking/proposal?id=" + p.Data.ID).into(&seen)
		for _, d := range []bookingProposal{p, seen} {
			if !strings.Contains(d.Data.Warning, "FOREX can cover 400.000000 of this loss. The company pays 300.000000") || d.Data.LineHas != "400.000000" || d.Data.Missing != "300.000000" ||
				!strings.Contains(d.Data.Payload, `"missing":"300.000000"`) {
				t.Errorf("the proposal is %+v", d.Data)
			}
		}
		checker.approved(first)
		checker.approved(p)
		s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-16"); err != nil {
			t.Fatal(err)
		}
		s.has("A:TRADING:FOREX", "0")
		s.has("A:OPERATING", "-300")
		maker, checker = s.hire(auth.RoleFinance), s.operator()
		// The guide: as a profit of today, not more than the positions carry.
		checker.approved(maker.propose("pnl", m{"line": "FOREX", "amount": "500", "reference": "corrects statement 2"}))
		s.clock.SetWall(time.Date(2026, 11, 18, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-17"); err != nil {
			t.Fatal(err)
		}
		s.has("A:TRADING:FOREX", "500")
		s.has("L:ROI_HELD:FOREX", "0")
		s.has("L:FEE_HELD:FOREX", "0")
	})
}

// Before the close is approved, the preview shows what the company pays for its lines: by
// line, and in total if it lacks the money.
func TestClosePreviewWarnsOfMissingCash(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker := atWork(t, dsn)
		warnings := func() (told []string) {
			var preview struct {
				Data struct {
					Warnings []struct{ Code, Line, Amount, Has string }
				}
			}
			checker.post("operator/close/preview", m{"day": "2026-11-16"}).into(&preview)
			for _, w := range preview.Data.Warnings {
				if w.Code == "company" || w.Code == "short" {
					told = append(told, strings.Join([]string{w.Code, w.Line, w.Amount, w.Has}, " "))
				}
			}
			return told
		}
		checker.approved(maker.propose("pnl", m{"line": "FOREX", "amount": "-500", "reference": "statement 1"}))
		if told := warnings(); len(told) > 0 {
			t.Errorf("a loss that the line bears: %q", told)
		}
		forex := maker.propose("pnl", m{"line": "FOREX", "amount": "-200", "reference": "statement 2"})
		if w := forex.Data.Warning; !strings.Contains(w, "of which 0.000000 is left") || !strings.Contains(w, "200.000000 more than it has") {
			t.Errorf("of one line: %q", w)
		}
		crypto := maker.propose("pnl", m{"line": "CRYPTO", "amount": "-50", "reference": "statement 3"})
		if w := crypto.Data.Warning; !strings.Contains(w, "of which -200.000000 is left beside the losses of both lines") || !strings.Contains(w, "50.000000 more than it has") {
			t.Errorf("beside the other line: %q", w)
		}
		checker.approved(forex)
		checker.approved(crypto)
		want := []string{"company FOREX 200.000000 -250.000000", "company CRYPTO 50.000000 -250.000000", "short  250.000000 -250.000000"}
		if told := warnings(); !slices.Equal(told, want) {
			t.Errorf("it warns of %q", told)
		}
		s.has("A:OPERATING", "0")
	})
}

func TestResultOfAnUnknownLineIsRefused(t *testing.T) {
	t.Parallel()
	s := openSite(t, testkit.SQLite(t), "--demo", "false")
	s.operator().post("operator/pnl", m{"line": "CRYPTO", "amount": "5", "reference": "statement 1"}).says(422, "CRYPTO is not offered")
	s.has("A:TRADING:CRYPTO", "0")
}

func TestChargebackListsItsReversals(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.buy(s.root.UID, 5, "1000")
		anna := s.register(s.root.UID, tree.Left, "Anna Alpha")
		sold := s.buy(anna, 5, "1000")
		s.clock.SetWall(time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-30"); err != nil {
			t.Fatal(err)
		}
		d := s.operator().propose("chargeback", m{"sale": sold, "reference": "a bank's letter"}).Data
		if d.Amount != "1000.000000" || d.Package != 5 || d.Buyer != id(anna) || d.Payer != id(anna) || !strings.Contains(d.Payload, `"amount":"1000.000000"`) || !strings.Contains(d.Payload, `"buyer":`+id(anna)) {
			t.Errorf("it says %+v", d)
		}
		if len(d.Takes) != 1 || d.Takes[0].UID != id(s.root.UID) || !strings.Contains(d.Payload, `"takes":[{"uid":`+id(s.root.UID)+`,"amount":"`+d.Takes[0].Amount+`"}]`) {
			t.Errorf("it takes back %+v: %s", d.Takes, d.Payload)
		}
		s.has("L:INCOME:LevelIncome:"+id(s.root.UID), d.Takes[0].Amount)
	})
}

func TestDuplicateFieldInAnOperatorCallIsRefused(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	owner := s.operator()
	body := `{"line":"FOREX","amount":"1","reference":"statement","amount":"1000000"}`
	owner.send(http.MethodPost, "/api/operator/pnl", body).names("amount")
	if n := s.counts("booking_proposal"); n != "booking_proposal 0, " {
		t.Errorf("something was proposed: %s", n)
	}
}
