package cashier

import (
	"context"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Decisions about withdrawals. Each exists as a complete command and, with the suffix In,
// for use within a command of the caller.

// ApproveWithdrawal adds an operator's approval. Above the limit it takes two operators,
// and the second one sends the digest of the withdrawal. Errors: those of MayLeave except
// for the waiting period, and of withdrawal's Approve; Refused if the digest differs.
func (s *Service) ApproveWithdrawal(ctx context.Context, by actor.By, key string, id int64, digest, remark string) error {
	return s.decide(ctx, by, key, "withdrawal.approve", id, remark, func(ctx context.Context, tx *ledger.Tx) error {
		w, err := s.opt.Withdrawals.Get(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.opt.Withdrawals.Verify(ctx, tx, w); err != nil {
			return err
		}
		m, err := s.payee(ctx, tx, w)
		if err != nil {
			return err
		}
		if w.Half() && w.First.Operator != by.Operator && w.Digest() != digest {
			return errs.New(errs.Refused, "approval.first_digest_changed", "This has changed since the first approval. Review it again.")
		}
		if err := s.opt.Withdrawals.Tighten(ctx, tx, id, s.Limits().TwoAbove, tx.Now()); err != nil {
			return err
		}
		was := stateEntry(string(w.State), w.First.Name)
		if w, err = s.opt.Withdrawals.Approve(ctx, tx, withdrawal.Approval{Operator: by.Operator, Name: by.Name, At: tx.Now()}, id, remark); err != nil {
			return err
		}
		if w.State == withdrawal.Pending {
			if err := s.second(ctx, tx, by, approvalmail.Withdrawal, w.ID, w.Amount); err != nil {
				return err
			}
		}
		if w.State == withdrawal.Approved {
			if err := s.withinTotalDaily(ctx, tx, w); err != nil {
				return err
			}
			if err := s.notify(ctx, tx, m, w); err != nil {
				return err
			}
		}
		return s.record(ctx, tx, by, decision{"withdrawal.approve", id, w.UID, w.Amount, was, stateEntry(string(w.State), w.First.Name), remark})
	})
}

// second mails the operators who may give the second approval.
func (s *Service) second(ctx context.Context, tx *ledger.Tx, by actor.By, kind approvalmail.Kind, id int64, amount money.Amount) error {
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: strconv.FormatInt(id, 10) + " of " + mail.Dollars(amount), By: by})
}

// withinTotalDaily returns Refused if the day's approvals exceed the limit for all
// members.
func (s *Service) withinTotalDaily(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	p, err := s.opt.Plans.PlanNow(ctx, tx)
	if err != nil {
		return err
	}
	over, err := s.beyondAll(ctx, tx, p, money.Zero, tx.Now()) // includes w
	if err == nil && over {
		err = errs.New(errs.Refused, "withdrawal.total_daily", "With this withdrawal of {amount}, approvals would exceed {most} per day (withdraw_total_daily). Approve it tomorrow.", "amount", plain(w.Amount), "most", plain(s.Limits().TotalDaily))
	}
	return err
}

