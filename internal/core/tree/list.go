package tree

import (
	"slices"
)

// filter selects members of a list.
type filter struct {
	spans  []span
	status status
	side   Side // of the sponsor's invitation; only for lists along sponsors
	from   uint32
	to     uint32 // join numbers from ≤ no < to
}

type status uint8

const (
	anyStatus status = iota
	onlyActive
	onlyInactive
)

// span is a range of a walk.
type span struct {
	before func(no uint32) bool // no comes before the span
	inside func(no uint32) bool // no, which is not before it, is not after it
}

// in returns the indexes of a block that a span covers.
func (s *span) in(b *block) (from, to int) {
	from = b.search(func(no uint32) bool { return !s.before(no) })
	to = b.search(func(no uint32) bool { return !s.before(no) && !s.inside(no) })
	return from, to
}

// match reports whether a member passes the filter.
func (s *blocks) match(no uint32, f *filter) bool {
	state := *s.state.at(no)
	switch {
	case f.status == onlyActive && state&isActive == 0, f.status == onlyInactive && state&isActive != 0,
		f.side == Left && state&isLeft == 0, f.side == Right && state&isRight == 0, !s.listed(no):
		return false
	}
	return slices.ContainsFunc(f.spans, func(sp span) bool { return !sp.before(no) && sp.inside(no) })
}

// piece is a part of a list: a block, or a run of join numbers that is scanned.
type piece struct {
	b        *block
	from, to uint32 // join numbers from ≤ no < to
	level    int
}

// pieces cuts the filter's join numbers into the fewest pieces, newest first.
// Incomplete blocks are not used.
func (s *blocks) pieces(f *filter) (out []piece) {
	for to := f.to; to > f.from; {
		p := s.largest(f.from, to)
		out = append(out, p)
		to = p.from
	}
	return out
}

// largest returns the largest piece that ends at to and does not begin before from.
func (s *blocks) largest(from, to uint32) piece {
	// With numbers from 1, run r of a level holds r·size+1 … (r+1)·size.
	for level := len(s.levels) - 1; level >= 0; level-- {
		width := size(level)
		end := to - 1
		run := int(end-1) / int(width)
		begin := uint32(run)*width + 1
		whole := end == begin+width-1 || (level == 0 && end == s.n)
		if whole && begin >= from && run < len(s.levels[level]) && !s.levels[level][run].merging {
			return piece{s.levels[level][run], begin, to, level}
		}
	}
	begin := (to-2)>>runBits<<runBits + 1
	return piece{from: max(begin, from), to: to}
}

// counted is a piece and the number of its members that pass the filter.
type counted struct {
	piece
	n int
}

func (s *blocks) count(p piece, f *filter) (n int) {
	if p.b == nil {
		for no := p.from; no < p.to; no++ {
			if s.match(no, f) {
				n++
			}
		}
		return n
	}
	for i := range f.spans {
		from, to := f.spans[i].in(p.b)
		if from < to {
			n += p.b.count(from, to, f)
		}
	}
	return n
}

// page returns part of a list by join order, and the length of the whole list.
func (s *blocks) page(f *filter, oldestFirst bool, offset, limit int) (nos []uint32, total int) {
	f.from, f.to = max(f.from, 1), min(f.to, s.n+1)
	if f.from >= f.to {
		return nil, 0
	}
	parts := make([]counted, 0, 32)
	for _, p := range s.pieces(f) {
		n := s.count(p, f)
		total += n
		parts = append(parts, counted{p, n})
	}
	if oldestFirst {
		slices.Reverse(parts)
	}
	for _, p := range parts {
		if len(nos) == limit {
			break
		}
		if offset >= p.n {
			offset -= p.n
			continue
		}
		nos = append(nos, s.take(p, f, oldestFirst, offset, limit-len(nos))...)
		offset = 0
	}
	return nos, total
}

// gatherUpTo is the maximum number of matches of a piece that are collected and
// sorted; a piece with more is cut into its eight parts.
const gatherUpTo = 2048

// take returns up to limit members of a piece, after skipping offset.
func (s *blocks) take(p counted, f *filter, oldestFirst bool, offset, limit int) []uint32 {
	if p.b == nil || p.level == 0 || p.n <= gatherUpTo {
		all := s.gather(p.piece, f, make([]uint32, 0, p.n))
		slices.Sort(all)
		if !oldestFirst {
			slices.Reverse(all)
		}
		return all[min(offset, len(all)):min(offset+limit, len(all))]
	}
	var out []uint32
	width := size(p.level - 1)
	for i := range uint32(1 << eightBits) {
		k := i
		if !oldestFirst {
			k = 1<<eightBits - 1 - i
		}
		begin := p.from + k*width
		part := piece{s.levels[p.level-1][int(begin-1)/int(width)], begin, begin + width, p.level - 1}
		n := s.count(part, f)
		if offset >= n {
			offset -= n
			continue
		}
		out = append(out, s.take(counted{part, n}, f, oldestFirst, offset, limit-len(out))...)
		offset = 0
		if len(out) == limit {
			break
		}
	}
	return out
}

// gather appends all members of a piece that pass, unordered.
func (s *blocks) gather(p piece, f *filter, out []uint32) []uint32 {
	if p.b == nil {
		for no := p.from; no < p.to; no++ {
			if s.match(no, f) {
				out = append(out, no)
			}
		}
		return out
	}
	for i := range f.spans {
		from, to := f.spans[i].in(p.b)
		for at := from; at < to; at++ {
			if p.b.passes(at, f) {
				out = append(out, p.b.order[at])
			}
		}
	}
	return out
}

// all returns the whole list, unordered.
func (s *blocks) all(f *filter) (out []uint32) {
	f.from, f.to = max(f.from, 1), min(f.to, s.n+1)
	for _, p := range s.pieces(f) {
		out = s.gather(p, f, out)
	}
	return out
}
