package core

import (
	"context"
	"database/sql"
	"math"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// RowSpan is a range of income rows by number, both ends included.
type RowSpan struct{ From, To int64 }

// CountedIncome is the condition of the rows of member $1 that a total includes: all but
// ROI on Hold. It selects the rows that released of package trade selects without a lookup
// for each row: the released batches, and those of them released after the claim of a
// position, are read once. A position has no rows after the day of its claim. CASE avoids
// NOT IN, for which SQLite searches the whole list for NULL.
var CountedIncome = `(i.kind ` + NetworkKinds + ` OR (i.source IN (SELECT b.id FROM roi_batch b WHERE b.released_day > 0) AND (i.kind = ` + RoiLevelKind + `
	OR CASE WHEN (i.position_id, i.source) IN (SELECT c.position_id, b.id FROM claim c JOIN roi_batch b ON b.line = c.line AND b.day <= c.day AND b.released_day > c.day WHERE c.no = $1) THEN FALSE ELSE TRUE END)))`

// EarnedRows are the income rows of a member that count as earned. ROI counts once it has
// left Hold: released, or paid with its claim.
var EarnedRows = " FROM income i WHERE i.earner = $1 AND i.row_no >= $2 AND i.row_no <= $3 AND (" + CountedIncome + `
	OR (i.kind = ` + RoiKind + ` AND i.position_id IN (SELECT c.position_id FROM claim c WHERE c.no = $1 AND c.claim_day > 0)))`

// heavyEarned is EarnedRows as rows of (day, kind, line, paid), for members with so many
// rows that closes store sums of them: it reads those sums and the rows between them. marks
// selects the starts of the spans to separate, as day, first row and the row before, for
// each kind and line that has sums. Each span is a query of its rows alone, so that the
// database does not read all rows of the member.
func heavyEarned(marks string) string {
	return `WITH s AS (SELECT kind, line, row_first, row_last, batch, paid, (SELECT i.day FROM income i WHERE i.row_no = row_first) AS day FROM income_sum WHERE earner = $1 AND row_first >= $2 AND row_first <= $3),
		summed AS (` + summedIncomes + `),
		ends AS (SELECT kind, line, day, row_first, row_last FROM s UNION ALL SELECT kind, line, ` + marks + `),
		g AS (SELECT kind, line, day, row_last + 1 AS a, LEAD(row_first, 1, CAST($3 AS BIGINT) + 1) OVER (PARTITION BY kind, line ORDER BY row_first, row_last) - 1 AS b FROM ends),
		x AS (SELECT s.day, s.kind, s.line, s.paid FROM s LEFT JOIN roi_batch b ON s.kind = ` + RoiLevelKind + ` AND b.id = s.batch WHERE s.kind ` + NetworkKinds + ` OR b.released_day > 0
			UNION ALL SELECT g.day, g.kind, g.line, (SELECT SUM(i.paid) FROM income i WHERE i.earner = $1 AND i.kind = g.kind AND i.row_no >= g.a AND i.row_no <= g.b
				AND i.line = g.line AND ` + CountedIncome + `) FROM g WHERE g.a <= g.b
			UNION ALL SELECT i.day, i.kind, i.line, i.paid` + EarnedRows + ` AND i.kind ` + singleKinds + `)`
}

// EarnedInAll sums the incomes of a member with many rows by kind and line.
var EarnedInAll = heavyEarned("0, $2, CAST($2 AS BIGINT) - 1 FROM summed") +
	" SELECT kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY kind, line"

// EarnedByDay sums the incomes of a member with many rows by day, kind and line.
var EarnedByDay = heavyEarned("d.day, d.rows_first, d.rows_first - 1 FROM summed JOIN close_day d ON d.rows_first >= $2 AND d.rows_first <= $3") +
	" SELECT day, kind, line, CAST(SUM(paid) AS BIGINT) FROM x WHERE paid IS NOT NULL GROUP BY day, kind, line ORDER BY day, kind, line"

// Earned are a member's incomes within a span, by the query heavy if closes store sums of
// them, and else by plain. The span has whole days, or everything.
func Earned[T any](ctx context.Context, db *engine.DB, scan func(*sql.Rows) (T, error), no int64, within RowSpan, plain, heavy string) ([]T, error) {
	_, many, err := engine.First(ctx, db.Committed(), engine.ScanID, "SELECT row_first FROM income_sum WHERE earner = $1 ORDER BY kind, line, row_first LIMIT 1", no)
	if err != nil {
		return nil, err
	}
	if many {
		plain = heavy
	}
	return engine.List(ctx, db.Committed(), scan, plain, no, within.From, min(within.To, math.MaxInt64-1))
}
