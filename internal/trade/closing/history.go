package closing

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Recorded is an event of the history in scenario form.
type Recorded struct {
	ID      string
	Day     plan.Day // 0 if the plan determines it
	At      time.Time
	Rec     time.Time
	Body    []byte
	Derived bool // reconstructed from its effects
}

// History is the history in a database.
type History struct {
	First, Last plan.Day // the closed days; 0 if there is none
	Plans       []string // versions used by their closes
	Body        []byte   // the plan of the last of them
	Events      []Recorded
}

// Totals sum up a history.
type Totals struct {
	Paid     map[Earned]int64
	Gross    int64             // of sales that became final
	Reversed int64             // of them, charged back
	Refused  map[string]string // reason by event
}

// Earned is a member's income of a kind.
type Earned struct {
	UID  int64
	Kind plan.Kind
	Line string
}
