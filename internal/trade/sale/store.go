package sale

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what sales need of a database. All of it runs within commands.
type Store interface {
	Add(ctx context.Context, tx *ledger.Tx, s Sale) error
	// Get is false if there is no such sale.
	Get(ctx context.Context, tx *ledger.Tx, id string) (Sale, bool, error)
	// Vouched is Get for one that is what the signed chain says: a
	// *ledger.TamperedError if somebody has changed the row past the product.
	Vouched(ctx context.Context, tx *ledger.Tx, id string) (Sale, bool, error)
	// Owned is the sum of a member's sales that cool off or are final, and how
	// many they are.
	Owned(ctx context.Context, tx *ledger.Tx, no int64) (sum money.Amount, count int64, err error)
	// SetState moves a sale on; an error if it is not in the state from.
	SetState(ctx context.Context, tx *ledger.Tx, id string, from, to State, finalDay plan.Day) error
	// Finalise makes cooling sales final on a day; an error if one does not
	// cool off.
	Finalise(ctx context.Context, tx *ledger.Tx, ids []string, day plan.Day) error
	// Due lists cooling sales of day or earlier, by (day, id); errors as Vouched.
	Due(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]Sale, error)
}
