package tree

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// No is a member's join number, from 1 without gaps; 0 is nobody.
type No uint32

// Side is a place under a parent, and a leg of every member above it.
type Side uint8

// The sides. A customer and the root have none.
const (
	NoSide Side = 0
	Left   Side = 1
	Right  Side = 2
)

// ParseSide reads 1 or 2. Invalid otherwise.
func ParseSide(n int64) (Side, error) {
	if n != int64(Left) && n != int64(Right) {
		return NoSide, errs.New(errs.Invalid, "tree.position", "The position is 1 (left) or 2 (right).")
	}
	return Side(n), nil
}

// String is what people read.
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

// Line is what business is counted by.
type Line int

// The lines.
const (
	Robot Line = iota
	Forex
	Crypto
	lines
)

// Business is money by line.
type Business [lines]money.Amount

// Place is one member in the tree, and what it brings itself.
type Place struct {
	No       No
	UID      int64
	Sponsor  No // who invited; 0 for the root
	Parent   No // who it hangs under; 0 for the root and for customers
	Side     Side
	Joined   time.Time
	Active   bool
	Business Business
}

// Change is a change of what a member brings: its new standing and what its
// business gained or lost.
type Change struct {
	Seq    int64
	No     No
	Active bool
	Add    Business
}

// Totals is what lies in a leg.
type Totals struct {
	Members, Active int64
	Business        Business
}

// Add is the two together.
func (t Totals) Add(o Totals) Totals {
	t.Members, t.Active = t.Members+o.Members, t.Active+o.Active
	for i := range t.Business {
		t.Business[i] = money.Micro(t.Business[i].Micros() + o.Business[i].Micros())
	}
	return t
}

// Directs is what a member's own invitations on one side amount to.
type Directs struct {
	Members, Active int64
	Robot           money.Amount
}
