package fund

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Arrival is a payment on the chain with enough confirmations, and the member it belongs
// to.
type Arrival struct {
	UID    int64
	Fund   Kind // unless the member's request names another
	Amount money.Amount
	Number string    // of the transaction
	Source string    // the part of it, unique within the transaction
	Bank   Bank      // the receiving account
	Text   errs.Text // the finding of the chain
	Hold   errs.Text // why an operator must decide; no text to credit it
}

// Receive matches a payment with its one request: the member's pending request that names
// the transaction, or a new one. The request is approved, or stays pending for an
// operator if a.Hold is set or the number was credited already. fresh is false if the
// payment has its request already. It returns a *ledger.TamperedError under the same
// conditions as Approve.
func (s *Service) Receive(ctx context.Context, tx *ledger.Tx, who actor.By, a Arrival) (r Request, fresh bool, err error) {
	named, err := s.store.Named(ctx, tx, a.Number)
	if err != nil {
		return r, false, err
	}
	asked := Request{}
	for _, x := range named {
		switch {
		case x.Source == a.Source:
			return x, false, s.store.Verify(ctx, tx, x.ID)
		case x.Source == "" && x.State == Approved && x.UID == a.UID: // approved by an operator before the watcher saw it
			return x, false, s.store.Verify(ctx, tx, x.ID)
		case x.Source == "" && x.State == Approved:
			a.Hold = creditedElsewhere
		case x.Source == "" && x.State == Pending && x.UID == a.UID:
			asked = x
		}
	}
	if asked.ID != 0 {
		r, err = s.verified(ctx, tx, asked.ID)
	} else {
		r, err = s.file(ctx, tx, a)
	}
	if err != nil {
		return r, false, err
	}
	if err := s.accounted(ctx, tx, r); err != nil {
		return r, false, err
	}
	verdict, held := a.Text, a.Hold.Message != ""
	if asked.ID != 0 && r.Amount != a.Amount {
		verdict = errs.Say("fund.verdict_other_amount", "{finding} The request named {amount}.", "finding", verdict, "amount", r.Amount.Short())
	}
	if held {
		verdict = errs.Say("fund.verdict_held", "{finding} {reason}", "finding", verdict, "reason", a.Hold)
	}
	r.Amount, r.Source, r.Verdict, r.VerdictAt = a.Amount, a.Source, verdict, tx.Now()
	if err := s.store.Match(ctx, tx, r); err != nil || held {
		return r, true, err
	}
	if r, err = s.decide(ctx, tx, who, r.ID, Approved, verdict.Message, tx.Now()); err != nil {
		return r, true, err
	}
	return r, true, Deposit(tx, r.UID, r.Fund, r.Amount, r.Number)
}

// file adds a request for a payment that no member has reported.
func (s *Service) file(ctx context.Context, tx *ledger.Tx, a Arrival) (Request, error) {
	last, _, _, err := s.store.Ahead(ctx, tx, a.UID, a.Number)
	if err != nil {
		return Request{}, err
	}
	r := Request{
		ID: max(last+1, firstRequest), UID: a.UID, Fund: a.Fund, Amount: a.Amount, Number: a.Number, Way: ByUSDT, Bank: a.Bank,
		State: Pending, RequestedAt: tx.Now(), Source: a.Source,
	}
	return r, s.store.Add(ctx, tx, r)
}

// notCredited returns Conflict if the number of a request without a payment on the chain
// was credited already.
func (s *Service) notCredited(ctx context.Context, tx *ledger.Tx, r Request) error {
	if r.Source != "" {
		return nil
	}
	named, err := s.store.Named(ctx, tx, r.Number)
	if err != nil {
		return err
	}
	for _, x := range named {
		if x.State == Approved {
			return errs.New(errs.Conflict, "fund.number_credited", "The number was already credited with fund request {other}. Reject fund request {id}.", "other", x.ID, "id", r.ID)
		}
	}
	return nil
}

// CloseOthers rejects the other pending requests with the number of an approved request:
// one number is credited once. The remark does not reveal whose request was credited.
func (s *Service) CloseOthers(ctx context.Context, tx *ledger.Tx, who actor.By, r Request) (closed []Request, err error) {
	if r.State != Approved || r.Source != "" {
		return nil, nil
	}
	named, err := s.store.Named(ctx, tx, r.Number)
	if err != nil {
		return nil, err
	}
	for _, x := range named {
		if x.State != Pending || x.Source != "" {
			continue
		}
		if x, err = s.decide(ctx, tx, who, x.ID, Rejected, creditedElsewhere.Message, tx.Now()); err != nil {
			return closed, err
		}
		closed = append(closed, x)
	}
	return closed, nil
}

// Named returns all committed requests with a number.
func (s *Service) Named(ctx context.Context, number string) ([]Request, error) {
	return s.store.Named(ctx, nil, number)
}

// Claims returns how many requests name each of the numbers.
func (s *Service) Claims(ctx context.Context, numbers []string) (map[string]int64, error) {
	return s.store.Claims(ctx, numbers)
}
