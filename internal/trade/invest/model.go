// Package invest keeps positions on the trading lines and the claims that they
// become when their term has passed.
package invest

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Position is one investment. Every top-up is a position of its own.
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

// Standing is what the open positions of a line come to.
type Standing struct {
	Positions       int64
	Principal, Loss money.Amount
}

// State is how far a position has come.
type State string

// The states of a position.
const (
	Open    State = "open"
	Matured State = "matured"
	Claimed State = "claimed"
)

// Claim is what a matured position is worth: paid once its cash is recalled.
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

// ClaimState is what a claim waits for.
type ClaimState string

// The states of a claim.
const (
	ClaimOpen   ClaimState = "Open"    // cash has to be recalled for it
	ClaimFunded ClaimState = "Funded"  // its member may take it
	ClaimDone   ClaimState = "Claimed" // its member has
)

// State is what the claim waits for.
func (c *Claim) State() ClaimState {
	switch {
	case c.Done:
		return ClaimDone
	case c.Recalled.Less(c.Net):
		return ClaimOpen
	}
	return ClaimFunded
}

// ClaimFilter says which claims are wanted; zero values are open.
type ClaimFilter struct {
	State         ClaimState
	Line          string
	No            int64    // the member's join number
	From, To      plan.Day // when its position matured; both included
	Newest        bool     // first; otherwise who has waited longest
	Offset, Limit int64
}

// ClaimID is the id of the claim that a position becomes.
func ClaimID(position string) string { return "C-" + position }
