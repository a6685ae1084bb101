package tree

import (
	"cmp"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

func (s sum) totals() Totals {
	t := Totals{Members: int64(s.members), Active: int64(s.active)}
	for i := range t.Business {
		t.Business[i] = money.Micro(s.business[i])
	}
	return t
}

// legs is called with the lock held.
func (x *Index) legs(no uint32) (left, right Totals) {
	if *x.values.state.at(no)&isPlaced == 0 {
		return left, right
	}
	here, own := x.walk.before(no), x.values.of(no)
	if l := x.lines.end(no, Left); l != no {
		s, first := here, x.walk.before(l)
		s.sub(&first)
		left = s.totals()
	}
	if r := x.lines.end(no, Right); r != no {
		s, last := x.walk.before(r), x.values.of(r)
		s.add(&last)
		s.sub(&here)
		s.sub(&own)
		right = s.totals()
	}
	return left, right
}

// below reports whether no is under top, or is top. The caller holds the lock.
func (x *Index) below(top, no uint32) bool {
	if no == top {
		return true
	}
	if *x.values.state.at(no)&*x.values.state.at(top)&isPlaced == 0 {
		return false
	}
	return !x.walk.less(no, x.lines.end(top, Left)) && !x.walk.less(x.lines.end(top, Right), no)
}

// legOf returns the leg of top that contains no, which is below top.
func (x *Index) legOf(top, no uint32) Side {
	switch {
	case no == top || *x.values.state.at(no)&isPlaced == 0:
		return NoSide
	case x.walk.less(no, top):
		return Left
	}
	return Right
}

// Below reports whether no is under top, or is top.
func (x *Index) Below(top, no No) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.has(top) && x.has(no) && x.below(uint32(top), uint32(no))
}

// Under calls yield with the index in nos of each member under top, from the last
// to the first. yield must not call the Index.
func (x *Index) Under(top No, nos []No, yield func(i int)) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(top) {
		return
	}
	for i, no := range slices.Backward(nos) {
		if no != top && x.has(no) && x.below(uint32(top), uint32(no)) {
			yield(i)
		}
	}
}

func (x *Index) has(no No) bool { return no != 0 && uint32(no) <= x.n }

// Get returns a member with its legs.
func (x *Index) Get(no No) (Node, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(no) {
		return Node{}, false
	}
	n := x.node(uint32(no))
	n.Left, n.Right = x.legs(uint32(no))
	return n, true
}

// windowLen is a member, its children, theirs, and theirs: four levels.
const windowLen = 15

// Window returns the tree below no, four levels deep, as a heap: the children of i
// are at 2i+1 and 2i+2. Free places have number 0.
func (x *Index) Window(no No) (nodes [windowLen]Node) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(no) {
		return nodes
	}
	var at [windowLen]uint32
	at[0] = uint32(no)
	for i := range at {
		if at[i] == 0 {
			continue
		}
		nodes[i] = x.node(at[i])
		if kids := x.kids.at(at[i]); 2*i+2 < windowLen {
			at[2*i+1], at[2*i+2] = kids[0], kids[1]
		}
	}
	// Only the legs of the last level are looked up: above it a leg is the sum of
	// the child that begins it and that child's legs.
	whole := func(i int) (t Totals) {
		if at[i] != 0 {
			own := x.values.of(at[i])
			t = own.totals().Add(nodes[i].Left).Add(nodes[i].Right)
		}
		return t
	}
	for i := windowLen - 1; i >= 0; i-- {
		switch n := &nodes[i]; {
		case 2*i+2 < windowLen:
			n.Left, n.Right = whole(2*i+1), whole(2*i+2)
		case n.Kids != [2]No{}:
			n.Left, n.Right = x.legs(at[i])
		}
	}
	return nodes
}

// Directs returns the totals of a member's own invitations by side.
func (x *Index) Directs(no No) (left, right Directs) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(no) {
		return left, right
	}
	d := x.directs.at(*x.directsAt.at(uint32(no))) // record 0 is empty
	side := func(s Side) Directs {
		return Directs{Members: int64(d.members[s-1]), Active: int64(d.active[s-1]), Robot: money.Micro(d.robot[s-1])}
	}
	return side(Left), side(Right)
}

// Downline returns the totals below no along sponsors, without no.
func (x *Index) Downline(no No) Totals {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(no) {
		return Totals{}
	}
	return x.downline(uint32(no))
}

func (x *Index) downline(no uint32) Totals {
	first := x.firsts.end(no)
	if first == no {
		return Totals{}
	}
	s, before := x.invites.before(no), x.invites.before(first)
	s.sub(&before)
	return s.totals()
}

type Order uint8

// The orders. Those other than by joining look at every member of the list.
const (
	ByJoined Order = iota
	ByUID
	ByLevel
	ByRobot
	ByForex
	ByCrypto
)

// List asks for a page of members below one.
type List struct {
	Of         No
	Leg        Side  // NoSide: both
	Active     *bool // nil: both
	Since      time.Time
	Until      time.Time // joined before; zero times are open
	After      No        // only members who joined after; continues a list read by pages
	Order      Order
	Descending bool
	Offset     int
	Limit      int
}

// Row is a member in a list.
type Row struct {
	Node
	Leg   Side // of the member below whom the list is
	Level int  // below that member
}

