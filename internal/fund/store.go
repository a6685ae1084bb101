package fund

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

// Look says whose requests and which number a command will ask about.
type Look struct {
	UID    int64
	Number string
}

// GroupLook makes Look a ledger.Look.
func (Look) GroupLook() {}

// Store is what fund requests need of a database. What takes rows runs within a
// command; Get without rows reads what is committed.
type Store interface {
	// Ahead is what a new request of uid must know: the last id, how many of the
	// member's requests wait, and whether the number is taken.
	Ahead(ctx context.Context, rows ledger.Rows, uid int64, number string) (last, pending int64, taken bool, err error)
	// Add writes a request and takes its number; a *ledger.ConstraintError if
	// that is taken.
	Add(ctx context.Context, rows ledger.Rows, r Request) error
	// Get is false if there is no such request.
	Get(ctx context.Context, rows ledger.Rows, id int64) (Request, bool, error)
	// Vouched is nil if a request is what the signed chain says of it; if not, a
	// *ledger.TamperedError.
	Vouched(ctx context.Context, rows ledger.Rows, id int64) error
	// Credited tells whether anybody got a deposit under a transaction number.
	Credited(ctx context.Context, rows ledger.Rows, number string) (bool, error)
	// First writes who approved a request that waits first.
	First(ctx context.Context, rows ledger.Rows, r Request) error
	// ApprovedSince is what operators have approved of members since a time; who
	// has nothing is left out.
	ApprovedSince(ctx context.Context, rows ledger.Rows, uids []int64, since time.Time) (map[int64]money.Amount, error)
	// NeedTwo makes a request that waits take two operators.
	NeedTwo(ctx context.Context, rows ledger.Rows, id int64) error
	// Decide writes the decision; an error if the request was decided before.
	Decide(ctx context.Context, rows ledger.Rows, r Request) error
	// Release frees the number of a rejected request, keeping its claim; false if
	// that was done before.
	Release(ctx context.Context, rows ledger.Rows, r Request, who Decider, reason string, at time.Time) (bool, error)
	// SetVerdict writes what was found of a pending request; false if it is not
	// pending.
	SetVerdict(ctx context.Context, rows ledger.Rows, id int64, text string, at time.Time) (bool, error)
	// List is a part of the requests that f asks for, and how many they are.
	List(ctx context.Context, f Filter) ([]Request, int64, error)
	// Moves is a part of what came into a member's funds, or was sent on to
	// others, newest first, and how many there are.
	Moves(ctx context.Context, f MoveFilter) ([]Move, int64, error)
}

// Filter says which requests are wanted; what is empty is open.
type Filter struct {
	UID           int64
	Way           Way
	State         State
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
