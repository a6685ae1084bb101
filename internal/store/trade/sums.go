package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/trade/closing"
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

// WrongSum adds up the rows of each sum again, along the index of its earner, and returns
// the first sum that differs.
func (s closingStore) WrongSum(ctx context.Context) (closing.Sum, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanSum, `SELECT s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid FROM income_sum s
		LEFT JOIN income i ON i.earner = s.earner AND i.kind = s.kind AND i.row_no >= s.row_first AND i.row_no <= s.row_last AND i.line = s.line
		GROUP BY s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid
		HAVING COUNT(i.row_no) <> s.n OR SUM(i.paid) <> s.paid OR MIN(i.row_no) <> s.row_first OR MAX(i.row_no) <> s.row_last
			OR MIN(i.day) <> MAX(i.day) OR (s.kind = `+core.RoiLevelKind+` AND (MIN(i.source) <> s.batch OR MAX(i.source) <> s.batch))
		ORDER BY s.earner, s.row_first LIMIT 1`)
}

// Sums of days: what reports over years add up by.

var daySumTable = engine.NewTable("day_sum", engine.Ints("day"), engine.Texts("name", "part"), engine.Ints("n", "amount"))

func (closingStore) AddDaySums(ctx context.Context, tx *ledger.Tx, all []closing.DaySum) error {
	return engine.GroupOf(tx).Insert(ctx, daySumTable, len(all), func(i int, r *engine.Rows) {
		x := &all[i]
		r.Add(int64(x.Day), x.Name, x.Part, x.N, x.Amount)
	})
}

func ScanDaySum(r *sql.Rows) (x closing.DaySum, err error) {
	err = r.Scan(&x.Day, &x.Name, &x.Part, &x.N, &x.Amount)
	return x, err
}

// Days is what checks the sums of days.
func Days(db *engine.DB) closing.DayStore { return closingStore{db} }

// daysAgain adds up, from the rows themselves, what day_sum has.
const daysAgain = `SELECT s.final_day AS day, 'final' AS name, CASE WHEN p.parent = 0 AND p.sponsor <> 0 THEN 'customer' ELSE 'member' END AS part, COUNT(*) AS n, SUM(s.amount) AS amount
	FROM sale s JOIN place p ON p.no = s.no WHERE s.state IN ('final', 'reversed') GROUP BY 1, 2, 3
	UNION ALL SELECT b.day, 'reversed', CASE WHEN p.parent = 0 AND p.sponsor <> 0 THEN 'customer' ELSE 'member' END, COUNT(*), SUM(s.amount)
	FROM booking b JOIN sale s ON s.id = b.sale JOIN place p ON p.no = s.no WHERE b.kind = 'chargeback' AND b.closed = 1 AND b.refused = '' GROUP BY 1, 2, 3
	UNION ALL SELECT day, CASE WHEN reverses = 0 THEN 'paid' ELSE 'taken' END, CAST(kind AS TEXT) || ' ' || line, COUNT(*), SUM(paid) FROM income GROUP BY 1, 2, 3
	UNION ALL SELECT fee_day, 'fee', line, COUNT(*), SUM(fee) FROM roi_batch WHERE fee > 0 AND fee_day > 0 GROUP BY 1, 2, 3`

func (s closingStore) WrongDay(ctx context.Context) (closing.DaySum, bool, error) {
	return engine.First(ctx, s.db.Committed(), ScanDaySum, `SELECT day, name, part, CAST(SUM(n) AS BIGINT), CAST(SUM(amount) AS BIGINT) FROM (
		SELECT day, name, part, n, amount FROM day_sum UNION ALL SELECT day, name, part, -n, -amount FROM (`+daysAgain+`) again) x
		GROUP BY day, name, part HAVING SUM(n) <> 0 OR SUM(amount) <> 0 ORDER BY day, name, part LIMIT 1`)
}
