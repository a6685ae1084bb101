package invest

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of positions and claims. Methods with a tx run within commands.
type Store interface {
	Add(ctx context.Context, tx *ledger.Tx, p Position) error
	// Get returns false if there is no such position.
	Get(ctx context.Context, tx *ledger.Tx, id string) (Position, bool, error)
	// Held returns how many unclaimed positions a member has on a line.
	Held(ctx context.Context, tx *ledger.Tx, no int64, line string) (int64, error)
	// All lists every position of a line, ordered by the bytes of its id. It returns a
	// *ledger.TamperedError if an unclaimed one does not match the signed chain.
	All(ctx context.Context, tx *ledger.Tx, line string) ([]Position, error)
	// SetPosition writes loss and state.
	SetPosition(ctx context.Context, tx *ledger.Tx, id string, loss money.Amount, s State) error
	// SetPositions writes the loss and state of many.
	SetPositions(ctx context.Context, tx *ledger.Tx, all []Position) error
	// SetOpen writes the sums of a line's open positions, after SetPositions.
	SetOpen(ctx context.Context, tx *ledger.Tx, line string, s Standing) error

	AddClaims(ctx context.Context, tx *ledger.Tx, all []Claim) error
	// GetClaim returns false if there is no such claim. It returns a
	// *ledger.TamperedError if the claim does not match the signed chain.
	GetClaim(ctx context.Context, tx *ledger.Tx, id string) (Claim, bool, error)
	// Recall adds an amount to a claim's recalled cash.
	Recall(ctx context.Context, tx *ledger.Tx, id string, amount money.Amount) error
	// RecalledBy returns the sum and count of the cash of committed transfers with some
	// ids.
	RecalledBy(ctx context.Context, tx *ledger.Tx, ids []string) (sum, count int64, err error)
	// Done marks a claim as paid on a day.
	Done(ctx context.Context, tx *ledger.Tx, id string, day plan.Day) error
	// Claims returns a page of the claims that match f, their total count and the cash
	// that they still need.
	Claims(ctx context.Context, f ClaimFilter) (page []Claim, total int64, need money.Amount, err error)
	// Cash returns what each line can recall.
	Cash(ctx context.Context) (map[string]money.Amount, error)
	// Pending returns the number of a line's unpaid claims.
	Pending(ctx context.Context, tx *ledger.Tx, line string) (int64, error)
}
