package tree

// outerLines find, for every member, how far its legs extend to the left and to the
// right in the walk. An outer line is the path down one side only; a member is on
// one left and one right line. It continues its parent's line on the side of its place and
// begins a line on the other side, so two numbers are enough: the top of the line it
// continues and the tail of the line it begins. The root begins both.
type outerLines struct {
	state    *column[uint8] // has the member's side, which is that of the line continued
	top      column[uint32] // of the line that is continued
	tail     column[uint32] // of the line that is begun
	rootTail [3]uint32
}

const theRoot = 1

func (o *outerLines) row(no, parent uint32, side Side) {
	o.tail.push(no)
	if side == NoSide {
		o.top.push(no)
		if no == theRoot {
			o.rootTail[Left], o.rootTail[Right] = no, no
		}
		return
	}
	top := o.topOf(parent, side)
	o.top.push(top)
	*o.tailOf(top, side) = no
}

// topOf returns the first member of the line of a side that contains no.
func (o *outerLines) topOf(no uint32, side Side) uint32 {
	if sideOf(*o.state.at(no)) == side {
		return *o.top.at(no)
	}
	return no
}

func (o *outerLines) tailOf(top uint32, side Side) *uint32 {
	if top == theRoot {
		return &o.rootTail[side]
	}
	return o.tail.at(top)
}

// end returns the last member on no's outer line of a side; no if it has no leg
// there.
func (o *outerLines) end(no uint32, side Side) uint32 { return *o.tailOf(o.topOf(no, side), side) }

// firstLines are the same for the sponsor tree: the line from a member to its first
// invitation, to that one's first, and so on, ends where the member's downline begins
// in the postorder walk.
type firstLines struct {
	top  column[uint32]
	tail column[uint32] // of the line that begins here
}

// row adds a member: the first invitation of its sponsor continues the line.
func (f *firstLines) row(no, sponsor uint32, begins bool) {
	f.tail.push(no)
	if begins {
		f.top.push(no)
		return
	}
	top := *f.top.at(sponsor)
	f.top.push(top)
	*f.tail.at(top) = no
}

// end returns where the downline of no begins in the walk; no if it has none.
func (f *firstLines) end(no uint32) uint32 { return *f.tail.at(*f.top.at(no)) }
