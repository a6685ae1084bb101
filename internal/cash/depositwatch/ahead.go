package depositwatch

import (
	"maps"
	"slices"

	"github.com/bifolia/bifolia/internal/cash/deposit"
)

// After a restore the database may lack the last addresses shown to members, who still
// pay to them. So the addresses that follow the known ones of a branch are watched
// without a member: such a payment is not credited, but operators see it.
const (
	// aheadBranches is how many of a key's last branches are extended. Each start of a
	// server may begin another branch.
	aheadBranches = 10
	// aheadIndexes is how many addresses are watched after the last one of a branch.
	aheadIndexes = 200
)

// ahead is the set of watched addresses without a row.
type ahead struct {
	tails   map[string]map[int64]*tail // by root and branch
	address map[string]deposit.Address
}

// tail is the last index of a branch with a row, and the last one up to which all are
// watched.
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

// follow notes an address with a row. Addresses come in order; one after a gap leaves
// watched before the gap.
func (h *ahead) follow(a deposit.Address) {
	delete(h.address, a.Address)
	t := h.tail(a.Root, a.Branch)
	if t.last = a.Index; a.Index == t.watched+1 {
		t.watched = a.Index
	}
}

// find adds the missing addresses to owner, without a member. Branches without rows are
// all watched: they were begun after the backup.
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

// at returns an address without a row; nil if it has one.
func (h *ahead) at(address string) *deposit.Address {
	if a, found := h.address[address]; found {
		return &a
	}
	return nil
}
