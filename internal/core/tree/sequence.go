package tree

// sequence keeps members in an order in which a new member is inserted just before
// or after another one, and returns for every member the sums of all before it. It
// is a B+-tree without keys: leaves hold members, inner nodes the sums of their
// children. Both are referred to by number, not by pointer, so that a million
// members need only a few large allocations.
type sequence struct {
	values *values
	leaves column[leaf]
	inners column[inner]
	leafOf column[uint32] // by join number; 0: not in this sequence
	root   uint32
	height int // inner nodes above a leaf
	total  sum
}

// values are the members' own values, which the sums are made of.
type values struct {
	state    column[uint8]
	business column[[lines]int64]
}

// The bits of a member's state.
const (
	isActive = 1 << iota
	isLeft   // the side it was invited to
	isRight
	isPlaced // it has a place in the binary tree: a customer has none
)

// sideOf is the side in a state.
func sideOf(state uint8) Side { return Side(state & (isLeft | isRight) / isLeft) }

const (
	leafLen  = 32
	innerLen = 32
)

type leaf struct {
	items      [leafLen]uint32
	n, up      uint32
	prev, next uint32
	label      uint64 // order among leaves: see label.go
}

type inner struct {
	kids [innerLen]uint32
	sums [innerLen]sum
	n    uint32
	up   uint32
}

// sum is a Totals in machine integers. It cannot overflow: the ledger's bound on
// all money is far below 2^63.
type sum struct {
	members, active int32
	business        [lines]int64
}

func (s *sum) add(o *sum) {
	s.members += o.members
	s.active += o.active
	for i := range s.business {
		s.business[i] += o.business[i]
	}
}

func (s *sum) sub(o *sum) {
	s.members -= o.members
	s.active -= o.active
	for i := range s.business {
		s.business[i] -= o.business[i]
	}
}

func (v *values) of(no uint32) sum {
	return sum{1, int32(*v.state.at(no) & isActive), *v.business.at(no)}
}

func newSequence(v *values) *sequence {
	q := &sequence{values: v}
	q.leaves.push(leaf{}) // number 0 is none
	q.inners.push(inner{})
	q.leafOf.push(0)
	return q
}

// grow makes leafOf long enough for no.
func (q *sequence) grow(no uint32) {
	for q.leafOf.len() <= int(no) {
		q.leafOf.push(0)
	}
}

func (l *leaf) index(no uint32) uint32 {
	for i, item := range l.items[:l.n] {
		if item == no {
			return uint32(i)
		}
	}
	panic("tree: a member is not in its leaf")
}

// insert puts no just before or after near, or first into an empty sequence.
func (q *sequence) insert(no, near uint32, after bool) {
	q.grow(no)
	if near == 0 {
		q.root = q.leaves.push(leaf{label: firstLabel})
		q.put(q.root, 0, no)
		return
	}
	at := *q.leafOf.at(near)
	l := q.leaves.at(at)
	pos := l.index(near)
	if after {
		pos++
	}
	if l.n == leafLen {
		at, pos = q.splitLeaf(at, pos)
	}
	q.put(at, pos, no)
}

func (q *sequence) put(at, pos, no uint32) {
	l := q.leaves.at(at)
	copy(l.items[pos+1:l.n+1], l.items[pos:l.n])
	l.items[pos] = no
	l.n++
	*q.leafOf.at(no) = at
	own := q.values.of(no)
	q.bubble(at, &own)
}

// bubble adds d to the sums on the way from a leaf to the root.
func (q *sequence) bubble(at uint32, d *sum) {
	q.total.add(d)
	kid, up := at, q.leaves.at(at).up
	for range q.height {
		n := q.inners.at(up)
		n.sums[n.kid(kid)].add(d)
		kid, up = up, n.up
	}
}

func (n *inner) kid(k uint32) uint32 {
	for i, kid := range n.kids[:n.n] {
		if kid == k {
			return uint32(i)
		}
	}
	panic("tree: a node is not under its parent")
}

// splitLeaf makes room at pos in a full leaf and returns the new position. At an end
// it starts a new leaf without moving members: otherwise chains, which always grow
// at an end, would leave every leaf half empty.
func (q *sequence) splitLeaf(at, pos uint32) (newAt, newPos uint32) {
	c := uint32(leafLen / 2)
	if pos == 0 || pos == leafLen {
		c = pos
	}
	right := q.leaves.push(leaf{})
	l, r := q.leaves.at(at), q.leaves.at(right)
	r.n = uint32(copy(r.items[:], l.items[c:]))
	l.n = c
	var moved sum
	for _, no := range r.items[:r.n] {
		*q.leafOf.at(no) = right
		own := q.values.of(no)
		moved.add(&own)
	}
	r.prev, r.next = at, l.next
	if l.next != 0 {
		q.leaves.at(l.next).prev = right
	}
	l.next = right
	q.labelAfter(at, right)
	q.addKid(at, right, l.up, 0, &moved)
	if pos < c || (pos == c && c < leafLen) {
		return at, pos
	}
	return right, pos - c
}

