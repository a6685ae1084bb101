package insight

import (
	"context"
	"database/sql"
	"math"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/trade"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Pages of whole reports and statements, for files.

func (s reportStore) IncomesBefore(ctx context.Context, f report.Filter, kind plan.Kind, line string, before int64) ([]closing.IncomeState, error) {
	// The page is cut before it is joined: after a join PostgreSQL may sort
	// everything that is left for each page.
	page := "(SELECT * FROM income i" + trade.OfMember + " ORDER BY i.row_no DESC LIMIT $6) i"
	within := core.RowSpan{To: math.MaxInt64}
	if f.From != math.MinInt64 || f.To != math.MaxInt64 {
		var err error
		if within, err = s.spanOf(ctx, f); err != nil {
			return nil, err
		}
	}
	// One upper bound: of two SQLite takes the first, and walks to the other.
	return engine.List(ctx, s.db.Committed(), trade.ScanIncomeState, "SELECT "+trade.StateColumns+strings.Replace(trade.StateJoins, "income i", page, 1)+" ORDER BY i.row_no DESC",
		f.No, int64(kind), line, within.From, min(within.To, before-1), f.Limit)
}

func (s reportStore) PurchasesBefore(ctx context.Context, f report.Filter, line string, before report.Key, limit int) ([]report.Purchase, error) {
	columns, table, where := purchases(line)
	return engine.List(ctx, s.db.Committed(), scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE "+where+
		" AND x.no = $2 AND x.day >= $3 AND (x.day, x.at, x.id) < ($4, $5, $6) ORDER BY x.day DESC, x.at DESC, x.id DESC LIMIT $7",
		line, f.No, int64(f.From), int64(before.Day), engine.Micros(before.At), before.ID, limit)
}

func (s reportStore) Account(ctx context.Context, code string) (id, versions int64, err error) {
	type account struct{ id, version int64 }
	a, _, err := engine.First(ctx, s.db.Committed(), func(r *sql.Rows) (a account, err error) {
		err = r.Scan(&a.id, &a.version)
		return a, err
	}, "SELECT id, version FROM account WHERE code = $1", code)
	return a.id, a.version, err
}

func (s reportStore) Entries(ctx context.Context, account, after, last int64, limit int) ([]report.Entry, error) {
	scan := func(r *sql.Rows) (e report.Entry, err error) {
		var at, delta, balance, held int64
		err = r.Scan(&e.Version, &at, &e.Kind, &e.Reason, &e.Reference, &delta, &balance, &held, &e.Other, &e.No, &e.Package, &e.Line, &e.Day)
		e.At, e.Delta, e.Balance, e.Held = engine.Instant(at), money.Micro(delta), money.Micro(balance), money.Micro(held)
		return e, err
	}
	return engine.List(ctx, s.db.Committed(), scan, `SELECT e.version, t.recorded_at, t.kind, t.reason, t.reference, e.delta, e.balance_after, e.held_after,
		CASE t.kind WHEN 'transfer' THEN COALESCE((SELECT MAX(o.owner) FROM entry o WHERE o.seq = e.seq AND o.account <> e.account AND o.kind = 'L:FUND'), 0) ELSE 0 END,
		COALESCE(s.no, p.no, 0), COALESCE(s.package, p.package, 0), COALESCE(p.line, ''), COALESCE(s.day, p.day, 0)
		FROM entry e JOIN transfer t ON t.seq = e.seq
		LEFT JOIN sale s ON t.kind IN ('buy', 'refund', 'chargeback') AND s.id = t.reference
		LEFT JOIN invest_position p ON t.kind IN ('invest', 'claim') AND p.id = t.reference
		WHERE e.account = $1 AND e.version > $2 AND e.version <= $3 ORDER BY e.version LIMIT $4`, account, after, last, limit)
}

func (s reportStore) Moved(ctx context.Context, account, after, last int64) (in, out money.Amount, err error) {
	type sums struct{ in, out int64 }
	x, err := engine.Value(ctx, s.db.Committed(), func(r *sql.Rows) (x sums, err error) {
		err = r.Scan(&x.in, &x.out)
		return x, err
	}, `SELECT COALESCE(CAST(SUM(CASE WHEN delta > 0 THEN delta ELSE 0 END) AS BIGINT), 0), COALESCE(CAST(SUM(CASE WHEN delta < 0 THEN -delta ELSE 0 END) AS BIGINT), 0)
		FROM entry WHERE account = $1 AND version > $2 AND version <= $3`, account, after, last)
	return money.Micro(x.in), money.Micro(x.out), err
}
