package staff

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of the staff's work. Methods with a tx run within a command, or
// with a nil one outside.
type Store interface {
	// Begins lists members with a field that begins with text, ignoring case, in the
	// field's order.
	Begins(ctx context.Context, field Field, text string, limit int) ([]int64, error)
	// Calls lists members of some countries whose mobile number begins with text.
	Calls(ctx context.Context, countries []int64, text string, limit int) ([]int64, error)
	// Called lists members whose last name begins with last and whose name begins with
	// first.
	Called(ctx context.Context, first, last string, limit int) ([]int64, error)
	// Paid lists members who claimed a payment with a number that begins so, or were paid
	// by a transaction with such a hash.
	Paid(ctx context.Context, begin string, limit int) ([]int64, error)
	// Owner is the member of a record, looked up by its number; empty if there is none.
	Owner(ctx context.Context, of Field, number int64) ([]int64, error)
	// OwnerOf is the member of a claim or sale, looked up by its id; empty if there is none.
	OwnerOf(ctx context.Context, of Field, id string) ([]int64, error)
	// InTransfer lists members whose accounts a transfer changed.
	InTransfer(ctx context.Context, id string) ([]int64, error)
	// Newest lists members by registration number, newest first, before a number (0: from
	// the end).
	Newest(ctx context.Context, before int64, limit int) ([]Joined, error)
	// Accounts lists a member's accounts, by code.
	Accounts(ctx context.Context, uid int64) ([]AccountLine, error)
	// Entries lists the changes of an account of the member, newest first, before a
	// version (0: from the end).
	Entries(ctx context.Context, uid int64, code string, before int64, limit int) ([]EntryLine, error)
	// Counts counts the data of a member with number no.
	Counts(ctx context.Context, uid, no int64) (Counts, error)
	// AddNote gives the note the next id.
	AddNote(ctx context.Context, tx *ledger.Tx, n Note) (int64, error)
	// AddFlag gives the row the next id.
	AddFlag(ctx context.Context, tx *ledger.Tx, f FlagRow) (int64, error)
	// Flags lists a member's raised flags, oldest first.
	Flags(ctx context.Context, tx *ledger.Tx, uid int64) ([]FlagRow, error)
	// LastHold is the latest change of a member's legal hold; false if there is none.
	LastHold(ctx context.Context, tx *ledger.Tx, uid int64) (FlagRow, bool, error)
	// FlagHistory lists the changes of a member's flags, newest first, before an id (0:
	// from the end).
	FlagHistory(ctx context.Context, uid, before int64, limit int) ([]FlagRow, error)
	// Alike lists other members who share a value with a member, by an index, at most
	// limit.
	Alike(ctx context.Context, uid int64, way Way, value, more string, limit int) ([]int64, error)
	// Peers lists the latest addresses that a member signed in from.
	Peers(ctx context.Context, uid int64, limit int) ([]string, error)
	// Obstacles counts the reasons not to erase a member's data.
	Obstacles(ctx context.Context, tx *ledger.Tx, uid int64) (Obstacles, error)
	// Emails lists a member's former addresses.
	Emails(ctx context.Context, tx *ledger.Tx, uid int64) ([]string, error)
	// EraseTexts erases a member's texts and stored requests and, for addresses that
	// nobody else has, mail sent there.
	EraseTexts(ctx context.Context, tx *ledger.Tx, uid int64, emails []string) error
	// Personal reads all data about a member, kind by kind, from one snapshot. begin
	// starts a kind.
	Personal(ctx context.Context, uid int64, full bool, begin func(kind string) error, row func(fields []PersonalField) error) error
	// Notes lists a member's notes, newest first, before an id (0: from the end).
	Notes(ctx context.Context, uid, before int64, limit int) ([]Note, error)
}

// Field is a field that members are searched by.
type Field string

const (
	ByName     Field = "name"
	ByLastName Field = "last name"
	ByEmail    Field = "e-mail"
	ByMobile   Field = "mobile"
	ByWallet   Field = "wallet"
	ByPayment  Field = "payment"
	// Records by their number or id.
	ByRequest    Field = "request"
	ByWithdrawal Field = "withdrawal"
	ByTicket     Field = "ticket"
	ByClaim      Field = "claim"
	BySale       Field = "sale"
	// The second, third and fourth word of the name.
	ByWord2 Field = "second word"
	ByWord3 Field = "third word"
	ByWord4 Field = "fourth word"
)

// Joined is a member by registration number.
type Joined struct{ No, UID int64 }

// AccountLine is an account with its balance.
type AccountLine struct {
	Code string
	ledger.Balance
}

// EntryLine is one change of an account, with the transfer that made it.
type EntryLine struct {
	Version                     int64
	Transfer, Kind, Reason, Ref string
	Delta, Held                 money.Amount // changes of posted and of held
	After, HeldAfter            money.Amount
	At, Effective               time.Time
}

// Counts are the numbers of a member's rows.
type Counts struct {
	Sales, Positions, Claims, Tickets, OpenTickets, Notes int64
}

// Note is an operator's note about a member.
type Note struct {
	ID, UID, Operator int64
	Name, Text        string
	At                time.Time
}

// FlagRow is one change of a flag.
type FlagRow struct {
	ID, UID, Operator int64
	Flag              Flag
	Raised            bool
	Name, Reason      string
	At                time.Time
}

// Way is data that two accounts of one person may share.
type Way string

const (
	SameMobile  Way = "mobile"
	SameWallet  Way = "wallet"
	SameBank    Way = "bank"
	SameEmail   Way = "e-mail"
	SameAddress Way = "address" // a device's IP address
)

// Obstacles are the reasons not to erase personal data.
type Obstacles struct {
	Balances                                                                      []AccountLine // not empty
	Withdrawals, Positions, Claims, Requests, Cooling, Debt, Tickets, Corrections int64
}

// PersonalField is one field of a row, as text.
type PersonalField struct {
	Name, Value string
	Way         string // the store's type of the field
}
