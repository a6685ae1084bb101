package notice

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what notices need of a database. What takes rows runs within a command.
type Store interface {
	// Lately gives the newest of each kind, up to limit each, in any order.
	Lately(ctx context.Context, uid int64, limit int) ([]Notice, error)
	// Seen is up to when a member has read; zero if never.
	Seen(ctx context.Context, uid int64) (time.Time, error)
	// SetSeen notes that, if it is later than what was noted.
	SetSeen(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) error
}
