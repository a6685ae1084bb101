package closing

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMembersAreOrderedByID(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, below := range []int64{2, 1 << 11, 1 << 22, 100_000_000, 1 << 40, 1<<62 + 1} {
		uids := make([]int64, 5000)
		for i := range uids {
			uids[i] = 1 + r.Int64N(below)
		}
		want := slices.Clone(uids)
		slices.Sort(want)
		seen := make([]bool, len(uids))
		for i, at := range byUID(uids) {
			if seen[at] || uids[at] != want[i] {
				t.Fatalf("below %d: place %d holds %d, want %d", below, i, uids[at], want[i])
			}
			seen[at] = true
		}
	}
	if len(byUID(nil)) != 0 {
		t.Error("nobody has an order")
	}
}
