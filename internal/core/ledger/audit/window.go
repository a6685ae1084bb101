package audit

import "context"

// window are the books of Follower: they begin anywhere in the ledger and read the state
// before. Entries are compared with the version before them, holds with their rows.
type window struct {
	r        Reader
	accounts map[int64]balance
	holds    map[int64]*Trace
	head     *Head
	placed   int64 // the last hold placed in this window
}

func newWindow(r Reader, head *Head) *window {
	return &window{r: r, head: head, accounts: map[int64]balance{}, holds: map[int64]*Trace{}}
}

func (w *window) page(ctx context.Context, from, to int64) error {
	befores, err := w.r.Befores(ctx, from, to)
	if err != nil {
		return err
	}
	for _, b := range befores {
		if _, known := w.accounts[b.Account]; !known {
			w.accounts[b.Account] = balance{b.Version, b.Balance, b.Held}
		}
	}
	traces, err := w.r.Traces(ctx, from, to)
	if err != nil {
		return err
	}
	for i := range traces {
		w.holds[traces[i].ID] = &traces[i]
	}
	return nil
}

func (w *window) before(e *Entry) (balance, error) {
	was, known := w.accounts[e.Account]
	if !known && e.Version != 1 {
		return was, wrong("entry", entryRow(e), "version is stored as %d, but there is no version %d before it", e.Version, e.Version-1)
	}
	return was, nil
}

func (w *window) after(e *Entry) {
	w.accounts[e.Account] = balance{e.Version, e.BalanceAfter, e.HeldAfter}
}

// A hold's row, the entry that placed it and the one that released it must agree. If they do
// not, the row is wrong, unless one of the entries is not as it was hashed: the check of its
// batch then reports the entry.

func (w *window) place(ctx context.Context, t *Transfer, e *Entry, sure bool) error {
	if w.placed != 0 && e.Hold != w.placed+1 {
		return differs("entry", entryRow(e), "hold", e.Hold, w.placed+1)
	}
	w.placed = e.Hold
	h, err := w.trace(e, sure)
	if err != nil {
		return err
	}
	if !sure {
		return h.knows(e, h.Placed, e.HeldDelta)
	}
	if e.Hold > 1 && h.Follows == 0 {
		return wrong("hold", holdRow(e.Hold-1), "it is missing; transfer %d placed hold %d", e.Seq, e.Hold)
	}
	want := replayed{account: e.Account, amount: e.HeldDelta, expires: h.Expires, placed: e.Seq, state: stateOpen}
	if expires, ok := expiry(t.Reason); ok { // holdKind rejects an invalid expiry
		want.expires = expires
	}
	if h.Resolved != 0 {
		if doubtful, err := w.doubtful(ctx, h.Resolved); err != nil || doubtful {
			return err
		}
		if h.Resolved <= e.Seq || h.Release.Account != e.Account || h.Release.HeldDelta != -e.HeldDelta {
			return wrong("hold", holdRow(h.ID), "resolved is stored as %d, but that transfer does not release it", h.Resolved)
		}
		want.resolved, want.state = h.Resolved, releasedBy(h.Release.Kind)
	}
	return checkHold(&h.Hold, &want)
}

func (w *window) release(ctx context.Context, t *Transfer, e *Entry, sure bool) error {
	h, err := w.trace(e, sure)
	if err != nil {
		return err
	}
	if !sure {
		return h.knows(e, h.Resolved, -e.HeldDelta)
	}
	if doubtful, err := w.doubtful(ctx, h.Placed); err != nil || doubtful {
		return err
	}
	if h.Placed >= e.Seq || h.Place.Account != h.Account || h.Place.HeldDelta != h.Amount {
		return wrong("hold", holdRow(h.ID), "placed is stored as %d, but that transfer did not place %s of account id %d before transfer %d", h.Placed, usd(h.Amount), h.Account, e.Seq)
	}
	if h.Account != e.Account || h.Amount != -e.HeldDelta {
		return wrong("entry", entryRow(e), "hold is stored as %d with a held_delta of %s, but that hold is of account id %d and %s", e.Hold, usd(e.HeldDelta), h.Account, usd(h.Amount))
	}
	if h.Resolved != e.Seq && h.Release.Account != 0 {
		return wrong("entry", entryRow(e), "hold is stored as %d, but transfer %d has released that already", e.Hold, h.Resolved)
	}
	return checkHold(&h.Hold, &replayed{
		account: e.Account, amount: -e.HeldDelta, expires: h.Expires, // checked with the placing
		placed: h.Placed, resolved: e.Seq, state: releasedBy(t.Kind),
	})
}

// doubtful reports whether a transfer is not as it was hashed, so that it is no evidence
// against the row that names it.
func (w *window) doubtful(ctx context.Context, seq int64) (bool, error) {
	if seq < 1 || seq > w.head.Seq {
		return false, nil
	}
	right, err := leafRight(ctx, w.r, seq)
	return !right, err
}

func (w *window) trace(e *Entry, sure bool) (*Trace, error) {
	h := w.holds[e.Hold]
	switch {
	case h != nil:
		return h, nil
	case sure && (e.HeldDelta > 0 || e.Hold <= w.head.Holds):
		return nil, wrong("hold", holdRow(e.Hold), "it is missing; transfer %d leg %d names it", e.Seq, e.Leg)
	}
	return nil, wrong("entry", entryRow(e), "hold is stored as %d, but there is no such hold", e.Hold)
}

// knows blames an entry with a wrong leaf, if the hold's row does not refer to it.
func (t *Trace) knows(e *Entry, seq, amount int64) error {
	if t.Account != e.Account || seq != e.Seq || t.Amount != amount {
		return wrong("entry", entryRow(e), "hold is stored as %d with a held_delta of %s, but that hold is of account id %d and %s", e.Hold, usd(e.HeldDelta), t.Account, usd(t.Amount))
	}
	return nil
}
