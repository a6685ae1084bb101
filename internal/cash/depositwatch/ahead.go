package depositwatch

import (
	"maps"
	"slices"

	"github.com/bifolia/bifolia/internal/cash/deposit"
)

// After a restore the database may lack the last addresses that members were told.
// Members still pay to them, so what no row has in a branch is watched as nobody's:
// such a payment is credited to no one, and operators see it.
const (
	// aheadBranches is how many branches of a key are continued, the last ones: each
	// start of a server may begin another.
	aheadBranches = 10
	// aheadIndexes is how many addresses are watched after the last one of a branch.
	aheadIndexes = 200
)

// ahead is what is watched though no row has it.
type ahead struct {
	tails   map[string]map[int64]*tail // by root and branch
	address map[string]deposit.Address
}

// tail is how far a branch is known: by its rows, and by what is watched without gaps.
type tail struct{ last, watched int64 }

func newAhead() ahead {
	return ahead{map[string]map[int64]*tail{}, map[string]deposit.Address{}}
}

func (h *ahead) tail(root string, branch int64) *tail {
	tails := h.tails[root]
	if tails == nil {
		tails = map[int64]*tail{}
		h.tails[root] = tails
	}
	if tails[branch] == nil {
		tails[branch] = &tail{-1, -1}
	}
	return tails[branch]
}

// follow takes notice of an address that a row has. They come in their order. One after
// a gap leaves watched before the gap.
func (h *ahead) follow(a deposit.Address) {
	delete(h.address, a.Address)
	t := h.tail(a.Root, a.Branch)
	if t.last = a.Index; a.Index == t.watched+1 {
		t.watched = a.Index
	}
}

// find adds to owner, as nobody's, what is to be watched besides and is not there.
// Branches that no row has are all watched: they were begun after the backup.
func (h *ahead) find(from Deposits, owner map[string]int64) error {
	for root, branches := range from.Begun() {
		for _, branch := range branches {
			h.tail(root, branch)
		}
	}
	for root, tails := range h.tails {
		branches := slices.Sorted(maps.Keys(tails))
		slices.Reverse(branches)
		old := 0
		for _, branch := range branches {
			t := tails[branch]
			if t.last >= 0 {
				old++
			}
			if t.last >= 0 && old > aheadBranches {
				continue
			}
			if err := h.derive(from, owner, root, branch, t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *ahead) derive(from Deposits, owner map[string]int64, root string, branch int64, t *tail) error {
	for ; t.watched < t.last+aheadIndexes; t.watched++ {
		a, err := from.Derive(root, deposit.Place{Branch: branch, Index: t.watched + 1})
		if err != nil {
			return err
		}
		if _, known := owner[a.Address]; !known {
			owner[a.Address], h.address[a.Address] = 0, a
		}
	}
	return nil
}

// at is the address that no row has yet; nil if a row has it.
func (h *ahead) at(address string) *deposit.Address {
	if a, found := h.address[address]; found {
		return &a
	}
	return nil
}