// RejectWithdrawal rejects a withdrawal and releases its money. Errors: those of
// withdrawal's Reject.
func (s *Service) RejectWithdrawal(ctx context.Context, by actor.By, key string, id int64, remark string) error {
	return s.decide(ctx, by, key, "withdrawal.reject", id, remark, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := s.opt.Withdrawals.Get(ctx, tx, id)
		if err == nil {
			err = s.open(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		w, err := s.opt.Withdrawals.Reject(ctx, tx, by.Name, id, remark)
		if err != nil {
			return err
		}
		return s.recordChange(ctx, tx, by, "withdrawal.reject", before.State, w, "")
	})
}

// recordChange writes a change of a withdrawal to the audit log and mails the member. alone
// is the reason if one operator was enough.
func (s *Service) recordChange(ctx context.Context, tx *ledger.Tx, by actor.By, kind string, from withdrawal.State, w withdrawal.Withdrawal, alone approval.Alone) error {
	became := stateEntry(string(w.State), "")
	if alone != "" {
		became["alone"] = string(alone)
	}
	if w.Hash != "" {
		became["hash"] = w.Hash
	}
	if err := s.record(ctx, tx, by, decision{kind, w.ID, w.UID, w.Amount, stateEntry(string(from), ""), became, w.Remark}); err != nil {
		return err
	}
	m, _, err := s.opt.Members.GetIn(ctx, tx, w.UID)
	if err != nil {
		return err
	}
	return s.notify(ctx, tx, m, w)
}

// payee returns the member of a withdrawal. Refused if the account is under review, or if
// the member's address has changed since.
func (s *Service) payee(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) (member.Member, error) {
	m, found, err := s.opt.Members.Verified(ctx, tx, w.UID)
	switch {
	case err != nil:
		return m, err
	case !found:
		return m, errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", w.UID)
	case m.Blocked():
		return m, errs.New(errs.Refused, "withdrawal.member_under_review", "Withdrawal {id} cannot be paid, because member {uid} is under review.", "id", w.ID, "uid", w.UID)
	case string(m.Wallet) != w.Address:
		return m, errs.New(errs.Refused, "withdrawal.address_changed", "Withdrawal {id} cannot be paid, because member {uid} has changed the wallet address. Reject it.", "id", w.ID, "uid", w.UID)
	}
	return m, nil
}

// MayLeave checks that a withdrawal can be paid now. Refused if the account is under
// review, the member's address has changed, a guarded change is too recent, or the money
// is held. Callers check it within the command that makes the signed payment durable.
func (s *Service) MayLeave(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	if _, err := s.payee(ctx, tx, w); err != nil {
		return err
	}
	wait, err := s.opt.Auth.WaitIn(ctx, tx, w.UID)
	if err != nil {
		return err
	}
	if w.ReadyAt.After(wait.Until) {
		wait.Until = w.ReadyAt
	}
	if now := tx.Now(); !wait.Over(now) {
		return errs.New(errs.Refused, "withdrawal.member_changed", "Withdrawal {id} cannot be paid before {until}, because the member has changed {changed}.", "id", w.ID, "until", wait.Until.UTC().Format("2006-01-02 15:04 UTC"), "changed", wait.For.Words())
	}
	return s.covered(ctx, tx, w)
}

// Payable lists approved withdrawals that are in no batch and whose waiting period is
// over, oldest first. MayLeave decides about each.
func (s *Service) Payable(ctx context.Context, tx *ledger.Tx, limit int64) ([]withdrawal.Withdrawal, error) {
	return s.opt.Withdrawals.Payable(ctx, tx, s.opt.Clock.Now(), limit)
}

// SetBatch adds an approved withdrawal to a batch if it may leave, or with batch 0
// removes it. Errors: those of MayLeave and of withdrawal's SetBatch.
func (s *Service) SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64) (withdrawal.Withdrawal, error) {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err != nil {
		return w, err
	}
	if batch != 0 {
		if err := s.MayLeave(ctx, tx, w); err != nil {
			return w, err
		}
	}
	return s.opt.Withdrawals.SetBatch(ctx, tx, id, batch, tx.Now())
}

// notInBatch returns Conflict for a withdrawal in a batch, whose outcome is noted there.
func (s *Service) notInBatch(ctx context.Context, tx *ledger.Tx, id int64) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err == nil && w.Batch != 0 {
		err = errs.New(errs.Conflict, "withdrawal.paid_in_batch", "Withdrawal {id} is paid in batch {batch}. Note its payment there.", "id", id, "batch", w.Batch)
	}
	return err
}

// Sent notes the transaction by which an operator paid a withdrawal outside of batches.
// Errors: those of MayLeave and of withdrawal's Sent; Conflict if the withdrawal is in a
// batch.
func (s *Service) Sent(ctx context.Context, by actor.By, key string, id int64, hash string) error {
	asked, foreign, err := s.maySend(ctx, id, hash)
	if err != nil {
		return err
	}
	err = s.decide(ctx, by, key, kindSent, id, hash, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.notInBatch(ctx, tx, id); err != nil {
			return err
		}
		if err := s.SentIn(ctx, tx, by, id, hash); err != nil || asked {
			return err
		}
		return s.notifyConfirmers(ctx, tx, by, id)
	})
	if err != nil || !foreign {
		return err
	}
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil {
		return err
	}
	return s.notifyForeign(ctx, by, w)
}

