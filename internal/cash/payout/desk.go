package payout

import (
	"context"
	"errors"
	"fmt"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// errNotDone rolls back a command that only looks up its key.
var errNotDone = errs.New(errs.NotFound, "payout.not_asked_before", "payout: this was not asked for before")

// asked reports whether this request was done before under its key. Requests that query
// the chain first must check this: the chain has changed since, and a retry after a lost
// response would be refused because the first attempt took effect.
func (s *Service) asked(ctx context.Context, by actor.By, key string, body any) (bool, error) {
	if key == "" {
		return false, nil
	}
	err := s.do(ctx, by, key, body, nil, func(context.Context, *ledger.Tx) error { return errNotDone })
	if errors.Is(err, errNotDone) {
		return false, nil
	}
	return err == nil, err
}

// Replace replaces a payment that the chain does not take by one with the same nonce,
// receiver and amount and a higher fee. The chain takes one of the two. Conflict if the
// payout is not on its way from the hot wallet, or is mined; Refused if gas costs more
// than allowed; Unavailable if the chain does not answer. A retry under the same key
// replaces nothing more.
func (s *Service) Replace(ctx context.Context, by actor.By, key string, batch, id int64) (p Payout, err error) {
	if s.opt.Chain == nil {
		return p, errs.New(errs.Refused, "chain.not_configured", "No chain is configured.")
	}
	body := map[string]any{"what": "payout replace", "batch": batch, "withdrawal": id}
	done, err := s.asked(ctx, by, key, body)
	if err != nil {
		return p, err
	}
	if p, err = s.payout(ctx, nil, batch, id); err != nil || done {
		return p, err
	}
	if p.Way != Hot || (p.State != Signed && p.State != Sent) {
		return p, wrongState(p)
	}
	if p.Sender != s.opt.Chain.Sender() {
		return p, errs.New(errs.Refused, "payout.other_signer", "The payment was signed by {signer}, and the current key is another one.", "signer", p.Sender)
	}
	all, err := s.opt.Store.Transactions(ctx, nil, batch, id)
	if err != nil {
		return p, err
	}
	if len(all) == 0 {
		return p, fmt.Errorf("payout: %d/%d is %s without a transaction", batch, id, p.State)
	}
	switch seen, err := s.check(ctx, p, all); {
	case err != nil:
		return p, err
	case !seen.known:
		return p, errs.New(errs.Unavailable, "chain.says", "{finding}", "finding", seen.text)
	case seen.mined || seen.paid != "" || seen.refused != "":
		return p, errs.New(errs.Conflict, "payout.mined", "The payment is mined, so it cannot be replaced.")
	}
	signed, err := s.opt.Chain.Sign(ctx, evm.Order{To: p.Address, Amount: p.Amount, Nonce: p.Nonce, Replace: all[0].Raw})
	if err != nil {
		return p, err
	}
	t := all[0]
	t.N, t.Hash, t.Raw, t.By = t.N+1, signed.Hash, signed.Raw, by.Name
	err = s.do(ctx, by, key, body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		return s.storeReplacement(ctx, tx, by, t, p, all[0].Hash)
	})
	if err != nil {
		return p, err
	}
	if p, err = s.payout(ctx, nil, batch, id); err != nil {
		return p, err
	}
	return p, s.send(ctx, p)
}

func (s *Service) storeReplacement(ctx context.Context, tx *ledger.Tx, by actor.By, t Transaction, signed Payout, before string) error {
	if err := tx.Frozen(); err != nil {
		return err
	}
	if err := s.unheld(ctx, tx); err != nil {
		return err
	}
	p, err := s.payout(ctx, tx, t.Batch, t.Withdrawal)
	if err != nil {
		return err
	}
	if (p.State != Signed && p.State != Sent) || p.Hash != before || p.Nonce != t.Nonce || p.Address != signed.Address || p.Amount != signed.Amount {
		return wrongState(p)
	}
	if err := s.opt.Store.Verify(ctx, tx, t.Batch, []int64{t.Withdrawal}); err != nil {
		return err
	}
	w, err := s.opt.Withdrawals.Get(ctx, tx, t.Withdrawal)
	if err != nil {
		return err
	}
	if err := s.opt.Withdrawals.Held(ctx, tx, w); err != nil {
		return err
	}
	t.At = tx.Now()
	if err := s.opt.Store.AddTransaction(ctx, tx, t); err != nil {
		return err
	}
	p.Hash, p.Note = t.Hash, ""
	if err := s.opt.Store.SavePayout(ctx, tx, p, p.State); err != nil {
		return err
	}
	if _, err := s.opt.Withdrawals.Replaced(ctx, tx, t.Withdrawal, t.Hash); err != nil {
		return err
	}
	return s.recordOne(ctx, tx, by, "replace", map[string]string{"hash": before}, map[string]string{"hash": t.Hash}, p, "")
}

// Confirm ends a manual payout if no chain is configured. Refused if one is; Conflict if
// its hash is not noted yet.
func (s *Service) Confirm(ctx context.Context, by actor.By, key string, batch, id int64) error {
	if s.opt.Chain != nil {
		return errs.New(errs.Refused, "payout.chain_confirms", "The chain itself confirms payouts here.")
	}
	body := map[string]any{"what": "payout confirm", "batch": batch, "withdrawal": id}
	return s.do(ctx, by, key, body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		p, err := s.payout(ctx, tx, batch, id)
		if err != nil {
			return err
		}
		if p.State != Sent {
			return wrongState(p)
		}
		if err := s.confirmIn(ctx, tx, p, p.Hash, "Confirmed by "+by.Name+"."); err != nil {
			return err
		}
		return s.recordOne(ctx, tx, by, "confirm", inState(Sent), map[string]string{"state": string(Confirmed), "hash": p.Hash}, p, "")
	})
}
