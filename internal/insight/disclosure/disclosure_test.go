package disclosure

import "testing"

func TestIncomesAreSpreadOverAllWhoRegistered(t *testing.T) {
	t.Parallel()
	people := make([]Person, 0, 10)
	for _, n := range []int64{7, 0, 0, 100, 0, 0, 3, 0, 40, 0} {
		people = append(people, Person{Earned: n * 1_000_000, Bought: 5_000_000})
	}
	s := Of(people)
	if s.Population != 10 || s.NoIncome != 600_000 || s.Exceeds != 300_000 || s.Top != 666_666 || s.Total.Micros() != 150_000_000 {
		t.Errorf("the spread is %+v", s)
	}
	// Of ten, the nearest ranks are the third, fifth, eighth, ninth and tenth.
	if s.P25.Micros() != 0 || s.Median.Micros() != 0 || s.P75.Micros() != 7_000_000 || s.P90.Micros() != 40_000_000 || s.Max.Micros() != 100_000_000 {
		t.Errorf("the ranks are %+v", s)
	}
	if Of(nil) != (Spread{}) {
		t.Errorf("nobody: %+v", Of(nil))
	}
}

func TestAShareIsExactAndNeverOverflows(t *testing.T) {
	t.Parallel()
	const most = 1<<63 - 1
	for _, c := range []struct{ part, whole, want int64 }{
		{1, 3, 333_333}, {0, 5, 0}, {5, 0, 0}, {-1, 5, 0}, {most, most, 1_000_000}, {most / 2, most, 499_999}, {7, 2, 3_500_000}, {most, 1, 0},
	} {
		if got := Share(c.part, c.whole); got != c.want {
			t.Errorf("Share(%d, %d) = %d, not %d", c.part, c.whole, got, c.want)
		}
	}
}
