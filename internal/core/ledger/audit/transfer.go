package audit

import (
	"bytes"
	"context"
)

// posting is a transfer with the parsed codes of its accounts.
type posting struct {
	*Transfer
	entries []Entry
	places  []place
	leaf    digest
	sure    bool // the rows hash to the stored leaf
}

// transfer checks one transfer and its entries. The order determines which row is reported:
// entries that do not continue the balance before, then the leaf, then the rules.
func (c *checker) transfer(ctx context.Context, b *Batch, t *Transfer, entries []Entry) error {
	if t.Batch != b.No {
		return differs("transfer", transferRow(t.Seq), "batch", t.Batch, b.No)
	}
	p := &posting{Transfer: t, entries: entries, places: make([]place, len(entries)), leaf: c.canon.transfer(t, entries)}
	p.sure = bytes.Equal(p.leaf[:], t.Leaf)
	if err := p.complete(); err != nil {
		return err
	}
	for i := range entries {
		if err := c.entry(ctx, p, i); err != nil {
			return err
		}
	}
	if err := p.obeys(bounds, beneficiary); err != nil {
		return err
	}
	if err := c.held(ctx, p); err != nil {
		return err
	}
	if err := p.obeys(balances); err != nil {
		return err
	}
	if !p.sure {
		return c.blame(ctx, p)
	}
	if t.Recorded <= c.recorded {
		return wrong("transfer", transferRow(t.Seq), "recorded_at is stored as %s, but transfer %d was recorded at %s", at(t.Recorded), t.Seq-1, at(c.recorded))
	}
	if err := p.obeys(holdKind, lawful, lawfulROI); err != nil {
		return err
	}
	return c.reversal(ctx, p)
}

func (p *posting) obeys(rules ...func(*posting) error) error {
	for _, rule := range rules {
		if err := rule(p); err != nil {
			return err
		}
	}
	return nil
}

// complete checks that legs count from 1 to the transfer's number of legs.
func (p *posting) complete() error {
	for i := range p.entries {
		e, leg := &p.entries[i], int64(i+1)
		switch {
		case e.Leg == leg:
		case p.sure || e.Leg < leg:
			return differs("entry", entryRow(e), "leg", e.Leg, leg)
		default:
			return p.missing(leg)
		}
	}
	have := int64(len(p.entries))
	switch {
	case have == p.Legs && have > 0:
		return nil
	case have == 0:
		return p.missing(1)
	case p.sure: // the number of entries is part of the leaf
		return differs("transfer", transferRow(p.Seq), "legs", p.Legs, have)
	case have < p.Legs:
		return p.missing(have + 1)
	}
	return wrong("entry", entryRow(&p.entries[max(p.Legs, 0)]), "the transfer has only %d legs", p.Legs)
}

func (p *posting) missing(leg int64) error {
	return wrong("entry", entryless(p.Seq, leg), "it is missing; the transfer has %d legs", p.Legs)
}

// entry checks that an entry continues its account's balance, and records the new one.
func (c *checker) entry(ctx context.Context, p *posting, i int) error {
	e := &p.entries[i]
	if err := c.known(e); err != nil {
		return err
	}
	for j := range i {
		if p.entries[j].Account == e.Account {
			return wrong("entry", entryRow(e), "its account stands in leg %d of the transfer already", j+1)
		}
	}
	was, err := c.books.before(e)
	if err != nil {
		return err
	}
	if err := carriesOn(e, was); err != nil {
		return err
	}
	c.books.after(e)
	at, ok := locate(e.Code)
	switch {
	case ok && at.kind == e.Kind && at.owner == e.Owner:
		p.places[i] = at
		return nil
	case !p.sure || !ok:
		return c.misplaced(ctx, e)
	case at.kind != e.Kind:
		return differs("entry", entryRow(e), "kind", e.Kind, at.kind)
	}
	return differs("entry", entryRow(e), "owner", e.Owner, at.owner)
}

// misplaced: an entry and the code of its account disagree, and so does the
// leaf. If other transfers hashed the code as it is, the entry was made to name
// the wrong account; otherwise the code was changed.
func (c *checker) misplaced(ctx context.Context, e *Entry) error {
	right, _, err := c.testify(ctx, e)
	if err != nil {
		return err
	}
	if right > 0 {
		return wrong("entry", entryRow(e), "account is stored as id %d, which is %s, but the entry is of kind %s and owner %d", e.Account, e.Code, e.Kind, e.Owner)
	}
	if _, ok := locate(e.Code); !ok {
		return wrong("account", accountRow(e.Account, e.Code), "code is stored as %q, which is not an account's code", e.Code)
	}
	return wrong("account", accountRow(e.Account, e.Code), "code is stored as %q, but transfer %d has it with kind %s and owner %d, and hashed another code", e.Code, e.Seq, e.Kind, e.Owner)
}

// known checks that the account exists. If not, either its row was deleted or the entry's
// account was changed.
func (c *checker) known(e *Entry) error {
	switch {
	case e.Known:
		return nil
	case e.Account >= 1 && e.Account <= c.head.Accounts:
		return wrong("account", accountRow(e.Account, ""), "it is missing; transfer %d leg %d names it", e.Seq, e.Leg)
	}
	return wrong("entry", entryRow(e), "account is stored as %d, but the ledger has accounts 1 to %d", e.Account, c.head.Accounts)
}

func carriesOn(e *Entry, was balance) error {
	row := entryRow
	if e.Version != was.version+1 {
		return differs("entry", row(e), "version", e.Version, was.version+1)
	}
	if e.Delta == 0 && e.HeldDelta == 0 {
		return wrong("entry", row(e), "it changes neither the balance nor what is held")
	}
	posted, fits := plus(was.posted, e.Delta)
	if !fits || posted != e.BalanceAfter {
		return wrong("entry", row(e), "balance_after is stored as %s, but %s before and a delta of %s make %s",
			usd(e.BalanceAfter), usd(was.posted), usd(e.Delta), added(was.posted, e.Delta))
	}
	held, fits := plus(was.held, e.HeldDelta)
	if !fits || held != e.HeldAfter {
		return wrong("entry", row(e), "held_after is stored as %s, but %s before and a held_delta of %s make %s",
			usd(e.HeldAfter), usd(was.held), usd(e.HeldDelta), added(was.held, e.HeldDelta))
	}
	return nil
}

// added formats a + b, which may not fit 64 bits.
func added(a, b int64) string {
	var s sum
	s.add(a)
	s.add(b)
	return s.String()
}
