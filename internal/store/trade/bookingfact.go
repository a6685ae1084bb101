package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"

	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// What proposals would do, as it was known when they were made.

var factSigned = evidence.NewSignedTable("booking_fact", "proposal, body", evidence.SignedOptions{Checked: true, Remembered: true})

func (operateStore) AddFacts(ctx context.Context, tx *ledger.Tx, proposal int64, body string) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), factSigned, []any{proposal}, "INSERT INTO booking_fact (proposal, body) VALUES ($1, $2)", proposal, body)
}

// Bearing takes what is kept of all open positions, less those that are too young.
func (s operateStore) Bearing(ctx context.Context, tx *ledger.Tx, line string, day plan.Day) (money.Amount, int64, error) {
	all, _, err := engine.First(ctx, s.db.From(tx), engine.ScanTotal, `SELECT COALESCE(MAX(CASE WHEN list = 'position' THEN n END), 0),
		COALESCE(MAX(CASE WHEN list = 'position' THEN amount END), 0) - COALESCE(MAX(CASE WHEN list = 'position_loss' THEN amount END), 0)
		FROM list_sum WHERE list IN ('position', 'position_loss') AND state = 'open' AND kind = $1 AND waits = 0`, line)
	if err != nil {
		return money.Amount{}, 0, err
	}
	young, _, err := engine.First(ctx, s.db.From(tx), engine.ScanCount,
		"SELECT COALESCE(CAST(SUM(principal - loss) AS BIGINT), 0) FROM invest_position WHERE line = $1 AND state = 'open' AND day >= $2", line, int64(day))
	return money.Micro(all.Sum - young), all.Count, err
}

func (s operateStore) OfSale(ctx context.Context, tx *ledger.Tx, sale string) (booking.Facts, error) {
	scan := func(r *sql.Rows) (f booking.Facts, err error) {
		var amount int64
		err = r.Scan(&amount, &f.Package, &f.TopUp, &f.Buyer, &f.Payer)
		f.Price = money.Micro(amount).String()
		return f, err
	}
	f, _, err := engine.First(ctx, s.db.From(tx), scan, "SELECT s.amount, s.package, s.topup, p.uid, s.payer FROM sale s JOIN place p ON p.no = s.no WHERE s.id = $1", sale)
	if err != nil {
		return f, err
	}
	taken := func(r *sql.Rows) (t booking.Take, err error) {
		var amount int64
		err = r.Scan(&t.UID, &amount)
		t.Amount = money.Micro(amount).String()
		return t, err
	}
	f.Takes, err = engine.List(ctx, s.db.From(tx), taken, `SELECT p.uid, i.paid FROM income i JOIN place p ON p.no = i.earner WHERE i.source = $1 AND i.kind = `+core.LevelKind+` AND i.reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.source = $1 AND r.kind = `+core.LevelKind+` AND r.reverses = i.row_no) ORDER BY i.row_no`, sale)
	return f, err
}
