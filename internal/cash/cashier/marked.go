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

// What operators say became of a payment outside of a batch. Where a chain is
// configured it has the last word on a payment that left one of the company's
// addresses. Of one that came from elsewhere it cannot tell that it was this one: the
// member may have been paid as much by somebody else. What the chain cannot tell takes two operators: the one
// who notes the transaction proposes with it that the withdrawal is paid, and
// another confirms that, or notes that it failed, after which it can be paid again.

// kindSent is the record's word for a transaction that was noted.
const kindSent = "withdrawal.sent"

// seen asks the chain whether hash pays a withdrawal; asked is false where no chain is
// configured. Unavailable if it does not answer.
func (s *Service) seen(ctx context.Context, w withdrawal.Withdrawal, hash string) (v evm.Verdict, asked bool, err error) {
	if s.opt.Verify == nil {
		return v, false, nil
	}
	v, asked = s.opt.Verify(ctx, hash, evm.Expectation{Receiver: w.Address, Amount: w.Net, NotBefore: w.RequestedAt})
	if asked && v.State == evm.Unknown {
		return v, true, errs.New(errs.Unavailable, "chain.not_asked_for_payment", "The chain cannot be asked just now, and without it nothing is noted of a payment. Try again.")
	}
	return v, asked, nil
}

// fromUs tells whether a payment left addresses that the company pays from, and no
// others; false as long as the chain does not say where it came from.
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

// maySend refuses a transaction of which the chain says for good that it does not pay
// the withdrawal. asked is false where no chain is configured, so that it takes another
// operator; strange is true if the payment came from elsewhere, which takes one too.
func (s *Service) maySend(ctx context.Context, id int64, hash string) (asked, strange bool, err error) {
	parsed, err := withdrawal.ParseHash(hash)
	if err != nil {
		return false, false, err
	}
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Approved { // the command says what is wrong with it
		return false, false, err
	}
	v, asked, err := s.seen(ctx, w, parsed)
	switch {
	case err != nil || !asked:
		return asked, false, err
	case v.State == evm.Refused && v.Final:
		return true, false, errs.New(errs.Refused, "withdrawal.not_paid_by_transaction", "This transaction does not pay withdrawal {id}: {finding}", "id", id, "finding", v.Text)
	case len(v.From) == 0: // it is in no block yet
		return true, false, nil
	}
	ours, err := s.fromUs(ctx, v)
	return true, err == nil && !ours, err
}

// settled says whether the chain shows that the transaction of a sent withdrawal paid
// it, or with failed that it never will. hash is the one that was looked at; "" where
// no chain could tell, or the payment came from elsewhere, so that it takes another
// operator.
func (s *Service) settled(ctx context.Context, by actor.By, id int64, failed bool) (hash string, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Sent || w.Batch != 0 { // the command says so
		return "", err
	}
	v, asked, err := s.seen(ctx, w, w.Hash)
	switch {
	case err != nil || !asked:
		return "", err
	case failed && v.State == evm.Refused && v.Final:
		return w.Hash, nil
	case !failed && v.State == evm.Confirmed:
		ours, err := s.fromUs(ctx, v)
		if err == nil && !ours {
			err = s.elsewhere(ctx, by, w)
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
	return "", nil // no node knows it: a person may have mistyped it
}

// elsewhere tells the other operators, once, that a payment waits for one of them,
// since it came from elsewhere: when it is noted, or if its transaction was in no block
// then, when the one who noted it asks for its confirmation. Nobody is told if another
// operator asks, who may confirm it.
func (s *Service) elsewhere(ctx context.Context, by actor.By, w withdrawal.Withdrawal) error {
	key := "elsewhere:" + strconv.FormatInt(w.ID, 10) + ":" + w.Hash
	_, err := s.opt.Do.Do(ctx, command(by.Key(), key, []byte(key), func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		act, found, err := s.opt.AuditLog.LastAct(ctx, tx, kindSent, strconv.FormatInt(w.ID, 10))
		if err != nil || !found || act.Operator != by.Operator {
			return nil, err
		}
		return nil, s.noted(ctx, tx, by, w.ID)
	}))
	return err
}

// another says why one operator is enough to end a payment that was noted: the chain
// has shown what became of seen, or there is nobody else. Forbidden for who noted it.
func (s *Service) another(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, seen string) (alone approval.Alone, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	switch {
	case err != nil || w.State != withdrawal.Sent:
		return "", err
	case seen != "" && seen != w.Hash:
		return "", errs.New(errs.Conflict, "withdrawal.transaction_changed", "Withdrawal {id} has another transaction since: look at it again.", "id", id)
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
	return "", errs.New(errs.Forbidden, "withdrawal.marked_by_you", "You noted the transaction of withdrawal {id}: another operator must say what became of it.", "id", id)
}

// noted tells whoever may confirm a payment that was noted, and that the chain does
// not decide.
func (s *Service) noted(ctx context.Context, tx *ledger.Tx, by actor.By, id int64) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, id)
	if err != nil {
		return err
	}
	return s.second(ctx, tx, by, approvalmail.Payment, id, w.Net)
}
