package sale

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of sales. All methods run within commands.
type Store interface {
	Add(ctx context.Context, tx *ledger.Tx, s Sale) error
	// Get returns false if there is no such sale.
	Get(ctx context.Context, tx *ledger.Tx, id string) (Sale, bool, error)
	// Verified is Get with a check against the signed chain. It returns a
	// *ledger.TamperedError if the row was tampered with.
	Verified(ctx context.Context, tx *ledger.Tx, id string) (Sale, bool, error)
	// Owned returns the sum and count of a member's cooling and final sales.
	Owned(ctx context.Context, tx *ledger.Tx, no int64) (sum money.Amount, count int64, err error)
	// Newer returns the newest cooling or final sale that s.Payer bought for the same member
	// after s; false if there is none.
	Newer(ctx context.Context, tx *ledger.Tx, s Sale) (Sale, bool, error)
	// SetState changes the state of a sale; an error if it is not in the state from.
	SetState(ctx context.Context, tx *ledger.Tx, id string, from, to State, finalDay plan.Day) error
	// Finalise makes cooling sales final on a day; an error if one does not
	// cool off.
	Finalise(ctx context.Context, tx *ledger.Tx, ids []string, day plan.Day) error
	// Due lists cooling sales of day or earlier, by (day, id); errors as Verified.
	Due(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Sale, error)
}
