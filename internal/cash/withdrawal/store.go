package withdrawal

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what withdrawals need of a database. What takes rows runs within a
// command; Get without a tx reads what is committed.
type Store interface {
	// Last is the last id; 0 if there is none.
	Last(ctx context.Context, tx *ledger.Tx) (int64, error)
	// Requested is what a member asked for since a time and was not turned down.
	Requested(ctx context.Context, tx *ledger.Tx, uid int64, since time.Time) (money.Amount, error)
	// ApprovedOfAll is what was approved since a time and not turned down since.
	ApprovedOfAll(ctx context.Context, tx *ledger.Tx, since time.Time) (money.Amount, error)
	// ApprovedSince is what was approved of members since a time and not turned
	// down since; who has nothing is left out.
	ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error)
	// Add writes a withdrawal with its parts.
	Add(ctx context.Context, tx *ledger.Tx, w Withdrawal) error
	// Get is false if there is no such withdrawal.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, bool, error)
	// Save writes what changes in a withdrawal; an error if it is not in the
	// state from any more.
	Save(ctx context.Context, tx *ledger.Tx, w Withdrawal, from State) error
	// Vouched is nil if a withdrawal is what the signed chain says of it; if not, a
	// *ledger.TamperedError.
	Vouched(ctx context.Context, tx *ledger.Tx, id int64) error
	// Promise is what the ledger knows of a hold; false if it was not placed
	// before this group.
	Promise(ctx context.Context, tx *ledger.Tx, hold int64) (Promise, bool, error)
	// List is a part of the withdrawals that f asks for, newest first unless it
	// says otherwise, how many they are and the sum of their amounts. Parts are
	// not read.
	List(ctx context.Context, f Filter) (all []Withdrawal, count int64, sum money.Amount, err error)
	// Uses tells what hashes were given for, of those that were given for anything.
	Uses(ctx context.Context, tx *ledger.Tx, hashes []string) (map[string]Use, error)
	// Payable lists approved withdrawals that are in no batch and may leave at
	// t, oldest first. Parts are not read. Without rows it reads what is
	// committed.
	Payable(ctx context.Context, tx *ledger.Tx, t time.Time, limit int64) ([]Withdrawal, error)

	// Code is false if no code was ever mailed to the member.
	Code(ctx context.Context, tx *ledger.Tx, uid int64) (Code, bool, error)
	// PutCode writes the member's code in place of the one before.
	PutCode(ctx context.Context, tx *ledger.Tx, c Code) error
}

// Use is what a transaction's hash was given for: a fund request that was credited
// (Unnamed if only the ledger tells), a withdrawal, or both; 0 for none.
type Use struct{ Deposit, Withdrawal int64 }

// Unnamed is a fund request that was credited.
const Unnamed = -1

// Refuse says why a transaction cannot be what pays withdrawal id: one pays one.
// nil if it can.
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

// Filter says which withdrawals are wanted; what is empty is open.
type Filter struct {
	UID           int64
	State         State
	From, Before  time.Time // when they were asked for
	Upto          int64     // the last id
	ByAmount      bool      // instead of by time
	Ascending     bool      // oldest, or smallest, first
	Offset, Limit int64
}
