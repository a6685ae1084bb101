package closing

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/sale"
)

// Take is Book for an operator: what the close could only refuse is refused at
// once, with the reason. Conflict for a booking made before under the same
// reference; Refused for a settlement above what is booked as profit and for a
// chargeback of a sale that will not be final by then.
func (s *Service) Take(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event, b Booking) (plan.Day, error) {
	_, day, err := s.Open(ctx, rows, e)
	if err != nil {
		return 0, err
	}
	open, err := s.opt.Store.OpenBookings(ctx, rows)
	if err != nil {
		return 0, err
	}
	for _, o := range open {
		switch {
		case o.Kind != b.Kind:
		case b.Kind == "chargeback" && o.Sale == b.Sale:
			return 0, errs.New(errs.Conflict, "A chargeback of sale %s waits for the close of %s already.", b.Sale, o.Day)
		case b.Kind != "chargeback" && o.Line == b.Line && o.Day == day && o.Reference == b.Reference:
			return 0, errs.New(errs.Conflict, "%s has a booking of this kind under reference %q on %s already.", b.Line, b.Reference, day)
		}
	}
	switch b.Kind {
	case "settle":
		err = s.covered(ctx, tx, rows, open, b)
	case "chargeback":
		err = s.reversible(ctx, rows, b.Sale, day)
	}
	if err != nil {
		return 0, err
	}
	return day, s.Book(ctx, rows, e, b)
}

// covered refuses a settlement that even all of the profit booked so far could
// not cover. The close says what it covers exactly.
func (s *Service) covered(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, open []Booking, b Booking) error {
	free := int64(0)
	for _, code := range []string{"L:ROI_HELD:", "L:FEE_HELD:"} {
		account, err := ledger.ParseAccount(code + b.Line)
		if err != nil {
			return err
		}
		held, err := tx.Balance(account)
		if err != nil {
			return err
		}
		free += held.Posted.Micros()
	}
	for _, name := range []string{"settled:", "frozen:"} {
		n, err := s.opt.Store.Tally(ctx, rows, name+b.Line)
		if err != nil {
			return err
		}
		free -= n
	}
	for _, o := range open {
		switch {
		case o.Line != b.Line:
		case o.Kind == "settle":
			free -= o.Amount.Micros()
		case o.Kind == "pnl" && o.Amount.Sign() > 0:
			free += o.Amount.Micros()
		}
	}
	if b.Amount.Micros() > free {
		return errs.New(errs.Refused, "The settlement of %s is above the booked profit of %s, of which %s is not settled yet.", b.Amount, b.Line, money.Micro(max(free, 0)))
	}
	return nil
}

// reversible refuses a chargeback of a sale that is not final and will not be
// so by the close of a day.
func (s *Service) reversible(ctx context.Context, rows ledger.Rows, id string, day plan.Day) error {
	cooling, _, err := s.cooling(ctx, rows)
	if err != nil {
		return err
	}
	x, found, err := s.opt.Sales.Get(ctx, rows, id)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "There is no sale %s.", id)
	case x.State == sale.Refunded:
		return errs.New(errs.Refused, "Sale %s was refunded: there is nothing to charge back.", id)
	case x.State == sale.Reversed:
		return errs.New(errs.Refused, "Sale %s was charged back already.", id)
	case x.State == sale.Cooling && x.Day+cooling(x.Day) > day:
		return errs.New(errs.Refused, "Sale %s is still cooling off: its buyer may have it refunded.", id)
	}
	return nil
}

// Act is what an operator did, for the record.
type Act struct {
	ID, Kind, Subject, Reference string
	Amount                       money.Amount
	Operator                     int64
	Name                         string
	At                           time.Time
}

// Record writes down what an operator did.
func (s *Service) Record(ctx context.Context, rows ledger.Rows, a Act) error {
	return s.opt.Store.AddAct(ctx, rows, a)
}
