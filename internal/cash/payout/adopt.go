package payout

import (
	"context"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Adopt lifts a settled hold once two operators have approved the same state: digest is
// that of the state that the operator saw. One operator is enough if no other may.
// Withdrawals that were found paid are noted as Sent. lifted is false while the second
// approval is missing. Conflict if there is no hold to lift, or the same operator
// approves twice; Refused if the digest differs, or while payments are frozen.
func (s *Service) Adopt(ctx context.Context, by actor.By, key, digest, why string) (lifted bool, err error) {
	why, err = parseReason(why)
	if err != nil {
		return false, err
	}
	body := map[string]any{"what": "payout hold adopt", "digest": digest, "why": why}
	err = s.do(ctx, by, key, body, &lifted, func(ctx context.Context, tx *ledger.Tx) error {
		lifted = false
		if err := tx.Frozen(); err != nil {
			return err
		}
		h, all, err := s.working(ctx, tx)
		switch {
		case err != nil:
			return err
		case h.ID == 0:
			return errs.New(errs.Conflict, "payout.not_held", "Payouts are not held.")
		case h.State != Settled:
			return errs.New(errs.Conflict, "payout.hold_settle_first", "The hold is {state}. Settle the hot wallet first.", "state", h.State)
		}
		found, err := s.opt.Store.Found(ctx, tx, h.ID)
		if err != nil {
			return err
		}
		waiting, err := s.opt.Store.Approved(ctx, tx)
		if err != nil {
			return err
		}
		if HoldDigest(h, found, waiting) != digest {
			return errs.New(errs.Refused, "payout.adopt_digest_changed", "The state to adopt has changed. Review it again.")
		}
		if h.Alone, err = s.aloneReason(ctx, tx, by, h, digest); err != nil {
			return err
		}
		h.Reason = why
		if h.Alone == "" && (h.First.Operator == 0 || h.Digest != digest) {
			h.First, h.Digest = Mark{by, tx.Now()}, digest
			if err := s.opt.Store.SaveHold(ctx, tx, h, Settled); err != nil {
				return err
			}
			if err := s.mail(ctx, tx, by, approvalmail.Hold, text(h.ID)); err != nil {
				return err
			}
			return s.record(ctx, tx, by, "adopt", "hold "+text(h.ID)+", first of two", money.Amount{}, why)
		}
		lifted = true
		return s.lift(ctx, tx, by, h, all, found)
	})
	return lifted, err
}

// aloneReason returns why one operator is enough; empty if it takes two. Conflict if this
// operator has approved already.
func (s *Service) aloneReason(ctx context.Context, tx *ledger.Tx, by actor.By, h Hold, digest string) (alone approval.Alone, err error) {
	switch {
	case by.Operator == 0:
		return "", errs.New(errs.Forbidden, "payout.adopt_signed_in", "Only a signed-in operator can adopt the state.")
	case s.opt.Demo:
		return approval.AloneDemo, nil
	}
	others, err := s.opt.Others(ctx, tx, by.Operator)
	switch {
	case err != nil:
		return "", err
	case others == 0:
		return approval.AloneOnlyOperator, nil
	case h.First.Operator == by.Operator && h.Digest == digest:
		return "", errs.New(errs.Conflict, "payout.adopted_by_you", "You have already adopted this. Another operator must adopt it too.")
	}
	return "", nil
}

// lift ends all holds and notes the payments that were found.
func (s *Service) lift(ctx context.Context, tx *ledger.Tx, by actor.By, h Hold, all []Hold, found []Found) error {
	for _, f := range found {
		if f.paid() {
			if err := s.noteFound(ctx, tx, f, by); err != nil {
				return err
			}
		}
	}
	if h.Alone != "" && h.First.Operator == by.Operator {
		h.First = Mark{}
	}
	since := h.Since
	for _, other := range all {
		from := other.State
		if other.ID == h.ID {
			other = h
			other.Since = since
		}
		other.State, other.First, other.Digest, other.Lifted, other.Alone, other.Reason = Lifted, h.First, h.Digest, Mark{by, tx.Now()}, h.Alone, h.Reason
		if err := s.opt.Store.SaveHold(ctx, tx, other, from); err != nil {
			return err
		}
	}
	return s.record(ctx, tx, by, "adopt", "hold "+text(h.ID), money.Amount{}, h.Reason)
}

// noteFound notes the transaction that paid a withdrawal, if its state allows. Otherwise
// Open keeps the withdrawal from being paid again.
func (s *Service) noteFound(ctx context.Context, tx *ledger.Tx, f Found, by actor.By) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, f.Withdrawal)
	if err != nil {
		return err
	}
	switch {
	case w.State == withdrawal.Sent && w.Batch != 0:
		return s.replacedBy(ctx, tx, w, f)
	case w.State != withdrawal.Approved || tx.Now().Before(w.ReadyAt):
		return nil
	case w.Batch != 0:
		p, err := s.payout(ctx, tx, w.Batch, w.ID)
		if err != nil {
			return err
		}
		if _, err := s.opt.Cashier.SetBatch(ctx, tx, w.ID, 0); err != nil {
			return err
		}
		from := p.State
		p.State, p.EndedAt, p.Note = Cancelled, tx.Now(), "It was paid by "+f.Hash+"."
		if err := s.opt.Store.SavePayout(ctx, tx, p, from); err != nil {
			return err
		}
		if _, err := s.finish(ctx, tx, p.Batch); err != nil {
			return err
		}
		w.Batch = 0
	}
	if w, err = s.opt.Withdrawals.Sent(ctx, tx, w.ID, f.Hash, tx.Now()); err != nil {
		return err
	}
	p := Payout{Withdrawal: w.ID, UID: w.UID, Amount: w.Net}
	return s.recordOne(ctx, tx, by, "found", inState(State(withdrawal.Approved)), map[string]string{"state": string(w.State), "hash": f.Hash}, p, "")
}

// replacedBy adds a found transaction to a payout that is on its way with another one;
// whichever is mined counts.
func (s *Service) replacedBy(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal, f Found) error {
	p, err := s.payout(ctx, tx, w.Batch, w.ID)
	if err != nil {
		return err
	}
	if p.State != Signed && p.State != Sent && p.State != Failed {
		return wrongState(p)
	}
	before, err := s.opt.Store.Transactions(ctx, tx, p.Batch, p.Withdrawal)
	if err != nil {
		return err
	}
	t := Transaction{Hash: f.Hash, Batch: p.Batch, Withdrawal: p.Withdrawal, N: int64(len(before)) + 1, Chain: s.opt.Chain.ChainID(), Sender: f.From, Nonce: -1, By: "found", At: tx.Now()}
	if err := s.opt.Store.AddTransaction(ctx, tx, t); err != nil {
		return err
	}
	from := p.State
	p.State, p.Hash, p.Note = Sent, f.Hash, ""
	if p.SentAt.IsZero() {
		p.SentAt = tx.Now()
	}
	if err := s.opt.Store.SavePayout(ctx, tx, p, from); err != nil {
		return err
	}
	_, err = s.opt.Withdrawals.Replaced(ctx, tx, w.ID, f.Hash)
	return err
}
