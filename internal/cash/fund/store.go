package fund

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of fund requests. Methods with a tx run within a command; with a
// nil tx they read committed data.
type Store interface {
	// Ahead returns the last id, the number of the member's pending requests, and whether
	// the transaction number is taken: named by the member, or credited to anybody.
	Ahead(ctx context.Context, tx *ledger.Tx, uid int64, number string) (last, pending int64, taken bool, err error)
	// Add inserts a request. It returns a *ledger.ConstraintError if the member has named
	// the number before.
	Add(ctx context.Context, tx *ledger.Tx, r Request) error
	// Get returns false if there is no such request.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Request, bool, error)
	// Verify returns a *ledger.TamperedError if a request does not match the signed
	// chain.
	Verify(ctx context.Context, tx *ledger.Tx, id int64) error
	// Credited returns how many deposits the ledger has for a transaction number, and how
	// many approved requests.
	Credited(ctx context.Context, tx *ledger.Tx, number string) (deposits, approved int64, err error)
	// Named returns the requests with a number, oldest first.
	Named(ctx context.Context, tx *ledger.Tx, number string) ([]Request, error)
	// Claims returns how many requests name each of the numbers, without released ones.
	Claims(ctx context.Context, numbers []string) (map[string]int64, error)
	// Match writes amount, source and verdict of a pending request.
	Match(ctx context.Context, tx *ledger.Tx, r Request) error
	// First writes the first approval of a pending request.
	First(ctx context.Context, tx *ledger.Tx, r Request) error
	// ApprovedSince returns the sums that operators approved for members since a time.
	// Members without one are left out.
	ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error)
	// AloneSince returns the sum that an operator approved without a second one since a
	// time.
	AloneSince(ctx context.Context, tx *ledger.Tx, operator int64, since time.Time) (money.Amount, error)
	// NeedTwo requires two operators for a pending request.
	NeedTwo(ctx context.Context, tx *ledger.Tx, id int64) error
	// Decide writes the decision. It returns an error if the request was decided before.
	Decide(ctx context.Context, tx *ledger.Tx, r Request) error
	// Release allows the member of a rejected request to use its number again; false if
	// it was released before.
	Release(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) (bool, error)
	// SetVerdict writes the finding on a pending request; false if it is not pending.
	SetVerdict(ctx context.Context, tx *ledger.Tx, id int64, text errs.Text, at time.Time) (bool, error)
	// List returns a page of the requests that match f, and their total count.
	List(ctx context.Context, f Filter) ([]Request, int64, error)
	// Moves returns a page of a member's incoming or outgoing fund transfers, newest
	// first, and their total count.
	Moves(ctx context.Context, f MoveFilter) ([]Move, int64, error)
	// Held lists the held rows of a member, past ones included. It returns a
	// *ledger.TamperedError if a row does not match the signed chain.
	Held(ctx context.Context, tx *ledger.Tx, uid int64) ([]Held, error)
	// ExtendHeld sets the end of a giver's rows that are still held after t. It returns a
	// *ledger.TamperedError if such a row does not match the signed chain.
	ExtendHeld(ctx context.Context, tx *ledger.Tx, giver int64, t, until time.Time) error
	// PutHeld inserts or replaces rows of one giver, at most one for each fund of a
	// member. Errors as for ExtendHeld.
	PutHeld(ctx context.Context, tx *ledger.Tx, giver int64, all []Held) error
	// Gave returns the members who sent anything from a fund after a transfer and a time,
	// as committed.
	Gave(ctx context.Context, tx *ledger.Tx, uids []int64, after int64, since time.Time) ([]int64, error)
	// Given returns the members' transfers to others, as committed, without From.
	Given(ctx context.Context, tx *ledger.Tx, of GiftsOf) (Gifts, error)
}

// Filter selects requests. Zero fields do not restrict.
type Filter struct {
	UID           int64
	Way           Way
	State         State
	Number        string
	From, Before  time.Time // of the request time
	Upto          int64     // the last id
	Oldest        bool      // oldest first; with another order, ascending
	Order         Order     // with UID; the requests of all members are sorted by time
	Offset, Limit int64
}

// Order is the sort key of one member's requests or moves. Ties are sorted by id, so that
// pages do not overlap.
type Order string

// The orders. Moves support ByTime and ByAmount.
const (
	ByTime     Order = ""
	ByAmount   Order = "amount"
	ByState    Order = "state"
	ByNumber   Order = "number"
	ByDecision Order = "decision"
)

// MoveFilter selects moves of a member's funds. Zero fields do not restrict.
type MoveFilter struct {
	UID           int64
	Sent          bool // outgoing instead of incoming
	From, Before  time.Time
	Upto          int64 // the last Seq
	Order         Order
	Ascending     bool
	Offset, Limit int64
}

// Move is an incoming or outgoing transfer of a member's fund.
type Move struct {
	Seq    int64 // of the ledger's transfer
	Fund   Kind
	Amount money.Amount
	What   string // the transfer's kind: deposit, transfer, refund ...
	Other  int64  // the other member; 0 if there is none
	At     time.Time
}