func (x *Index) filter(q List) *filter {
	f := &filter{}
	f.from, f.to = x.joinedBetween(q.Since, q.Until)
	f.from = max(f.from, uint32(q.After)+1)
	if q.Active != nil {
		f.status = onlyInactive
		if *q.Active {
			f.status = onlyActive
		}
	}
	return f
}

// Team lists the members below a member, and returns the total number.
func (x *Index) Team(q List) (rows []Row, total int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(q.Of) || *x.values.state.at(uint32(q.Of))&isPlaced == 0 {
		return nil, 0
	}
	of := uint32(q.Of)
	f := x.filter(q)
	less := x.walk.less
	if first := x.lines.end(of, Left); first != of && q.Leg != Right {
		f.spans = append(f.spans, span{
			before: func(no uint32) bool { return less(no, first) },
			inside: func(no uint32) bool { return less(no, of) },
		})
	}
	if last := x.lines.end(of, Right); last != of && q.Leg != Left {
		f.spans = append(f.spans, span{
			before: func(no uint32) bool { return !less(of, no) },
			inside: func(no uint32) bool { return !less(last, no) },
		})
	}
	level := func(no uint32) int { return int(*x.depth.at(no)) - int(*x.depth.at(of)) }
	return x.rows(&x.team, f, q, level)
}

// Levels lists a member's downline along sponsors, from one level to another.
// Level 1 are its own invitations; with q.Leg only those invited to that side,
// which is meant for level 1.
func (x *Index) Levels(q List, from, to int) (rows []Row, total int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(q.Of) {
		return nil, 0
	}
	of := uint32(q.Of)
	first := x.firsts.end(of)
	if first == of {
		return nil, 0
	}
	f := x.filter(q)
	f.side = q.Leg
	own := *x.invited.at(of)
	for level := from; level <= to; level++ {
		depth := own + uint32(level)
		f.spans = append(f.spans, span{
			before: func(no uint32) bool {
				d := *x.invited.at(no)
				return d < depth || d == depth && x.invites.less(no, first)
			},
			inside: func(no uint32) bool { return *x.invited.at(no) == depth && x.invites.less(no, of) },
		})
	}
	return x.rows(&x.sponsors, f, q, func(no uint32) int { return int(*x.invited.at(no)) - int(own) })
}

// rows is a page of a filtered list.
func (x *Index) rows(from *blocks, f *filter, q List, level func(uint32) int) (rows []Row, total int) {
	if len(f.spans) == 0 {
		return nil, 0
	}
	var nos []uint32
	if q.Order == ByJoined {
		nos, total = from.page(f, !q.Descending, q.Offset, q.Limit)
	} else {
		all := from.all(f)
		total = len(all)
		nos = sorted(all, x.key(q, level), q.Offset, q.Limit)
	}
	for _, no := range nos {
		r := Row{Node: x.node(no), Leg: x.legOf(uint32(q.Of), no), Level: level(no)}
		rows = append(rows, r)
	}
	return rows, total
}

// key returns the sort key of an order that is not indexed.
func (x *Index) key(q List, level func(uint32) int) func(no uint32) int64 {
	sign := int64(1)
	if q.Descending {
		sign = -1
	}
	return func(no uint32) int64 {
		switch q.Order {
		case ByUID:
			return sign * int64(*x.uid.at(no))
		case ByLevel:
			return sign * int64(level(no))
		case ByRobot, ByForex, ByCrypto:
			return sign * x.values.business.at(no)[q.Order-ByRobot]
		case ByJoined:
		}
		return sign * int64(no)
	}
}

// keyed is a member with its sort key. Members with equal keys stay in the order of
// joining, so that pages do not overlap.
type keyed struct {
	key int64
	no  uint32
}

func (k keyed) compare(o keyed) int {
	return cmp.Or(cmp.Compare(k.key, o.key), cmp.Compare(k.no, o.no))
}

// sorted returns a page of nos sorted by key. It keeps only as many sorted members
// as the page needs, counted from the nearer end.
func sorted(nos []uint32, key func(uint32) int64, offset, limit int) []uint32 {
	if offset >= len(nos) {
		return nil
	}
	limit = min(limit, len(nos)-offset)
	order, left := keyed.compare, len(nos)-offset-limit
	back := left < offset
	if back {
		order, offset = func(a, b keyed) int { return b.compare(a) }, left
	}
	keep := offset + limit
	best := make([]keyed, 0, 2*keep)
	for _, no := range nos {
		k := keyed{key(no), no}
		if len(best) >= keep && order(k, best[keep-1]) > 0 {
			continue
		}
		if best = append(best, k); len(best) == 2*keep {
			slices.SortFunc(best, order)
			best = best[:keep]
		} else if len(best) == keep {
			slices.SortFunc(best, order)
		}
	}
	slices.SortFunc(best, order)
	page := make([]uint32, 0, limit)
	for _, k := range best[offset:keep] {
		page = append(page, k.no)
	}
	if back {
		slices.Reverse(page)
	}
	return page
}

// Legs returns the totals of each leg of a member.
func (x *Index) Legs(no No) (left, right Totals) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if !x.has(no) {
		return left, right
	}
	return x.legs(uint32(no))
}
