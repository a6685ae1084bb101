package audit

import (
	"bytes"
	"context"
	"math"
)

// tablePage is the number of accounts or holds read at a time.
const tablePage = 5000

// final compares everything derived from the chain with it: the head, rows outside of it,
// accounts, holds, counts and sums.
func (c *checker) final(ctx context.Context, books *replay, anchors []Anchor) (kindSums, error) {
	if err := c.ending(); err != nil {
		return nil, err
	}
	if err := anchorsReached(anchors, &c.head, &c.prev); err != nil {
		return nil, err
	}
	if err := strays(ctx, c.r, c.prev.Last, c.prev.No); err != nil {
		return nil, err
	}
	sums, err := c.accounts(ctx, books)
	if err != nil {
		return nil, err
	}
	if err := c.holds(ctx, books); err != nil {
		return nil, err
	}
	counted := Counts{
		Batches: c.batches, Transfers: c.transfers, Entries: c.entries, Commands: c.commands,
		Accounts: books.accounts, Holds: int64(len(books.holds)), Claimed: c.commands,
	}
	if err := counters(&c.head, counted); err != nil {
		return nil, err
	}
	stored, err := c.r.Counts(ctx)
	if err != nil {
		return nil, err
	}
	if err := tallies(stored, counted); err != nil {
		return nil, err
	}
	repeat, found, err := c.r.Repeated(ctx)
	if err != nil {
		return nil, err
	}
	if found {
		return nil, repeat.finding()
	}
	return sums, sums.even()
}

// ending checks that the head matches the last batch.
func (c *checker) ending() error {
	head, last := &c.head, &c.prev
	same := bytes.Equal(head.Hash, last.Hash)
	switch {
	case head.Batch > last.No && !same:
		return wrong("batch", batchRow(last.No+1), "it is missing; the head stands at batch %d with the hash %s", head.Batch, hexOf(head.Hash))
	case head.Batch != last.No:
		return differs("head", "head", "batch", head.Batch, last.No)
	case !same:
		return differs("head", "head", "hash", hexOf(head.Hash), hexOf(last.Hash))
	case head.Seq != last.Last:
		return differs("head", "head", "seq", head.Seq, last.Last)
	case last.No == 0 && head.Recorded != 0:
		return differs("head", "head", "recorded_at", at(head.Recorded), at(0))
	case last.No > 0 && head.Recorded != last.Recorded:
		return differs("head", "head", "recorded_at", at(head.Recorded), at(last.Recorded))
	case head.Epoch < last.Epoch:
		return wrong("head", "head", "epoch is stored as %d, but batch %d was written in epoch %d", head.Epoch, last.No, last.Epoch)
	}
	return nil
}

// strays checks that no row is outside the chain, which ends with transfer seq and batch.
func strays(ctx context.Context, r Reader, seq, batch int64) error {
	stray, found, err := r.Outside(ctx, seq, batch)
	if err != nil || !found {
		return err
	}
	return wrong(stray.Table, stray.Row, "it lies outside the ledger, which has batches 1 to %d and transfers 1 to %d", batch, seq)
}

// accounts compares every account with the replay and sums them by kind.
func (c *checker) accounts(ctx context.Context, books *replay) (kindSums, error) {
	sums := kindSums{}
	next := int64(1)
	for after := int64(math.MinInt64); ; {
		page, err := c.r.Accounts(ctx, after, tablePage)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return sums, nil
		}
		for i := range page {
			a := &page[i]
			if err := inOrder("account", a.ID, next, accountRow(a.ID, a.Code), accountRow(next, "")); err != nil {
				return nil, err
			}
			if err := checkAccount(a, books.balance(a.ID)); err != nil {
				return nil, err
			}
			sums.add(a)
			after, next = a.ID, next+1
		}
	}
}

// inOrder checks that ids count from 1 without gaps.
func inOrder(table string, id, next int64, row, missing string) error {
	switch {
	case id == next:
		return nil
	case id < next:
		return wrong(table, row, "id is stored as %d, but ids count from 1", id)
	}
	return wrong(table, missing, "it is missing; the next is %s", row)
}

