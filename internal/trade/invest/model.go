// Package invest stores positions on the trading lines and the claims of matured ones.
package invest

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Position is one investment. Every top-up is a separate position.
type Position struct {
	ID        string
	Line      string
	No        int64 // the member's join number
	Payer     int64 // whose fund paid
	Package   int64
	Topup     string
	Principal money.Amount
	Loss      money.Amount // carried; later profit repays it first
	Day       plan.Day
	Term      int64
	At        time.Time
	State     State
}

// Standing sums up the open positions of a line.
type Standing struct {
	Positions       int64
	Principal, Loss money.Amount
}

type State string

// The states of a position.
const (
	Open    State = "open"
	Matured State = "matured"
	Claimed State = "claimed"
)

// Claim is the value of a matured position, which is paid once its cash is recalled.
type Claim struct {
	ID       string
	Position string
	Line     string
	No       int64
	Amount   money.Amount // the principal
	Income   money.Amount // held ROI less carried loss; may be negative
	Net      money.Amount
	Day      plan.Day
	Recalled money.Amount
	Done     bool
	ClaimDay plan.Day
}

// ClaimState is the next step of a claim.
type ClaimState string

// The states of a claim.
const (
	ClaimOpen   ClaimState = "Open"   // its cash has to be recalled
	ClaimFunded ClaimState = "Funded" // the member can collect it
	ClaimDone   ClaimState = "Claimed"
)

func (c *Claim) State() ClaimState {
	switch {
	case c.Done:
		return ClaimDone
	case c.Recalled.Less(c.Net):
		return ClaimOpen
	}
	return ClaimFunded
}

// ClaimFilter selects claims. Zero fields do not restrict.
type ClaimFilter struct {
	State         ClaimState
	Line          string
	No            int64    // the member's join number
	From, To      plan.Day // when its position matured; both included
	Newest        bool     // newest first, otherwise oldest first
	Offset, Limit int64
}

func ClaimID(position string) string { return "C-" + position }
