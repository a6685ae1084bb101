// Package sale stores purchases of Robot packages: buyer, payer and state. Package market
// applies their effects on money and on the tree.
package sale

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Sale is one purchase. The amount of an upgrade is the difference.
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

// Topup tells an upgrade from a first purchase.
type Topup string

// The two kinds of purchase.
const (
	Activation Topup = "Activation"
	Upgrade    Topup = "Upgrade"
)

type State string

// The states. A sale cools off, and becomes final unless it is refunded. A final sale can
// be charged back.
const (
	Cooling  State = "cooling"
	Final    State = "final"
	Refunded State = "refunded"
	Reversed State = "reversed"
)
