package report

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Overview is the top of a member's dashboard: its money, and its open matters.
type Overview struct {
	Available money.Amount // in all income wallets
	// Day is the last closed day; 0 before the first. Today is the current one.
	Day, Today plan.Day
	// Earned on Day and on the day before, and in the month of Day and in the same days
	// of the month before. Of ROI they count what left Hold.
	Earned, EarnedBefore money.Amount
	Month, MonthBefore   money.Amount
	Loss                 money.Amount // of all positions: what later profit has not repaid
	Claims               []ReadyClaims
	Moves                []Move   // newest first
	Cooling              *Cooling // the package whose cooling-off ends first
}

// ReadyClaims are the claims of a line that the member can collect.
type ReadyClaims struct {
	Line   string
	Count  int64
	Amount money.Amount
}

// MoveKind is the kind of a Move.
type MoveKind string

// The kinds of moves.
const (
	FundRequest MoveKind = "request"
	Withdrawal  MoveKind = "withdrawal"
)

// Move is a fund request or a withdrawal that is in progress, or a withdrawal that was
// rejected and has no newer one.
type Move struct {
	Kind   MoveKind
	ID     int64
	State  string
	Name   string // the fund, or the wallet
	Way    string // of a fund request
	Amount money.Amount
	Remark string
	At     time.Time // of the request
}

// rejectedFor is how long after its request a rejected withdrawal is listed.
const rejectedFor = 30 * 24 * time.Hour

// Cooling is a package that can be refunded through a day.
type Cooling struct {
	Purchase
	Until plan.Day
	Count int // of all such packages
}

// Overview reads the top of a member's dashboard. NotFound if there is no such member.
func (s *Service) Overview(ctx context.Context, uid int64) (o Overview, err error) {
	n, f, err := s.open(ctx, Query{UID: uid, Page: 1, Size: 1})
	if err != nil {
		return o, err
	}
	p, err := s.today(ctx)
	if err != nil {
		return o, err
	}
	o.Today = p.Day(s.opt.Clock.Now())
	if o.Day, _, err = s.opt.Store.LastDay(ctx); err != nil {
		return o, err
	}
	if err = s.earned(ctx, f, &o); err != nil {
		return o, err
	}
	if o.Available, err = s.available(ctx, uid); err != nil {
		return o, err
	}
	if o.Loss, err = s.opt.Store.Losses(ctx, int64(n.No)); err != nil {
		return o, err
	}
	if o.Claims, err = s.opt.Store.ReadyClaims(ctx, int64(n.No)); err != nil {
		return o, err
	}
	if o.Moves, err = s.opt.Store.Moves(ctx, uid); err != nil {
		return o, err
	}
	old := s.opt.Clock.Now().Add(-rejectedFor)
	o.Moves = slices.DeleteFunc(o.Moves, func(m Move) bool { return m.State == "Rejected" && m.At.Before(old) })
	o.Cooling, err = s.cooling(ctx, uid)
	return o, err
}

// earned sums the incomes of the days that an overview compares.
func (s *Service) earned(ctx context.Context, f Filter, o *Overview) error {
	month := o.Day.Month()
	before := (month - 1).Month()
	f.From, f.To = min(before, o.Day-1), o.Day
	rows, err := s.opt.Store.IncomeByDay(ctx, f)
	if err != nil {
		return err
	}
	// The month before ends where it is as old as this one.
	until := min(before+o.Day-month, month-1)
	for _, x := range rows {
		for _, sum := range []struct {
			of   *money.Amount
			when bool
		}{
			{&o.Earned, x.Day == o.Day},
			{&o.EarnedBefore, x.Day == o.Day-1},
			{&o.Month, x.Day >= month},
			{&o.MonthBefore, x.Day >= before && x.Day <= until},
		} {
			if !sum.when {
				continue
			}
			if *sum.of, err = sum.of.Add(x.Amount); err != nil {
				return err
			}
		}
	}
	return nil
}

// available is the balance of all income wallets.
func (s *Service) available(ctx context.Context, uid int64) (sum money.Amount, err error) {
	all, err := s.opt.Store.Balances(ctx, uid)
	for wallet := range wallets {
		if err == nil {
			sum, err = sum.Add(all["L:INCOME:"+wallet+":"+strconv.FormatInt(uid, 10)].Available)
		}
	}
	return sum, err
}

// cooling returns the package whose cooling-off ends first.
func (s *Service) cooling(ctx context.Context, uid int64) (*Cooling, error) {
	rows, err := s.Refundable(ctx, uid)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	c := &Cooling{Purchase: rows[len(rows)-1], Count: len(rows)}
	p, err := s.planOf(ctx, c.Day)
	if err != nil {
		return nil, err
	}
	c.Until = c.Day + plan.Day(p.CoolingOffDays)
	return c, nil
}
