// Package sale keeps purchases of Robot packages: who bought what, who paid,
// and how far the purchase has come. What it does to money and to the tree is
// the matter of the use-cases above.
package sale

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Sale is one purchase. An upgrade costs and counts the difference only.
type Sale struct {
	ID       string
	No       int64 // the buyer's join number
	Payer    int64 // whose fund paid
	Package  int64
	Topup    Topup
	Amount   money.Amount
	Volume   money.Amount
	Day      plan.Day
	At       time.Time
	State    State
	FinalDay plan.Day
}

// Topup says whether the buyer had a package before.
type Topup string

// The two kinds of purchase.
const (
	Activation Topup = "Activation"
	Upgrade    Topup = "Upgrade"
)

// State is how far a sale has come.
type State string

// A sale cools off, and becomes final unless it is refunded; a final one can be
// charged back.
const (
	Cooling  State = "cooling"
	Final    State = "final"
	Refunded State = "refunded"
	Reversed State = "reversed"
)
