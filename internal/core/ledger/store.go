package ledger

import (
	"context"
	"errors"
)

// Store is what the ledger needs of a database. Package store implements it on
// SQLite and PostgreSQL; one conformance suite holds both to it.
type Store interface {
	// TakeOver makes this process the sequencer: it raises the epoch, which
	// waits for a group of an older sequencer that is just committing, and
	// returns the head that then stands. From here on any older sequencer
	// fails with ErrFenced.
	TakeOver(ctx context.Context, holder string) (Head, error)
	// Head reads the head as committed. It waits for a group that is just
	// committing, so that what it says of the past is final.
	Head(ctx context.Context) (Head, error)
	// Fence raises the epoch if it is still the given one: a group of that
	// epoch that is under way has then either committed, or never will. It writes
	// each time it is called, and nil means that the write is durable wherever
	// commits have to be, on a synchronous standby too; so is, then, every commit
	// before it.
	Fence(ctx context.Context, epoch int64) error
	// LastBatch is the batch with the highest number, or false when there is none.
	LastBatch(ctx context.Context) (BatchRow, bool, error)
	// BatchHash is the hash of batch no, or false when there is none.
	BatchHash(ctx context.Context, no int64) (Hash, bool, error)
	// Begin opens the one transaction of a group.
	Begin(ctx context.Context) (GroupTx, error)
	// Lead waits for nothing: it takes the lease that keeps a second process
	// from becoming the sequencer, or answers ErrLeased. lost is closed if the
	// lease goes away by itself.
	Lead(ctx context.Context) (lost <-chan struct{}, release func(), err error)
}

// GroupTx is one group's transaction. Only one goroutine uses it.
type GroupTx interface {
	Accounts(ctx context.Context, accounts []Account) ([]AccountRow, error)
	Commands(ctx context.Context, ids []CommandID) ([]CommandRow, error)
	Holds(ctx context.Context, ids []int64) ([]HoldRow, error)
	// DueHolds lists open holds that expire at or before t, earliest first.
	DueHolds(ctx context.Context, t int64, limit int) ([]int64, error)
	// Transfer reads a committed transfer and its entries.
	Transfer(ctx context.Context, seq int64) (TransferRow, []EntryRow, bool, error)
	// ReversedBy is the transfer that reverses seq; 0 if none does.
	ReversedBy(ctx context.Context, seq int64) (int64, error)
	// Savepoint, Release and RollbackTo bound what one command wrote itself.
	Savepoint(ctx context.Context) error
	Release(ctx context.Context) error
	RollbackTo(ctx context.Context) error
	// Rows is the open transaction for stores of other nouns.
	Rows() Rows
	// Witness lists what those vouch for of the rows that they wrote, a line
	// each, of commands that have succeeded.
	Witness() []string
	// Commit writes the whole group, passes the fence and makes it durable.
	// ErrFenced if the head is not g.Fence any more, or a row that the group
	// changes is not what the ledger left; a *ConstraintError if a row of the
	// group is refused; ErrUnknown if nobody can tell whether it is durable.
	// Any error but ErrUnknown means that nothing is.
	Commit(ctx context.Context, g *Group) error
	// Rollback ends the transaction if it is still open.
	Rollback()
}

// Rows is a database transaction as other nouns' stores see it: opaque here,
// because the ledger has no business with their SQL.
type Rows interface{ GroupRows() }

var (
	// ErrFenced: another sequencer has taken over, or the head was changed.
	ErrFenced = errors.New("ledger: fenced off by a newer epoch or a changed head")
	// ErrUnknown: the connection broke while committing.
	ErrUnknown = errors.New("ledger: outcome of the commit is unknown")
	// ErrLeased: another living process is the sequencer.
	ErrLeased = errors.New("ledger: another process is the sequencer")
)

// ConstraintError says that the database refused a row of the group.
type ConstraintError struct {
	Unique bool // a key that must be unique is there already
	Err    error
}

func (e *ConstraintError) Error() string { return "ledger: refused by the database: " + e.Err.Error() }
func (e *ConstraintError) Unwrap() error { return e.Err }

// Head is the one row that everything hangs on: the fence.
type Head struct {
	Epoch    int64
	Holder   string // where the sequencer can be reached
	Seq      int64  // last transfer
	Batch    int64  // last batch
	Accounts int64  // last account id
	Holds    int64  // last hold id
	Entries  int64  // how many entries there are
	Recorded int64  // last recorded_at
	Hash     Hash   // hash of the last batch; the genesis before the first
	Frozen   string // why money stands still; "" when it does not
}

// AccountRow is an account as stored.
type AccountRow struct {
	ID           int64
	Code         string
	Kind         string
	Owner        int64
	Posted, Held int64
	Floor        int64
	Version      int64
	// What the row was before this group; Was is 0 when the group opened it.
	Was, WasPosted, WasHeld int64
	// Proved: the row as read agrees with the account's latest entry.
	Proved bool
}

// TransferRow is a transfer as stored.
type TransferRow struct {
	Seq, Batch              int64
	ID, Actor, Key          string
	Kind, Reason, Reference string
	Effective, Recorded     int64
	Reverses                int64
	Legs                    int64
	Leaf                    Hash
}

// EntryRow is one leg as stored. Code is the account's, for hashing only.
type EntryRow struct {
	Account, Version        int64
	Seq, Leg                int64
	Kind                    string
	Owner, Beneficiary      int64
	Delta, HeldDelta        int64
	BalanceAfter, HeldAfter int64
	Hold                    int64
	Code                    string
}

// HoldRow is a hold as stored.
type HoldRow struct {
	ID, Account      int64
	Code             string // the account's; filled when read
	Amount           int64
	State            HoldState
	Expires          int64
	Placed, Resolved int64
	New              bool // placed by this group
	Proved           bool // as read, it agrees with the entry that placed it
}

// CommandID is what makes a command the same command.
type CommandID struct{ Actor, Key string }

// CommandRow remembers a command and its answer.
type CommandRow struct {
	CommandID
	Batch, N    int64
	Request     Hash
	Response    []byte
	First, Last int64 // its transfers; Last < First when it posted none
	Recorded    int64
	Leaf        Hash
}

// BatchRow is one group in the chain.
type BatchRow struct {
	No, Epoch   int64
	First, Last int64
	Commands    int64
	Recorded    int64
	Prev, Root  Hash
	Hash        Hash
	KeyID       string
	Signature   []byte
}

// Group is everything one commit writes.
type Group struct {
	Fence, Head Head
	Batch       BatchRow
	Accounts    []AccountRow
	Transfers   []TransferRow
	Entries     []EntryRow
	Holds       []HoldRow
	Commands    []CommandRow
}
