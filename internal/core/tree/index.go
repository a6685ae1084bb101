package tree

import (
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Index holds the whole tree in memory, as of the last join and change applied. It
// is safe for concurrent use by many readers and one writer.
type Index struct {
	mu sync.RWMutex
	n  uint32 // join numbers 1..n
	at int64  // last change

	uid       column[uint32]
	byUID     uids
	sponsor   column[uint32]
	parent    column[uint32]
	kids      column[[2]uint32]
	depth     column[uint32] // below the root, along parents
	invited   column[uint32] // below the root, along sponsors
	joined    column[int64]
	values    values
	directs   column[directs] // of members with invitations
	directsAt column[uint32]

	walk     *sequence // inorder, of the binary tree
	lines    outerLines
	invites  *sequence // postorder, of the sponsor tree
	firsts   firstLines
	team     blocks // by walk
	sponsors blocks // by depth along sponsors, then by invites
}

// directs are the totals of a member's invitations, left and right. Customers have
// no side and are not counted.
type directs struct {
	members, active [2]uint32
	robot           [2]int64
}

// NewIndex makes an empty index.
func NewIndex() *Index {
	x := &Index{}
	x.walk, x.invites = newSequence(&x.values), newSequence(&x.values)
	x.byUID.uid = &x.uid
	x.team = blocks{less: x.walk.less, state: &x.values.state, only: isPlaced}
	x.sponsors = blocks{less: x.lessInvited, state: &x.values.state}
	x.directs.push(directs{})
	x.lines.state = &x.values.state
	x.row(Place{}) // number 0 is no member
	x.lines.row(0, 0, NoSide)
	x.firsts.row(0, 0, true)
	return x
}

// row adds the columns of one member.
func (x *Index) row(p Place) {
	x.uid.push(uint32(p.UID))
	x.sponsor.push(uint32(p.Sponsor))
	x.parent.push(uint32(p.Parent))
	x.kids.push([2]uint32{})
	x.directsAt.push(0)
	x.joined.push(p.Joined.UnixMicro())
	var state uint8
	switch p.Side {
	case Left:
		state = isLeft
	case Right:
		state = isRight
	case NoSide:
	}
	if p.Parent != 0 || p.No == 1 {
		state |= isPlaced
	}
	if p.Active {
		state |= isActive
	}
	x.values.state.push(state)
	var own [lines]int64
	for i, a := range p.Business {
		own[i] = a.Micros()
	}
	x.values.business.push(own)
	depth, invited := uint32(0), uint32(0)
	if p.Parent != 0 {
		depth = *x.depth.at(uint32(p.Parent)) + 1
	}
	if p.Sponsor != 0 {
		invited = *x.invited.at(uint32(p.Sponsor)) + 1
	}
	x.depth.push(depth)
	x.invited.push(invited)
}

// Join adds the next member. It ignores a number that exists already, because both
// a follower and the writer's own commits may add it; Internal if numbers before it
// are missing or its place is not possible.
func (x *Index) Join(p Place) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if uint32(p.No) <= x.n {
		return nil
	}
	if err := x.check(p); err != nil {
		return err
	}
	no := uint32(p.No)
	x.link(p)
	if p.Parent != 0 || no == theRoot {
		x.walk.insert(no, uint32(p.Parent), p.Side == Right)
	}
	x.invites.insert(no, uint32(p.Sponsor), false)
	x.team.join(no)
	x.sponsors.join(no)
	return nil
}

func (x *Index) check(p Place) error {
	no := uint32(p.No)
	first := no == 1
	switch {
	case no != x.n+1:
		return fmt.Errorf("tree: member %d follows %d", no, x.n)
	case p.UID <= 0 || p.UID > maxUID || x.byUID.find(p.UID) != 0:
		return fmt.Errorf("tree: member %d has the id %d, which cannot be or is taken", no, p.UID)
	case uint32(p.Sponsor) >= no || uint32(p.Parent) >= no || (p.Sponsor == 0) != first || (p.Parent == 0) != (p.Side == NoSide) || p.Side > Right:
		return fmt.Errorf("tree: member %d cannot hang at sponsor %d, parent %d, side %d", no, p.Sponsor, p.Parent, p.Side)
	case p.Parent != 0 && (x.kids.at(uint32(p.Parent))[p.Side-1] != 0 || *x.values.state.at(uint32(p.Parent))&isPlaced == 0):
		return fmt.Errorf("tree: member %d: that place under %d is taken", no, p.Parent)
	case p.Joined.UnixMicro() < *x.joined.at(x.n) && !first:
		return fmt.Errorf("tree: member %d joined before %d", no, x.n)
	}
	return nil
}

