package disclosure

import (
	"fmt"
	"testing"
)

func TestIncomesOfOneAreWhollyConcentratedAndEqualOnesNotAtAll(t *testing.T) {
	t.Parallel()
	same, one := make([]Person, 200), make([]Person, 200)
	for i := range same {
		same[i].Earned = 5_000_000
	}
	one[7].Earned = 9_000_000
	one[8].Earned = -1 // taken back more than there was: no earner
	if c := Concentrated(same); c.Gini != 0 || c.GiniAll != 0 || c.Earners != 200 || c.Total != 1_000_000_000 {
		t.Errorf("equal incomes: %+v", c)
	}
	c := Concentrated(one)
	// 199 of 200 have nothing: 1 − 1/200.
	if c.Gini != 0 || c.GiniAll != 995_000 || c.Earners != 1 {
		t.Errorf("one income: %+v", c)
	}
	if got, want := fmt.Sprint(Concentrated(same).Tops), "[{first 1 5000000} {ten 10 50000000} {hundred 100 500000000} {percent 2 10000000} {tenth 20 100000000}]"; got != want {
		t.Errorf("tops are %s, want %s", got, want)
	}
	if c := Concentrated(nil); c.Gini != 0 || c.Earners != 0 || len(c.Tops) != 5 {
		t.Errorf("of nobody: %+v", c)
	}
}

func TestGiniIsThatOfEveryPairCompared(t *testing.T) {
	t.Parallel()
	people := []Person{{Earned: 0}, {Earned: 3}, {Earned: 0}, {Earned: 11}, {Earned: 7}, {Earned: 7}, {Earned: 1_000_000}}
	naive := func(all []Person) int64 {
		var apart, sum int64
		for _, a := range all {
			sum += a.Earned
			for _, b := range all {
				apart += max(a.Earned-b.Earned, b.Earned-a.Earned)
			}
		}
		return 1_000_000 * apart / (2 * int64(len(all)) * sum)
	}
	want, all := naive([]Person{{Earned: 3}, {Earned: 11}, {Earned: 7}, {Earned: 7}, {Earned: 1_000_000}}), naive(people)
	if c := Concentrated(people); c.Gini != want || c.GiniAll != all {
		t.Errorf("%d and %d, want %d and %d", c.Gini, c.GiniAll, want, all)
	}
}
