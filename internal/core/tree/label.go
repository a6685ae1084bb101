package tree

// Leaves carry labels that rise along the sequence, so that one comparison decides
// which of two members comes first. A new leaf takes a label between its
// neighbours'. If there is none left, the labels of the smallest enclosing range
// that is not too dense are spread again; the larger the range, the sparser it must
// be. That costs O(log n) a leaf on average (Bender and others, "Two simplified
// algorithms for maintaining order in a list").

const (
	labelBits  = 62
	firstLabel = 1 << (labelBits - 1)
)

// density is how many leaves a range of 2^bits labels may hold: (10/7)^bits.
var density = func() (limit [labelBits + 1]uint64) {
	const one = 1 << 20
	for bits, scaled := 0, uint64(one); bits <= labelBits; bits++ {
		limit[bits] = scaled / one
		scaled = scaled * 10 / 7
	}
	return limit
}()

// labelAfter labels a new leaf that follows at.
func (q *sequence) labelAfter(at, fresh uint32) {
	l, f := q.leaves.at(at), q.leaves.at(fresh)
	after := func() uint64 {
		if f.next == 0 {
			return 1 << labelBits
		}
		return q.leaves.at(f.next).label
	}
	if after()-l.label < 2 {
		f.label = l.label // spread relabels it
		q.spread(at, fresh)
		return
	}
	f.label = l.label + (after()-l.label)/2
}

// spread relabels a range around at. fresh follows at and has its label until then.
func (q *sequence) spread(at, fresh uint32) {
	label := q.leaves.at(at).label
	first, last, count := at, fresh, uint64(2)
	for bits := 2; bits <= labelBits; bits++ {
		base := label &^ (1<<bits - 1)
		for p := q.leaves.at(first).prev; p != 0 && q.leaves.at(p).label >= base; p = q.leaves.at(p).prev {
			first = p
			count++
		}
		for n := q.leaves.at(last).next; n != 0 && q.leaves.at(n).label < base+1<<bits; n = q.leaves.at(n).next {
			last = n
			count++
		}
		if step := uint64(1) << bits / count; (count <= density[bits] && step >= 4) || bits == labelBits {
			q.number(first, last, base+step/2, step)
			return
		}
	}
}

func (q *sequence) number(first, last uint32, from, step uint64) {
	for at := first; ; at = q.leaves.at(at).next {
		q.leaves.at(at).label = from
		from += step
		if at == last {
			return
		}
	}
}

// labelAll labels all leaves after a build.
func (q *sequence) labelAll() {
	last := uint32(q.leaves.len() - 1)
	step := uint64(1<<labelBits) / uint64(last+1)
	q.number(1, last, step/2, step)
}
