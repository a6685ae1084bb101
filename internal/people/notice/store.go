package notice

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of notices. Methods with a tx run within a command.
type Store interface {
	// Lately lists the newest of each kind, up to limit each, in any order.
	Lately(ctx context.Context, uid int64, limit int) ([]Notice, error)
	// Seen is the time up to which a member has read; zero if never.
	Seen(ctx context.Context, uid int64) (time.Time, error)
	// SetSeen raises it.
	SetSeen(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) error
}
