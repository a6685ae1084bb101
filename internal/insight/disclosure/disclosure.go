// Package disclosure computes the distribution of incomes over all registered members,
// including those without income.
package disclosure

import (
	"math/bits"
	"slices"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Definition describes the population and the income.
const Definition = "all registered members incl. inactive; network income net of reversals, before own purchases"

// Person is one member's income from the network, and purchases.
type Person struct{ Earned, Bought int64 }

// Spread is the distribution of incomes. Shares are in ppm.
type Spread struct {
	Population                 int64
	NoIncome                   int64 // share of people without income
	P25, Median, P75, P90, Max money.Amount
	Exceeds                    int64 // share of people whose income exceeds their purchases
	Top                        int64 // the top earner's share of all income
	Total                      money.Amount
}

// Of is the distribution over people, which it reorders.
func Of(people []Person) Spread {
	var none, exceeds, total, top int64
	for _, p := range people {
		total += p.Earned
		top = max(top, p.Earned)
		if p.Earned == 0 {
			none++
		}
		if p.Earned > p.Bought {
			exceeds++
		}
	}
	slices.SortFunc(people, func(a, b Person) int {
		switch {
		case a.Earned < b.Earned:
			return -1
		case a.Earned > b.Earned:
			return 1
		}
		return 0
	})
	n := int64(len(people))
	return Spread{
		Population: n, NoIncome: Share(none, n), Exceeds: Share(exceeds, n), Top: Share(top, total), Total: money.Micro(total),
		P25: rank(people, 25), Median: rank(people, 50), P75: rank(people, 75), P90: rank(people, 90), Max: rank(people, 100),
	}
}

// Share is floor(part·1,000,000/whole); 0 of nothing.
func Share(part, whole int64) int64 {
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
func rank(sorted []Person, percent int) money.Amount {
	if len(sorted) == 0 {
		return money.Amount{}
	}
	at := (len(sorted)*percent + 99) / 100
	return money.Micro(sorted[max(at, 1)-1].Earned)
}
