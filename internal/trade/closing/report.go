package closing

import (
	"cmp"
	"context"
	"slices"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func text(n int64) string { return money.Micro(n).String() }

// report builds the report without its digest: events, refusals, every row with its
// status at the end of the day, carried values and pools. It depends only on the input
// and the result, so that nothing needs to be written yet.
func (d *day) report(ctx context.Context) (*Report, error) {
	events, err := d.s.opt.Store.Events(ctx, d.tx, d.day)
	if err != nil {
		return nil, err
	}
	ids, refused := make([]string, 0, len(events)), [][2]string{}
	for _, e := range events {
		ids = append(ids, e.ID)
		if why := cmp.Or(e.Refused, d.refused[e.ID]); why != "" {
			refused = append(refused, [2]string{e.ID, why})
		}
	}
	finalised := make([]string, 0, len(d.out.Finalised))
	for _, f := range d.out.Finalised {
		finalised = append(finalised, f.ID)
	}
	changes, err := d.changes(ctx)
	if err != nil {
		return nil, err
	}
	pools := map[string]string{}
	for k := plan.LEVEL; k <= plan.RESERVE; k++ {
		pools[k.Name()] = text(d.book.Pools[k])
	}
	return &Report{
		Day: d.day.String(), Plan: d.p.Version, Events: ids, Refused: refused, Finalised: finalised,
		Rows: &Rows{d: d, n: len(d.out.Rows)}, Changes: changes, Carry: newCarry(d.book), Pools: pools,
	}, nil
}

// changes lists rows whose status changed on the day: older ones as stored, and those of
// the day that left Hold at once.
func (d *day) changes(ctx context.Context) (Changes, error) {
	var older []string
	d.released = map[string]bool{}
	for _, r := range d.out.Releases {
		d.released[r.Batch] = true
		if i := slices.IndexFunc(d.batches[r.Line], func(b Batch) bool { return b.ID == r.Batch }); i >= 0 {
			older = append(older, r.Batch)
		}
	}
	changes := Changes{}
	if err := d.s.opt.Store.Changed(ctx, d.tx, d.day, older, func(x IncomeState) error {
		if d.replay {
			x.asOf(d.day)
		}
		if d.released[x.Source] {
			x.BatchReleased = d.day // not written yet
		}
		if ss, since := x.Status(); since == d.day {
			changes = append(changes, Change{x.Row, ss})
		}
		return nil
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Row, b.Row) })
	changes = slices.Compact(changes)
	for i := range d.out.Rows {
		if r := &d.out.Rows[i]; r.Kind.Trading() && d.released[r.Source] {
			x := d.state(i)
			ss, _ := x.Status()
			changes = append(changes, Change{r.No, ss})
		}
	}
	return changes, nil
}

// income is row i of the day as stored.
func (d *day) income(i int) Income {
	r := &d.out.Rows[i]
	x := Income{
		Row: r.No, Day: d.day, Kind: r.Kind, Earner: int64(r.To) + 1, Of: int64(r.Of) + 1, Level: int64(r.Level),
		Paid: r.Paid, Nominal: r.Nominal, On: r.On, A: r.A, B: r.B, Capped: r.Capped, Scaled: r.Scaled, Held: r.Held, Reverses: r.Reverses, Source: r.Source,
	}
	if r.Kind.Trading() {
		x.Line, x.Position = plan.LineNames[r.Line], d.book.Lines[r.Line].Positions[r.Position].ID
	}
	return x
}

// state is row i of the day with the data for its status. A position may mature on the
// day, but not earlier, so that no claim precedes a release.
func (d *day) state(i int) IncomeState {
	x := IncomeState{Income: d.income(i)}
	if x.Kind.Trading() && d.released[x.Source] {
		x.BatchReleased = d.day
	}
	return x
}

// IncomeState is a row with the data for its status. ROI rows follow their batch and
// their position's claim, so that a release rewrites no row.
type IncomeState struct {
	Income
	BatchReleased plan.Day // of ROI rows; 0 while on Hold
	ClaimMade     plan.Day // when the position matured; 0 before
	Claimed       plan.Day // when the claim was paid; 0 before
}

// Status is Hold, Release or Claimed, and since which day when it changed after
// the row was made on Hold.
func (x *IncomeState) Status() (ss string, since plan.Day) {
	switch {
	case !x.Kind.Trading() && !x.Held:
		return "Release", 0
	case !x.Kind.Trading() && x.Released != 0:
		return "Release", x.Released
	case !x.Kind.Trading():
		return "Hold", 0
	case x.BatchReleased != 0 && (x.Kind == plan.KindROILevel || x.ClaimMade == 0 || x.ClaimMade >= x.BatchReleased):
		return "Release", x.BatchReleased
	case x.Kind == plan.KindROI && x.Claimed != 0:
		return "Claimed", x.Claimed
	}
	return "Hold", 0
}

// Summary is a report without its rows.
type Summary struct {
	Day, Plan, Digest          string
	Rows, Events, Sales, Moved int                     // Moved: rows with a changed status
	Paid                       money.Amount            // of all rows
	Totals                     map[string]money.Amount // by kind of income
	Pools                      map[string]string
	Refused                    [][2]string // event and reason
}

// Summary sums up a report.
func (r *Report) Summary() (s Summary, err error) {
	s = Summary{
		Day: r.Day, Plan: r.Plan, Digest: r.Digest, Rows: r.Rows.Len(), Events: len(r.Events), Sales: len(r.Finalised), Moved: len(r.Changes),
		Totals: map[string]money.Amount{}, Pools: r.Pools, Refused: r.Refused,
	}
	if s.Pools == nil {
		s.Pools = map[string]string{}
	}
	var counts [plan.Kinds]int
	var totals [plan.Kinds]money.Amount
	for i := range r.Rows.Len() {
		kind, paid := r.Rows.paid(i)
		counts[kind]++
		if totals[kind], err = totals[kind].Add(paid); err != nil {
			return s, err
		}
	}
	for kind, n := range counts {
		if n > 0 {
			s.Totals[plan.Kind(kind).Name()] = totals[kind]
		}
		if s.Paid, err = s.Paid.Add(totals[kind]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// paid returns what row i pays.
func (r *Rows) paid(i int) (plan.Kind, money.Amount) {
	x := &r.d.out.Rows[i]
	return x.Kind, money.Micro(x.Paid)
}
