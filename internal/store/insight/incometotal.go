package insight

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/trade"
)

// spanOf is where the rows of some days are: each close numbers its rows on from
// the one before.
func (s reportStore) spanOf(ctx context.Context, f report.Filter) (core.RowSpan, error) {
	scan := func(r *sql.Rows) (x core.RowSpan, err error) {
		err = r.Scan(&x.From, &x.To)
		return x, err
	}
	return engine.Value(ctx, s.db.Committed(), scan, `SELECT COALESCE((SELECT rows_first FROM close_day WHERE day >= $1 ORDER BY day LIMIT 1), 9223372036854775807),
		COALESCE((SELECT rows_last FROM close_day WHERE day <= $2 ORDER BY day DESC LIMIT 1), 0)`, int64(f.From), int64(f.To))
}

// part is a span of a member's rows of a kind and line, with their count and sum.
type part struct {
	core.RowSpan
	engine.Total
}

func scanPart(r *sql.Rows) (x part, err error) {
	err = r.Scan(&x.From, &x.To, &x.Count, &x.Sum)
	return x, err
}

// parts are the counts and sums of a member's rows within a span, oldest first: the sums
// that closes stored, and the spans between, whose rows are counted.
func (s reportStore) parts(ctx context.Context, no int64, kind plan.Kind, line string, within core.RowSpan) ([]part, error) {
	all, err := engine.List(ctx, s.db.Committed(), scanPart, `SELECT s.row_first, s.row_last, s.n, CASE WHEN s.kind `+core.NetworkKinds+` OR b.released_day > 0 THEN s.paid ELSE 0 END
		FROM income_sum s LEFT JOIN roi_batch b ON s.kind = `+core.RoiLevelKind+` AND b.id = s.batch
		WHERE s.earner = $1 AND s.kind = $2 AND s.line = $3 AND s.row_first >= $4 AND s.row_first <= $5 ORDER BY s.row_first`, no, int64(kind), line, within.From, within.To)
	if err != nil {
		return nil, err
	}
	gaps, next := make([]int64, 0, 2*len(all)+2), within.From
	for _, x := range all {
		if x.From > next {
			gaps = append(gaps, next, x.From-1)
		}
		next = x.To + 1
	}
	if next <= within.To {
		gaps = append(gaps, next, within.To)
	}
	for len(gaps) > 0 {
		n := min(len(gaps), 2*engine.MaxIn)
		some, err := s.between(ctx, no, kind, line, gaps[:n])
		if err != nil {
			return nil, err
		}
		all, gaps = append(all, some...), gaps[n:]
	}
	slices.SortFunc(all, func(a, b part) int { return cmp.Compare(a.From, b.From) })
	return all, nil
}

// IncomeTotal adds the sums that closes stored and the rows between.
func (s reportStore) IncomeTotal(ctx context.Context, f report.Filter, kind plan.Kind, line string) (int, money.Amount, error) {
	within, err := s.spanOf(ctx, f)
	if err != nil {
		return 0, money.Amount{}, err
	}
	parts, err := s.parts(ctx, f.No, kind, line, within)
	var all engine.Total
	for _, x := range parts {
		all.Count, all.Sum = all.Count+x.Count, all.Sum+x.Sum
	}
	return int(all.Count), money.Micro(all.Sum), err
}

// skipped leaves out the parts before a far page, in the order of rows, so that a page is
// not found by reading a million rows.
func (s reportStore) skipped(ctx context.Context, f report.Filter, kind plan.Kind, line string, within core.RowSpan) (report.Filter, core.RowSpan, error) {
	parts, err := s.parts(ctx, f.No, kind, line, within)
	if f.Descending {
		slices.Reverse(parts)
	}
	for _, x := range parts {
		if int64(f.Offset) < x.Count {
			break
		}
		f.Offset -= int(x.Count)
		if f.Descending {
			within.To = x.From - 1
		} else {
			within.From = x.To + 1
		}
	}
	return f, within, err
}

// between adds the rows within some spans up, one by one.
func (s reportStore) between(ctx context.Context, no int64, kind plan.Kind, line string, gaps []int64) ([]part, error) {
	if len(gaps) == 2 { // one span needs one aggregate
		return engine.List(ctx, s.db.Committed(), scanPart, "SELECT CAST($4 AS BIGINT), CAST($5 AS BIGINT), COUNT(*), COALESCE(CAST(SUM(CASE WHEN "+core.CountedIncome+" THEN i.paid ELSE 0 END) AS BIGINT), 0) FROM income i"+trade.OfMember,
			no, int64(kind), line, gaps[0], gaps[1])
	}
	n := engine.ListSize(len(gaps) / 2) // unused spans are empty
	args := []any{no, int64(kind), line}
	var text strings.Builder
	text.WriteString("WITH g (a, b) AS (VALUES (CAST($4 AS BIGINT), CAST($5 AS BIGINT))")
	for i := range n {
		if i > 0 {
			text.WriteString(", " + engine.Placeholders(4+2*i, 2))
		}
		if 2*i < len(gaps) {
			args = append(args, gaps[2*i], gaps[2*i+1])
		} else {
			args = append(args, int64(1), int64(0))
		}
	}
	// Each span is a subquery: with a join, PostgreSQL may read all rows of the member and
	// compare each with each span.
	where := " WHERE i.earner = $1 AND i.kind = $2 AND i.row_no >= g.a AND i.row_no <= g.b AND i.line = $3"
	return engine.List(ctx, s.db.Committed(), scanPart, text.String()+") SELECT g.a, g.b, (SELECT COUNT(*) FROM income i"+where+"), COALESCE((SELECT CAST(SUM(i.paid) AS BIGINT) FROM income i"+where+" AND "+core.CountedIncome+"), 0) FROM g WHERE g.a <= g.b", args...)
}
