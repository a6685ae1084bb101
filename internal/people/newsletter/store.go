package newsletter

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what the newsletter needs of a database. What takes rows runs within
// a command.
type Store interface {
	// ByEmail, ByToken and ByID find a subscription; false if there is none.
	ByEmail(ctx context.Context, tx *ledger.Tx, email string) (Subscription, bool, error)
	ByToken(ctx context.Context, tx *ledger.Tx, hash []byte) (Subscription, bool, error)
	ByID(ctx context.Context, tx *ledger.Tx, id int64) (Subscription, bool, error)
	// Put writes a subscription; one without an id is new and gets the next.
	Put(ctx context.Context, tx *ledger.Tx, s Subscription) (id int64, err error)
	// Forget deletes what was asked for and not confirmed before a time.
	Forget(ctx context.Context, tx *ledger.Tx, before time.Time) error
	// List gives committed subscriptions of a state in the order in which they
	// came, and how many there are in all.
	List(ctx context.Context, state State, offset, limit int64) ([]Subscription, int64, error)
}
