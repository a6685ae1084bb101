package people

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// teamStore reads what lists and the dashboard show beside people and places.
type teamStore struct{ db *engine.DB }

// Team is the store of lists and the dashboard.
func Team(db *engine.DB) team.Store { return teamStore{db} }

func (s teamStore) Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error) {
	type account struct {
		code    string
		balance ledger.Balance
	}
	scan := func(r *sql.Rows) (a account, err error) {
		var posted, held int64
		err = r.Scan(&a.code, &posted, &held, &a.balance.Version)
		a.balance.Posted, a.balance.Held, a.balance.Available = money.Micro(posted), money.Micro(held), money.Micro(posted-held)
		return a, err
	}
	all, err := engine.List(ctx, s.db.Committed(), scan, "SELECT code, posted, held, version FROM account WHERE owner = $1", uid)
	out := make(map[string]ledger.Balance, len(all))
	for _, a := range all {
		out[a.code] = a.balance
	}
	return out, err
}

func (s teamStore) Bought(ctx context.Context, since time.Time, limit int) ([]team.Bought, error) {
	scan := func(r *sql.Rows) (b team.Bought, err error) {
		var amount, at int64
		err = r.Scan(&b.No, &amount, &at)
		b.Amount, b.At = money.Micro(amount), time.UnixMicro(at).UTC()
		return b, err
	}
	var out []team.Bought
	stop := errors.New("yesterday")
	err := engine.Each(ctx, s.db.Committed(), scan, func(b team.Bought) error {
		if b.At.Before(since) {
			return stop
		}
		if b.Amount.Micros() > 0 {
			out = append(out, b)
		}
		return nil
	}, "SELECT no, robot + forex + crypto, recorded_at FROM place_change ORDER BY seq DESC LIMIT $1", limit)
	if errors.Is(err, stop) {
		err = nil
	}
	return out, err
}

func (s teamStore) Refunded(ctx context.Context, nos []tree.No, since time.Time) (out []team.Bought, err error) {
	scan := func(r *sql.Rows) (b team.Bought, err error) {
		var amount, at int64
		err = r.Scan(&b.No, &amount, &at)
		b.Amount, b.At = money.Micro(amount), time.UnixMicro(at).UTC()
		return b, err
	}
	err = engine.InChunks(nos, func(part []tree.No) error {
		args := []any{since.UnixMicro()}
		for _, no := range part {
			args = append(args, int64(no))
		}
		some, err := engine.List(ctx, s.db.Committed(), scan, "SELECT no, amount, at FROM sale WHERE state IN ('refunded', 'reversed') AND at >= $1 AND no IN "+engine.Placeholders(2, len(part))+" ORDER BY at, id", args...)
		out = append(out, some...)
		return err
	})
	return out, err
}

func (s teamStore) Earned(ctx context.Context, no tree.No) ([]team.Earned, error) {
	scan := func(r *sql.Rows) (e team.Earned, err error) {
		var amount int64
		err = r.Scan(&e.Kind, &e.Line, &amount)
		e.Amount = money.Micro(amount)
		return e, err
	}
	return core.Earned(ctx, s.db, scan, int64(no), core.RowSpan{From: 1, To: math.MaxInt64}, "SELECT i.kind, i.line, CAST(SUM(i.paid) AS BIGINT)"+core.EarnedRows+" GROUP BY i.kind, i.line", core.EarnedInAll)
}
