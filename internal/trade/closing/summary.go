package closing

import (
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

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
