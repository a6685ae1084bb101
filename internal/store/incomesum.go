package store

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/report"
)

// Sums of income rows: what a report of a million rows adds up by.

var sumTable = newTable("income_sum", []column{
	{"earner", ints}, {"kind", ints}, {"line", texts}, {"row_first", ints}, {"row_last", ints}, {"batch", texts}, {"n", ints}, {"paid", ints},
}...)

func (closingStore) AddSums(ctx context.Context, r ledger.Rows, all []closing.Sum) error {
	return in(r).insert(ctx, bulk{sumTable, len(all), func(i int, r *rows) {
		x := &all[i]
		r.add(x.Earner, int64(x.Kind), x.Line, x.First, x.Last, x.Batch, x.Rows, x.Paid)
	}})
}

func scanSum(r *sql.Rows) (x closing.Sum, err error) {
	err = r.Scan(&x.Earner, &x.Kind, &x.Line, &x.First, &x.Last, &x.Batch, &x.Rows, &x.Paid)
	return x, err
}

// Sums is what checks the sums of incomes.
func (db *DB) Sums() closing.SumStore { return closingStore{db} }

// WrongSum adds the rows of each sum up again, along the index of its earner,
// and lets nothing stand that does not agree.
func (s closingStore) WrongSum(ctx context.Context) (closing.Sum, bool, error) {
	return first(ctx, &s.db.rows, scanSum, `SELECT s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid FROM income_sum s
		LEFT JOIN income i ON i.earner = s.earner AND i.kind = s.kind AND i.row_no >= s.row_first AND i.row_no <= s.row_last AND i.line = s.line
		GROUP BY s.earner, s.kind, s.line, s.row_first, s.row_last, s.batch, s.n, s.paid
		HAVING COUNT(i.row_no) <> s.n OR SUM(i.paid) <> s.paid OR MIN(i.row_no) <> s.row_first OR MAX(i.row_no) <> s.row_last
			OR MIN(i.day) <> MAX(i.day) OR (s.kind = 7 AND (MIN(i.source) <> s.batch OR MAX(i.source) <> s.batch))
		ORDER BY s.earner, s.row_first LIMIT 1`)
}

// span is a part of the numbers of rows.
type span struct{ from, to int64 }

// spanOf is where the rows of some days are: each close numbers its rows on from
// the one before.
func (s reportStore) spanOf(ctx context.Context, f report.Filter) (span, error) {
	scan := func(r *sql.Rows) (x span, err error) {
		err = r.Scan(&x.from, &x.to)
		return x, err
	}
	x, _, err := first(ctx, &s.db.rows, scan, `SELECT COALESCE((SELECT rows_first FROM close_day WHERE day >= $1 ORDER BY day LIMIT 1), 9223372036854775807),
		COALESCE((SELECT rows_last FROM close_day WHERE day <= $2 ORDER BY day DESC LIMIT 1), 0)`, int64(f.From), int64(f.To))
	return x, err
}

// IncomeTotal takes what closes summed up, and adds the rows between.
func (s reportStore) IncomeTotal(ctx context.Context, f report.Filter, kind plan.Kind, line string) (int, money.Amount, error) {
	within, err := s.spanOf(ctx, f)
	if err != nil {
		return 0, money.Amount{}, err
	}
	type summed struct {
		span
		total
	}
	scan := func(r *sql.Rows) (x summed, err error) {
		err = r.Scan(&x.from, &x.to, &x.count, &x.sum)
		return x, err
	}
	sums, err := list(ctx, &s.db.rows, scan, `SELECT s.row_first, s.row_last, s.n, CASE WHEN s.kind < 6 OR b.released_day > 0 THEN s.paid ELSE 0 END
		FROM income_sum s LEFT JOIN roi_batch b ON s.kind = 7 AND b.id = s.batch
		WHERE s.earner = $1 AND s.kind = $2 AND s.line = $3 AND s.row_first >= $4 AND s.row_first <= $5 ORDER BY s.row_first`, f.No, int64(kind), line, within.from, within.to)
	if err != nil {
		return 0, money.Amount{}, err
	}
	var all total
	gaps, next := make([]int64, 0, 2*len(sums)+2), within.from
	for _, x := range sums {
		all.count, all.sum = all.count+x.count, all.sum+x.sum
		if x.from > next {
			gaps = append(gaps, next, x.from-1)
		}
		next = x.to + 1
	}
	if next <= within.to {
		gaps = append(gaps, next, within.to)
	}
	for len(gaps) > 0 {
		n := min(len(gaps), 2*maxIn)
		some, err := s.between(ctx, f.No, kind, line, gaps[:n])
		if err != nil {
			return 0, money.Amount{}, err
		}
		all.count, all.sum = all.count+some.count, all.sum+some.sum
		gaps = gaps[n:]
	}
	return int(all.count), money.Micro(all.sum), nil
}

