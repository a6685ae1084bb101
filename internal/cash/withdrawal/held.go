package withdrawal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Promise is what the ledger knows of a hold beside its amount.
type Promise struct {
	Reference, Reason string // of the transfer that placed it
	Released          bool   // a transfer gave its money back or took it out
}

// Held is nil if the ledger holds the amount of a withdrawal that is not at its
// end, for it and for its address. Rows can be put back to what they once were,
// with everything that vouched for them then; what became of the money since is
// in the ledger. A *ledger.TamperedError if it is not held: money stands still.
// Refused if the hold's time is over.
func (s *Service) Held(ctx context.Context, tx *ledger.Tx, w Withdrawal) error {
	name, sum := fmt.Sprintf("Withdrawal %d", w.ID), money.Amount{}
	if w.State != Pending && w.State != Approved && w.State != Sent {
		return errs.New(errs.Conflict, "withdrawal.state", "Withdrawal {id} is {state}.", "id", w.ID, "state", w.State)
	}
	from, err := sources(w.Wallet, w.UID)
	if err != nil {
		return ledger.Tampered(name, "there is no such wallet")
	}
	for _, p := range w.Parts {
		h, err := tx.Hold(p.Hold)
		switch {
		case errs.Is(err, errs.NotFound), errs.Is(err, errs.Refused):
			return ledger.Tampered(name, "the ledger does not hold its money")
		case err != nil:
			return err
		case h.State == ledger.HoldExpired:
			return errs.New(errs.Refused, "withdrawal.hold_over", "The money of withdrawal {id} is not held any more: the hold's time is over.", "id", w.ID)
		case h.State != ledger.HoldOpen:
			return ledger.Tampered(name, fmt.Sprintf("it is %s, and the hold of its money was %s", w.State, h.State))
		case h.Amount != p.Amount || h.Account != p.Account || !slices.Contains(from, h.Account):
			return ledger.Tampered(name, "what the ledger holds for it is another amount, or another's")
		}
		if err := s.promised(ctx, tx, w, h, name); err != nil {
			return err
		}
		if sum, err = sum.Add(h.Amount); err != nil {
			return err
		}
		from = slices.DeleteFunc(from, func(a ledger.Account) bool { return a == h.Account }) // no hold counts twice
	}
	if sum != w.Amount {
		return ledger.Tampered(name, fmt.Sprintf("it is of %s, and the ledger holds %s for it", w.Amount, sum))
	}
	return nil
}

// Vouched is Held for a withdrawal whose row is what the signed chain says of it;
// a *ledger.TamperedError if it is not.
func (s *Service) Vouched(ctx context.Context, tx *ledger.Tx, w Withdrawal) error {
	if err := s.store.Vouched(ctx, tx, w.ID); err != nil {
		return err
	}
	return s.Held(ctx, tx, w)
}

// promised refuses a hold that was placed for something else, or whose money is
// gone though its row says that it is open.
func (s *Service) promised(ctx context.Context, tx *ledger.Tx, w Withdrawal, h ledger.Hold, name string) error {
	p, found, err := s.store.Promise(ctx, tx, h.ID)
	if err != nil {
		return err
	}
	if !found { // it was placed in this group
		tx.Unwritten(func(t *ledger.TransferRow, _ *ledger.EntryRow) {
			if t.Seq == h.Placed {
				p = Promise{Reference: t.Reference, Reason: t.Reason}
			}
		})
	}
	_, address, said := strings.Cut(p.Reason, "; "+holdReason)
	switch {
	case p.Reference != reference(w.ID):
		return ledger.Tampered(name, "what the ledger holds was not held for it")
	case said && address != w.Address:
		return ledger.Tampered(name, "it was asked for to another address")
	case p.Released:
		return ledger.Tampered(name, fmt.Sprintf("it is %s, and its money is not held any more", w.State))
	}
	return nil
}
