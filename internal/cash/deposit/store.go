package deposit

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of deposits. Methods with a tx run within a command; others, and
// those with a nil tx, read committed data.
type Store interface {
	// Address returns a member's address under a root, verified against the signed chain;
	// false if there is none. It returns a *ledger.TamperedError if the row was changed.
	Address(ctx context.Context, tx *ledger.Tx, root string, uid int64) (Address, bool, error)
	// Owner is Address by the address.
	Owner(ctx context.Context, tx *ledger.Tx, address string) (Address, bool, error)
	// Last returns the place of a root's last address; false if there is none.
	Last(ctx context.Context, tx *ledger.Tx, root string) (Place, bool, error)
	// AddAddress adds an address; a *ledger.ConstraintError if its place, member or text
	// exists.
	AddAddress(ctx context.Context, tx *ledger.Tx, a Address) error
	// Addresses returns the addresses of a root after a place, in order.
	Addresses(ctx context.Context, root string, after Place, limit int64) ([]Address, error)
	// Roots returns the roots with addresses.
	Roots(ctx context.Context) ([]string, error)
	// Ours reports whether an address is a deposit address, or ever was a hot wallet.
	Ours(ctx context.Context, address string) (bool, error)
	// Received returns the sums paid to addresses according to fund requests, credited or
	// not.
	Received(ctx context.Context, addresses []string) (map[string]money.Amount, error)

	// LastIntent returns the last id; 0 if there is none.
	LastIntent(ctx context.Context, tx *ledger.Tx) (int64, error)
	AddIntent(ctx context.Context, tx *ledger.Tx, i Intent) error
	// Intent reads an intent, verified against the signed chain; false if there is none.
	Intent(ctx context.Context, tx *ledger.Tx, id int64) (Intent, bool, error)
	// Intents returns the intents that end after a time, of a member or of all for uid 0,
	// newest first.
	Intents(ctx context.Context, tx *ledger.Tx, uid int64, after time.Time) ([]Intent, error)
	// Between returns the intents that end after a time and have an amount in a range.
	Between(ctx context.Context, tx *ledger.Tx, after time.Time, least, most money.Amount) ([]Intent, error)
	// EndIntent ends an unpaid intent; an error if it was paid.
	EndIntent(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error
	// Settle writes the fund request of an intent; an error if it has one.
	Settle(ctx context.Context, tx *ledger.Tx, id, request int64) error

	// HasUnmatched reports whether an event of a transaction is recorded.
	HasUnmatched(ctx context.Context, tx *ledger.Tx, hash string, n int) (bool, error)
	// AddUnmatched adds a payment with the next id.
	AddUnmatched(ctx context.Context, tx *ledger.Tx, u Unmatched) error
	// Unmatched returns a page of the payments, and their total count.
	Unmatched(ctx context.Context, f UnmatchedFilter) ([]Unmatched, int64, error)

	// Cursor returns the last block that was searched for payments of a token, verified
	// against the signed chain; false if none was.
	Cursor(ctx context.Context, token string) (block int64, found bool, err error)
	SetCursor(ctx context.Context, tx *ledger.Tx, token string, block int64, at time.Time) error
}
