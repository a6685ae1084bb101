package cashier

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Operators report the outcome of payments outside of batches. If a chain is configured,
// it decides about payments from the company's addresses. It cannot decide about a
// payment from another address, which may be an unrelated payment to the member. Such
// outcomes take two operators: one notes the transaction, and another confirms it or
// notes that it failed, after which the withdrawal can be paid again.

// kindSent is the audit log's kind for a noted transaction.
const kindSent = "withdrawal.sent"

// askChain asks the chain whether hash pays a withdrawal; asked is false if no chain is
// configured. Unavailable if the chain does not answer.
func (s *Service) askChain(ctx context.Context, w withdrawal.Withdrawal, hash string) (v evm.Verdict, asked bool, err error) {
	if s.opt.Verify == nil {
		return v, false, nil
	}
	v, asked = s.opt.Verify(ctx, hash, evm.Expectation{Receiver: w.Address, Amount: w.Net, NotBefore: w.RequestedAt})
	if asked && v.State == evm.Unknown {
		return v, true, errs.New(errs.Unavailable, "chain.not_asked_for_payment", "The chain cannot be reached, so no payment can be noted. Try again.")
	}
	return v, asked, nil
}

// fromUs reports whether a payment came from addresses that the company pays from, and
// from no others; false while the chain does not show its origin.
func (s *Service) fromUs(ctx context.Context, v evm.Verdict) (bool, error) {
	if s.opt.PaysFrom == nil || len(v.From) == 0 {
		return false, nil
	}
	for _, address := range v.From {
		if ours, err := s.opt.PaysFrom(ctx, address); err != nil || !ours {
			return false, err
		}
	}
	return true, nil
}

// maySend returns Refused for a transaction that finally does not pay the withdrawal. The
// payment takes another operator if asked is false (no chain is configured) or foreign is
// true (it came from another address).
func (s *Service) maySend(ctx context.Context, id int64, hash string) (asked, foreign bool, err error) {
	parsed, err := withdrawal.ParseHash(hash)
	if err != nil {
		return false, false, err
	}
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Approved { // the command reports the error
		return false, false, err
	}
	v, asked, err := s.askChain(ctx, w, parsed)
	switch {
	case err != nil || !asked:
		return asked, false, err
	case v.State == evm.Refused && v.Final:
		return true, false, errs.New(errs.Refused, "withdrawal.not_paid_by_transaction", "This transaction does not pay withdrawal {id}: {finding}", "id", id, "finding", v.Text)
	case len(v.From) == 0: // not in a block yet
		return true, false, nil
	}
	ours, err := s.fromUs(ctx, v)
	return true, err == nil && !ours, err
}

// finding checks that the chain shows the payment of a sent withdrawal or, with failed,
// that its transaction never will pay. It returns the hash that was checked, or an empty
// one if the chain cannot decide, so that another operator must.
func (s *Service) finding(ctx context.Context, by actor.By, id int64, failed bool) (hash string, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Sent || w.Batch != 0 { // the command reports the error
		return "", err
	}
	v, asked, err := s.askChain(ctx, w, w.Hash)
	switch {
	case err != nil || !asked:
		return "", err
	case failed && v.State == evm.Refused && v.Final:
		return w.Hash, nil
	case !failed && v.State == evm.Confirmed:
		ours, err := s.fromUs(ctx, v)
		if err == nil && !ours {
			err = s.notifyForeign(ctx, by, w)
		}
		if err != nil || !ours {
			return "", err
		}
		return w.Hash, nil
	case !failed:
		return "", errs.New(errs.Refused, "withdrawal.not_paid_on_chain", "The chain does not show that withdrawal {id} is paid: {finding}", "id", id, "finding", v.Text)
	case v.State == evm.Confirmed || v.Confirmations > 0:
		return "", errs.New(errs.Refused, "chain.has_transaction", "The chain has this transaction: {finding}", "finding", v.Text)
	}
	return "", nil // no node has it: the hash may be mistyped
}

// notifyForeign mails the other operators once that a payment from another address needs
// their confirmation. It runs when the payment is noted, or, if its transaction was in no
// block then, when the operator who noted it asks for the confirmation. Other operators
// can confirm at once, so their requests send no mail.
func (s *Service) notifyForeign(ctx context.Context, by actor.By, w withdrawal.Withdrawal) error {
	key := "elsewhere:" + strconv.FormatInt(w.ID, 10) + ":" + w.Hash
	_, err := s.opt.Do.Do(ctx, command(by.Key(), key, []byte(key), func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		act, found, err := s.opt.AuditLog.LastAct(ctx, tx, kindSent, strconv.FormatInt(w.ID, 10))
		if err != nil || !found || act.Operator != by.Operator {
			return nil, err
		}
		return nil, s.notifyConfirmers(ctx, tx, by, w.ID)
	}))
	return err
}

// aloneReason returns why one operator may end a noted payment: the chain has shown the
// outcome of hash seen, or there is no other operator. Forbidden for the operator who
// noted the payment.
func (s *Service) aloneReason(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, seen string) (alone approval.Alone, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	switch {
	case err != nil || w.State != withdrawal.Sent:
		return "", err
	case seen != "" && seen != w.Hash:
		return "", errs.New(errs.Conflict, "withdrawal.transaction_changed", "The transaction of withdrawal {id} has changed. Review it again.", "id", id)
	case seen != "":
		return approval.AloneChain, nil
	}
	noted, found, err := s.opt.AuditLog.LastAct(ctx, tx, kindSent, strconv.FormatInt(id, 10))
	switch {
	case err != nil:
		return "", err
	case found && noted.Operator != by.Operator:
		return "", nil
	case s.opt.Demo:
		return approval.AloneDemo, nil
	case s.opt.Others == nil:
		return approval.AloneOnlyOperator, nil
	}
	others, err := s.opt.Others(ctx, tx, by.Operator)
	switch {
	case err != nil:
		return "", err
	case others == 0:
		return approval.AloneOnlyOperator, nil
	}
	return "", errs.New(errs.Forbidden, "withdrawal.marked_by_you", "You noted the transaction of withdrawal {id}. Another operator must confirm its outcome.", "id", id)
}

// notifyConfirmers mails the operators who may confirm a noted payment.
func (s *Service) notifyConfirmers(ctx context.Context, tx *ledger.Tx, by actor.By, id int64) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err != nil {
		return err
	}
	return s.second(ctx, tx, by, approvalmail.Payment, id, w.Net)
}
