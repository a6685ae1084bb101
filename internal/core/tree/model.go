package tree

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// No is a member's join number, from 1 without gaps; 0 is no member.
type No uint32

// Side is a place under a parent, and a leg of every member above it.
type Side uint8

// The sides. A customer and the root have none.
const (
	NoSide Side = 0
	Left   Side = 1
	Right  Side = 2
)

// String returns the side's name for users.
func (s Side) String() string {
	switch s {
	case Left:
		return "Left"
	case Right:
		return "Right"
	case NoSide:
	}
	return ""
}

// Line is a line of business.
type Line int

const (
	Robot Line = iota
	Forex
	Crypto
	lines
)

type Business [lines]money.Amount

// Place is a member's place in the tree, with the member's own business.
type Place struct {
	No       No
	UID      int64
	Sponsor  No // the inviting member; 0 for the root
	Parent   No // the member above; 0 for the root and for customers
	Side     Side
	Joined   time.Time
	Active   bool
	Business Business
}

// Change is a change of a member: the new status and the gain or loss of business.
type Change struct {
	Seq    int64
	No     No
	Active bool
	Add    Business
}

// Totals are the totals of a leg.
type Totals struct {
	Members, Active int64
	Business        Business
}

// Add returns the sum of both.
func (t Totals) Add(o Totals) Totals {
	t.Members, t.Active = t.Members+o.Members, t.Active+o.Active
	for i := range t.Business {
		t.Business[i] = money.Micro(t.Business[i].Micros() + o.Business[i].Micros())
	}
	return t
}

// Directs are the totals of a member's own invitations on one side.
type Directs struct {
	Members, Active int64
	Robot           money.Amount
}
