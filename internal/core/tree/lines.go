package tree

// outerLines know, for every member, how far its legs reach to the left and to
// the right in the walk. An outer line is the way down one side only; a member
// stands on one left and one right line. Under its parent it continues the line
// of its own side and begins a line of the other side, so one number each, for
// the top of the line it continues and for the tail of the line it begins, is
// enough. The root begins both.
type outerLines struct {
	state    *column[uint8] // says the side, which is that of the line continued
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

// topOf is where the line of a side that passes no begins.
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

// end is the last member on no's outer line of a side; no itself if it has no
// leg there.
func (o *outerLines) end(no uint32, side Side) uint32 { return *o.tailOf(o.topOf(no, side), side) }

// firstLines do the same for the sponsor tree: the line from a member to its
// first invitation, to that one's first, and so on, ends where its downline
// begins in the postorder walk.
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

// end is where the downline of no begins in the walk; no itself if it has none.
func (f *firstLines) end(no uint32) uint32 { return *f.tail.at(*f.top.at(no)) }
