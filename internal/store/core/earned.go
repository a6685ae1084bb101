package core

import (
	"context"
	"database/sql"
	"math"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// Span is a part of the numbers of rows.
type Span struct{ From, To int64 }

// Counts is, of rows of member $1, what a total adds up: all but ROI that is not
// released. It says what released says, but looks nothing up for each row: which
// batches are released, and which of them after the claim of which position, is
// read once. A position has no rows after the day of its claim. Of NOT IN SQLite
// would go through the whole list, in case it holds NULL.
var Counts = `(i.kind ` + NetworkKinds + ` OR (i.source IN (SELECT b.id FROM roi_batch b WHERE b.released_day > 0) AND (i.kind = ` + RoiLevelKind + `
	OR CASE WHEN (i.position_id, i.source) IN (SELECT c.position_id, b.id FROM claim c JOIN roi_batch b ON b.line = c.line AND b.day <= c.day AND b.released_day > c.day WHERE c.no = $1) THEN FALSE ELSE TRUE END)))`

// What somebody earned: income rows that count, by kind and line, and by day. Of
// ROI those count that left Hold: released, or paid with their claim.
var PlainEarned = " FROM income i WHERE i.earner = $1 AND i.row_no >= $2 AND i.row_no <= $3 AND (" + Counts + `
	OR (i.kind = ` + RoiKind + ` AND i.position_id IN (SELECT c.position_id FROM claim c WHERE c.no = $1 AND c.claim_day > 0)))`

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
		x AS (SELECT s.day, s.kind, s.line, s.paid FROM s LEFT JOIN roi_batch b ON s.kind = ` + RoiLevelKind + ` AND b.id = s.batch WHERE s.kind ` + NetworkKinds + ` OR b.released_day > 0
			UNION ALL SELECT g.day, g.kind, g.line, (SELECT SUM(i.paid) FROM income i WHERE i.earner = $1 AND i.kind = g.kind AND i.row_no >= g.a AND i.row_no <= g.b
				AND i.line = g.line AND ` + Counts + `) FROM g WHERE g.a <= g.b
			UNION ALL SELECT i.day, i.kind, i.line, i.paid` + PlainEarned + ` AND i.kind ` + singleKinds + `)`
}

var EarnedEver = heavyEarned("0, $2, CAST($2 AS BIGINT) - 1 FROM summed") +
	" SELECT kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY kind, line"

var (
	EarnedByDay = heavyEarned("d.day, d.rows_first, d.rows_first - 1 FROM summed JOIN close_day d ON d.rows_first >= $2 AND d.rows_first <= $3") +
		" SELECT day, kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY day, kind, line ORDER BY day, kind, line"
)

// Earned are a member's incomes within some rows, by heavy where closes summed
// them up and else by plain. Whole days are asked for, or all.
func Earned[T any](ctx context.Context, db *engine.DB, scan func(*sql.Rows) (T, error), no int64, within Span, plain, heavy string) ([]T, error) {
	_, many, err := engine.First(ctx, db.Committed(), engine.ScanID, "SELECT row_first FROM income_sum WHERE earner = $1 ORDER BY kind, line, row_first LIMIT 1", no)
	if err != nil {
		return nil, err
	}
	if many {
		plain = heavy
	}
	return engine.List(ctx, db.Committed(), scan, plain, no, within.From, min(within.To, math.MaxInt64-1))
}
