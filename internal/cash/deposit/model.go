// Package deposit knows where members pay USDT to and what they announced: an
// address of their own, derived from an extended public key, or where there is no
// such key an intent, by whose exact amount a payment is known.
package deposit

import (
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Address is where one member pays to. It never changes.
type Address struct {
	Root string // the ID of the extended public key
	Place
	UID     int64 // 0 for nobody's: a payment came to it, and no row says whose it is
	Address string
	At      time.Time
}

// Place is where an address lies below its key.
type Place struct{ Branch, Index int64 }

// Intent is a payment that a member announced before making it.
type Intent struct {
	ID       int64
	UID      int64
	Fund     string
	Amount   money.Amount // whole dollars and a tail below one that no other member's intent has
	Address  string       // of the company
	OpenedAt time.Time
	Expires  time.Time
	Request  int64 // the fund request that it became; 0 for none
}

// Paid tells whether a payment is what was announced, but for its time.
func (i Intent) Paid(to string, a money.Amount) bool { return i.Address == to && i.Amount == a }

// Early tells whether a payment was made before it was announced, as far as blocks
// tell, whose time is in whole seconds: then anybody could have seen it.
func (i Intent) Early(mined time.Time) bool { return !mined.After(i.OpenedAt) }

// Late tells whether a payment was mined after the intent had ended.
func (i Intent) Late(mined time.Time) bool { return mined.After(i.Expires) }

const (
	// Remembered is how long after its end no other intent gets an intent's amount:
	// a payment that is late must not be taken for another member's.
	Remembered = 7 * 24 * time.Hour
	// maxOpen is how many intents of a member may be open.
	maxOpen = 3
	// maxDaily is how many a member may open within 24 hours: each takes an amount
	// away from others for days.
	maxDaily = 10
	// maxTails is how many amounts above one number of whole dollars a member takes away
	// by payments that were not made: with that many, a former one of the member's own
	// is given again.
	maxTails     = 3
	tails        = 9999
	tailUnit     = 100 // micro-dollars
	firstIntent  = 1
	textNoTail   = "All amounts of {amount} dollars and some cents are announced at the moment. Announce another amount."
	textTooMany  = "You have announced {open} payments that are still open. Make them, or wait until they end."
	textNoIntent = "There is no announced payment {id}."
	textEnded    = "This announced payment has ended already."
	textNoBranch = "No new deposit address can be given just now. Please try again later."
	textTooOften = "You have announced {count} payments within 24 hours. Try again tomorrow."
)

// firstBranch is when branch 0 would have begun: later ones are numbered by seconds.
var firstBranch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

var errNoKey = errors.New("deposit: there is no extended public key")
