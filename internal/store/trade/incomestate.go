package trade

import (
	"database/sql"

	"github.com/bifolia/bifolia/internal/trade/closing"

	"github.com/bifolia/bifolia/internal/store/core"
)

var StateJoins = ` FROM income i LEFT JOIN roi_batch b ON i.kind ` + core.TradingKinds + ` AND b.id = i.source LEFT JOIN claim c ON i.kind = ` + core.RoiKind + ` AND c.id = 'C-' || i.position_id`

// Beside each row stands what decides its status: trading incomes follow their
// batch, and ROI the claim that its position became.
var (
	// released is closing.IncomeState.Status in SQL: true for Release.
	released = `((i.kind ` + core.NetworkKinds + ` AND (i.held = 0 OR i.released_day <> 0))
		OR (i.kind ` + core.TradingKinds + ` AND b.released_day > 0 AND (i.kind = ` + core.RoiLevelKind + ` OR c.day IS NULL OR c.day >= b.released_day)))`
)

const StateColumns = `i.row_no, i.day, i.kind, i.line, i.earner, i.source_no, i.level, i.position_id, i.paid, i.nominal, i.on_amount, i.a, i.b,
	i.capped, i.scaled, i.held, i.reverses, i.source, i.released_day, COALESCE(b.released_day, 0), COALESCE(c.day, 0), COALESCE(c.claim_day, 0)`

func ScanIncomeState(r *sql.Rows) (x closing.IncomeState, err error) {
	var capped, scaled, held int64
	err = r.Scan(&x.Row, &x.Day, &x.Kind, &x.Line, &x.Earner, &x.Of, &x.Level, &x.Position, &x.Paid, &x.Nominal, &x.On, &x.A, &x.B,
		&capped, &scaled, &held, &x.Reverses, &x.Source, &x.Released, &x.BatchReleased, &x.ClaimMade, &x.Claimed)
	x.Capped, x.Scaled, x.Held = capped == 1, scaled == 1, held == 1
	return x, err
}

const (
	OfMember = ` WHERE i.earner = $1 AND i.kind = $2 AND i.line = $3 AND i.row_no >= $4 AND i.row_no <= $5`
)
