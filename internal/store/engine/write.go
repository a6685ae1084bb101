package engine

import (
	"github.com/bifolia/bifolia/internal/core/ledger"
)

// What both engines write of a group.

const (
	batchInsert = `INSERT INTO batch (no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	// The fence: it hits its one row only if the head is what this sequencer left.
	fenceUpdate = `UPDATE head SET seq = $1, batch = $2, accounts = $3, holds = $4, entries = $5, recorded_at = $6, hash = $7, frozen = $8
		WHERE id = 1 AND epoch = $9 AND seq = $10 AND batch = $11 AND hash = $12 AND frozen = $13`
)

func batchArgs(b *ledger.BatchRow) []any {
	return []any{b.No, b.Epoch, b.First, b.Last, b.Commands, b.Recorded, b.Prev[:], b.Root[:], b.Hash[:], b.KeyID, b.Signature}
}

func fenceArgs(g *ledger.Group) []any {
	h, f := &g.Head, &g.Fence
	return []any{h.Seq, h.Batch, h.Accounts, h.Holds, h.Entries, h.Recorded, h.Hash[:], h.Frozen, f.Epoch, f.Seq, f.Batch, f.Hash[:], f.Frozen}
}

// groupRows are the rows that a group adds.
func groupRows(g *ledger.Group) []bulk {
	var opened []*ledger.AccountRow
	for i := range g.Accounts {
		if g.Accounts[i].Was == 0 {
			opened = append(opened, &g.Accounts[i])
		}
	}
	var placed []*ledger.HoldRow
	for i := range g.Holds {
		if g.Holds[i].New {
			placed = append(placed, &g.Holds[i])
		}
	}
	return []bulk{
		{accountTable, len(opened), func(i int, r *Rows) {
			a := opened[i]
			r.Add(a.ID, a.Code, a.Kind, a.Owner, a.Posted, a.Held, a.Floor, a.Version)
		}},
		{transferTable, len(g.Transfers), func(i int, r *Rows) {
			t := &g.Transfers[i]
			r.Add(t.Seq, t.ID, t.Batch, t.Actor, t.Key, t.Kind, t.Reason, t.Reference, t.Effective, t.Recorded, t.Reverses, t.Legs, t.Leaf[:])
		}},
		{entryTable, len(g.Entries), func(i int, r *Rows) {
			e := &g.Entries[i]
			r.Add(e.Account, e.Version, e.Seq, e.Leg, e.Kind, e.Owner, e.Beneficiary, e.Delta, e.HeldDelta, e.BalanceAfter, e.HeldAfter, e.Hold)
		}},
		{holdTable, len(placed), func(i int, r *Rows) {
			h := placed[i]
			r.Add(h.ID, h.Account, h.Amount, string(h.State), h.Expires, h.Placed, h.Resolved)
		}},
		{commandTable, len(g.Commands), func(i int, r *Rows) {
			c := &g.Commands[i]
			r.Add(c.Actor, c.Key, c.Batch, c.N, c.Request[:], c.Response, c.First, c.Last, c.Recorded, c.Leaf[:])
		}},
	}
}

// changedAccounts are the accounts that were there before, as arrays.
func changedAccounts(g *ledger.Group) ([]any, int) {
	var id, posted, held, version, was, wasPosted, wasHeld []int64
	for i := range g.Accounts {
		if a := &g.Accounts[i]; a.Was > 0 {
			id, posted, held = append(id, a.ID), append(posted, a.Posted), append(held, a.Held)
			version, was = append(version, a.Version), append(was, a.Was)
			wasPosted, wasHeld = append(wasPosted, a.WasPosted), append(wasHeld, a.WasHeld)
		}
	}
	return []any{id, posted, held, version, was, wasPosted, wasHeld}, len(id)
}

// resolvedHolds are the holds of earlier groups that this one resolves.
func resolvedHolds(g *ledger.Group) ([]any, int) {
	var id, resolved []int64
	var state []string
	for i := range g.Holds {
		if h := &g.Holds[i]; !h.New {
			id, state, resolved = append(id, h.ID), append(state, string(h.State)), append(resolved, h.Resolved)
		}
	}
	return []any{id, state, resolved}, len(id)
}
