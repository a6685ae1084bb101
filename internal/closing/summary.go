package closing

import (
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/money"
)

// Summary is a report in figures, without its rows.
type Summary struct {
	Day, Plan, Digest          string
	Rows, Events, Sales, Moved int                     // moved: older rows whose status changed
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
	s.Pools, _ = r["pools"].(map[string]string)
	s.Refused, _ = r["refused"].([][2]string)
	events, _ := r["events"].([]string)
	sales, _ := r["finalised"].([]string)
	moved, _ := r["status_changes"].([][2]any)
	rows := r.Rows()
	s.Rows, s.Events, s.Sales, s.Moved, s.Totals = len(rows), len(events), len(sales), len(moved), map[string]money.Amount{}
	for _, row := range rows {
		kind, _ := row["t"].(string)
		paid, err := money.Parse(paidOf(row))
		if err != nil {
			return s, errs.Wrap(errs.Internal, err, "closing: a row without an amount")
		}
		if s.Totals[kind], err = s.Totals[kind].Add(paid); err != nil {
			return s, err
		}
		if s.Paid, err = s.Paid.Add(paid); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Rows are the income rows of a report.
func (r Report) Rows() []map[string]any {
	rows, _ := r["rows"].([]map[string]any)
	return rows
}

// paidOf is what a row pays, which each kind names its own way.
func paidOf(row map[string]any) string {
	field := map[any]string{"Matching": "binaryincome", "Rank": "reward", "Reward": "reward", "Roi": "plan_amount"}[row["t"]]
	if field == "" {
		field = "income"
	}
	paid, _ := row[field].(string)
	return paid
}
