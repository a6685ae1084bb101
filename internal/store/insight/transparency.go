package insight

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/trade"
)

type transparencyStore struct{ db *engine.DB }

var transparencySigned = evidence.NewSignedTable("transparency", "day, body, made_at", evidence.SignedOptions{})

// Transparency is the store of the public report.
func Transparency(db *engine.DB) transparency.Store { return transparencyStore{db} }

func (s transparencyStore) LastClose(ctx context.Context) (plan.Day, bool, error) {
	return trade.Closing(s.db).LastDay(ctx, nil)
}

func (s transparencyStore) Kept(ctx context.Context, day plan.Day) ([]byte, bool, error) {
	body, found, err := engine.First(ctx, s.db.Committed(), engine.ScanText, "SELECT body FROM transparency WHERE day = $1", int64(day))
	return []byte(body), found, err
}

func (transparencyStore) Keep(ctx context.Context, tx *ledger.Tx, day plan.Day, body []byte, at time.Time) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), transparencySigned, []any{int64(day)}, "INSERT INTO transparency (day, body, made_at) VALUES ($1, $2, $3) ON CONFLICT (day) DO NOTHING", int64(day), string(body), engine.Micros(at))
}

// Facts are read in one snapshot. Days, sales, incomes and what members carry
// change by closes only, so they are as of the last one; entries posted since are
// subtracted from the accounts.
func (s transparencyStore) Facts(ctx context.Context) (f transparency.Facts, found bool, err error) {
	err = s.db.Snapshot(ctx, func(q engine.Querier) (err error) {
		scan := func(r *sql.Rows) (c transparency.Closed, err error) {
			var at int64
			err = r.Scan(&c.Day, &c.Plan, &c.Digest, &at, &c.LastRow)
			c.At = engine.Instant(at)
			return c, err
		}
		if f.Closed, found, err = engine.First(ctx, q, scan, "SELECT day, plan, digest, committed_at, rows_last FROM close_day ORDER BY day DESC LIMIT 1"); err != nil || !found {
			return err
		}
		if f.Closed.Seq, _, err = engine.First(ctx, q, engine.ScanID, "SELECT last_seq FROM command WHERE actor = 'closing' AND command_key = $1", "close "+f.Closed.Day.String()); err != nil {
			return err
		}
		for _, step := range []func(context.Context, engine.Querier, *transparency.Facts) error{readBalances, readResults, readPaid, readRevenue, readPeople} {
			if err := step(ctx, q, &f); err != nil {
				return err
			}
		}
		return nil
	})
	return f, found, err
}

func readBalances(ctx context.Context, q engine.Querier, f *transparency.Facts) error {
	type class struct{ kind, short string }
	at := map[class]int{}
	scan := func(r *sql.Rows) (b transparency.Balance, err error) {
		var short, code string
		if err = r.Scan(&b.Kind, &short, &code, &b.Amount); err != nil {
			return b, err
		}
		if short != "" {
			b.Of, _, _ = strings.Cut(strings.TrimPrefix(code, b.Kind+":"), ":")
		}
		c := class{b.Kind, short}
		if i, known := at[c]; known {
			f.Balances[i].Amount -= b.Amount // posted after the close
			return b, nil
		}
		at[c] = len(f.Balances)
		f.Balances = append(f.Balances, b)
		return b, nil
	}
	none := func(transparency.Balance) error { return nil }
	if err := engine.Each(ctx, q, scan, none, "SELECT a.kind, "+trade.ClassOf+", MIN(a.code), CAST(SUM(a.posted) AS BIGINT) FROM account a GROUP BY 1, 2"); err != nil {
		return err
	}
	return engine.Each(ctx, q, scan, none, "SELECT a.kind, "+trade.ClassOf+", MIN(a.code), CAST(SUM(e.delta) AS BIGINT) FROM entry e JOIN account a ON a.id = e.account WHERE e.seq > $1 GROUP BY 1, 2", f.Closed.Seq)
}

func readResults(ctx context.Context, q engine.Querier, f *transparency.Facts) (err error) {
	scan := func(r *sql.Rows) (b transparency.Booked, err error) {
		err = r.Scan(&b.Day, &b.Line, &b.Profit, &b.Loss)
		return b, err
	}
	f.Results, err = engine.List(ctx, q, scan, `SELECT day, line, CAST(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS BIGINT), CAST(SUM(CASE WHEN amount < 0 THEN amount ELSE 0 END) AS BIGINT)
		FROM booking WHERE kind = 'pnl' AND closed = 1 AND refused = '' AND day <= $1 GROUP BY day, line ORDER BY day DESC, line DESC`, int64(f.Closed.Day))
	return err
}

func readPaid(ctx context.Context, q engine.Querier, f *transparency.Facts) (err error) {
	scan := func(r *sql.Rows) (p transparency.Paid, err error) {
		err = r.Scan(&p.Kind, &p.Line, &p.Paid, &p.Reversed)
		return p, err
	}
	f.Incomes, err = engine.List(ctx, q, scan, `SELECT kind, line, CAST(SUM(CASE WHEN reverses = 0 THEN paid ELSE 0 END) AS BIGINT), CAST(SUM(CASE WHEN reverses <> 0 THEN paid ELSE 0 END) AS BIGINT)
		FROM income WHERE row_no <= $1 GROUP BY kind, line`, f.Closed.LastRow)
	return err
}

func readRevenue(ctx context.Context, q engine.Querier, f *transparency.Facts) (err error) {
	scan := func(r *sql.Rows) (v transparency.Sales, err error) {
		err = r.Scan(&v.Gross, &v.Reversed, &v.Retail, &v.Kept)
		return v, err
	}
	f.Sales, _, err = engine.First(ctx, q, scan, `SELECT CAST(COALESCE(SUM(s.amount), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN s.state = 'reversed' THEN s.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN p.parent = 0 AND p.sponsor <> 0 THEN s.amount ELSE 0 END), 0) AS BIGINT),
		CAST(COALESCE(SUM(CASE WHEN p.parent = 0 AND p.sponsor <> 0 AND s.state = 'final' THEN s.amount ELSE 0 END), 0) AS BIGINT)
		FROM sale s JOIN place p ON p.no = s.no WHERE s.state IN ('final', 'reversed')`)
	return err
}

// readPeople reads the network incomes and the final sales of each member who had joined
// by the close.
func readPeople(ctx context.Context, q engine.Querier, f *transparency.Facts) (err error) {
	scan := func(r *sql.Rows) (p disclosure.Person, err error) {
		err = r.Scan(&p.Earned, &p.Bought)
		return p, err
	}
	f.People, err = engine.List(ctx, q, scan, `SELECT CAST(COALESCE(i.earned, 0) AS BIGINT), COALESCE(c.final, 0) FROM place p
		LEFT JOIN carry c ON c.no = p.no
		LEFT JOIN (SELECT earner, SUM(paid) AS earned FROM income WHERE kind `+core.NetworkKinds+` AND row_no <= $1 GROUP BY earner) i ON i.earner = p.no
		WHERE (p.parent <> 0 OR p.sponsor = 0) AND p.joined_at <= $2`, f.Closed.LastRow, engine.Micros(f.Closed.At))
	return err
}
