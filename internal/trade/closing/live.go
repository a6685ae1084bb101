package closing

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Changes between closes to data that a close reads.

// Note adds an event to its day; refused is the reason if it was not executed.
func (s *Service) Note(ctx context.Context, tx *ledger.Tx, e Event, refused string) error {
	_, day, err := s.Open(ctx, tx, e)
	if err != nil {
		return err
	}
	return s.opt.Store.Note(ctx, tx, Noted{ID: e.ID, Day: day, At: e.At, Recorded: e.Recorded, Body: e.Body, Refused: refused})
}

// Book adds an operator's booking for the close of its day. Invalid if it is malformed;
// Conflict if its id is known.
func (s *Service) Book(ctx context.Context, tx *ledger.Tx, e Event, b Booking) error {
	known := b.Kind == Chargeback && b.Sale != "" || (b.Kind == PnL || b.Kind == Settle) && (b.Line == plan.LineNames[0] || b.Line == plan.LineNames[1])
	switch {
	case b.Kind == Chargeback && b.Sale == "":
		return errs.New(errs.Invalid, "booking.chargeback_needs_sale", "A chargeback needs its sale.")
	case !known:
		return errs.New(errs.Invalid, "booking.unknown", "There is no booking of kind {kind} on {line}.", "kind", b.Kind, "line", strconv.Quote(b.Line))
	case b.Kind == Settle && b.Amount.Sign() <= 0:
		return errs.New(errs.Invalid, "booking.settlement_not_positive", "A settlement is above zero, not {amount}.", "amount", b.Amount)
	case TooLarge(b.Amount):
		return errs.New(errs.Invalid, "booking.amount_too_large", "amount above {most}", "most", MaxBooking)
	}
	_, day, err := s.Open(ctx, tx, e)
	if err != nil {
		return err
	}
	b.ID, b.Day, b.At = e.ID, day, e.At
	return s.opt.Store.AddBooking(ctx, tx, b)
}

// Thaw reduces a line's frozen ROI by that of a claimed position.
func (s *Service) Thaw(ctx context.Context, tx *ledger.Tx, line string, held int64) error {
	frozen, err := s.opt.Store.Tally(ctx, tx, "frozen:"+line)
	if err != nil {
		return err
	}
	return s.opt.Store.SetTally(ctx, tx, "frozen:"+line, frozen-held)
}

// Unblock ends a member's review and releases all network incomes on Hold. Rows reversed
// meanwhile stay void.
func (s *Service) Unblock(ctx context.Context, tx *ledger.Tx, e Event, uid int64) error {
	if err := s.opt.Members.Unblock(ctx, tx, uid); err != nil {
		return err
	}
	_, day, err := s.Open(ctx, tx, e)
	if err != nil {
		return err
	}
	place, found, err := s.opt.Tree.Standing(ctx, tx, uid)
	if err != nil || !found {
		return err
	}
	held, err := s.opt.Store.HeldIncomes(ctx, tx, int64(place.No))
	if err != nil {
		return err
	}
	sums := map[string]int64{}
	var released []int64
	for _, x := range held {
		sums[wallet(x.Kind, "", false)] += x.Paid
		released = append(released, x.Row)
	}
	for to, sum := range sums {
		if err := release(tx, e.ID, to, strconv.FormatInt(uid, 10), sum); err != nil {
			return err
		}
	}
	return s.opt.Store.Release(ctx, tx, released, day)
}

// release moves a member's held income to its wallet.
func release(tx *ledger.Tx, reference, to, uid string, sum int64) error {
	if sum == 0 {
		return nil
	}
	from, err := ledger.ParseAccount("L:HELD" + to[len("L:INCOME"):] + ":" + uid)
	if err != nil {
		return err
	}
	into, err := ledger.ParseAccount(to + ":" + uid)
	if err != nil {
		return err
	}
	_, err = tx.Post(ledger.Transfer{Kind: "unblock", Reference: reference, Legs: []ledger.Leg{{Account: from, Delta: money.Micro(-sum)}, {Account: into, Delta: money.Micro(sum)}}})
	return err
}
