package withdrawal

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of withdrawals. Methods with a tx run within a command; with a
// nil tx they read committed data.
type Store interface {
	// Last returns the last id; 0 if there is none.
	Last(ctx context.Context, tx *ledger.Tx) (int64, error)
	// Requested returns the sum that a member requested since a time and that was not
	// rejected or cancelled.
	Requested(ctx context.Context, tx *ledger.Tx, uid int64, since time.Time) (money.Amount, error)
	// ApprovedOfAll returns the sum approved since a time and not rejected since.
	ApprovedOfAll(ctx context.Context, tx *ledger.Tx, since time.Time) (money.Amount, error)
	// ApprovedSince returns the sums approved for members since a time and not rejected
	// since. Members without one are left out.
	ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error)
	// Add writes a withdrawal with its parts.
	Add(ctx context.Context, tx *ledger.Tx, w Withdrawal) error
	// Get returns false if there is no such withdrawal.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, bool, error)
	// Save updates a withdrawal; an error if it is not in the state from any more.
	Save(ctx context.Context, tx *ledger.Tx, w Withdrawal, from State) error
	// Verify returns a *ledger.TamperedError if a withdrawal does not match the signed
	// chain.
	Verify(ctx context.Context, tx *ledger.Tx, id int64) error
	// Promise returns the ledger's record of a hold; false if it was placed in the
	// current group.
	Promise(ctx context.Context, tx *ledger.Tx, hold int64) (Promise, bool, error)
	// List returns a page of the withdrawals that match f without their parts, newest
	// first by default, their total count and the sum of their amounts.
	List(ctx context.Context, f Filter) (all []Withdrawal, count int64, sum money.Amount, err error)
	// Paid returns what the Confirmed withdrawals that match f paid to members, after fees.
	Paid(ctx context.Context, f Filter) (money.Amount, error)
	// Parts returns the parts of a member's withdrawals with ids from first to last, by
	// withdrawal.
	Parts(ctx context.Context, uid, first, last int64) (map[int64][]Part, error)
	// Uses returns the uses of transaction hashes. Unused ones are left out.
	Uses(ctx context.Context, tx *ledger.Tx, hashes []string) (map[string]Use, error)
	// Payable lists approved withdrawals without their parts that are in no batch and can
	// be paid at t, oldest first.
	Payable(ctx context.Context, tx *ledger.Tx, t time.Time, limit int64) ([]Withdrawal, error)

	// Code returns false if no code was ever mailed to the member.
	Code(ctx context.Context, tx *ledger.Tx, uid int64) (Code, bool, error)
	// PutCode replaces the member's code.
	PutCode(ctx context.Context, tx *ledger.Tx, c Code) error
}

// Use is the purpose for which a transaction hash was noted: a credited fund request
// (Unnamed if only the ledger has it), a withdrawal, or both; 0 for none.
type Use struct{ Deposit, Withdrawal int64 }

// Unnamed stands for a credited fund request without a known id.
const Unnamed = -1

// Refuse returns an error if the transaction cannot be the payment of withdrawal id,
// because it was used for something else.
func (u Use) Refuse(id int64) error {
	switch {
	case u.Withdrawal != 0 && u.Withdrawal != id:
		return errs.New(errs.Conflict, "withdrawal.hash_used", "This hash was used for withdrawal {withdrawal}.", "withdrawal", u.Withdrawal)
	case u.Deposit == Unnamed:
		return errs.New(errs.Conflict, "withdrawal.hash_of_request", "This hash was used for a fund request: it paid the company.")
	case u.Deposit != 0:
		return errs.New(errs.Conflict, "withdrawal.hash_of_fund_request", "This hash was used for fund request {id}: it paid the company.", "id", u.Deposit)
	}
	return nil
}

// Filter selects withdrawals. Zero fields do not restrict.
type Filter struct {
	UID           int64
	State         State
	From, Before  time.Time // of the request time
	Upto          int64     // the last id
	ByAmount      bool
	Ascending     bool
	Offset, Limit int64
}
