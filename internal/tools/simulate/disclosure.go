package simulate

import (
	"github.com/bifolia/bifolia/internal/insight/disclosure"
)

// disclosure returns the distribution of incomes. Its retail share is customers' sales over
// net revenue, as in the worked example; the published one excludes customers' sales that
// were reversed.
func (e *ending) disclosure(net, retail int64) map[string]any {
	income := map[int64]int64{}
	for _, x := range e.incomes {
		if !x.Kind.Trading() {
			income[x.Earner] += x.Paid
		}
	}
	var people []disclosure.Person
	for no, m := range e.members {
		if m.Parent == 0 && m.Sponsor != 0 {
			continue // a customer
		}
		people = append(people, disclosure.Person{Earned: income[no], Bought: e.carried[no].Final})
	}
	s := disclosure.Of(people)
	return map[string]any{
		"population": s.Population, "definition": disclosure.Definition,
		"share_with_no_income_ppm": s.NoIncome, "p25": s.P25.String(), "median": s.Median.String(), "p75": s.P75.String(), "p90": s.P90.String(), "max": s.Max.String(),
		"share_income_exceeds_own_purchases_ppm": s.Exceeds, "top_earner_share_ppm": s.Top,
		"retail_revenue_ppm": disclosure.Share(retail, net), "payout_to_revenue_ppm": disclosure.Share(s.Total.Micros(), net),
	}
}
