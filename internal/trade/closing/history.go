package closing

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Recorded is an event of the history, as a scenario tells it.
type Recorded struct {
	ID      string
	Day     plan.Day // 0 where the plan says which
	At      time.Time
	Rec     time.Time
	Body    []byte
	Derived bool // told by what it did, not by itself
}

// History is what a database knows of what happened.
type History struct {
	First, Last plan.Day // the closed days; 0 if there is none
	Plans       []string // the versions they were closed by
	Body        []byte   // the plan of the last of them
	Events      []Recorded
}

// Totals are what a history came to.
type Totals struct {
	Paid     map[Earned]int64
	Gross    int64             // of sales that became final
	Reversed int64             // of them, charged back
	Refused  map[string]string // why, by event
}

// Earned is who earned by what.
type Earned struct {
	UID  int64
	Kind plan.Kind
	Line string
}
