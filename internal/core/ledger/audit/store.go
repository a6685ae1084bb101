package audit

import "context"

// Reader reads the stored rows. All calls on a Reader must see one snapshot of the database.
// An error comes from the database, or is a *Finding for an invalid row, such as a text in a
// column of numbers.
type Reader interface {
	chainReader
	tableReader
	spotReader
}

// chainReader reads in ledger order. Ranges include both ends.
type chainReader interface {
	// Head returns false if there is no head row.
	Head(ctx context.Context) (Head, bool, error)
	// Batches lists up to limit batches from no on, by no.
	Batches(ctx context.Context, no int64, limit int) ([]Batch, error)
	// Transfers lists transfers from … to, by seq.
	Transfers(ctx context.Context, from, to int64) ([]Transfer, error)
	// Entries lists the entries of transfers from … to, by seq and leg.
	Entries(ctx context.Context, from, to int64) ([]Entry, error)
	// Commands lists the commands of batches from … to, by batch and n.
	Commands(ctx context.Context, from, to int64) ([]Command, error)
}

// tableReader reads whole tables.
type tableReader interface {
	// Accounts and Holds list up to limit rows with a greater id, by id.
	Accounts(ctx context.Context, after int64, limit int) ([]Account, error)
	Holds(ctx context.Context, after int64, limit int) ([]Hold, error)
	Counts(ctx context.Context) (Counts, error)
	// Outside finds a row that belongs to no transfer 1 … seq and no batch
	// 1 … batch.
	Outside(ctx context.Context, seq, batch int64) (Stray, bool, error)
	// Repeated finds a transfer id, command key or account code that is in two rows,
	// without relying on an index.
	Repeated(ctx context.Context) (Repeat, bool, error)
	// Sides returns the sums posted on asset accounts and on all others.
	Sides(ctx context.Context) (assets, others Total, err error)
}

// spotReader looks up the rows related to a row.
type spotReader interface {
	// ReversedBy returns the first transfer that reverses seq.
	ReversedBy(ctx context.Context, seq int64) (int64, error)
	// Near lists the transfers of an account's versions at most reach away
	// from version, without version itself.
	Near(ctx context.Context, account, version, reach int64) ([]int64, error)
	// Befores lists, for accounts in the entries of transfers from … to, the version
	// before the entry, if it is before from. By account, version.
	Befores(ctx context.Context, from, to int64) ([]Before, error)
	// Traces lists the holds that the entries of transfers from … to name.
	Traces(ctx context.Context, from, to int64) ([]Trace, error)
	// TailsIn lists the accounts in transfers from … to, by id.
	TailsIn(ctx context.Context, from, to int64) ([]Tail, error)
	// Tails lists up to limit accounts with a greater id, by id.
	Tails(ctx context.Context, after int64, limit int) ([]Tail, error)
	// RepeatedIn is Repeated for transfers from … to, their accounts and the commands of
	// batches fromBatch … toBatch, against all before them.
	RepeatedIn(ctx context.Context, from, to, fromBatch, toBatch int64) (Repeat, bool, error)
}
