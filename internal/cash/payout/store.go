package payout

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of payouts. Methods with a tx run within a command; with a nil tx
// they read committed data.
type Store interface {
	// LastBatch returns the last id; 0 if there is none.
	LastBatch(ctx context.Context, tx *ledger.Tx) (int64, error)
	AddBatch(ctx context.Context, tx *ledger.Tx, b Batch, all []Payout) error
	// SaveBatch updates a batch; an error if it is not in the state from any more.
	SaveBatch(ctx context.Context, tx *ledger.Tx, b Batch, from BatchState) error
	Batch(ctx context.Context, tx *ledger.Tx, id int64) (Batch, bool, error)
	// Batches returns a page of the batches, newest first, and their total count.
	Batches(ctx context.Context, offset, limit int64) ([]Batch, int64, error)
	// Payouts returns a batch's payouts, ordered by withdrawal.
	Payouts(ctx context.Context, tx *ledger.Tx, batch int64) ([]Payout, error)
	Payout(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) (Payout, bool, error)
	// SavePayout updates a payout; an error if it is not in the state from any more.
	SavePayout(ctx context.Context, tx *ledger.Tx, p Payout, from State) error
	// Verify checks a batch, its payouts of the withdrawals, and the withdrawals against
	// the signed chain. It returns a *ledger.TamperedError, which freezes payments, if
	// one differs.
	Verify(ctx context.Context, tx *ledger.Tx, batch int64, withdrawals []int64) error
	// Credits lists the manual credits of a member's wallet and the transfers to it.
	Credits(ctx context.Context, account string) ([]Credit, error)
	// Live returns the batch in which a withdrawal has a payout that was neither
	// cancelled nor returned; 0 if there is none.
	Live(ctx context.Context, tx *ledger.Tx, withdrawal int64) (int64, error)
	// Open lists payouts of approved batches in a state, oldest first.
	Open(ctx context.Context, state State, limit int64) ([]Payout, error)
	// SignedSince returns the sum that the hot wallet signed since a time.
	SignedSince(ctx context.Context, tx *ledger.Tx, t time.Time) (money.Amount, error)
	// AddTransaction adds a transaction; a *ledger.ConstraintError if its hash exists
	// already.
	AddTransaction(ctx context.Context, tx *ledger.Tx, t Transaction) error
	// Transactions returns a payout's transactions, newest first.
	Transactions(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) ([]Transaction, error)
	// Used returns the transaction of a hash; false if there is none.
	Used(ctx context.Context, tx *ledger.Tx, hash string) (Transaction, bool, error)
	Wallet(ctx context.Context, tx *ledger.Tx, sender string) (Wallet, bool, error)
	PutWallet(ctx context.Context, tx *ledger.Tx, w Wallet) error

	// Holds returns the holds that are not lifted, oldest first. Within a command it
	// returns a *ledger.TamperedError if one was tampered with.
	Holds(ctx context.Context, tx *ledger.Tx) ([]Hold, error)
	// LastHold returns the newest hold, lifted or not.
	LastHold(ctx context.Context) (Hold, bool, error)
	AddHold(ctx context.Context, tx *ledger.Tx, h Hold) error
	// SaveHold updates a hold; an error if it is not in the state from any more.
	SaveHold(ctx context.Context, tx *ledger.Tx, h Hold, from HoldState) error
	// Notes returns the restores that have no hold yet.
	Notes(ctx context.Context, tx *ledger.Tx) ([]Note, error)
	// Found returns the findings of a hold, FoundFor those that may have paid a
	// withdrawal.
	Found(ctx context.Context, tx *ledger.Tx, hold int64) ([]Found, error)
	FoundFor(ctx context.Context, tx *ledger.Tx, withdrawal int64) ([]Found, error)
	AddFound(ctx context.Context, tx *ledger.Tx, all []Found) error
	SaveFound(ctx context.Context, tx *ledger.Tx, f Found) error
	// Approved returns the approved withdrawals without a known payment.
	Approved(ctx context.Context, tx *ledger.Tx) ([]Unpaid, error)
	// Candidates returns the withdrawals that a lost payment may have paid, and the
	// withdrawal of every known hash.
	Candidates(ctx context.Context) (open []Candidate, known map[string]int64, err error)
	// OldestOpen returns the request time of the oldest open withdrawal, or zero.
	OldestOpen(ctx context.Context, tx *ledger.Tx) (time.Time, error)
}