// addKid puts kid after left, which passed the sums moved to it. level is the height
// of both above the leaves.
func (q *sequence) addKid(left, kid, up uint32, level int, moved *sum) {
	if level == q.height {
		up = q.growRoot(left, level)
	}
	n := q.inners.at(up)
	pos := n.kid(left)
	if n.n == innerLen && pos == innerLen-1 {
		n.sums[pos].sub(moved)
		next := q.inners.push(inner{n: 1})
		fresh := q.inners.at(next)
		fresh.kids[0], fresh.sums[0] = kid, *moved
		q.setUp(kid, level, next)
		q.addKid(up, next, n.up, level+1, moved)
		return
	}
	if n.n == innerLen {
		next := q.splitInner(up, level)
		if pos >= n.n {
			pos -= n.n
			up, n = next, q.inners.at(next)
		}
	}
	n.sums[pos].sub(moved)
	pos++
	copy(n.kids[pos+1:n.n+1], n.kids[pos:n.n])
	copy(n.sums[pos+1:n.n+1], n.sums[pos:n.n])
	n.kids[pos], n.sums[pos] = kid, *moved
	n.n++
	q.setUp(kid, level, up)
}

// growRoot puts a new root above the old one.
func (q *sequence) growRoot(old uint32, level int) uint32 {
	q.root = q.inners.push(inner{n: 1})
	r := q.inners.at(q.root)
	r.kids[0], r.sums[0] = old, q.total
	q.setUp(old, level, q.root)
	q.height++
	return q.root
}

// splitInner moves half of a full node, whose kids are at level, to a new one after
// it.
func (q *sequence) splitInner(at uint32, level int) (right uint32) {
	right = q.inners.push(inner{})
	l, r := q.inners.at(at), q.inners.at(right)
	r.n = uint32(copy(r.kids[:], l.kids[innerLen/2:]))
	copy(r.sums[:], l.sums[innerLen/2:])
	l.n = innerLen / 2
	var moved sum
	for i := range r.n {
		q.setUp(r.kids[i], level, right)
		moved.add(&r.sums[i])
	}
	q.addKid(at, right, l.up, level+1, &moved)
	return right
}

func (q *sequence) setUp(kid uint32, level int, up uint32) {
	if level == 0 {
		q.leaves.at(kid).up = up
	} else {
		q.inners.at(kid).up = up
	}
}

// change adds d to the values of no.
func (q *sequence) change(no uint32, d *sum) { q.bubble(*q.leafOf.at(no), d) }

// before returns the sum of all members before no.
func (q *sequence) before(no uint32) (s sum) {
	at := *q.leafOf.at(no)
	l := q.leaves.at(at)
	for _, item := range l.items[:l.n] {
		if item == no {
			break
		}
		own := q.values.of(item)
		s.add(&own)
	}
	kid, up := at, l.up
	for range q.height {
		n := q.inners.at(up)
		for i, k := range n.kids[:n.n] {
			if k == kid {
				break
			}
			s.add(&n.sums[i])
		}
		kid, up = up, n.up
	}
	return s
}

// less reports whether a comes before b.
func (q *sequence) less(a, b uint32) bool {
	la, lb := *q.leafOf.at(a), *q.leafOf.at(b)
	if la != lb {
		return q.leaves.at(la).label < q.leaves.at(lb).label
	}
	if a == b {
		return false
	}
	l := q.leaves.at(la)
	for _, item := range l.items[:l.n] {
		if item == a || item == b {
			return item == a
		}
	}
	panic("tree: a member is not in its leaf")
}

// each calls f for every member in order, until f returns false.
func (q *sequence) each(f func(no uint32) bool) {
	for at := q.head(); at != 0; at = q.leaves.at(at).next {
		l := q.leaves.at(at)
		for _, no := range l.items[:l.n] {
			if !f(no) {
				return
			}
		}
	}
}

// head is the first leaf.
func (q *sequence) head() uint32 {
	at := q.root
	for level := q.height; level > 0; level-- {
		at = q.inners.at(at).kids[0]
	}
	return at
}

// build fills an empty sequence with members in their order, in one pass.
func (q *sequence) build(order func(yield func(no uint32)), members int) {
	q.grow(uint32(members))
	const fill = leafLen - 2 // free places, so that the first joins do not all split a leaf
	last := uint32(0)
	order(func(no uint32) {
		if last == 0 || q.leaves.at(last).n == fill {
			next := q.leaves.push(leaf{prev: last})
			if last != 0 {
				q.leaves.at(last).next = next
			}
			last = next
		}
		l := q.leaves.at(last)
		l.items[l.n] = no
		l.n++
		*q.leafOf.at(no) = last
	})
	if last == 0 {
		return
	}
	q.labelAll()
	q.stack()
}

// stack builds the inner nodes over the leaves.
func (q *sequence) stack() {
	var level []uint32
	sums := []sum{}
	for at := uint32(1); at != 0; at = q.leaves.at(at).next {
		var s sum
		l := q.leaves.at(at)
		for _, no := range l.items[:l.n] {
			own := q.values.of(no)
			s.add(&own)
		}
		level, sums = append(level, at), append(sums, s)
	}
	for depth := 0; len(level) > 1; depth++ {
		const fill = innerLen - 4
		var next []uint32
		var above []sum
		for i, kid := range level {
			if i%fill == 0 {
				next, above = append(next, q.inners.push(inner{})), append(above, sum{})
			}
			up := next[len(next)-1]
			n := q.inners.at(up)
			n.kids[n.n], n.sums[n.n] = kid, sums[i]
			n.n++
			q.setUp(kid, depth, up)
			above[len(above)-1].add(&sums[i])
		}
		level, sums = next, above
		q.height++
	}
	q.root, q.total = level[0], sums[0]
}
