package newsletter

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of the newsletter. Methods with a tx run within a command.
type Store interface {
	// ByEmail, ByToken and ByID find a subscription; false if there is none.
	ByEmail(ctx context.Context, tx *ledger.Tx, email string) (Subscription, bool, error)
	ByToken(ctx context.Context, tx *ledger.Tx, hash []byte) (Subscription, bool, error)
	ByID(ctx context.Context, tx *ledger.Tx, id int64) (Subscription, bool, error)
	// Put writes a subscription; one without an id is new and gets the next.
	Put(ctx context.Context, tx *ledger.Tx, s Subscription) (id int64, err error)
	// Forget deletes unconfirmed subscriptions requested before a time.
	Forget(ctx context.Context, tx *ledger.Tx, before time.Time) error
	// List returns committed subscriptions of a state, oldest first, and their total.
	List(ctx context.Context, state State, offset, limit int64) ([]Subscription, int64, error)
}
