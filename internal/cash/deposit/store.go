package deposit

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what deposits need of a database. What takes rows runs within a command;
// the rest reads what is committed.
type Store interface {
	// Address is a member's under a root, held against the signed chain; false if
	// there is none. A *ledger.TamperedError if somebody has changed it. Without rows
	// it reads what is committed.
	Address(ctx context.Context, tx *ledger.Tx, root string, uid int64) (Address, bool, error)
	// Owner is Address by the address.
	Owner(ctx context.Context, tx *ledger.Tx, address string) (Address, bool, error)
	// Last is the place of a root's last address; false if there is none.
	Last(ctx context.Context, tx *ledger.Tx, root string) (Place, bool, error)
	// AddAddress writes a new one; a *ledger.ConstraintError if anything of it is
	// there already.
	AddAddress(ctx context.Context, tx *ledger.Tx, a Address) error
	// Addresses are those of a root after a place, in the order of their places.
	Addresses(ctx context.Context, root string, after Place, limit int64) ([]Address, error)
	// Roots are the roots that there are addresses of.
	Roots(ctx context.Context) ([]string, error)
	// Ours tells whether an address is a member's to pay to, or was ever a hot
	// wallet's.
	Ours(ctx context.Context, address string) (bool, error)
	// Received is what was paid to some addresses as fund requests say, credited or
	// not.
	Received(ctx context.Context, addresses []string) (map[string]money.Amount, error)

	// LastIntent is the last id; 0 if there is none.
	LastIntent(ctx context.Context, tx *ledger.Tx) (int64, error)
	// AddIntent writes a new one.
	AddIntent(ctx context.Context, tx *ledger.Tx, i Intent) error
	// Intent reads one that is held against the signed chain; false if there is none.
	Intent(ctx context.Context, tx *ledger.Tx, id int64) (Intent, bool, error)
	// Intents are those that end after a time; of one member unless uid is 0, the
	// newest first. Without rows it reads what is committed.
	Intents(ctx context.Context, tx *ledger.Tx, uid int64, after time.Time) ([]Intent, error)
	// Between are the intents that end after a time whose amounts lie between two.
	Between(ctx context.Context, tx *ledger.Tx, after time.Time, least, most money.Amount) ([]Intent, error)
	// EndIntent ends one that has not been paid; an error if it was.
	EndIntent(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error
	// Settle writes the request that an intent became; an error if it has one.
	Settle(ctx context.Context, tx *ledger.Tx, id, request int64) error

	// HasUnmatched tells whether an event of a transaction is written down. Without rows
	// it reads what is committed.
	HasUnmatched(ctx context.Context, tx *ledger.Tx, hash string, n int) (bool, error)
	// AddUnmatched writes one with the next id.
	AddUnmatched(ctx context.Context, tx *ledger.Tx, u Unmatched) error
	// Unmatched lists them, and how many they are in all.
	Unmatched(ctx context.Context, f UnmatchedFilter) ([]Unmatched, int64, error)

	// Cursor is up to which block payments of a token were looked for, held against
	// the signed chain; false if they never were.
	Cursor(ctx context.Context, token string) (block int64, found bool, err error)
	// SetCursor writes it.
	SetCursor(ctx context.Context, tx *ledger.Tx, token string, block int64, at time.Time) error
}
