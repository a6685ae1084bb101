// Package deposit manages the members' deposit addresses, derived from an extended public
// key. Without such a key it manages intents: payments announced in advance, which are
// recognized by their exact amount.
package deposit

import (
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Address is the deposit address of one member. It never changes.
type Address struct {
	Root string // the ID of the extended public key
	Place
	UID     int64 // 0 if a payment arrived and no row names its member
	Address string
	At      time.Time
}

// Place is the position of an address below its key.
type Place struct{ Branch, Index int64 }

// Intent is a payment that a member announced before making it.
type Intent struct {
	ID       int64
	UID      int64
	Fund     string
	Amount   money.Amount // whole dollars plus a tail below one dollar that is unique among intents
	Address  string       // of the company
	OpenedAt time.Time
	Expires  time.Time
	Request  int64
}

// Paid reports whether a payment matches the intent, regardless of its time.
func (i Intent) Paid(to string, a money.Amount) bool { return i.Address == to && i.Amount == a }

// Early reports whether a payment was made before the intent, when anybody could have
// seen it. Block times are in whole seconds.
func (i Intent) Early(mined time.Time) bool { return !mined.After(i.OpenedAt) }

// Late reports whether a payment was mined after the intent had ended.
func (i Intent) Late(mined time.Time) bool { return mined.After(i.Expires) }

const (
	// Remembered is how long the amount of an ended intent stays reserved, so that a late
	// payment is not mistaken for another member's.
	Remembered = 7 * 24 * time.Hour
	// maxOpen limits the open intents of a member.
	maxOpen = 3
	// maxDaily limits the intents that a member opens within 24 hours, because each
	// reserves an amount for days.
	maxDaily = 10
	// maxTails limits the tails that a member's unpaid intents reserve for one number of
	// whole dollars. Beyond it, a former tail of the member is reused.
	maxTails     = 3
	tails        = 9999
	tailUnit     = 100 // micro-dollars
	firstIntent  = 1
	textNoTail   = "No amounts of {amount} dollars and some cents are left. Announce another amount."
	textTooMany  = "You have {open} announced payments that are still open. Pay them, or wait until they end."
	textNoIntent = "There is no announced payment {id}."
	textEnded    = "This announced payment has ended already."
	textNoBranch = "A deposit address cannot be assigned. Please try again later."
	textTooOften = "You have announced {count} payments within 24 hours. Try again tomorrow."
)

// firstBranch is the time of branch 0. Branches are numbered by seconds since.
var firstBranch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var errNoKey = errors.New("deposit: there is no extended public key")
