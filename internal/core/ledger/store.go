package ledger

import (
	"context"
	"errors"
)

// Store is the ledger's database. Package store implements it on SQLite and
// PostgreSQL; one conformance suite tests both.
type Store interface {
	// TakeOver makes this process the sequencer: it raises the epoch, after
	// waiting for a group of an older sequencer that is committing, and returns
	// the resulting head. Any older sequencer then fails with ErrFenced.
	TakeOver(ctx context.Context, holder string) (Head, error)
	// Head reads the committed head. It waits for a group that is committing,
	// so that the result is final.
	Head(ctx context.Context) (Head, error)
	// Fence raises the epoch if it is still the given one: a running group of that
	// epoch has then either committed or never will. Each call writes, and nil
	// means that the write, and so every commit before it, is durable on every
	// server that commits wait for, including a synchronous standby.
	Fence(ctx context.Context, epoch int64) error
	// LastBatch returns the batch with the highest number, or false if there is none.
	LastBatch(ctx context.Context) (BatchRow, bool, error)
	// BatchHash returns the hash of batch no, or false if there is none.
	BatchHash(ctx context.Context, no int64) (Hash, bool, error)
	// Begin opens the transaction of a group.
	Begin(ctx context.Context) (GroupTx, error)
	// Lead takes the lease that keeps a second process from becoming the
	// sequencer, or returns ErrLeased at once. lost is closed if the lease is lost.
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
	// ReversedBy returns the transfer that reverses seq; 0 if there is none.
	ReversedBy(ctx context.Context, seq int64) (int64, error)
	// Savepoint, Release and RollbackTo enclose the rows that one command writes.
	Savepoint(ctx context.Context) error
	Release(ctx context.Context) error
	RollbackTo(ctx context.Context) error
	// Rows is the open transaction for the stores of other packages.
	Rows() Rows
	// Witness lists the hashes of the rows that those stores wrote in successful
	// commands, one line each. They become part of the signed chain.
	Witness() []string
	// Commit checks the fence, writes the whole group and makes it durable.
	// ErrFenced if the head is no longer g.Fence, or a row that the group changes
	// does not match the ledger; a *ConstraintError if the database rejects a row;
	// ErrUnknown if the outcome is unknown. Any error but ErrUnknown means that
	// nothing was written.
	Commit(ctx context.Context, g *Group) error
	// Rollback ends the transaction if it is still open.
	Rollback()
}

// Rows is a database transaction for the stores of other packages. It is opaque
// here, because the ledger contains no SQL.
type Rows interface{ GroupRows() }

var (
	// ErrFenced: another sequencer has taken over, or the head was changed.
	ErrFenced = errors.New("ledger: fenced off by a newer epoch or a changed head")
	// ErrUnknown: the connection broke while committing.
	ErrUnknown = errors.New("ledger: outcome of the commit is unknown")
	// ErrLeased: another living process is the sequencer.
	ErrLeased = errors.New("ledger: another process is the sequencer")
)

// ConstraintError reports that the database rejected a row of the group.
type ConstraintError struct {
	Unique bool // a unique key exists already
	Err    error
}

func (e *ConstraintError) Error() string { return "ledger: rejected by the database: " + e.Err.Error() }
func (e *ConstraintError) Unwrap() error { return e.Err }

// Head is the ledger's single row of counters and the last hash. It is also the
// fence: a commit succeeds only if the head is unchanged.
type Head struct {
	Epoch    int64
	Holder   string // address of the sequencer
	Seq      int64  // last transfer
	Batch    int64  // last batch
	Accounts int64  // last account id
	Holds    int64  // last hold id
	Entries  int64  // number of entries
	Recorded int64  // last recorded_at
	Hash     Hash   // hash of the last batch; the genesis before the first
	Frozen   string // why the ledger is frozen; "" if it is not
}

type AccountRow struct {
	ID           int64
	Code         string
	Kind         string
	Owner        int64
	Posted, Held int64
	Floor        int64
	Version      int64
	// The row's values before this group; Was is 0 if the group opened the account.
	Was, WasPosted, WasHeld int64
	// Proved: the row as read matches the account's latest entry.
	Proved bool
}

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

type HoldRow struct {
	ID, Account      int64
	Code             string // the account's; filled when read
	Amount           int64
	State            HoldState
	Expires          int64
	Placed, Resolved int64
	New              bool // placed by this group
	Proved           bool // the row as read matches the entry that placed it
}

// CommandID identifies a command: the same id is run once.
type CommandID struct{ Actor, Key string }

// CommandRow is a stored command with its answer.
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
