package audit

// The rows, as stored. Hashes are byte strings of any length, because a
// changed row may hold anything.

// Head is the ledger's single row of counters and the last hash.
type Head struct {
	Epoch, Seq, Batch        int64
	Accounts, Holds, Entries int64
	Recorded                 int64
	Hash, Genesis            []byte
}

// Batch is one link of the chain.
type Batch struct {
	No, Epoch        int64
	First, Last      int64
	Commands         int64
	Recorded         int64
	Prev, Root, Hash []byte
	KeyID            string
	Signature        []byte
}

// Transfer is a transfer without its entries.
type Transfer struct {
	Seq, Batch              int64
	ID, Actor, Key          string
	Kind, Reason, Reference string
	Effective, Recorded     int64
	Reverses, Legs          int64
	Leaf                    []byte
}

// Entry is one leg, with the current code of its account.
type Entry struct {
	Account, Version        int64
	Seq, Leg                int64
	Kind                    string
	Owner, Beneficiary      int64
	Delta, HeldDelta        int64
	BalanceAfter, HeldAfter int64
	Hold                    int64
	Code                    string
	Known                   bool // the account exists
}

// Command is a stored request and its answer.
type Command struct {
	Actor, Key        string
	Batch, N          int64
	Request, Response []byte
	First, Last       int64
	Recorded          int64
	Leaf              []byte
}

// Account is a balance as stored.
type Account struct {
	ID           int64
	Code, Kind   string
	Owner        int64
	Posted, Held int64
	Floor        int64
	Version      int64
}

// Hold is money set aside, as stored.
type Hold struct {
	ID, Account, Amount int64
	State               string
	Expires             int64
	Placed, Resolved    int64
}

// Counts is the number of rows of each table.
type Counts struct {
	Batches, Transfers, Entries, Accounts, Holds, Commands int64
	Claimed                                                int64 // Σ batch.commands
}

// Stray is a row outside the chain.
type Stray struct{ Table, Row string }

// Repeat is a row with a value that must be unique, but is in Other too.
type Repeat struct{ Table, Row, Column, Value, Other string }

// Before is an account's balance after a version.
type Before struct{ Account, Version, Balance, Held int64 }

// Tail is an account with its latest entry; Version is 0 if it has none.
type Tail struct {
	Account
	Latest Before
}

// Trace is a hold with the entries that placed and resolved it according to its row. Their
// Account is 0 if there is no such entry.
type Trace struct {
	Hold
	Place, Release Mark
	Follows        int64 // the hold with the number before; 0 if there is none
}

// Mark is the effect of an entry on a hold.
type Mark struct {
	Account, HeldDelta int64
	Kind               string // of the transfer
}

// Total is a sum that may not fit 64 bits: Dollars × 1,000,000 + Micros.
type Total struct{ Dollars, Micros int64 }
