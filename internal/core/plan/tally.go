package plan

import (
	"cmp"
	"slices"
)

// tally sums positive amounts by member. It is a column with a list of its members, not
// a map, because a large close adds to it millions of times; take empties it for the
// next use.
type tally struct {
	sum  []int64
	used []int32
}

// tally returns the close's tally, empty.
func (c *closing) tally() *tally {
	if c.sums.sum == nil {
		c.sums.sum = c.column()
	}
	return &c.sums
}

func (t *tally) add(i int32, amount int64) {
	if t.sum[i] == 0 {
		t.used = append(t.used, i)
	}
	t.sum[i] += amount
}

// take empties the tally and returns the sums in the order of members' ids.
func (t *tally) take(uid []int64) []Share {
	if len(t.used) == 0 {
		return nil
	}
	slices.SortFunc(t.used, func(a, b int32) int { return cmp.Compare(uid[a], uid[b]) })
	shares := make([]Share, len(t.used))
	for k, i := range t.used {
		shares[k] = Share{i, t.sum[i]}
		t.sum[i] = 0
	}
	t.used = t.used[:0]
	return shares
}
