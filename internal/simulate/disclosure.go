package simulate

import (
	"github.com/bifolia/bifolia/internal/disclosure"
	"github.com/bifolia/bifolia/internal/plan"
)

// disclosure tells how incomes are spread.
func (e *ending) disclosure(net [2]int64) map[string]any {
	income := map[int64]int64{}
	for _, x := range e.incomes {
		if x.Kind < plan.KindROI {
			income[x.Earner] += x.Paid
		}
	}
	var people []disclosure.Person
	for no, m := range e.carried {
		if m.Parent == 0 && m.Sponsor != 0 {
			continue // a customer
		}
		people = append(people, disclosure.Person{Earned: income[no], Bought: m.Final})
	}
	s := disclosure.Of(people)
	return map[string]any{
		"population": s.Population, "definition": disclosure.Definition,
		"share_with_no_income_ppm": s.NoIncome, "p25": s.P25.String(), "median": s.Median.String(), "p75": s.P75.String(), "p90": s.P90.String(), "max": s.Max.String(),
		"share_income_exceeds_own_purchases_ppm": s.Exceeds, "top_earner_share_ppm": s.Top,
		"retail_revenue_ppm": disclosure.Share(net[1], net[0]), "payout_to_revenue_ppm": disclosure.Share(s.Total.Micros(), net[0]),
	}
}
