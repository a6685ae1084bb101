package transparency

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
)

// Store is the database of the report.
type Store interface {
	// LastClose is the last closed day; false before the first.
	LastClose(ctx context.Context) (plan.Day, bool, error)
	// Facts reads everything as of the last close; false before the first.
	Facts(ctx context.Context) (Facts, bool, error)
	// Kept is the stored report of a day; false if there is none.
	Kept(ctx context.Context, day plan.Day) (body []byte, found bool, err error)
	// Keep stores it, within a command, unless one is stored.
	Keep(ctx context.Context, tx *ledger.Tx, day plan.Day, body []byte, at time.Time) error
}
