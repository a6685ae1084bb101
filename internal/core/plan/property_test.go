package plan

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// The scenarios meet every rarity between them; a short run does without some.
const scenarios, fewScenarios, days = 240, 40, 45

// Whatever members and operators do, every close keeps every invariant, pays
// what a recount by walking says and comes out the same when it is lived again;
// also when new plans take over in the middle of it.
func TestRandomHistoriesKeepEveryInvariant(t *testing.T) {
	met := &sightings{seen: map[string]int{}}
	count := scenarios
	if testing.Short() {
		count = fewScenarios
	}
	t.Run("seeds", func(t *testing.T) {
		for seed := range uint64(count) {
			t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
				t.Parallel()
				liveScenario(t, newScenario(t, seed), met)
			})
			if seed%4 > 0 {
				continue
			}
			t.Run(fmt.Sprintf("seed %d, new plans", seed), func(t *testing.T) {
				t.Parallel()
				s := newScenario(t, seed)
				s.renews = true
				liveScenario(t, s, met)
			})
		}
	})
	for _, what := range rarities {
		if met.seen[what] == 0 && !testing.Short() {
			t.Errorf("no scenario met this: %s", what)
		}
	}
	t.Log(met.seen)
}

func liveScenario(t *testing.T, s *scenario, met *sightings) {
	t.Helper()
	slow := newNaive(s.w)
	lived, plans, digests := [][]event{}, []*Plan{}, []any{}
	for range days {
		day := s.day
		slow.p = s.renew(t)
		today := s.next()
		for _, e := range today {
			if got := s.w.p.BookDay(parseTime(t, e.At), parseTime(t, e.Rec)); got != day {
				t.Fatalf("%s of %s counts for %s, not %s", e.ID, e.At, got, day)
			}
		}
		r, told := s.w.liveDay(day, today)
		lived, plans, digests = append(lived, today), append(plans, s.w.p), append(digests, told["digest"])
		s.w.check()
		slow.close(s.w)
		slow.compare(s.w, r)
		met.look(s.w, r)
	}
	relive(t, s, lived, plans, digests)
}

// relive applies the same events again, each day's in another order of arrival: every day
// has the same result.
func relive(t *testing.T, s *scenario, lived [][]event, plans []*Plan, digests []any) {
	t.Helper()
	again := newWorld(t, plans[0])
	first := s.day - Day(len(lived))
	for i, today := range lived {
		again.p = plans[i]
		s.rng.Shuffle(len(today), func(a, b int) { today[a], today[b] = today[b], today[a] })
		if _, told := again.liveDay(first+Day(i), today); told["digest"] != digests[i] {
			t.Fatalf("day %d differs when its events arrive in another order", i)
		}
	}
}

// A clone of the book gives the same close each time, and closing it leaves the
// book as it was.
func TestAPreviewGivesTheSameCloseAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t, 4711)
	for range days {
		day := s.day
		s.w.liveDay(day, s.next())
		in := Inputs{Day: day + 1, Profits: [2][]Booking{{{"g", 50 * ppm}, {"l", -20 * ppm}}, {{"c", 7 * ppm}}}, Settles: [2][]Booking{{{"s", 9 * ppm}}, nil}}
		before := digest(t, s.w.b)
		first, second := s.w.b.Clone(), s.w.b.Clone()
		one, two := s.w.p.Close(first, in), s.w.p.Close(second, in)
		if digest(t, one) != digest(t, two) || digest(t, first) != digest(t, second) {
			t.Fatal("the same close came out in two ways")
		}
		if digest(t, s.w.b) != before {
			t.Fatal("closing a copy changed the book")
		}
	}
}

// rarities are what the scenarios must meet between them, so that passing means
// something.
var rarities = []string{
	"chargeback of an earlier sale", "chargeback on the day a sale becomes final", "a debt", "a debt repaid", "a reversed Hold row",
	"a reserve that lacks a level share", "deficit MATCH", "deficit LEAD", "deficit ROYALTY", "a deficit repaid", "a leg below zero", "an inactive member",
	"matching scaled", "matching capped", "leadership scaled", "salary", "royalty", "a customer's sale", "a refund",
	"a loss that the company bears", "a loss of the whole principal", "a loss repaid", "profit without positions", "gain and loss on one day",
	"a settlement refused", "a release", "a fee paid", "a batch that waits", "cash given back", "frozen rows", "a claim paid",
}

// sightings counts them.
type sightings struct {
	sync.Mutex
	seen map[string]int
}

func (m *sightings) look(w *world, r *Result) {
	m.Lock()
	defer m.Unlock()
	is := func(what string, yes bool) {
		if yes {
			m.seen[what]++
		}
	}
	for _, v := range r.Reversals {
		is("chargeback of an earlier sale", v.Final < r.Day)
		is("chargeback on the day a sale becomes final", v.Final == r.Day)
	}
	is("a reserve that lacks a level share", w.borne > 0)
	for k, d := range w.b.Deficit {
		is("deficit "+Pool(k).Name(), d > 0)
	}
	for _, f := range r.Finalised {
		is("a deficit repaid", f.Shares[MATCH] < muldiv(f.Amount, w.p.PoolsPPM.Match, ppm))
		is("a customer's sale", w.b.Customer[f.Member])
	}
	for _, p := range r.Pays {
		is("a debt repaid", p.Debt > 0)
	}
	for i := range w.b.UID {
		is("a debt", w.b.Debt[i] > 0)
		is("a leg below zero", min(w.b.Left[i], w.b.Right[i]) < 0)
	}
	for _, f := range w.b.Flips {
		is("an inactive member", !f.Active)
	}
	for _, row := range r.Rows {
		is("a reversed Hold row", row.Reverses > 0 && row.Held)
		is("matching scaled", row.Kind == KindMatching && row.Scaled)
		is("matching capped", row.Capped)
		is("leadership scaled", row.Kind >= KindRank && row.Kind <= KindSalary && row.Scaled)
		is("salary", row.Kind == KindSalary)
		is("royalty", row.Kind == KindRoyalty)
	}
	for _, s := range w.sales {
		is("a refund", s.state == "refunded")
	}
	m.lookAtLines(w, r, is)
}

func (m *sightings) lookAtLines(w *world, r *Result, is func(string, bool)) {
	for _, x := range r.Losses {
		is("a loss that the company bears", x.Company > 0)
		for _, p := range r.Profits {
			is("gain and loss on one day", p.Line == x.Line)
		}
	}
	for _, x := range r.Profits {
		is("a loss repaid", len(x.Repaid) > 0)
		is("profit without positions", x.Reserve == x.Amount)
	}
	for line := range LineNames {
		l := &w.b.Lines[line]
		for _, p := range l.Positions {
			is("a loss of the whole principal", p.Loss == p.Principal)
			is("a claim paid", p.State == Claimed)
		}
		is("a fee paid", len(r.FeesPaid[line]) > 0)
		is("a batch that waits", len(l.Batches) > 0)
		is("cash given back", r.Unsettled[line] > 0)
		is("frozen rows", l.Frozen > 0)
	}
	is("a settlement refused", len(r.Refused) > 0 && strings.HasPrefix(r.Refused[0].Reason, "settle"))
	is("a release", len(r.Releases) > 0)
}
