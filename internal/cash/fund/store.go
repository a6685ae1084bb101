package fund

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what fund requests need of a database. What takes rows runs within a
// command; Get without a tx reads what is committed.
type Store interface {
	// Ahead is what a new request of uid must know: the last id, how many of the
	// member's requests wait, and whether the number is taken: the member has named
	// it, or it was credited to anybody.
	Ahead(ctx context.Context, tx *ledger.Tx, uid int64, number string) (last, pending int64, taken bool, err error)
	// Add writes a request; a *ledger.ConstraintError if the member has named the
	// number before.
	Add(ctx context.Context, tx *ledger.Tx, r Request) error
	// Get is false if there is no such request.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Request, bool, error)
	// Verify is nil if a request is what the signed chain says of it; if not, a
	// *ledger.TamperedError.
	Verify(ctx context.Context, tx *ledger.Tx, id int64) error
	// Credited is how many deposits a transaction number brought, and how many
	// requests say so.
	Credited(ctx context.Context, tx *ledger.Tx, number string) (deposits, approved int64, err error)
	// Named are the requests of a number, the oldest first; without a tx, as
	// committed.
	Named(ctx context.Context, tx *ledger.Tx, number string) ([]Request, error)
	// Claims is how many requests name each of some numbers; released ones do not
	// count.
	Claims(ctx context.Context, numbers []string) (map[string]int64, error)
	// Match writes what the chain says of a request that waits: its amount, source
	// and verdict.
	Match(ctx context.Context, tx *ledger.Tx, r Request) error
	// First writes who approved a request that waits first.
	First(ctx context.Context, tx *ledger.Tx, r Request) error
	// ApprovedSince is what operators have approved of members since a time; who
	// has nothing is left out.
	ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error)
	// AloneSince is what an operator has approved without a second one since a
	// time.
	AloneSince(ctx context.Context, tx *ledger.Tx, operator int64, since time.Time) (money.Amount, error)
	// NeedTwo makes a request that waits take two operators.
	NeedTwo(ctx context.Context, tx *ledger.Tx, id int64) error
	// Decide writes the decision; an error if the request was decided before.
	Decide(ctx context.Context, tx *ledger.Tx, r Request) error
	// Release lets the member of a rejected request name its number again; false if
	// that was done before.
	Release(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) (bool, error)
	// SetVerdict writes what was found of a pending request; false if it is not
	// pending.
	SetVerdict(ctx context.Context, tx *ledger.Tx, id int64, text string, at time.Time) (bool, error)
	// List is a part of the requests that f asks for, and how many they are.
	List(ctx context.Context, f Filter) ([]Request, int64, error)
	// Moves is a part of what came into a member's funds, or was sent on to
	// others, newest first, and how many there are.
	Moves(ctx context.Context, f MoveFilter) ([]Move, int64, error)
	// Held lists what is held of a member's funds, over or not; with a nil tx as
	// committed. A *ledger.TamperedError if a row is not what the signed chain says.
	Held(ctx context.Context, tx *ledger.Tx, uid int64) ([]Held, error)
	// ExtendHeld makes what is held after t because of a giver wait until a time. A
	// *ledger.TamperedError if such a row is not what the signed chain says.
	ExtendHeld(ctx context.Context, tx *ledger.Tx, giver int64, t, until time.Time) error
	// PutHeld writes rows of one giver, new or not, none of one place twice. Errors as
	// for ExtendHeld.
	PutHeld(ctx context.Context, tx *ledger.Tx, giver int64, all []Held) error
	// Gave tells which of some members may have sent anything from a fund after a transfer
	// and a time, as committed. It names everybody who did, and nobody whose last gift is
	// not after the transfer.
	Gave(ctx context.Context, tx *ledger.Tx, uids []int64, after int64, since time.Time) ([]int64, error)
	// Given lists some members' transfers to others, as committed; From is not filled.
	Given(ctx context.Context, tx *ledger.Tx, of GiftsOf) (Gifts, error)
}

// Filter says which requests are wanted; what is empty is open.
type Filter struct {
	UID           int64
	Way           Way
	State         State
	Number        string
	From, Before  time.Time // when they were asked for
	Upto          int64     // the last id
	Oldest        bool      // first, instead of the newest; in any other order the least first
	Order         Order     // of one member's requests; everybody's are by time
	Offset, Limit int64
}

// Order is what one member's requests or moves are sorted by. What is alike stands
// as it came, so that no page repeats another's rows.
type Order string

// The orders; moves know ByTime and ByAmount.
const (
	ByTime     Order = ""
	ByAmount   Order = "amount"
	ByState    Order = "state"
	ByNumber   Order = "number"
	ByDecision Order = "decision"
)

// MoveFilter says which moves of a member's funds are wanted; what is empty is
// open.
type MoveFilter struct {
	UID           int64
	Sent          bool // to others, instead of what came in
	From, Before  time.Time
	Upto          int64 // the last Seq
	Order         Order
	Ascending     bool // the oldest or the least first
	Offset, Limit int64
}

// Move is money that came into a member's fund, or went from it to another
// member's.
type Move struct {
	Seq    int64 // of the ledger's transfer
	Fund   Kind
	Amount money.Amount
	What   string // the transfer's kind: deposit, transfer, refund ...
	Other  int64  // whose fund it came from or went to; 0 for nobody's
	At     time.Time
}
