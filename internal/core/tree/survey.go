package tree

import "time"

// Roll and Teams read many members in one pass over the columns. Both hold the read
// lock meanwhile: some ten milliseconds for a million members.

// Roll yields the members who joined after a member, 0 for all, in the order of
// joining. yield must not call the Index.
func (x *Index) Roll(after No, yield func(no No, joined time.Time, customer bool)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for no := uint32(after) + 1; no <= x.n; no++ {
		yield(No(no), time.UnixMicro(*x.joined.at(no)), *x.values.state.at(no)&isPlaced == 0)
	}
}

// Leg is one side of a member.
type Leg struct {
	Members int64
	Robot   int64 // business in micro-dollars
}

// Teams yields both legs of every member with a place, from the last to the first
// who joined. A child joins after its parent, so that the legs of a member are
// complete when the member is reached. yield must not call the Index.
func (x *Index) Teams(yield func(no No, uid int64, left, right Leg)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	below := make([]Leg, x.n+1) // including the member
	for no := x.n; no > 0; no-- {
		if *x.values.state.at(no)&isPlaced == 0 {
			continue
		}
		kids := x.kids.at(no)
		left, right := below[kids[0]], below[kids[1]] // no member 0: an empty leg
		below[no] = Leg{1 + left.Members + right.Members, x.values.business.at(no)[Robot] + left.Robot + right.Robot}
		yield(No(no), int64(*x.uid.at(no)), left, right)
	}
}
