package ledger

import (
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Leg changes one account by Delta; + increases the account, on either side.
type Leg struct {
	Account Account
	Delta   money.Amount
}

// Transfer asks for money to move. All legs happen or none.
type Transfer struct {
	ID        string    // unique; made from the command if empty
	Kind      string    // such as "deposit" or "withdraw"
	Reason    string    // for people
	Reference string    // the request, sale or close it belongs to
	Effective time.Time // business time; now if zero
	Legs      []Leg
}

// Posted is the result of a Transfer.
type Posted struct {
	Seq      int64
	ID       string
	Recorded time.Time
}

// Balance is the balance of an account. Available = Posted − Held.
type Balance struct {
	Posted, Held, Available money.Amount
	Version                 int64
}

// HoldState is the state of a hold. It leaves HoldOpen once.
type HoldState string

const (
	HoldOpen    HoldState = "open"
	HoldSettled HoldState = "settled"
	HoldVoided  HoldState = "voided"
	HoldExpired HoldState = "expired"
)

// Hold sets money of one account aside until it is settled, voided or expires.
type Hold struct {
	ID       int64
	Account  Account
	Amount   money.Amount
	State    HoldState
	Expires  time.Time
	Placed   int64 // the transfer that placed it
	Resolved int64 // the transfer that resolved it; 0 while open
}

// Limits of a transfer and a command.
const (
	MaxLegs     = 1000
	maxID       = 160
	maxKind     = 40
	maxReason   = 500
	maxRef      = 200
	maxActor    = 80
	maxKey      = 120
	MaxResponse = 64 << 10
)

var kindPattern = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)

// checkText rejects text that is too long or that some database engine would not
// return unchanged.
func checkText(name, s string, limit int) error {
	if len(s) > limit {
		return errs.New(errs.Invalid, "ledger.text_long", "The {name} is longer than {most} bytes.", "name", name, "most", limit)
	}
	if !utf8.ValidString(s) {
		return errs.New(errs.Invalid, "ledger.text_invalid", "The {name} is not valid text.", "name", name)
	}
	for i := range len(s) {
		if s[i] == 0 {
			return errs.New(errs.Invalid, "ledger.text_zero_byte", "The {name} holds a zero byte.", "name", name)
		}
	}
	return nil
}

// check rejects a transfer that can never be posted, whatever the balances.
// rules.go checks that it balances and that its sources are lawful.
func (t *Transfer) check() error {
	if !kindPattern.MatchString(t.Kind) {
		return errs.New(errs.Invalid, "ledger.transfer_kind", "The transfer kind {kind} is malformed.", "kind", strconv.Quote(t.Kind))
	}
	for _, f := range []struct {
		name, value string
		limit       int
	}{{"transfer id", t.ID, maxID}, {"transfer kind", t.Kind, maxKind}, {"reason", t.Reason, maxReason}, {"reference", t.Reference, maxRef}} {
		if err := checkText(f.name, f.value, f.limit); err != nil {
			return err
		}
	}
	if len(t.Legs) == 0 || len(t.Legs) > MaxLegs {
		return errs.New(errs.Invalid, "ledger.transfer_legs", "A transfer has 1 to {most} legs, not {legs}.", "most", MaxLegs, "legs", len(t.Legs))
	}
	return nil
}