// SentIn notes the transaction that pays a withdrawal, within a command of the caller,
// which has checked MayLeave for a withdrawal in a batch. Operator 0 is the server's hot
// wallet.
func (s *Service) SentIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, hash string) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err != nil {
		return err
	}
	if w.Batch == 0 {
		if err := s.opt.Withdrawals.Verify(ctx, tx, w); err != nil {
			return err
		}
		if err := s.MayLeave(ctx, tx, w); err != nil {
			return err
		}
	}
	w, err = s.opt.Withdrawals.Sent(ctx, tx, id, hash, tx.Now())
	if err != nil {
		return err
	}
	return s.recordChange(ctx, tx, by, kindSent, withdrawal.Approved, w, "")
}

// Failed returns a sent withdrawal to Approved, outside of batches, because its
// transaction has moved no money and never will. Errors: those of withdrawal's Failed;
// Conflict if it is in a batch; Refused if the chain has the transaction; Forbidden for
// the operator who noted it, if the chain cannot decide; Unavailable if the chain does
// not answer.
func (s *Service) Failed(ctx context.Context, by actor.By, key string, id int64, why string) error {
	seen, err := s.finding(ctx, by, id, true)
	if err != nil {
		return err
	}
	return s.decide(ctx, by, key, "withdrawal.failed", id, why, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.notInBatch(ctx, tx, id); err != nil {
			return err
		}
		alone, err := s.aloneReason(ctx, tx, by, id, seen)
		if err != nil {
			return err
		}
		w, err := s.opt.Withdrawals.Failed(ctx, tx, id, why)
		if err != nil {
			return err
		}
		return s.recordChange(ctx, tx, by, "withdrawal.failed", withdrawal.Sent, w, alone)
	})
}

// FailedIn is Failed within a command of the caller.
func (s *Service) FailedIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, why string) error {
	w, err := s.opt.Withdrawals.Failed(ctx, tx, id, why)
	if err != nil {
		return err
	}
	return s.recordChange(ctx, tx, by, "withdrawal.failed", withdrawal.Sent, w, "")
}

// Confirm posts the payment of a sent withdrawal. Errors: those of withdrawal's Confirm;
// Conflict if it is in a batch; Refused if a configured chain does not show the payment;
// Forbidden for the operator who noted it, if no chain is configured or the payment came
// from an address that the company does not pay from.
func (s *Service) Confirm(ctx context.Context, by actor.By, key string, id int64) error {
	seen, err := s.finding(ctx, by, id, false)
	if err != nil {
		return err
	}
	return s.decide(ctx, by, key, "withdrawal.confirm", id, "", func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.notInBatch(ctx, tx, id); err != nil {
			return err
		}
		alone, err := s.aloneReason(ctx, tx, by, id, seen)
		if err != nil {
			return err
		}
		w, err := s.opt.Withdrawals.Confirm(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.recordChange(ctx, tx, by, "withdrawal.confirm", withdrawal.Sent, w, alone)
	})
}

// ConfirmIn is Confirm within a command of the caller.
func (s *Service) ConfirmIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64) error {
	w, err := s.opt.Withdrawals.Confirm(ctx, tx, id)
	if err != nil {
		return err
	}
	return s.recordChange(ctx, tx, by, "withdrawal.confirm", withdrawal.Sent, w, "")
}

// Withdrawals lists withdrawals without their parts, their total count and the sum of
// their amounts. For pending ones, NeedsTwo follows the current limit.
func (s *Service) Withdrawals(ctx context.Context, f withdrawal.Filter) ([]withdrawal.Withdrawal, int64, money.Amount, error) {
	all, total, sum, err := s.opt.Withdrawals.List(ctx, f)
	if err != nil {
		return nil, 0, sum, err
	}
	var uids []int64
	for _, w := range all {
		if w.State == withdrawal.Pending {
			uids = append(uids, w.UID)
		}
	}
	before, err := s.opt.Withdrawals.Approved(ctx, nil, members(uids), s.opt.Clock.Now())
	above := s.Limits().TwoAbove
	for i := range all {
		w := &all[i]
		w.NeedsTwo = w.NeedsTwo || (w.State == withdrawal.Pending && money.Exceeds(above, w.Amount, before[w.UID]))
	}
	return all, total, sum, err
}

// WithdrawalsOf returns a page of a member's withdrawals as withdrawal.Service.OfMember
// does.
func (s *Service) WithdrawalsOf(ctx context.Context, f withdrawal.Filter) ([]withdrawal.Withdrawal, int64, money.Amount, money.Amount, error) {
	return s.opt.Withdrawals.OfMember(ctx, f)
}

func members(uids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(uids))) }