// between adds the rows within some spans up, one by one.
func (s reportStore) between(ctx context.Context, no int64, kind plan.Kind, line string, gaps []int64) (t total, err error) {
	// A power of two of spans, so that few statements are prepared; those too
	// many are empty.
	n := 1
	for n < len(gaps)/2 {
		n *= 2
	}
	args := []any{no, int64(kind), line}
	var text strings.Builder
	text.WriteString("WITH g (a, b) AS (VALUES (CAST($4 AS BIGINT), CAST($5 AS BIGINT))")
	for i := range n {
		if i > 0 {
			text.WriteString(", " + placeholders(4+2*i, 2))
		}
		if 2*i < len(gaps) {
			args = append(args, gaps[2*i], gaps[2*i+1])
		} else {
			args = append(args, int64(1), int64(0))
		}
	}
	// Each span is asked for by itself: joined with them, PostgreSQL may read all
	// rows of the member and hold each against each span.
	where := " WHERE i.earner = $1 AND i.kind = $2 AND i.row_no >= g.a AND i.row_no <= g.b AND i.line = $3"
	t, _, err = first(ctx, &s.db.rows, scanTotal, text.String()+") SELECT COALESCE(CAST(SUM(n) AS BIGINT), 0), COALESCE(CAST(SUM(paid) AS BIGINT), 0) FROM (SELECT (SELECT COUNT(*) FROM income i"+where+") AS n, (SELECT SUM(i.paid)"+stateJoins+where+" AND (i.kind < 6 OR "+released+")) AS paid FROM g WHERE g.a <= g.b) x", args...)
	return t, err
}

// What somebody earned: income rows that count, by kind and line, and by day. Of
// ROI those count that left Hold.
const plainEarned = stateJoins + " WHERE i.earner = $1 AND i.row_no >= $2 AND i.row_no <= $3 AND (i.kind < 6 OR " + released + " OR " + claimed + ")"

// heavyEarned is the same, as few rows of (day, kind, line, paid), for who has so
// many that closes summed them up: those sums, and the rows between them. marks
// are where a span begins that is to be told apart: its day, first row and the
// row before, of each kind and line that has sums. Each span is asked for by
// itself, so that no database reads all rows to find the few.
func heavyEarned(marks string) string {
	return `WITH s AS (SELECT kind, line, row_first, row_last, batch, paid, (SELECT i.day FROM income i WHERE i.row_no = row_first) AS day FROM income_sum WHERE earner = $1 AND row_first >= $2 AND row_first <= $3),
		summed AS (SELECT 0 AS kind, '' AS line UNION ALL SELECT 7, '` + plan.LineNames[0] + `' UNION ALL SELECT 7, '` + plan.LineNames[1] + `'),
		ends AS (SELECT kind, line, day, row_first, row_last FROM s UNION ALL SELECT kind, line, ` + marks + `),
		g AS (SELECT kind, line, day, row_last + 1 AS a, LEAD(row_first, 1, CAST($3 AS BIGINT) + 1) OVER (PARTITION BY kind, line ORDER BY row_first, row_last) - 1 AS b FROM ends),
		x AS (SELECT s.day, s.kind, s.line, s.paid FROM s LEFT JOIN roi_batch b ON s.kind = 7 AND b.id = s.batch WHERE s.kind < 6 OR b.released_day > 0
			UNION ALL SELECT g.day, g.kind, g.line, (SELECT SUM(i.paid)` + stateJoins + ` WHERE i.earner = $1 AND i.kind = g.kind AND i.row_no >= g.a AND i.row_no <= g.b
				AND i.line = g.line AND (i.kind < 6 OR ` + released + `)) FROM g WHERE g.a <= g.b
			UNION ALL SELECT i.day, i.kind, i.line, i.paid` + plainEarned + ` AND i.kind > 0 AND i.kind < 7)`
}

var (
	earnedEver = heavyEarned("0, $2, CAST($2 AS BIGINT) - 1 FROM summed") +
		" SELECT kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY kind, line"
	earnedByDay = heavyEarned("d.day, d.rows_first, d.rows_first - 1 FROM summed JOIN close_day d ON d.rows_first >= $2 AND d.rows_first <= $3") +
		" SELECT day, kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY day, kind, line ORDER BY day, kind, line"
)

// earned are a member's incomes within some rows, by heavy where closes summed
// them up and else by plain. Whole days are asked for, or all.
func earned[T any](ctx context.Context, db *DB, scan func(*sql.Rows) (T, error), no int64, within span, plain, heavy string) ([]T, error) {
	_, many, err := first(ctx, &db.rows, scanID, "SELECT row_first FROM income_sum WHERE earner = $1 ORDER BY kind, line, row_first LIMIT 1", no)
	if err != nil {
		return nil, err
	}
	if many {
		plain = heavy
	}
	return list(ctx, &db.rows, scan, plain, no, within.from, min(within.to, math.MaxInt64-1))
}