// link adds a member to everything but the walks.
func (x *Index) link(p Place) {
	no := uint32(p.No)
	x.n = no
	x.row(p)
	x.byUID.add(no)
	x.lines.row(no, uint32(p.Parent), p.Side)
	if p.Parent != 0 {
		x.kids.at(uint32(p.Parent))[p.Side-1] = no
	}
	if p.Sponsor == 0 {
		x.firsts.row(no, 0, true)
		return
	}
	first := *x.directsAt.at(uint32(p.Sponsor)) == 0
	d := x.directsOf(uint32(p.Sponsor))
	if p.Side != NoSide {
		d.members[p.Side-1]++
		d.active[p.Side-1] += uint32(*x.values.state.at(no) & isActive)
		d.robot[p.Side-1] += p.Business[Robot].Micros()
	}
	x.firsts.row(no, uint32(p.Sponsor), !first)
}

// directsOf returns a member's totals of invitations, which it makes if needed.
func (x *Index) directsOf(no uint32) *directs {
	at := x.directsAt.at(no)
	if *at == 0 {
		*at = x.directs.push(directs{})
	}
	return x.directs.at(*at)
}

// Apply applies a change. It ignores one that was applied already; Internal if
// changes before it are missing.
func (x *Index) Apply(c Change) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case c.Seq <= x.at:
		return nil
	case c.Seq != x.at+1:
		return fmt.Errorf("tree: change %d follows %d", c.Seq, x.at)
	case c.No == 0 || uint32(c.No) > x.n:
		return fmt.Errorf("tree: change %d is of member %d, who is not there", c.Seq, c.No)
	}
	x.at = c.Seq
	no := uint32(c.No)
	state, own := x.values.state.at(no), x.values.business.at(no)
	var d sum
	if was := *state&isActive != 0; c.Active && !was {
		d.active = 1
	} else if !c.Active && was {
		d.active = -1
	}
	for i, a := range c.Add {
		d.business[i] = a.Micros()
	}
	*state ^= uint8(d.active & isActive) // 0 or ±1: flips the bit if the status changed
	for i := range own {
		own[i] += d.business[i]
	}
	if *state&isPlaced != 0 {
		x.walk.change(no, &d)
	}
	x.invites.change(no, &d)
	if side := sideOf(*state); side != NoSide {
		r := x.directsOf(*x.sponsor.at(no))
		r.active[side-1] += uint32(d.active)
		r.robot[side-1] += d.business[Robot]
	}
	if d.active != 0 {
		x.team.restate(no)
		x.sponsors.restate(no)
	}
	return nil
}

// State returns the last join and the last change that the index contains.
func (x *Index) State() (No, int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return No(x.n), x.at
}

// Each yields the places of all members in the order of joining. yield must not call
// the Index.
func (x *Index) Each(yield func(no, sponsor, parent No, uid int64, side Side)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for no := uint32(1); no <= x.n; no++ {
		yield(No(no), No(*x.sponsor.at(no)), No(*x.parent.at(no)), int64(*x.uid.at(no)), sideOf(*x.values.state.at(no)))
	}
}

// Find returns the member with this id, or 0.
func (x *Index) Find(uid int64) No {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.byUID.find(uid)
}

// Node is a member in the index.
type Node struct {
	Place
	SponsorUID  int64
	Kids        [2]No
	Left, Right Totals
}

// node is called with the lock held.
func (x *Index) node(no uint32) Node {
	state := *x.values.state.at(no)
	n := Node{Place: Place{
		No: No(no), UID: int64(*x.uid.at(no)), Sponsor: No(*x.sponsor.at(no)), Parent: No(*x.parent.at(no)),
		Side: sideOf(state), Joined: time.UnixMicro(*x.joined.at(no)).UTC(), Active: state&isActive != 0,
	}}
	for i, own := range x.values.business.at(no) {
		n.Business[i] = money.Micro(own)
	}
	n.SponsorUID = int64(*x.uid.at(*x.sponsor.at(no)))
	kids := x.kids.at(no)
	n.Kids = [2]No{No(kids[0]), No(kids[1])}
	return n
}

// joinedBetween are the join numbers of a span of time: from ≤ no < to.
func (x *Index) joinedBetween(since, until time.Time) (from, to uint32) {
	search := func(t time.Time) uint32 {
		at := t.UnixMicro()
		return 1 + uint32(sort.Search(int(x.n), func(i int) bool { return *x.joined.at(uint32(i) + 1) >= at }))
	}
	from, to = 1, x.n+1
	if !since.IsZero() {
		from = search(since)
	}
	if !until.IsZero() {
		to = search(until)
	}
	return from, to
}
