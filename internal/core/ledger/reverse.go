package ledger

import (
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Reverse posts a new transfer with the opposite of every leg of a committed one.
// The rules apply as to any other: it is refused if the accounts no longer have
// the money, or if it would pay an income out of a deposit. NotFound if there is
// no such transfer; Conflict if it was reversed before; Refused if it moved a
// hold, which cannot be re-opened.
func (tx *Tx) Reverse(seq int64, reason string) (Posted, error) {
	original, entries, found, err := tx.g.db.Transfer(tx.g.ctx, seq)
	if err != nil {
		return Posted{}, tx.fail(err)
	}
	if !found {
		return Posted{}, errs.New(errs.NotFound, "ledger.transfer_not_found", "There is no transfer {transfer}.", "transfer", seq)
	}
	before, err := tx.g.db.ReversedBy(tx.g.ctx, seq)
	if err != nil {
		return Posted{}, tx.fail(err)
	}
	for _, t := range tx.g.transfers {
		if t.Reverses == seq {
			before = t.Seq
		}
	}
	if before != 0 {
		return Posted{}, errs.New(errs.Conflict, "ledger.transfer_reversed", "Transfer {transfer} was reversed before, by {by}.", "transfer", seq, "by", before)
	}
	legs := make([]Leg, len(entries))
	for i, e := range entries {
		if e.Hold != 0 {
			return Posted{}, errs.New(errs.Refused, "ledger.transfer_of_hold", "Transfer {transfer} moved a hold and cannot be reversed.", "transfer", seq)
		}
		legs[i] = Leg{Account{e.Code}, money.Micro(-e.Delta)}
	}
	t := Transfer{Kind: "reverse", Reason: reason, Reference: original.Reference, Legs: legs}
	return tx.post(t, seq, nil)
}
