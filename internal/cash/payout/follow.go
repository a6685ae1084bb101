package payout

import (
	"context"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// follow checks the outcome of a payment on its way. over is true if the payment has
// ended or needs an operator.
func (s *Service) follow(ctx context.Context, p Payout) (over bool, err error) {
	all, err := s.opt.Store.Transactions(ctx, nil, p.Batch, p.Withdrawal)
	if err != nil {
		return false, err
	}
	found, err := s.check(ctx, p, all)
	switch {
	case err != nil:
		return false, err
	case found.paid != "":
		return true, s.confirm(ctx, p, found.paid, "")
	case found.refused != "":
		return true, s.fail(ctx, p, found.text.Message)
	case p.Way == Manual || !found.known || found.mined:
		return false, s.note(ctx, p, found.text.Message)
	}
	// The chain has none of the payout's transactions. If the nonce was used for good by
	// another one, it never will.
	used, err := s.opt.Chain.Used(ctx, p.Sender)
	if err != nil {
		return false, s.note(ctx, p, "The chain cannot be asked just now.")
	}
	if used.ForGood <= p.Nonce {
		return false, s.send(ctx, p)
	}
	// A transaction of the payout may have been mined in the meantime.
	if found, err = s.check(ctx, p, all); err != nil || !found.known || found.mined || found.paid != "" || found.refused != "" {
		return false, err
	}
	// The other transaction may be a replacement that this database does not know, and
	// may have paid.
	detail := errs.Say("payout.hold_nonce_used", "A transaction that this database does not know has used nonce {nonce} of the hot wallet, which a payout of withdrawal {withdrawal} had.", "nonce", p.Nonce, "withdrawal", p.Withdrawal)
	w, _, err := s.opt.Store.Wallet(ctx, nil, p.Sender)
	if err != nil {
		return false, err
	}
	w.At = p.SignedAt
	if err := s.holdForChain(ctx, w, detail); err != nil {
		return false, err
	}
	return true, s.fail(ctx, p, fmt.Sprintf("Another transaction of the wallet has used nonce %d: this payment can never be made.", p.Nonce))
}

// findings combines the chain's answers about a payout's transactions.
type findings struct {
	paid, refused string // hashes
	mined, known  bool
	text          errs.Text
}

func (s *Service) check(ctx context.Context, p Payout, all []Transaction) (out findings, err error) {
	notBefore := time.Time{}
	if p.Way == Manual { // an older transaction cannot be the payment
		b, err := s.batch(ctx, nil, p.Batch)
		if err != nil {
			return out, err
		}
		notBefore = b.Approved.At
		all = all[:min(len(all), 1)] // earlier hashes were corrected
	}
	out.known = true
	for _, t := range all {
		v := s.opt.Chain.Verify(ctx, t.Hash, evm.Expectation{Receiver: p.Address, Amount: p.Amount, NotBefore: notBefore})
		known, mined := v.State != evm.Unknown, v.Confirmations > 0
		out.known, out.mined = out.known && known, out.mined || mined
		if out.text.Message == "" || mined || !known {
			out.text = v.Text
		}
		switch {
		case v.State == evm.Confirmed:
			out.paid = t.Hash
		case v.State == evm.Refused && v.Final:
			out.refused = t.Hash
		}
	}
	return out, nil
}

// confirm ends a payout that is paid and posts the payment.
func (s *Service) confirm(ctx context.Context, p Payout, hash, by string) error {
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.confirmIn(ctx, tx, p, hash, by)
	})
}

func (s *Service) confirmIn(ctx context.Context, tx *ledger.Tx, p Payout, hash, by string) error {
	now, err := s.payout(ctx, tx, p.Batch, p.Withdrawal)
	if err != nil || now.State == Confirmed {
		return err
	}
	from := now.State
	if from != Signed && from != Sent {
		return wrongState(now)
	}
	if _, err := s.opt.Withdrawals.Replaced(ctx, tx, p.Withdrawal, hash); err != nil {
		return err
	}
	if err := s.opt.Cashier.ConfirmIn(ctx, tx, server, p.Withdrawal); err != nil {
		return err
	}
	now.State, now.Hash, now.EndedAt, now.Note = Confirmed, hash, tx.Now(), by
	if now.SentAt.IsZero() {
		now.SentAt = now.EndedAt
	}
	if err := s.opt.Store.SavePayout(ctx, tx, now, from); err != nil {
		return err
	}
	_, err = s.finish(ctx, tx, p.Batch)
	return err
}

// fail leaves a payout to an operator. Its withdrawal stays Sent and its money held.
func (s *Service) fail(ctx context.Context, p Payout, why string) error {
	s.opt.Log.Error("a payout failed: a person must look", "batch", p.Batch, "withdrawal", p.Withdrawal, "hash", p.Hash, "why", why)
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, err := s.payout(ctx, tx, p.Batch, p.Withdrawal)
		if err != nil || (now.State != Signed && now.State != Sent) {
			return err
		}
		from := now.State
		now.State, now.Note = Failed, why
		return s.opt.Store.SavePayout(ctx, tx, now, from)
	})
}
