package closing

import (
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
)

// Summary is a report in figures, without its rows.
type Summary struct {
	Day, Plan, Digest          string
	Rows, Events, Sales, Moved int                     // moved: rows whose status changed
	Paid                       money.Amount            // of all rows
	Totals                     map[string]money.Amount // by kind of income
	Pools                      map[string]string
	Refused                    [][2]string // event and reason
}

// Summary adds a report up.
func (r Report) Summary() (s Summary, err error) {
	s.Day, _ = r["day"].(string)
	s.Plan, _ = r["plan"].(string)
	s.Digest, _ = r["digest"].(string)
	if s.Pools, _ = r["pools"].(map[string]string); s.Pools == nil {
		s.Pools = map[string]string{}
	}
	s.Refused, _ = r["refused"].([][2]string)
	events, _ := r["events"].([]string)
	sales, _ := r["finalised"].([]string)
	moved, _ := r["status_changes"].(Changes)
	rows := r.Rows()
	s.Rows, s.Events, s.Sales, s.Moved, s.Totals = rows.Len(), len(events), len(sales), len(moved), map[string]money.Amount{}
	var counts [len(kindNames)]int
	var totals [len(kindNames)]money.Amount
	for i := range rows.Len() {
		kind, paid := rows.paid(i)
		counts[kind]++
		if totals[kind], err = totals[kind].Add(paid); err != nil {
			return s, err
		}
	}
	for kind, n := range counts {
		if n > 0 {
			s.Totals[kindNames[kind]] = totals[kind]
		}
		if s.Paid, err = s.Paid.Add(totals[kind]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Rows are the income rows of a report.
func (r Report) Rows() *Rows {
	rows, _ := r["rows"].(*Rows)
	return rows
}

// paid is what row i pays.
func (r *Rows) paid(i int) (plan.Kind, money.Amount) {
	x := &r.d.out.Rows[i]
	return x.Kind, money.Micro(x.Paid)
}
