package money

import (
	"errors"
	"math/bits"
	"sort"
)

// Allocate splits total by weights so that the parts sum to total exactly:
// each part gets floor(total·weight/sum), and the remaining micro-dollars go one each to
// the largest remainders, ties to the earliest index. Callers order weights by key, so
// ties go to the smallest key.
//
// total must not be negative, no weight may be negative and one must be
// positive.
func Allocate(total Amount, weights []int64) ([]Amount, error) {
	if total.micro < 0 {
		return nil, errors.New("money: Allocate of a negative total")
	}
	var sum uint64
	for _, w := range weights {
		if w < 0 {
			return nil, errors.New("money: Allocate by a negative weight")
		}
		next, carry := bits.Add64(sum, uint64(w), 0)
		if carry != 0 || next > 1<<63-1 {
			return nil, ErrOverflow
		}
		sum = next
	}
	if sum == 0 {
		return nil, errors.New("money: Allocate by weights that are all zero")
	}
	parts := make([]Amount, len(weights))
	rest := make([]uint64, len(weights))
	left := uint64(total.micro)
	for i, w := range weights {
		hi, lo := bits.Mul64(uint64(total.micro), uint64(w))
		q, r := bits.Div64(hi, lo, sum) // w ≤ sum, so q ≤ total fits
		parts[i], rest[i] = Amount{int64(q)}, r
		left -= q
	}
	handOut(parts, rest, left)
	return parts, nil
}

// handOut gives one micro-dollar each to the left largest remainders. left is
// always less than len(parts), because each floor loses less than one.
func handOut(parts []Amount, rest []uint64, left uint64) {
	if left == 0 {
		return
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return rest[order[i]] > rest[order[j]] })
	for _, i := range order[:left] {
		parts[i].micro++
	}
}
