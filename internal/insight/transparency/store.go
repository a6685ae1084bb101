package transparency

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
)

// Store is what the report needs of a database.
type Store interface {
	// LastClose is the last closed day; false before the first.
	LastClose(ctx context.Context) (plan.Day, bool, error)
	// Facts reads everything as of the last close; false before the first.
	Facts(ctx context.Context) (Facts, bool, error)
	// Kept is what was kept for a day; false if nothing was.
	Kept(ctx context.Context, day plan.Day) (body []byte, found bool, err error)
	// Keep keeps it, within a command, unless something was.
	Keep(ctx context.Context, tx *ledger.Tx, day plan.Day, body []byte, at time.Time) error
}
