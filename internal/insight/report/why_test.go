package report_test

import (
	"cmp"
	"strconv"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func everyRowIsExplained(t *testing.T, w *world) {
	digests, carries := map[string]string{}, map[string]map[string][2]string{}
	for _, d := range w.Days {
		digests[d.Day], carries[d.Day] = d.Digest, d.Carry
	}
	p := w.plan(t)
	for _, r := range w.Final.Rows {
		uid, _ := strconv.ParseInt(r["to"].(string), 10, 64)
		row := int64(r["row"].(float64))
		x, err := w.Why(t.Context(), uid, row)
		if err != nil {
			t.Fatal(err)
		}
		if x.SS != r["ss"] || money.Micro(x.Paid) != amountOf(r) || x.Close.Digest != digests[x.Day.String()] || x.Close.Plan != p.Version || x.Close.Digest == "" {
			t.Errorf("row %d: %+v, want %v", row, x, r)
		}
		w.checkReason(t, p, x)
		if x.Kind == plan.KindMatching {
			carry := carries[x.Day.String()][r["to"].(string)]
			if x.After == nil || x.Before[0].Micros() != x.After[0].Micros()+x.On || x.Before[1].Micros() != x.After[1].Micros()+x.On || x.After[0].String() != cmp.Or(carry[0], "0.000000") || x.After[1].String() != cmp.Or(carry[1], "0.000000") {
				t.Errorf("row %d: after it %v, want %v", row, x.After, carry)
			}
		} else if x.After != nil {
			t.Errorf("row %d tells legs", row)
		}
		other := int64(100001)
		if uid == other {
			other = 100002
		}
		if _, err := w.Why(t.Context(), other, row); !errs.Is(err, errs.NotFound) {
			t.Errorf("row %d of %d is explained to %d: %v", row, uid, other, err)
		}
	}
}

// checkReason recomputes an amount from what explains it.
func (w *world) checkReason(t *testing.T, p *plan.Plan, x report.Why) {
	t.Helper()
	sourced := x.Kind == plan.KindLevel || x.Kind >= plan.KindROI
	if sourced != (x.Source != nil) || (sourced && (x.Source.ID != x.IncomeState.Source || x.Source.Amount.IsZero())) {
		t.Errorf("row %d: the source is %+v", x.Row, x.Source)
	}
	if x.Scaled != (x.FactorPPM != 1_000_000) || (x.Scaled && (x.FactorPPM <= 0 || x.Nominal*x.FactorPPM/1_000_000 > x.Paid)) {
		t.Errorf("row %d: factor %d of %d is not %d", x.Row, x.FactorPPM, x.Nominal, x.Paid)
	}
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		if x.Reverses != 0 {
			before, err := w.Why(t.Context(), w.uidOf(x.Earner), x.Reverses)
			if err != nil || before.Paid != -x.Paid || x.RatePPM != 0 {
				t.Errorf("row %d takes back %d: %+v, %v", x.Row, x.Reverses, before, err)
			}
		} else if x.On*x.RatePPM/1_000_000 != x.Nominal {
			t.Errorf("row %d: %d ppm of %d is not %d", x.Row, x.RatePPM, x.On, x.Nominal)
		}
	case plan.KindMatching:
		if min(x.On*x.RatePPM/1_000_000, x.A) != x.Nominal || x.RatePPM != p.Match.RatePPM {
			t.Errorf("row %d: %d ppm of %d, at most %d, is not %d", x.Row, x.RatePPM, x.On, x.A, x.Nominal)
		}
		if got := x.Uncapped.Micros(); got != x.On*x.RatePPM/1_000_000 || x.Capped != (got > x.Nominal) {
			t.Errorf("row %d: without its cap it is %d, and with it %d", x.Row, got, x.Nominal)
		}
	case plan.KindROI:
		if s := x.Profit; s == nil || (s.Share.Micros()-s.Repaid.Micros())*s.MemberPPM/1_000_000 != x.Paid {
			t.Errorf("row %d: %+v is not %d", x.Row, x.Profit, x.Paid)
		} else if s.Rate.Micros() != s.Share.Micros()*100_000_000/x.On {
			t.Errorf("row %d: %s of %d is not %s %%", x.Row, s.Share, x.On, s.Rate)
		}
	case plan.KindRank, plan.KindSalary:
		if x.Need.Micros() > x.A || x.Need.IsZero() {
			t.Errorf("row %d: it needed %s and there were %d", x.Row, x.Need, x.A)
		}
	case plan.KindReward:
		if x.Need.Micros() > x.A || x.NeedOther.Micros() > x.B || x.Need.IsZero() || x.NeedOther.IsZero() {
			t.Errorf("row %d: it needed %s and %s and there were %d and %d", x.Row, x.Need, x.NeedOther, x.A, x.B)
		}
	case plan.KindRoyalty:
	}
}

func (w *world) uidOf(no int64) int64 {
	n, _ := w.tree.Get(tree.No(no))
	return n.UID
}
