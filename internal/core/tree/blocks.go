package tree

import "math/bits"

// blocks find members of a range of a walk by join order. A block is a run of join
// numbers sorted by the walk. Members never change their order in it, so a sorted
// block stays valid; only its status bits change. Blocks of 1,024 are merged in
// groups of eight into blocks of 8,192, 65,536 and so on, a few members with each
// join, so that no join pays for a large merge.
type blocks struct {
	less   func(a, b uint32) bool
	state  *column[uint8]
	only   uint8      // the state that members of this walk have
	levels [][]*block // of each size, by run; levels[0] are the smallest
	n      uint32     // join numbers so far: 1..n
}

const (
	runBits   = 10
	eightBits = 3
)

// block is a sorted run. During its merge it holds only the beginning, and from is
// the progress in each of the eight parts.
type block struct {
	order   []uint32
	bits    [3][]uint64 // active, left, right: by place in order
	merging bool
	from    [1 << eightBits]uint32
}

// flags are the states that the bits of a block stand for.
var flags = [3]uint8{isActive, isLeft, isRight}

func size(level int) uint32 { return 1 << (runBits + eightBits*level) }

func newBlock(n int) *block {
	b := &block{order: make([]uint32, 0, n)}
	for k := range b.bits {
		b.bits[k] = make([]uint64, 0, (n+63)/64)
	}
	return b
}

// insert puts a member at a place in a run that is still filling.
func (b *block) insert(at int, no uint32, state uint8) {
	n := len(b.order)
	b.order = append(b.order, 0)
	copy(b.order[at+1:], b.order[at:n])
	b.order[at] = no
	for k := range b.bits {
		if n&63 == 0 {
			b.bits[k] = append(b.bits[k], 0)
		}
		shiftIn(b.bits[k], at, state&flags[k] != 0)
	}
}

// shiftIn moves the bits from at on by one and sets the one at at.
func shiftIn(words []uint64, at int, on bool) {
	for w := len(words) - 1; w > at>>6; w-- {
		words[w] = words[w]<<1 | words[w-1]>>63
	}
	low := uint64(1)<<(at&63) - 1
	word := words[at>>6]
	word = word&low | word&^low<<1
	if on {
		word |= 1 << (at & 63)
	}
	words[at>>6] = word
}

// push puts a member at the end.
func (b *block) push(no uint32, state uint8) { b.insert(len(b.order), no, state) }

func (b *block) set(k, i int, on bool) {
	b.bits[k][i>>6] &^= 1 << (i & 63)
	if on {
		b.bits[k][i>>6] |= 1 << (i & 63)
	}
}

// listed reports whether a member is in this walk. A customer has no place in the
// binary tree, so its join number is not used there.
func (s *blocks) listed(no uint32) bool { return *s.state.at(no)&s.only == s.only }

// join adds the next join number.
func (s *blocks) join(no uint32) {
	s.n = no
	run := int(no-1) >> runBits
	if len(s.levels) == 0 {
		s.levels = append(s.levels, nil)
	}
	if run == len(s.levels[0]) {
		s.levels[0] = append(s.levels[0], newBlock(int(size(0))))
		s.open()
	}
	if s.listed(no) {
		b := s.levels[0][run]
		b.insert(b.search(func(other uint32) bool { return s.less(no, other) }), no, *s.state.at(no))
	}
	for level := 1; level < len(s.levels); level++ {
		s.merge(level, 3)
	}
}

// open starts the merges whose eight runs are complete, after a new run has begun.
func (s *blocks) open() {
	for level := 1; ; level++ {
		below := len(s.levels[level-1])
		if level == 1 {
			below-- // the run that has just begun
		} else if below > 0 && s.levels[level-1][below-1].merging {
			below--
		}
		want := below >> eightBits
		if level == len(s.levels) {
			if want == 0 {
				return
			}
			s.levels = append(s.levels, nil)
		}
		for len(s.levels[level]) < want {
			s.levels[level] = append(s.levels[level], &block{merging: true})
		}
	}
}

// merge adds the next members to the block of this level that is being merged.
// Three per join are enough: the next merge begins after as many joins as this one
// has members.
func (s *blocks) merge(level int, steps int) {
	at := len(s.levels[level]) - 1
	if at < 0 || !s.levels[level][at].merging {
		return
	}
	b := s.levels[level][at]
	eight := s.levels[level-1][at<<eightBits : (at+1)<<eightBits]
	if b.order == nil {
		n := 0
		for _, k := range eight {
			n += len(k.order)
		}
		*b = *newBlock(n)
		b.merging = true
	}
	for range steps {
		best := -1
		for i, k := range eight {
			if int(b.from[i]) < len(k.order) && (best < 0 || s.less(k.order[b.from[i]], eight[best].order[b.from[best]])) {
				best = i
			}
		}
		if best < 0 {
			b.merging = false
			s.open()
			return
		}
		no := eight[best].order[b.from[best]]
		b.from[best]++
		b.push(no, *s.state.at(no))
	}
}

// search returns the first index in the block for whose member past is true.
func (b *block) search(past func(no uint32) bool) int {
	lo, hi := 0, len(b.order)
	for lo < hi {
		if mid := (lo + hi) / 2; past(b.order[mid]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// restate updates the bits of a member whose status has changed.
func (s *blocks) restate(no uint32) {
	on := *s.state.at(no)&isActive != 0
	for level := range s.levels {
		run := int(no-1) >> (runBits + eightBits*level)
		if run >= len(s.levels[level]) {
			return
		}
		b := s.levels[level][run]
		i := b.search(func(other uint32) bool { return !s.less(other, no) })
		if i < len(b.order) && b.order[i] == no {
			b.set(0, i, on)
		}
	}
}

// build fills empty blocks from all members in the order of the walk.
func (s *blocks) build(order func(yield func(no uint32)), n uint32) {
	s.n = n
	runs := (int(n) + 1<<runBits - 1) >> runBits
	for level := 0; runs > 0; level++ {
		s.levels = append(s.levels, nil)
		for range runs {
			s.levels[level] = append(s.levels[level], newBlock(int(size(level))))
		}
		complete := int(n) >> (runBits + eightBits*level)
		runs = complete >> eightBits
	}
	order(func(no uint32) {
		state := *s.state.at(no)
		for level := range s.levels {
			if run := int(no-1) >> (runBits + eightBits*level); run < len(s.levels[level]) {
				s.levels[level][run].push(no, state)
			}
		}
	})
}

// count returns how many of the members order[from:to] pass the filter.
func (b *block) count(from, to int, f *filter) (n int) {
	if f.status == anyStatus && f.side == NoSide {
		return to - from
	}
	for w := from >> 6; w<<6 < to; w++ {
		word := ^uint64(0)
		if w == from>>6 {
			word <<= from & 63
		}
		if end := to - w<<6; end < 64 {
			word &= 1<<end - 1
		}
		n += bits.OnesCount64(word & b.passing(w, f))
	}
	return n
}

// passing are the bits of word w that pass the filter.
func (b *block) passing(w int, f *filter) uint64 {
	word := ^uint64(0)
	switch f.status {
	case onlyActive:
		word = b.bits[0][w]
	case onlyInactive:
		word = ^b.bits[0][w]
	case anyStatus:
	}
	if f.side != NoSide {
		word &= b.bits[f.side][w]
	}
	return word
}

func (b *block) passes(i int, f *filter) bool { return b.passing(i>>6, f)>>(i&63)&1 == 1 }
