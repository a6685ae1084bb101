package audit

// The rows, as stored. Hashes are byte strings of any length, because a
// changed row may hold anything.

// Head is the one row that says where the ledger stands.
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

// Transfer is what its entries have in common.
type Transfer struct {
	Seq, Batch              int64
	ID, Actor, Key          string
	Kind, Reason, Reference string
	Effective, Recorded     int64
	Reverses, Legs          int64
	Leaf                    []byte
}

// Entry is one leg, with the code that its account has now.
type Entry struct {
	Account, Version        int64
	Seq, Leg                int64
	Kind                    string
	Owner, Beneficiary      int64
	Delta, HeldDelta        int64
	BalanceAfter, HeldAfter int64
	Hold                    int64
	Code                    string
	Known                   bool // there is such an account
}

// Command is a remembered request and its answer.
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

// Counts is how many rows each table has.
type Counts struct {
	Batches, Transfers, Entries, Accounts, Holds, Commands int64
	Claimed                                                int64 // Σ batch.commands
}

// Stray is a row that lies outside the chain.
type Stray struct{ Table, Row string }

// Repeat is a row whose value must be unique and stands in Other already.
type Repeat struct{ Table, Row, Column, Value, Other string }

// Before is what an account held after a version.
type Before struct{ Account, Version, Balance, Held int64 }

// Tail is an account beside its latest entry; Version is 0 if it has none.
type Tail struct {
	Account
	Latest Before
}

// Trace is a hold beside the entries that its row says placed and resolved it.
// Their Account is 0 if there is no such entry.
type Trace struct {
	Hold
	Place, Release Mark
	Follows        int64 // the hold numbered before it; 0 if there is none
}

// Mark is what one entry did to a hold.
type Mark struct {
	Account, HeldDelta int64
	Kind               string // of the transfer
}

// Total is a sum that may not fit 64 bits: Dollars × 1,000,000 + Micros.
type Total struct{ Dollars, Micros int64 }
