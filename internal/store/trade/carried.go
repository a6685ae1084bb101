package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/closing"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// What closes leave of members, the largest table that each close reads whole.

const carriedColumns = `SELECT no, (((sales * 256 + rank) * 256 + reward) * 256 + months) * 2 + active,
	final, own, month, left_vol, right_vol, match_bot, debt FROM carry`

func scanCarried(r *sql.Rows) (c closing.Carried, err error) {
	var n [9]int64
	if err := scanInts(r, n[:]); err != nil {
		return c, err
	}
	return closing.Carried{
		No: n[0], Sales: n[1] >> 25, Rank: n[1] >> 17 & 255, Reward: n[1] >> 9 & 255, Months: n[1] >> 1 & 255, Active: n[1]&1 == 1,
		Final: n[2], Own: n[3], Month: n[4], Left: n[5], Right: n[6], Match: n[7], Debt: n[8],
	}, nil
}

func (m moment) Carried(ctx context.Context, yield func(closing.Carried) error) error {
	return engine.Each(ctx, m.q, scanCarried, yield, carriedColumns+" ORDER BY no")
}

func (closingStore) Carried(ctx context.Context, tx *ledger.Tx, yield func(closing.Carried) error) error {
	return engine.Each(ctx, engine.GroupOf(tx), scanCarried, yield, carriedColumns)
}
