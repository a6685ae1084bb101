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

// Promise is the ledger's record of a hold, beside its amount.
type Promise struct {
	Reference, Reason string
	Released          bool // a later transfer voided or settled the hold
}

// Held checks that the ledger holds exactly the amount of an open withdrawal, for this
// withdrawal and its address. Old rows can be restored together with their old chain
// lines; the ledger shows what has happened to the money since. It returns a
// *ledger.TamperedError if the money is not held, which freezes payments, and Refused if
// the hold has expired.
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
			return errs.New(errs.Refused, "withdrawal.hold_over", "The money of withdrawal {id} is no longer held, because its hold has expired.", "id", w.ID)
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
		from = slices.DeleteFunc(from, func(a ledger.Account) bool { return a == h.Account }) // each hold counts once
	}
	if sum != w.Amount {
		return ledger.Tampered(name, fmt.Sprintf("it is of %s, and the ledger holds %s for it", w.Amount, sum))
	}
	return nil
}

// Verify is Held, after checking the row against the signed chain. It returns a
// *ledger.TamperedError if they differ.
func (s *Service) Verify(ctx context.Context, tx *ledger.Tx, w Withdrawal) error {
	if err := s.store.Verify(ctx, tx, w.ID); err != nil {
		return err
	}
	return s.Held(ctx, tx, w)
}

// promised checks that a hold was placed for this withdrawal and its address, and that
// the ledger has not released it while its row is still open.
func (s *Service) promised(ctx context.Context, tx *ledger.Tx, w Withdrawal, h ledger.Hold, name string) error {
	p, found, err := s.store.Promise(ctx, tx, h.ID)
	if err != nil {
		return err
	}
	if !found { // it was placed in the current group
		tx.Unwritten(func(t *ledger.TransferRow, _ *ledger.EntryRow) {
			if t.Seq == h.Placed {
				p = Promise{Reference: t.Reference, Reason: t.Reason}
			}
		})
	}
	_, address, signed := strings.Cut(p.Reason, "; "+holdReason)
	switch {
	case p.Reference != reference(w.ID):
		return ledger.Tampered(name, "what the ledger holds was not held for it")
	case signed && address != w.Address:
		return ledger.Tampered(name, "it was asked for to another address")
	case p.Released:
		return ledger.Tampered(name, fmt.Sprintf("it is %s, and its money is not held any more", w.State))
	}
	return nil
}
