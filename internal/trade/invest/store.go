package invest

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what positions and claims need of a database. What takes rows runs
// within commands.
type Store interface {
	Add(ctx context.Context, tx *ledger.Tx, p Position) error
	// Get is false if there is no such position.
	Get(ctx context.Context, tx *ledger.Tx, id string) (Position, bool, error)
	// Held is how many positions a member has on a line that are not claimed.
	Held(ctx context.Context, tx *ledger.Tx, no int64, line string) (int64, error)
	// All lists every position of a line, by id as text in bytes. A
	// *ledger.TamperedError if one that is not claimed is not what the signed chain
	// says of it.
	All(ctx context.Context, tx *ledger.Tx, line string) ([]Position, error)
	// SetPosition writes loss and state.
	SetPosition(ctx context.Context, tx *ledger.Tx, id string, loss money.Amount, s State) error
	// SetPositions writes the loss and state of many.
	SetPositions(ctx context.Context, tx *ledger.Tx, all []Position) error
	// SetOpen writes what the open positions of a line come to, after SetPositions.
	SetOpen(ctx context.Context, tx *ledger.Tx, line string, s Standing) error

	AddClaims(ctx context.Context, tx *ledger.Tx, all []Claim) error
	// GetClaim is false if there is no such claim. A *ledger.TamperedError if it is
	// not what the signed chain says of it.
	GetClaim(ctx context.Context, tx *ledger.Tx, id string) (Claim, bool, error)
	// Recall adds to what was recalled for a claim.
	Recall(ctx context.Context, tx *ledger.Tx, id string, amount money.Amount) error
	// RecalledBy sums the cash that committed transfers with some ids brought,
	// and counts them.
	RecalledBy(ctx context.Context, tx *ledger.Tx, ids []string) (sum, count int64, err error)
	// Done marks a claim as paid on a day.
	Done(ctx context.Context, tx *ledger.Tx, id string, day plan.Day) error
	// Claims is a part of the claims that f asks for, how many they are in all and
	// the cash that they still need.
	Claims(ctx context.Context, f ClaimFilter) (page []Claim, total int64, need money.Amount, err error)
	// Cash is what each line has to recall from.
	Cash(ctx context.Context) (map[string]money.Amount, error)
	// Pending is how many claims of a line wait.
	Pending(ctx context.Context, tx *ledger.Tx, line string) (int64, error)
}
