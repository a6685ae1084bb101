package plan

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

type goldenFile struct {
	Plan   json.RawMessage
	Events []event
	Days   []map[string]any
	Final  struct {
		Rows      []map[string]any
		MatchBot  map[string]string `json:"match_bot"`
		Balances  map[string]string
		Assets    map[string]string
		Positions map[string]map[string]string
		Claims    []map[string]any
		Revenue   map[string]string
	}
}

// workedExample reads the example and its plan.
func workedExample(t *testing.T) (g goldenFile, p *Plan) {
	t.Helper()
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	if p, err = Parse(g.Plan); err != nil {
		t.Fatal(err)
	}
	return g, p
}

// The worked example comes out to the micro-dollar: every row, pool, carry,
// refusal and digest of every day, and every balance at the end.
func TestTheWorkedExampleComesOutExactly(t *testing.T) {
	g, p := workedExample(t)
	w := newWorld(t, p)
	byDay := map[Day][]event{}
	seen := map[string]bool{}
	for _, e := range g.Events {
		rec := e.Rec
		if rec == "" {
			rec = e.At
		}
		if seen[e.ID] {
			continue // the same event again
		}
		seen[e.ID] = true
		day := p.BookDay(parseTime(t, e.At), parseTime(t, rec))
		byDay[day] = append(byDay[day], e)
	}
	for _, want := range g.Days {
		day, err := ParseDay(want["day"].(string))
		if err != nil {
			t.Fatal(err)
		}
		_, got := w.liveDay(day, byDay[day])
		if got["digest"] != want["digest"] {
			a, _ := json.MarshalIndent(got, "", " ")
			b, _ := json.MarshalIndent(want, "", " ")
			t.Fatalf("day %s differs:\n%s", day, firstDifference(string(a), string(b)))
		}
	}
	w.compareEnd(g)
}

// liveDay applies the events of one day, closes it, and returns it in the example's form.
func (w *world) liveDay(day Day, events []event) (*Result, map[string]any) {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.ID, b.ID)) })
	w.changes = [][2]any{}
	refused := [][2]string{}
	var operator []event
	ids := []string{}
	for _, e := range events {
		ids = append(ids, e.ID)
		switch e.Kind {
		case "pnl", "settle", "chargeback":
			operator = append(operator, e)
		default:
			if why := w.live(e, day); why != "" {
				refused = append(refused, [2]string{e.ID, why})
			}
		}
	}
	from := len(w.rows)
	r := w.close(day, operator)
	for _, x := range r.Refused {
		refused = append(refused, [2]string{x.ID, x.Reason})
	}
	slices.SortFunc(refused, func(a, b [2]string) int { return cmp.Compare(slices.Index(ids, a[0]), slices.Index(ids, b[0])) })
	finalised := []string{}
	for _, f := range r.Finalised {
		finalised = append(finalised, f.ID)
	}
	carry := map[string][2]string{}
	for i := range w.b.UID {
		if w.b.Left[i] != 0 || w.b.Right[i] != 0 {
			carry[w.uid(int32(i))] = [2]string{text(w.b.Left[i]), text(w.b.Right[i])}
		}
	}
	poolsNow := map[string]string{}
	for k := range pools {
		poolsNow[k.Name()] = text(w.b.Pools[k])
	}
	slices.SortFunc(w.changes, func(a, b [2]any) int { return cmp.Compare(a[0].(int64), b[0].(int64)) })
	day2 := map[string]any{
		"day": day.String(), "events": ids, "refused": refused, "finalised": finalised, "rows": append([]map[string]any{}, w.rows[from:]...),
		"carry": carry, "pools": poolsNow, "status_changes": w.changes, "plan": w.p.Version,
	}
	day2["digest"] = digest(w.t, day2)
	return r, day2
}

func (w *world) compareEnd(g goldenFile) {
	t := w.t
	t.Helper()
	same := func(what string, got, want any) {
		t.Helper()
		a, _ := json.MarshalIndent(got, "", " ")
		b, _ := json.MarshalIndent(want, "", " ")
		if string(a) != string(b) {
			t.Errorf("%s differ:\n%s", what, firstDifference(string(a), string(b)))
		}
	}
	balances, assets := map[string]string{}, map[string]string{}
	for code, n := range w.cash {
		switch {
		case n == 0:
		case strings.HasPrefix(code, "A:"):
			assets[code] = text(n)
		default:
			balances[code] = text(n)
		}
	}
	same("balances", balances, g.Final.Balances)
	same("assets", assets, g.Final.Assets)
	same("rows", w.rows, g.Final.Rows)
	matched := map[string]string{}
	for i, n := range w.b.MatchBot {
		if n != 0 {
			matched[w.uid(int32(i))] = text(n)
		}
	}
	same("match_bot", matched, g.Final.MatchBot)
	same("revenue", map[string]string{"gross_final": text(w.gross), "reversed": text(w.reversed), "retail": text(w.retail)}, g.Final.Revenue)
}

// firstDifference shows the lines around the first that differs.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-3)
			return "got\n" + strings.Join(a[from:min(len(a), i+6)], "\n") + "\nwant\n" + strings.Join(b[from:min(len(b), i+6)], "\n")
		}
	}
	return "one is longer"
}
