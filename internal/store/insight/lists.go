package insight

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/trade"
)

// listsAgain counts every list again.
const listsAgain = `SELECT 'fund_request' AS list, state, way AS kind, 0 AS waits, COUNT(*) AS n, SUM(amount) AS amount FROM fund_request GROUP BY state, way
	UNION ALL SELECT 'withdrawal', state, '', 0, COUNT(*), SUM(amount) FROM withdrawal GROUP BY state
	UNION ALL SELECT 'support_ticket', status, kind, waits, COUNT(*), 0 FROM support_ticket GROUP BY status, kind, waits
	UNION ALL SELECT 'claim', ` + trade.ClaimState + `, line, 0, COUNT(*), SUM(net - recalled) FROM claim GROUP BY 2, 3
	UNION ALL SELECT 'position', 'open', line, 0, COUNT(*), SUM(principal) FROM invest_position WHERE state = 'open' GROUP BY line
	UNION ALL SELECT 'position_loss', 'open', line, 0, COUNT(*), SUM(loss) FROM invest_position WHERE state = 'open' GROUP BY line
	UNION ALL SELECT 'newsletter', state, '', 0, COUNT(*), 0 FROM newsletter GROUP BY state
	UNION ALL SELECT 'outbox', state, '', 0, COUNT(*), 0 FROM outbox GROUP BY state`

// ListFinding is a stored count or sum of a list that is wrong.
type ListFinding struct {
	List, State string
	Rows        int64 // that it is off by
}

func (f *ListFinding) Error() string {
	return fmt.Sprintf("The kept count or sum of the list %s, state %s, is wrong: off by %d rows.", f.List, f.State, f.Rows)
}

// CheckLists counts all lists again. The error is a *ListFinding if a stored count or sum
// is wrong.
func CheckLists(ctx context.Context, db *engine.DB) error {
	scan := func(r *sql.Rows) (f ListFinding, err error) {
		err = r.Scan(&f.List, &f.State, &f.Rows)
		return f, err
	}
	wrong, found, err := engine.First(ctx, db.Committed(), scan, `SELECT list, state, CAST(SUM(n) AS BIGINT) FROM (
		SELECT list, state, kind, waits, n, amount FROM list_sum
		UNION ALL SELECT list, state, kind, waits, -n, -amount FROM (`+listsAgain+`) AS again) AS sums
		GROUP BY list, state, kind, waits HAVING SUM(n) <> 0 OR SUM(amount) <> 0 ORDER BY list, state LIMIT 1`)
	if err != nil || !found {
		return err
	}
	return &wrong
}
