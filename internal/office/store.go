package office

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

// Store is what the office needs of a database beside what nouns have. What
// takes rows runs within commands.
type Store interface {
	// Begins lists members of whom a field begins with text, in the field's
	// order, whatever the case.
	Begins(ctx context.Context, field Field, text string, limit int) ([]int64, error)
	// InTransfer lists members whose accounts a transfer changed.
	InTransfer(ctx context.Context, id string) ([]int64, error)
	// Accounts lists a member's accounts, by code.
	Accounts(ctx context.Context, uid int64) ([]AccountLine, error)
	// Entries lists what changed an account of the member, newest first, before
	// a version (0: from the end).
	Entries(ctx context.Context, uid int64, code string, before int64, limit int) ([]EntryLine, error)
	// Counts counts what belongs to a member, whose place is no.
	Counts(ctx context.Context, uid, no int64) (Counts, error)
	// AddNote gives the note the next id.
	AddNote(ctx context.Context, rows ledger.Rows, n Note) (int64, error)
	// Notes lists a member's notes, newest first, before an id (0: from the end).
	Notes(ctx context.Context, uid, before int64, limit int) ([]Note, error)
}

// Field is what members are looked up by.
type Field string

// The fields.
const (
	ByName     Field = "name"
	ByLastName Field = "last name"
	ByEmail    Field = "e-mail"
	ByMobile   Field = "mobile"
	ByWallet   Field = "wallet"
)

// AccountLine is an account with its balance.
type AccountLine struct {
	Code string
	ledger.Balance
}

// EntryLine is one change of an account, with the transfer that made it.
type EntryLine struct {
	Version                     int64
	Transfer, Kind, Reason, Ref string
	Delta, Held                 money.Amount // what changed of posted, and of held
	After, HeldAfter            money.Amount
	At, Effective               time.Time
}

// Counts is how much there is of a member.
type Counts struct {
	Sales, Positions, Claims, Tickets, OpenTickets, Notes int64
}

// Note is what an operator noted about a member, for other operators.
type Note struct {
	ID, UID, Operator int64
	Name, Text        string
	At                time.Time
}
