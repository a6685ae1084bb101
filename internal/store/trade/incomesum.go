package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/closing"

	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Sums of income rows: what a report of a million rows adds up by.

var sumTable = engine.NewTable("income_sum", engine.Ints("earner", "kind"), engine.Texts("line"), engine.Ints("row_first", "row_last"), engine.Texts("batch"), engine.Ints("n", "paid"))

func (closingStore) AddSums(ctx context.Context, tx *ledger.Tx, all []closing.Sum) error {
	return engine.GroupOf(tx).Insert(ctx, sumTable, len(all), func(i int, r *engine.Rows) {
		x := &all[i]
		r.Add(x.Earner, int64(x.Kind), x.Line, x.First, x.Last, x.Batch, x.Rows, x.Paid)
	})
}

func scanSum(r *sql.Rows) (x closing.Sum, err error) {
	err = r.Scan(&x.Earner, &x.Kind, &x.Line, &x.First, &x.Last, &x.Batch, &x.Rows, &x.Paid)
	return x, err
}

// Sums is what checks the sums of incomes.
func Sums(db *engine.DB) closing.SumStore { return closingStore{db} }

// WrongSum adds the rows of each sum up again, along the index of its earner,
// and lets nothing stand that does not agree.
func (s closingStore) WrongSum(ctx context.Context) (closing.Sum, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanSum, `SELECT s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid FROM income_sum s
		LEFT JOIN income i ON i.earner = s.earner AND i.kind = s.kind AND i.row_no >= s.row_first AND i.row_no <= s.row_last AND i.line = s.line
		GROUP BY s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid
		HAVING COUNT(i.row_no) <> s.n OR SUM(i.paid) <> s.paid OR MIN(i.row_no) <> s.row_first OR MAX(i.row_no) <> s.row_last
			OR MIN(i.day) <> MAX(i.day) OR (s.kind = `+core.RoiLevelKind+` AND (MIN(i.source) <> s.batch OR MAX(i.source) <> s.batch))
		ORDER BY s.earner, s.row_first LIMIT 1`)
}
