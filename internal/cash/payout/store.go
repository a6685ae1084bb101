package payout

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what payouts need of a database. What takes rows runs within a
// command; with a nil tx it reads what is committed.
type Store interface {
	// LastBatch is the last id; 0 if there is none.
	LastBatch(ctx context.Context, tx *ledger.Tx) (int64, error)
	AddBatch(ctx context.Context, tx *ledger.Tx, b Batch, all []Payout) error
	// SaveBatch writes what changes in a batch; an error if it is not in the
	// state from any more.
	SaveBatch(ctx context.Context, tx *ledger.Tx, b Batch, from BatchState) error
	Batch(ctx context.Context, tx *ledger.Tx, id int64) (Batch, bool, error)
	// Batches is a part of them, newest first, and how many there are.
	Batches(ctx context.Context, offset, limit int64) ([]Batch, int64, error)
	// Payouts are a batch's, in order of withdrawals.
	Payouts(ctx context.Context, tx *ledger.Tx, batch int64) ([]Payout, error)
	Payout(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) (Payout, bool, error)
	// SavePayout writes what changes in a payout; an error if it is not in the
	// state from any more.
	SavePayout(ctx context.Context, tx *ledger.Tx, p Payout, from State) error
	// Vouched is nil if a batch, the payouts of withdrawals in it and these
	// withdrawals are what the signed chain says of them. A *ledger.TamperedError
	// if somebody has changed one past the product; it makes money stand still.
	Vouched(ctx context.Context, tx *ledger.Tx, batch int64, withdrawals []int64) error
	// Credits lists what came into a member's wallet by hand or by transfers.
	Credits(ctx context.Context, account string) ([]Credit, error)
	// Live is the batch in which a withdrawal has a payout that was neither
	// cancelled nor returned; 0 if there is none.
	Live(ctx context.Context, tx *ledger.Tx, withdrawal int64) (int64, error)
	// Open lists payouts of approved batches in a state, oldest first.
	Open(ctx context.Context, state State, limit int64) ([]Payout, error)
	// SignedSince is what the hot wallet was made to pay since a time.
	SignedSince(ctx context.Context, tx *ledger.Tx, t time.Time) (money.Amount, error)
	// AddTransaction keeps a transaction; a *ledger.ConstraintError if its hash
	// is there already.
	AddTransaction(ctx context.Context, tx *ledger.Tx, t Transaction) error
	// Transactions are a payout's, newest first.
	Transactions(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) ([]Transaction, error)
	// Used tells which payout has a transaction; false if none has.
	Used(ctx context.Context, tx *ledger.Tx, hash string) (Transaction, bool, error)
	Wallet(ctx context.Context, tx *ledger.Tx, sender string) (Wallet, bool, error)
	PutWallet(ctx context.Context, tx *ledger.Tx, w Wallet) error

	// Holds are those that are not lifted, oldest first. Within a command a
	// *ledger.TamperedError if somebody has changed one past the product.
	Holds(ctx context.Context, tx *ledger.Tx) ([]Hold, error)
	// LastHold is the newest, lifted or not.
	LastHold(ctx context.Context) (Hold, bool, error)
	AddHold(ctx context.Context, tx *ledger.Tx, h Hold) error
	// SaveHold writes what changes in a hold; an error if it is not in the state
	// from any more.
	SaveHold(ctx context.Context, tx *ledger.Tx, h Hold, from HoldState) error
	// Notes are of restores that have no hold yet.
	Notes(ctx context.Context, tx *ledger.Tx) ([]Note, error)
	// Found is what was found for a hold, FoundFor what may have paid a withdrawal.
	Found(ctx context.Context, tx *ledger.Tx, hold int64) ([]Found, error)
	FoundFor(ctx context.Context, tx *ledger.Tx, withdrawal int64) ([]Found, error)
	AddFound(ctx context.Context, tx *ledger.Tx, all []Found) error
	SaveFound(ctx context.Context, tx *ledger.Tx, f Found) error
	// Approved are the approved withdrawals that nothing is known to have paid.
	Approved(ctx context.Context, tx *ledger.Tx) ([]Unpaid, error)
	// Candidates are the withdrawals that a lost payment may have paid, and of every
	// hash that is known, the withdrawal that it paid.
	Candidates(ctx context.Context) (open []Candidate, known map[string]int64, err error)
	// OldestOpen is when the oldest withdrawal was asked for that is not at its end,
	// zero if there is none.
	OldestOpen(ctx context.Context, tx *ledger.Tx) (time.Time, error)
}
