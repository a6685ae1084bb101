package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Rows of a closed day for operators. They are found by their numbers, which are
// consecutive.

func (s closingStore) ClosedDay(ctx context.Context, day plan.Day) (closing.Closed, bool, error) {
	scan := func(r *sql.Rows) (c closing.Closed, err error) {
		var at int64
		err = r.Scan(&c.Day, &c.Plan, &c.Digest, &c.FirstRow, &c.LastRow, &at)
		c.At = engine.Instant(at)
		return c, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT day, plan, digest, rows_first, rows_last, committed_at FROM close_day WHERE day = $1", int64(day))
}

func (s closingStore) DaySums(ctx context.Context, day plan.Day) ([]closing.DaySum, error) {
	return engine.List(ctx, s.db.Committed(), ScanDaySum, "SELECT day, name, part, n, amount FROM day_sum WHERE day = $1", int64(day))
}

// ofClose are the rows of a day.
const ofClose = " i.row_no >= (SELECT rows_first FROM close_day WHERE day = $1) AND i.row_no <= (SELECT rows_last FROM close_day WHERE day = $1)"

func (s closingStore) TopEarners(ctx context.Context, day plan.Day, limit int) ([]closing.Top, error) {
	scan := func(r *sql.Rows) (t closing.Top, err error) {
		var paid int64
		err = r.Scan(&t.UID, &t.Rows, &paid)
		t.Paid = money.Micro(paid)
		return t, err
	}
	return engine.List(ctx, s.db.Committed(), scan, `SELECT p.uid, x.n, x.paid FROM (SELECT i.earner, COUNT(*) AS n, CAST(SUM(i.paid) AS BIGINT) AS paid FROM income i WHERE`+ofClose+`
		GROUP BY i.earner HAVING SUM(i.paid) > 0 ORDER BY 3 DESC, 1 LIMIT $2) x JOIN place p ON p.no = x.earner ORDER BY x.paid DESC, x.earner`, int64(day), limit)
}

// marks are what rows have, as SQL; none is every row.
var marks = map[closing.Mark]string{
	"": "1 = 1", closing.MarkCapped: "i.capped = 1", closing.MarkScaled: "i.scaled = 1", closing.MarkHeld: "i.held = 1 AND i.kind " + core.NetworkKinds, closing.MarkTaken: "i.reverses <> 0",
}

func (s closingStore) Marked(ctx context.Context, day plan.Day) (closing.Marks, error) {
	count := func(m closing.Mark) string {
		return "COALESCE(CAST(SUM(CASE WHEN " + marks[m] + " THEN 1 ELSE 0 END) AS BIGINT), 0)"
	}
	scan := func(r *sql.Rows) (n closing.Marks, err error) {
		err = r.Scan(&n.Capped, &n.Scaled, &n.Held, &n.Taken)
		return n, err
	}
	return engine.Value(ctx, s.db.Committed(), scan, "SELECT "+count(closing.MarkCapped)+", "+count(closing.MarkScaled)+", "+count(closing.MarkHeld)+", "+count(closing.MarkTaken)+
		" FROM income i WHERE"+ofClose, int64(day))
}

func (s closingStore) MarkedRows(ctx context.Context, day plan.Day, only closing.Mark, offset, limit int) ([]closing.Seen, int, error) {
	scan := func(r *sql.Rows) (x closing.Seen, err error) {
		var paid, nominal, capped, scaled, held, reverses int64
		err = r.Scan(&x.Row, &x.UID, &x.Of, &x.Kind, &x.Line, &x.Level, &paid, &nominal, &capped, &scaled, &held, &reverses)
		x.Paid, x.Nominal, x.Capped, x.Scaled, x.Taken = money.Micro(paid), money.Micro(nominal), capped == 1, scaled == 1, reverses != 0
		x.Held = held == 1 && x.Kind < plan.KindROI
		return x, err
	}
	where := ofClose + " AND " + marks[only]
	total, _, err := engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT COUNT(*) FROM income i WHERE"+where, int64(day))
	if err != nil || total == 0 {
		return nil, 0, err
	}
	rows, err := engine.List(ctx, s.db.Committed(), scan, `SELECT i.row_no, p.uid, o.uid, i.kind, i.line, i.level, i.paid, i.nominal, i.capped, i.scaled, i.held, i.reverses
		FROM income i JOIN place p ON p.no = i.earner JOIN place o ON o.no = i.source_no WHERE`+where+" ORDER BY i.row_no LIMIT $2 OFFSET $3", int64(day), limit, offset)
	return rows, int(total), err
}

func (s closingStore) LineBooks(ctx context.Context) ([]closing.LineView, error) {
	var out []closing.LineView
	for _, line := range plan.LineNames {
		scan := func(r *sql.Rows) (x closing.LineView, err error) {
			var principal, loss, reserve, roi, fee, claimed, recalled int64
			err = r.Scan(&x.Positions, &principal, &loss, &reserve, &roi, &fee, &x.Claims, &claimed, &recalled, &x.Batches, &x.Oldest)
			x.Line, x.Principal, x.Loss, x.Reserve = line, money.Micro(principal), money.Micro(loss), money.Micro(reserve)
			x.ROI, x.Fee, x.Claimed, x.Recalled = money.Micro(roi), money.Micro(fee), money.Micro(claimed), money.Micro(recalled)
			return x, err
		}
		x, _, err := engine.First(ctx, s.db.Committed(), scan, `SELECT p.n, p.principal, p.loss,
			COALESCE((SELECT posted FROM account WHERE code = 'L:LINE_RESERVE:' || $1), 0), COALESCE((SELECT posted FROM account WHERE code = 'L:ROI_HELD:' || $1), 0),
			COALESCE((SELECT posted FROM account WHERE code = 'L:FEE_HELD:' || $1), 0), c.n, c.net, c.recalled, b.n, b.oldest
			FROM (SELECT COALESCE(MAX(CASE WHEN list = 'position' THEN n END), 0) AS n, COALESCE(MAX(CASE WHEN list = 'position' THEN amount END), 0) AS principal,
				COALESCE(MAX(CASE WHEN list = 'position_loss' THEN amount END), 0) AS loss FROM list_sum WHERE list IN ('position', 'position_loss') AND state = 'open' AND kind = $1 AND waits = 0) p,
			(SELECT COUNT(*) AS n, COALESCE(CAST(SUM(net) AS BIGINT), 0) AS net, COALESCE(CAST(SUM(recalled) AS BIGINT), 0) AS recalled FROM claim WHERE line = $1 AND state = 'Pending') c,
			(SELECT COUNT(*) AS n, COALESCE(MIN(day), 0) AS oldest FROM roi_batch WHERE line = $1 AND released_day = 0 AND roi > 0) b`, line)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
