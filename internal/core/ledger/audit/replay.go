package audit

import "context"

// replay are the books of Verify: every entry from the first on.
type replay struct {
	pages    map[int64]*[pageSize]balance // by account id / pageSize
	accounts int64                        // number of accounts with an entry
	holds    []replayed                   // by id, from 1
}

// pageSize bounds the memory for a changed row with a large account id.
const pageSize = 512

// replayed is a hold according to the entries.
type replayed struct {
	account, amount, expires int64
	placed, resolved         int64
	state                    string
}

func newReplay() *replay { return &replay{pages: map[int64]*[pageSize]balance{}} }

func (r *replay) page(context.Context, int64, int64) error { return nil }

func (r *replay) balance(account int64) balance {
	if page := r.pages[account/pageSize]; page != nil && account >= 0 {
		return page[account%pageSize]
	}
	return balance{}
}

func (r *replay) before(e *Entry) (balance, error) {
	if e.Account < 1 {
		return balance{}, wrong("entry", entryRow(e), "account is stored as %d, but accounts are numbered from 1", e.Account)
	}
	return r.balance(e.Account), nil
}

func (r *replay) after(e *Entry) {
	page := r.pages[e.Account/pageSize]
	if page == nil {
		page = new([pageSize]balance)
		r.pages[e.Account/pageSize] = page
	}
	if e.Version == 1 {
		r.accounts++
	}
	page[e.Account%pageSize] = balance{e.Version, e.BalanceAfter, e.HeldAfter}
}

func (r *replay) place(_ context.Context, t *Transfer, e *Entry, _ bool) error {
	if next := int64(len(r.holds)) + 1; e.Hold != next {
		return differs("entry", entryRow(e), "hold", e.Hold, next)
	}
	expires, _ := expiry(t.Reason) // holdKind rejects an invalid expiry
	r.holds = append(r.holds, replayed{account: e.Account, amount: e.HeldDelta, expires: expires, placed: e.Seq, state: stateOpen})
	return nil
}

func (r *replay) release(_ context.Context, t *Transfer, e *Entry, _ bool) error {
	row := entryRow(e)
	if e.Hold > int64(len(r.holds)) {
		return wrong("entry", row, "hold is stored as %d, but only %d were placed before", e.Hold, len(r.holds))
	}
	h := &r.holds[e.Hold-1]
	switch {
	case h.account != e.Account:
		return wrong("entry", row, "hold is stored as %d, but that is a hold of account id %d", e.Hold, h.account)
	case h.resolved != 0:
		return wrong("entry", row, "hold is stored as %d, but transfer %d has %s that already", e.Hold, h.resolved, h.state)
	case h.amount != -e.HeldDelta:
		return wrong("entry", row, "held_delta is stored as %s, but hold %d is of %s", usd(e.HeldDelta), e.Hold, usd(h.amount))
	}
	h.state, h.resolved = releasedBy(t.Kind), e.Seq
	return nil
}

// open counts the holds that are not resolved.
func (r *replay) open() int64 {
	var n int64
	for i := range r.holds {
		if r.holds[i].resolved == 0 {
			n++
		}
	}
	return n
}
