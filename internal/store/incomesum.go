package store

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Sums of income rows: what a report of a million rows adds up by.

var sumTable = newTable("income_sum", []column{
	{"earner", ints}, {"kind", ints}, {"line", texts}, {"row_first", ints}, {"row_last", ints}, {"batch", texts}, {"n", ints}, {"paid", ints},
}...)

func (closingStore) AddSums(ctx context.Context, tx *ledger.Tx, all []closing.Sum) error {
	return groupOf(tx).insert(ctx, bulk{sumTable, len(all), func(i int, r *rows) {
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
			OR MIN(i.day) <> MAX(i.day) OR (s.kind = `+roiLevelKind+` AND (MIN(i.source) <> s.batch OR MAX(i.source) <> s.batch))
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

// part is a span of a member's rows of a kind and line, and what they come to.
type part struct {
	span
	total
}

func scanPart(r *sql.Rows) (x part, err error) {
	err = r.Scan(&x.from, &x.to, &x.count, &x.sum)
	return x, err
}

// parts are what a member's rows within some rows come to, oldest first: what
// closes summed up, and the spans between, whose rows are counted.
func (s reportStore) parts(ctx context.Context, no int64, kind plan.Kind, line string, within span) ([]part, error) {
	all, err := list(ctx, &s.db.rows, scanPart, `SELECT s.row_first, s.row_last, s.n, CASE WHEN s.kind `+networkKinds+` OR b.released_day > 0 THEN s.paid ELSE 0 END
		FROM income_sum s LEFT JOIN roi_batch b ON s.kind = `+roiLevelKind+` AND b.id = s.batch
		WHERE s.earner = $1 AND s.kind = $2 AND s.line = $3 AND s.row_first >= $4 AND s.row_first <= $5 ORDER BY s.row_first`, no, int64(kind), line, within.from, within.to)
	if err != nil {
		return nil, err
	}
	gaps, next := make([]int64, 0, 2*len(all)+2), within.from
	for _, x := range all {
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
		some, err := s.between(ctx, no, kind, line, gaps[:n])
		if err != nil {
			return nil, err
		}
		all, gaps = append(all, some...), gaps[n:]
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	return all, nil
}

// IncomeTotal takes what closes summed up, and adds the rows between.
func (s reportStore) IncomeTotal(ctx context.Context, f report.Filter, kind plan.Kind, line string) (int, money.Amount, error) {
	within, err := s.spanOf(ctx, f)
	if err != nil {
		return 0, money.Amount{}, err
	}
	parts, err := s.parts(ctx, f.No, kind, line, within)
	var all total
	for _, x := range parts {
		all.count, all.sum = all.count+x.count, all.sum+x.sum
	}
	return int(all.count), money.Micro(all.sum), err
}

// skipped leaves out the parts that a far page is behind, in the order of rows:
// else a million rows are walked to show the next hundred.
func (s reportStore) skipped(ctx context.Context, f report.Filter, kind plan.Kind, line string, within span) (report.Filter, span, error) {
	parts, err := s.parts(ctx, f.No, kind, line, within)
	if f.Descending {
		slices.Reverse(parts)
	}
	for _, x := range parts {
		if int64(f.Offset) < x.count {
			break
		}
		f.Offset -= int(x.count)
		if f.Descending {
			within.to = x.from - 1
		} else {
			within.from = x.to + 1
		}
	}
	return f, within, err
}

// between adds the rows within some spans up, one by one.
func (s reportStore) between(ctx context.Context, no int64, kind plan.Kind, line string, gaps []int64) ([]part, error) {
	if len(gaps) == 2 { // of one span count and sum are had by one look
		return list(ctx, &s.db.rows, scanPart, "SELECT CAST($4 AS BIGINT), CAST($5 AS BIGINT), COUNT(*), COALESCE(CAST(SUM(CASE WHEN "+counts+" THEN i.paid ELSE 0 END) AS BIGINT), 0) FROM income i"+ofMember,
			no, int64(kind), line, gaps[0], gaps[1])
	}
	n := listSize(len(gaps) / 2) // the spans that are too many are empty
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
	return list(ctx, &s.db.rows, scanPart, text.String()+") SELECT g.a, g.b, (SELECT COUNT(*) FROM income i"+where+"), COALESCE((SELECT CAST(SUM(i.paid) AS BIGINT) FROM income i"+where+" AND "+counts+"), 0) FROM g WHERE g.a <= g.b", args...)
}

// counts is, of rows of member $1, what a total adds up: all but ROI that is not
// released. It says what released says, but looks nothing up for each row: which
// batches are released, and which of them after the claim of which position, is
// read once. A position has no rows after the day of its claim. Of NOT IN SQLite
// would go through the whole list, in case it holds NULL.
var counts = `(i.kind ` + networkKinds + ` OR (i.source IN (SELECT b.id FROM roi_batch b WHERE b.released_day > 0) AND (i.kind = ` + roiLevelKind + `
	OR CASE WHEN (i.position_id, i.source) IN (SELECT c.position_id, b.id FROM claim c JOIN roi_batch b ON b.line = c.line AND b.day <= c.day AND b.released_day > c.day WHERE c.no = $1) THEN FALSE ELSE TRUE END)))`

// What somebody earned: income rows that count, by kind and line, and by day. Of
// ROI those count that left Hold: released, or paid with their claim.
var plainEarned = " FROM income i WHERE i.earner = $1 AND i.row_no >= $2 AND i.row_no <= $3 AND (" + counts + `
	OR (i.kind = ` + roiKind + ` AND i.position_id IN (SELECT c.position_id FROM claim c WHERE c.no = $1 AND c.claim_day > 0)))`

// heavyEarned is the same, as few rows of (day, kind, line, paid), for who has so
// many that closes summed them up: those sums, and the rows between them. marks
// are where a span begins that is to be told apart: its day, first row and the
// row before, of each kind and line that has sums. Each span is asked for by
// itself, so that no database reads all rows to find the few.
func heavyEarned(marks string) string {
	return `WITH s AS (SELECT kind, line, row_first, row_last, batch, paid, (SELECT i.day FROM income i WHERE i.row_no = row_first) AS day FROM income_sum WHERE earner = $1 AND row_first >= $2 AND row_first <= $3),
		summed AS (` + summedIncomes + `),
		ends AS (SELECT kind, line, day, row_first, row_last FROM s UNION ALL SELECT kind, line, ` + marks + `),
		g AS (SELECT kind, line, day, row_last + 1 AS a, LEAD(row_first, 1, CAST($3 AS BIGINT) + 1) OVER (PARTITION BY kind, line ORDER BY row_first, row_last) - 1 AS b FROM ends),
		x AS (SELECT s.day, s.kind, s.line, s.paid FROM s LEFT JOIN roi_batch b ON s.kind = ` + roiLevelKind + ` AND b.id = s.batch WHERE s.kind ` + networkKinds + ` OR b.released_day > 0
			UNION ALL SELECT g.day, g.kind, g.line, (SELECT SUM(i.paid) FROM income i WHERE i.earner = $1 AND i.kind = g.kind AND i.row_no >= g.a AND i.row_no <= g.b
				AND i.line = g.line AND ` + counts + `) FROM g WHERE g.a <= g.b
			UNION ALL SELECT i.day, i.kind, i.line, i.paid` + plainEarned + ` AND i.kind ` + singleKinds + `)`
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
