package simulate

import (
	"math/bits"
	"slices"

	"github.com/bifolia/bifolia/internal/plan"
)

// disclosure tells how incomes are spread: over all registered members, also
// those who earn nothing.
func (e *ending) disclosure(net [2]int64) map[string]any {
	income := map[int64]int64{}
	for _, x := range e.incomes {
		if x.Kind < plan.KindROI {
			income[x.Earner] += x.Paid
		}
	}
	var all []int64
	var none, exceeds, total, top int64
	for no, m := range e.members {
		if m.Parent == 0 && m.Sponsor != 0 {
			continue // a customer
		}
		n := income[no]
		all = append(all, n)
		total += n
		top = max(top, n)
		if n == 0 {
			none++
		}
		if n > e.carried[no].Final {
			exceeds++
		}
	}
	slices.Sort(all)
	people := int64(len(all))
	return map[string]any{
		"population": people, "definition": "all registered members incl. inactive; network income net of reversals, before own purchases",
		"share_with_no_income_ppm": share(none, people), "p25": rank(all, 25), "median": rank(all, 50), "p75": rank(all, 75), "p90": rank(all, 90), "max": rank(all, 100),
		"share_income_exceeds_own_purchases_ppm": share(exceeds, people), "top_earner_share_ppm": share(top, total),
		"retail_revenue_ppm": share(net[1], net[0]), "payout_to_revenue_ppm": share(total, net[0]),
	}
}

// share is floor(part·1,000,000/whole); 0 of nothing.
func share(part, whole int64) int64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(part), 1_000_000)
	if hi >= uint64(whole) {
		return 0
	}
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(q)
}

// rank is the nearest rank of a percentile.
func rank(sorted []int64, percent int) string {
	if len(sorted) == 0 {
		return text(0)
	}
	at := (len(sorted)*percent + 99) / 100
	return text(sorted[max(at, 1)-1])
}
