package watch

import "github.com/bifolia/bifolia/internal/deposit"

// After a restore the database may lack the last addresses that members were told.
// Members still pay to them, so what follows the last address of a branch is watched
// as nobody's: such a payment is credited to no one, and operators see it.
const (
	// aheadBranches is how many branches of a key are continued, the last ones: the
	// restored one is the last but one as soon as a new one has begun, and each restart
	// may begin another.
	aheadBranches = 5
	// aheadIndexes is how many addresses are watched after the last one of a branch.
	aheadIndexes = 200
)

// ahead is what is watched though no row has it.
type ahead struct {
	tails   map[string][]tail // by root, the last branch at the end
	address map[string]deposit.Address
}

// tail is where a branch ends.
type tail struct{ branch, last, watched int64 }

func newAhead() ahead { return ahead{map[string][]tail{}, map[string]deposit.Address{}} }

// follow takes notice of an address that a row has. They come in their order.
func (h *ahead) follow(a deposit.Address) {
	delete(h.address, a.Address)
	tails := h.tails[a.Root]
	if n := len(tails); n > 0 && tails[n-1].branch == a.Branch {
		t := &tails[n-1]
		t.last, t.watched = a.Index, max(t.watched, a.Index)
		return
	}
	tails = append(tails, tail{a.Branch, a.Index, a.Index})
	h.tails[a.Root] = tails[max(0, len(tails)-aheadBranches):]
}

// each tells what is to be watched besides and was not told before.
func (h *ahead) each(derive func(string, deposit.Place) (deposit.Address, error), yield func(deposit.Address)) error {
	for root, tails := range h.tails {
		for i := range tails {
			for t := &tails[i]; t.watched < t.last+aheadIndexes; t.watched++ {
				a, err := derive(root, deposit.Place{Branch: t.branch, Index: t.watched + 1})
				if err != nil {
					return err
				}
				h.address[a.Address] = a
				yield(a)
			}
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
