package fund

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Arrival is a payment that the chain has shown, deep enough to count, and whose it
// is.
type Arrival struct {
	UID    int64
	Fund   Kind // if no request of the member's says another
	Amount money.Amount
	Number string // of the transaction
	Source string // which part of it: no two payments of a transaction have the same
	Bank   Bank   // where it was paid to
	Text   string // what the chain says
	Hold   string // why a person decides; "" to credit it
}

// Receive gives a payment its one request: that of the member which names the
// transaction and waits, or a new one. It is approved, or waits for a person if
// something speaks against it. fresh is false if the payment has its request already.
// A *ledger.TamperedError as for Approve.
func (s *Service) Receive(ctx context.Context, tx *ledger.Tx, who actor.By, a Arrival) (r Request, fresh bool, err error) {
	named, err := s.store.Named(ctx, tx, a.Number)
	if err != nil {
		return r, false, err
	}
	asked := Request{}
	for _, x := range named {
		switch {
		case x.Source == a.Source:
			return x, false, s.store.Vouched(ctx, tx, x.ID)
		case x.Source == "" && x.State == Approved && x.UID == a.UID: // by hand, before the watcher saw it
			return x, false, s.store.Vouched(ctx, tx, x.ID)
		case x.Source == "" && x.State == Approved:
			a.Hold = textOther
		case x.Source == "" && x.State == Pending && x.UID == a.UID:
			asked = x
		}
	}
	if asked.ID != 0 {
		r, err = s.vouched(ctx, tx, asked.ID)
	} else {
		r, err = s.file(ctx, tx, a)
	}
	if err != nil {
		return r, false, err
	}
	if err := s.accounted(ctx, tx, r); err != nil {
		return r, false, err
	}
	remark := a.Text
	if asked.ID != 0 && r.Amount != a.Amount {
		remark += " The request named " + r.Amount.Short() + "."
	}
	r.Amount, r.Source, r.Verdict, r.VerdictAt = a.Amount, a.Source, remark, tx.Now()
	if a.Hold != "" {
		r.Verdict = remark + " " + a.Hold
	}
	if err := s.store.Match(ctx, tx, r); err != nil || a.Hold != "" {
		return r, true, err
	}
	if r, err = s.decide(ctx, tx, who, r.ID, Approved, remark, tx.Now()); err != nil {
		return r, true, err
	}
	return r, true, Deposit(tx, r.UID, r.Fund, r.Amount, r.Number)
}

// file adds the request of a payment that none was asked for.
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

// only refuses to credit a member's word for a number that was credited already.
func (s *Service) only(ctx context.Context, tx *ledger.Tx, r Request) error {
	if r.Source != "" {
		return nil
	}
	named, err := s.store.Named(ctx, tx, r.Number)
	if err != nil {
		return err
	}
	for _, x := range named {
		if x.State == Approved {
			return errs.New(errs.Conflict, "fund.number_credited", "The number was credited with fund request {other} already: reject fund request {id}.", "other", x.ID, "id", r.ID)
		}
	}
	return nil
}

// CloseOthers rejects what else waits under the number of a request that an operator
// has approved: one number is credited once. The remark tells nobody who has it.
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
		if x, err = s.decide(ctx, tx, who, x.ID, Rejected, textOther, tx.Now()); err != nil {
			return closed, err
		}
		closed = append(closed, x)
	}
	return closed, nil
}

// Named are all requests of a number, as committed.
func (s *Service) Named(ctx context.Context, number string) ([]Request, error) {
	return s.store.Named(ctx, nil, number)
}

// Claims is how many requests name each of some numbers.
func (s *Service) Claims(ctx context.Context, numbers []string) (map[string]int64, error) {
	return s.store.Claims(ctx, numbers)
}
