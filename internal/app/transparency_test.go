package app

import (
	"net/http"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestPublicReportIsAsOfTheLastClose(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		report := func() (r transparency.Report, etag string) {
			t.Helper()
			if err := s.services.Transparency.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got struct{ Data transparency.Report }
			a := s.visitor().get("transparency").into(&got)
			return got.Data, a.header.Get("ETag")
		}
		if r, _ := report(); r.Day != "" || len(r.Liabilities) != 0 {
			t.Errorf("before the first close: %+v", r)
		}

		s.buy(s.root.UID, 5, "1000")
		anna := s.register(s.root.UID, tree.Left, "Anna Alpha")
		s.invest(anna, "500")
		s.clock.Advance(48 * time.Hour)
		if err := s.closeUntil("2026-11-15"); err != nil {
			t.Fatal(err)
		}
		s.clock.Advance(time.Minute)
		// All of this is later than the close, and the report is made after it.
		s.deposit(anna, fund.Robot, "77")
		s.deposit(anna, fund.Kind("CRYPTOFUNDS"), "5")
		bo := s.register(s.root.UID, tree.Right, "Bo Beta")
		s.buy(bo, 1, "50")
		r, etag := report()
		want := map[string]transparency.Dollars{"DEFERRED ": "1000.000000", "PRINCIPAL FOREX": "500.000000"}
		for _, p := range r.Liabilities {
			if p.Amount != "0.000000" && want[p.Class+" "+p.Of] != p.Amount {
				t.Errorf("%s %s is %s", p.Class, p.Of, p.Amount)
			}
			delete(want, p.Class+" "+p.Of)
		}
		if len(want) > 0 || r.Day != "2026-11-15" || r.Income.Population != 2 || r.Digest == "" {
			t.Errorf("the report of %s lacks %v: %+v", r.Day, want, r)
		}
		for _, c := range r.Coverage {
			if c.Ratio != 1_000_000 && c.Class != "held" {
				t.Errorf("coverage %+v", c)
			}
		}

		s.deposit(anna, fund.Robot, "1")
		if again, same := report(); same != etag || again.Transfer != r.Transfer {
			t.Error("a deposit changed the report of a close")
		}
		if a := s.visitor().get("transparency", "If-None-Match", etag); a.status != http.StatusNotModified {
			t.Errorf("asked again: %d", a.status)
		}
		if err := s.closeUntil("2026-11-16"); err != nil {
			t.Fatal(err)
		}
		if next, _ := report(); next.Day != "2026-11-16" || next.Income.Population != 3 {
			t.Errorf("the next close: %+v", next)
		}
	})
}
