package report

import (
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Why explains one of a member's income rows. NotFound if the member has no such row.
func (s *Service) Why(ctx context.Context, uid, row int64) (w Why, err error) {
	n, err := s.opt.Places.Node(ctx, uid)
	if err != nil {
		return w, err
	}
	x, found, err := s.opt.Store.Income(ctx, int64(n.No), row)
	if err != nil {
		return w, err
	}
	if !found {
		return w, errs.New(errs.NotFound, "report.row_not_found", "You have no income row {row}.", "row", row)
	}
	p, err := s.planOf(ctx, x.Day)
	if err != nil {
		return w, err
	}
	w.Income, w.RatePPM, w.FactorPPM = s.show(x), rate(p, x.Income), factor(x.Income)
	if w.Close, found, err = s.opt.Store.Closed(ctx, x.Day); err == nil && !found {
		err = fmt.Errorf("report: row %d is of %s, which is not closed", row, x.Day)
	}
	if err != nil {
		return w, err
	}
	if x.Source != "" {
		o, found, err := s.opt.Store.Origin(ctx, x.Source)
		if err != nil {
			return w, err
		}
		if found {
			w.Source = &o
		}
	}
	named := []Income{w.Income}
	if err := s.nameSources(ctx, named); err != nil {
		return w, err
	}
	w.Income = named[0]
	return w, w.addReason(p)
}

// percent turns a part into percents with six places.
const percent = 100_000_000

// addReason adds the data that explains the kind of income.
func (w *Why) addReason(p *plan.Plan) (err error) {
	switch w.Kind {
	case plan.KindMatching:
		w.addCarry()
		w.Uncapped, err = money.Micro(w.On).At(money.PPM(p.Match.RatePPM))
	case plan.KindRank:
		w.Need = p.Ranks[w.Level-1].Need
	case plan.KindReward:
		w.Need, w.NeedOther = p.Rewards[w.Level-1].NeedLeg1, p.Rewards[w.Level-1].NeedOther
	case plan.KindSalary:
		w.Need = money.Micro(p.SalaryMaintenanceX * w.Nominal)
	case plan.KindROI:
		w.Profit = &ProfitShare{money.Micro(w.A), money.Micro(w.B), p.ProfitSplitPPM.Member, money.Amount{}}
		if w.On > 0 {
			w.Profit.Rate, err = money.Micro(w.A).MulDiv(percent, w.On)
		}
	}
	return err
}

// rate is the income's rate. A reversal has none: it reverses the payment of the row that
// it names, under any plan.
func rate(p *plan.Plan, x closing.Income) int64 {
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		return x.A
	case plan.KindMatching:
		return p.Match.RatePPM
	}
	return 0
}

// factor is the part of the nominal amount that the pool could pay.
func factor(x closing.Income) int64 {
	const whole = 1_000_000
	if x.Nominal <= 0 || !x.Scaled {
		return whole
	}
	part, err := money.Micro(x.Paid).MulDiv(whole, x.Nominal)
	if err != nil {
		return whole
	}
	return part.Micros()
}

// addCarry adds the legs before and after matching.
func (w *Why) addCarry() {
	left, right := plan.LegsAfter(w.B)
	w.After = &[2]money.Amount{money.Micro(left), money.Micro(right)}
	w.Before = &[2]money.Amount{money.Micro(left + w.On), money.Micro(right + w.On)}
}
