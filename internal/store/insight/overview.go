package insight

import (
	"context"
	"database/sql"
	"slices"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"

	"github.com/bifolia/bifolia/internal/store/engine"
)

func (s reportStore) Losses(ctx context.Context, no int64) (money.Amount, error) {
	n, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COALESCE(CAST(SUM(loss) AS BIGINT), 0) FROM invest_position WHERE no = $1", no)
	return money.Micro(n), err
}

func (s reportStore) ReadyClaims(ctx context.Context, no int64) ([]report.ReadyClaims, error) {
	scan := func(r *sql.Rows) (c report.ReadyClaims, err error) {
		var amount int64
		err = r.Scan(&c.Line, &c.Count, &amount)
		c.Amount = money.Micro(amount)
		return c, err
	}
	// The expression hides the state from SQLite, which would read the ready claims of all members.
	return engine.List(ctx, s.db.Committed(), scan, "SELECT line, COUNT(*), CAST(SUM(net) AS BIGINT) FROM claim WHERE no = $1 AND state || '' = 'Pending' AND recalled >= net GROUP BY line ORDER BY line", no)
}

// moves read the newest by an index that begins with the member, so that none costs more
// the longer its history is. $1 is the member, $2 how many.
const (
	requestMoves = `SELECT 'request', id, state, fund, way, amount, remark, requested_at FROM fund_request WHERE uid = $1 AND way = $3 ORDER BY id DESC LIMIT $2`
	payoutMoves  = `SELECT 'withdrawal', id, state, wallet, '', amount, remark, requested_at FROM withdrawal WHERE uid = $1 ORDER BY requested_at DESC, id DESC LIMIT $2`
)

// newestMoves is how many of each kind are searched for those in progress.
const newestMoves = 50

func scanMove(r *sql.Rows) (m report.Move, err error) {
	var amount, at int64
	err = r.Scan(&m.Kind, &m.ID, &m.State, &m.Name, &m.Way, &amount, &m.Remark, &at)
	m.Amount, m.At = money.Micro(amount), engine.Instant(at)
	return m, err
}

func (s reportStore) Moves(ctx context.Context, uid int64) ([]report.Move, error) {
	all, err := engine.List(ctx, s.db.Committed(), scanMove, payoutMoves, uid, newestMoves)
	if err != nil {
		return nil, err
	}
	var out []report.Move
	for i, m := range all {
		if state := withdrawal.State(m.State); state.Open() || (i == 0 && state == withdrawal.Rejected) {
			out = append(out, m)
		}
	}
	for _, way := range []fund.Way{fund.ByBank, fund.ByUSDT} {
		all, err := engine.List(ctx, s.db.Committed(), scanMove, requestMoves, uid, newestMoves, string(way))
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if m.State == string(fund.Pending) {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b report.Move) int { return b.At.Compare(a.At) })
	return out, nil
}