// checkAccount checks that an account's row matches its code and its latest entry.
func checkAccount(a *Account, want balance) error {
	row := accountRow(a.ID, a.Code)
	at, ok := locate(a.Code)
	switch {
	case want.version == 0:
		return wrong("account", row, "posted is stored as %s, but it has no entry", usd(a.Posted))
	case !ok:
		return wrong("account", row, "code is stored as %q, which is not an account's code", a.Code)
	case a.Kind != at.kind:
		return differs("account", row, "kind", a.Kind, at.kind)
	case a.Owner != at.owner:
		return differs("account", row, "owner", a.Owner, at.owner)
	case a.Floor != at.floor():
		return differs("account", row, "floor", usd(a.Floor), usd(at.floor()))
	case a.Version != want.version:
		return differs("account", row, "version", a.Version, want.version)
	case a.Posted != want.posted:
		return differs("account", row, "posted", usd(a.Posted), usd(want.posted))
	case a.Held != want.held:
		return differs("account", row, "held", usd(a.Held), usd(want.held))
	}
	return nil
}

// holds compares every hold with the replay.
func (c *checker) holds(ctx context.Context, books *replay) error {
	next := int64(1)
	for after := int64(math.MinInt64); ; {
		page, err := c.r.Holds(ctx, after, tablePage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for i := range page {
			h := &page[i]
			if err := inOrder("hold", h.ID, next, holdRow(h.ID), holdRow(next)); err != nil {
				return err
			}
			if next > int64(len(books.holds)) {
				return wrong("hold", holdRow(h.ID), "amount is stored as %s, but no transfer placed it", usd(h.Amount))
			}
			if err := checkHold(h, &books.holds[next-1]); err != nil {
				return err
			}
			after, next = h.ID, next+1
		}
	}
	if next <= int64(len(books.holds)) {
		return wrong("hold", holdRow(next), "it is missing; transfer %d placed it", books.holds[next-1].placed)
	}
	return nil
}

// checkHold: a hold's row is what its entries say.
func checkHold(h *Hold, want *replayed) error {
	row := holdRow(h.ID)
	switch {
	case h.Account != want.account:
		return differs("hold", row, "account", h.Account, want.account)
	case h.Amount != want.amount:
		return differs("hold", row, "amount", usd(h.Amount), usd(want.amount))
	case h.State != want.state:
		return differs("hold", row, "state", h.State, want.state)
	case h.Expires != want.expires:
		return differs("hold", row, "expires_at", at(h.Expires), at(want.expires))
	case h.Placed != want.placed:
		return differs("hold", row, "placed", h.Placed, want.placed)
	case h.Resolved != want.resolved:
		return differs("hold", row, "resolved", h.Resolved, want.resolved)
	}
	return nil
}

// counters: the head counts what there is.
func counters(head *Head, n Counts) error {
	switch {
	case head.Accounts != n.Accounts:
		return differs("head", "head", "accounts", head.Accounts, n.Accounts)
	case head.Holds != n.Holds:
		return differs("head", "head", "holds", head.Holds, n.Holds)
	case head.Entries != n.Entries:
		return differs("head", "head", "entries", head.Entries, n.Entries)
	}
	return nil
}

// tallies: the tables have as many rows as the ledger accounts for.
func tallies(stored, want Counts) error {
	for _, t := range []struct {
		table        string
		stored, want int64
	}{
		{"batch", stored.Batches, want.Batches},
		{"transfer", stored.Transfers, want.Transfers},
		{"entry", stored.Entries, want.Entries},
		{"command", stored.Commands, want.Commands},
		{"account", stored.Accounts, want.Accounts},
		{"hold", stored.Holds, want.Holds},
	} {
		if t.stored != t.want {
			return wrong(t.table, "the whole table", "it has %d rows, but the ledger accounts for %d", t.stored, t.want)
		}
	}
	return nil
}

func (r Repeat) finding() error {
	return wrong(r.Table, r.Row, "%s is stored as %q, but %s has that already", r.Column, r.Value, r.Other)
}
