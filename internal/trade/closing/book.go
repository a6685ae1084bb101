package closing

import (
	"context"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Take is Book with the checks of MayTake, so that operators see the reason of a refusal
// at once.
func (s *Service) Take(ctx context.Context, tx *ledger.Tx, e Event, b Booking) (plan.Day, error) {
	day, err := s.MayTake(ctx, tx, e, b, nil)
	if err != nil {
		return 0, err
	}
	return day, s.Book(ctx, tx, e, b)
}

// MayTake returns the day of a booking, if it can be taken, assuming that the waiting
// proposals are booked. Conflict for the same reference as an earlier booking; Refused
// for a settlement above the booked profit, and for a chargeback of a sale that will not
// be final by then.
func (s *Service) MayTake(ctx context.Context, tx *ledger.Tx, e Event, b Booking, waiting []Booking) (plan.Day, error) {
	_, day, err := s.Open(ctx, tx, e)
	if err != nil {
		return 0, err
	}
	open, err := s.opt.Store.OpenBookings(ctx, tx)
	if err != nil {
		return 0, err
	}
	last, closed, err := s.opt.Store.LastDay(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, w := range waiting {
		if !closed || w.Day > last { // others cannot be approved any more
			open = append(open, w)
		}
	}
	for _, o := range open {
		switch {
		case o.Kind != b.Kind:
		case b.Kind == Chargeback && o.Sale == b.Sale:
			return 0, errs.New(errs.Conflict, "booking.chargeback_waits", "A chargeback of sale {sale} is already booked for the close of {day}.", "sale", b.Sale, "day", o.Day)
		case b.Kind != Chargeback && o.Line == b.Line && o.Day == day && o.Reference == b.Reference:
			return 0, errs.New(errs.Conflict, "booking.reference_used", "{line} has a booking of this kind under reference {reference} on {day} already.", "line", b.Line, "reference", strconv.Quote(b.Reference), "day", day)
		}
	}
	switch b.Kind {
	case Settle:
		err = s.covered(ctx, tx, open, b)
	case Chargeback:
		err = s.reversible(ctx, tx, b.Sale, day)
	}
	return day, err
}

// MaxBooking limits the amount of one booking, so that a typing error cannot exceed the
// range of accounts and block closes.
var MaxBooking = money.MustParse("1000000000")

// TooLarge reports whether an amount exceeds MaxBooking.
func TooLarge(a money.Amount) bool {
	n, most := a.Micros(), MaxBooking.Micros()
	return n > most || n < -most
}

// maxHeld limits the listed profits on Hold.
const maxHeld = 200

// Unfinished lists open bookings, and booked profit without settlement.
func (s *Service) Unfinished(ctx context.Context) ([]Booking, []Held, error) {
	open, err := s.opt.Store.OpenBookings(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	held, err := s.opt.Store.Held(ctx, maxHeld)
	return open, held, err
}

// OpenBookings lists open bookings; with a nil tx as committed.
func (s *Service) OpenBookings(ctx context.Context, tx *ledger.Tx) ([]Booking, error) {
	return s.opt.Store.OpenBookings(ctx, tx)
}

// FindOpen returns an open booking. NotFound if it is not open.
func (s *Service) FindOpen(ctx context.Context, tx *ledger.Tx, id string) (Booking, error) {
	open, err := s.opt.Store.OpenBookings(ctx, tx)
	if err != nil {
		return Booking{}, err
	}
	at := slices.IndexFunc(open, func(b Booking) bool { return b.ID == id })
	if at < 0 {
		return Booking{}, errs.New(errs.NotFound, "booking.not_open", "There is no open booking {booking}. It does not exist, was cancelled, or its day is closed.", "booking", id)
	}
	return open[at], nil
}

// Cancel cancels an open booking, which is listed as refused on its day. NotFound if it
// is not open.
func (s *Service) Cancel(ctx context.Context, tx *ledger.Tx, id, reason string) (Booking, error) {
	b, err := s.FindOpen(ctx, tx, id)
	if err != nil {
		return b, err
	}
	why := "cancelled: " + reason
	if err := s.opt.Store.CloseBooking(ctx, tx, id, why); err != nil {
		return b, err
	}
	return b, s.opt.Store.Refuse(ctx, tx, Noted{ID: id, Day: b.Day, At: b.At, Refused: why})
}

// NoteOn is Note for an event on a given open day: cancelling a booking changes the day
// of the booking.
func (s *Service) NoteOn(ctx context.Context, tx *ledger.Tx, e Event, day plan.Day) error {
	return s.opt.Store.Note(ctx, tx, Noted{ID: e.ID, Day: day, At: e.At, Recorded: e.Recorded, Body: e.Body})
}

// covered returns Refused for a settlement above all profit booked so far. The close
// determines the exact coverage.
func (s *Service) covered(ctx context.Context, tx *ledger.Tx, open []Booking, b Booking) error {
	unsettled, err := s.Unsettled(ctx, tx, b.Line)
	if err != nil {
		return err
	}
	free := unsettled.Micros()
	for _, o := range open {
		switch {
		case o.Line != b.Line:
		case o.Kind == Settle:
			free -= o.Amount.Micros()
		case o.Kind == PnL && o.Amount.Sign() > 0:
			free += o.Amount.Micros()
		}
	}
	if b.Amount.Micros() > free {
		return errs.New(errs.Refused, "booking.settlement_above_profit", "The settlement of {amount} is above the booked profit of {profit}, of which {free} is not settled yet.", "amount", b.Amount, "profit", b.Line, "free", money.Micro(max(free, 0)))
	}
	return nil
}

// Unsettled returns a line's booked profit without settlement, within a command.
func (s *Service) Unsettled(ctx context.Context, tx *ledger.Tx, line string) (money.Amount, error) {
	free := int64(0)
	for _, code := range []string{"L:ROI_HELD:", "L:FEE_HELD:"} {
		account, err := ledger.ParseAccount(code + line)
		if err != nil {
			return money.Amount{}, err
		}
		held, err := tx.Balance(account)
		if err != nil {
			return money.Amount{}, err
		}
		free += held.Posted.Micros()
	}
	for _, name := range []string{"settled:", "frozen:"} {
		n, err := s.opt.Store.Tally(ctx, tx, name+line)
		if err != nil {
			return money.Amount{}, err
		}
		free -= n
	}
	return money.Micro(free), nil
}

// reversible refuses a chargeback of a sale that is not final and will not be
// so by the close of a day.
func (s *Service) reversible(ctx context.Context, tx *ledger.Tx, id string, day plan.Day) error {
	cooling, _, err := s.cooling(ctx, tx)
	if err != nil {
		return err
	}
	x, found, err := s.opt.Sales.Get(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "sale.not_found", "There is no sale {sale}.", "sale", id)
	case x.State == sale.Refunded:
		return errs.New(errs.Refused, "booking.sale_refunded", "Sale {sale} was refunded: there is nothing to charge back.", "sale", id)
	case x.State == sale.Reversed:
		return errs.New(errs.Refused, "booking.sale_charged_back", "Sale {sale} was charged back already.", "sale", id)
	case x.State == sale.Cooling && x.Day+cooling(x.Day) > day:
		return errs.New(errs.Refused, "booking.sale_cooling_off", "Sale {sale} is still cooling off: its buyer may have it refunded.", "sale", id)
	}
	return nil
}

func (s *Service) enter(ctx context.Context, tx *ledger.Tx, e auditlog.Entry) error {
	if s.opt.AuditLog == nil {
		return nil
	}
	return s.opt.AuditLog.Write(ctx, tx, e)
}

// enterClose notes what somebody did about the close of a day.
func (s *Service) enterClose(ctx context.Context, tx *ledger.Tx, by actor.By, alone approval.Alone, act string, on plan.Day, digest string) error {
	return s.enter(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: act, Subject: on.String(), Became: auditlog.State(map[string]string{"digest": digest}), Reason: string(alone)})
}
