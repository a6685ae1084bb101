package cashier

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/evm"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/second"
	"github.com/bifolia/bifolia/internal/withdrawal"
)

// What operators say became of a payment outside of a batch. Where a chain is
// configured it has the last word. What it cannot tell takes two operators: the one
// who notes the transaction proposes with it that the withdrawal is paid, and
// another confirms that, or notes that it failed, after which it can be paid again.

// Why one operator is enough.
const (
	aloneDemo  = closing.AloneDemo
	aloneOnly  = "only operator"
	aloneChain = "chain"
)

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
		return v, true, errs.New(errs.Unavailable, "The chain cannot be asked just now, and without it nothing is noted of a payment. Try again.")
	}
	return v, asked, nil
}

// maySend refuses a transaction of which the chain says for good that it does not pay
// the withdrawal.
func (s *Service) maySend(ctx context.Context, id int64, hash string) error {
	parsed, err := withdrawal.ParseHash(hash)
	if err != nil {
		return err
	}
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Approved { // the command says what is wrong with it
		return err
	}
	v, asked, err := s.seen(ctx, w, parsed)
	if err == nil && asked && v.State == evm.Refused && v.Final {
		err = errs.New(errs.Refused, "This transaction does not pay withdrawal %d: %s", id, v.Text)
	}
	return err
}

// settled says whether the chain shows that the transaction of a sent withdrawal paid
// it, or with failed that it never will. hash is the one that was looked at; "" where
// no chain could tell, so that it takes another operator.
func (s *Service) settled(ctx context.Context, id int64, failed bool) (hash string, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, nil, id)
	if err != nil || w.State != withdrawal.Sent || w.Batch != 0 { // the command says so
		return "", err
	}
	v, asked, err := s.seen(ctx, w, w.Hash)
	switch {
	case err != nil || !asked:
		return "", err
	case !failed && v.State == evm.Confirmed, failed && v.State == evm.Refused && v.Final:
		return w.Hash, nil
	case !failed:
		return "", errs.New(errs.Refused, "The chain does not show that withdrawal %d is paid: %s", id, v.Text)
	case v.State == evm.Confirmed || v.Confirmations > 0:
		return "", errs.New(errs.Refused, "The chain has this transaction: %s", v.Text)
	}
	return "", nil // no node knows it: a person may have mistyped it
}

// another says why one operator is enough to end a payment that was noted: the chain
// has shown what became of seen, or there is nobody else. Forbidden for who noted it.
func (s *Service) another(ctx context.Context, rows ledger.Rows, by By, id int64, seen string) (alone string, err error) {
	w, err := s.opt.Withdrawals.Get(ctx, rows, id)
	switch {
	case err != nil || w.State != withdrawal.Sent:
		return "", err
	case seen != "" && seen != w.Hash:
		return "", errs.New(errs.Conflict, "Withdrawal %d has another transaction since: look at it again.", id)
	case seen != "":
		return aloneChain, nil
	}
	noted, found, err := s.opt.Closing.LastAct(ctx, rows, kindSent, strconv.FormatInt(id, 10))
	switch {
	case err != nil:
		return "", err
	case found && noted.Operator != by.Operator:
		return "", nil
	case s.opt.Demo:
		return string(aloneDemo), nil
	case s.opt.Others == nil:
		return aloneOnly, nil
	}
	others, err := s.opt.Others(ctx, rows, by.Operator)
	switch {
	case err != nil:
		return "", err
	case others == 0:
		return aloneOnly, nil
	}
	return "", errs.New(errs.Forbidden, "You noted the transaction of withdrawal %d: another operator must say what became of it.", id)
}

// noted tells whoever may confirm a payment that was noted, unless the chain will.
func (s *Service) noted(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, by By, id int64) error {
	w, err := s.opt.Withdrawals.Get(ctx, rows, id)
	if err != nil {
		return err
	}
	return s.second(ctx, tx, rows, by, second.Payment, id, w.Net)
}
