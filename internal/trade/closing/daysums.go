package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// DaySum is what the close of a day booked of one thing, added up. Reports over
// years read these instead of rows.
type DaySum struct {
	Day    plan.Day
	Name   string // one of the sums below
	Part   string // of what: who bought, which incomes, which line
	N      int64
	Amount int64
}

// What is added up.
const (
	SumFinal    = "final"    // sales that became final, by who bought
	SumReversed = "reversed" // final sales charged back, by who had bought
	SumPaid     = "paid"     // incomes, by PartOf
	SumTaken    = "taken"    // what was taken back of incomes, by PartOf; never above zero
	SumFee      = "fee"      // the operator's share of booked profits, by line
)

// Who bought.
const (
	PartMember   = "member"
	PartCustomer = "customer"
)

// PartOf is how the incomes of a kind, and of ROI of a line, are called in sums.
func PartOf(kind plan.Kind, line string) string { return strconv.Itoa(int(kind)) + " " + line }

// daySums adds up what the day booked.
func (d *day) daySums() (all []DaySum) {
	type key struct{ name, part string }
	sums := map[key]*DaySum{}
	add := func(name, part string, amount int64) {
		k := key{name, part}
		if sums[k] == nil {
			sums[k] = &DaySum{Day: d.day, Name: name, Part: part}
		}
		sums[k].N++
		sums[k].Amount += amount
	}
	buyer := func(m int32) string {
		if d.book.Customer[m] {
			return PartCustomer
		}
		return PartMember
	}
	for i := range d.out.Finalised {
		add(SumFinal, buyer(d.out.Finalised[i].Member), d.out.Finalised[i].Amount)
	}
	for i := range d.out.Reversals {
		add(SumReversed, buyer(d.out.Reversals[i].Sale.Member), d.out.Reversals[i].Sale.Amount)
	}
	for line, fees := range d.out.FeesPaid {
		for _, f := range fees {
			add(SumFee, plan.LineNames[line], f.Amount)
		}
	}
	for _, s := range sums {
		all = append(all, *s)
	}
	all = append(all, d.incomeSums()...)
	slices.SortFunc(all, func(a, b DaySum) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Part, b.Part)) })
	return all
}

// incomeSums adds up the rows of the day. There may be millions, so no map is
// asked for each.
func (d *day) incomeSums() (all []DaySum) {
	var sums [2][plan.Kinds][len(plan.LineNames) + 1]DaySum
	for i := range d.out.Rows {
		r := &d.out.Rows[i]
		taken, line := 0, 0
		if r.Reverses != 0 {
			taken = 1
		}
		if r.Kind.Trading() {
			line = 1 + int(r.Line)
		}
		s := &sums[taken][r.Kind][line]
		s.N++
		s.Amount += r.Paid
	}
	lines := append([]string{""}, plan.LineNames[:]...)
	for taken, name := range []string{SumPaid, SumTaken} {
		for kind := range sums[taken] {
			for line, s := range sums[taken][kind] {
				if s.N > 0 {
					s.Day, s.Name, s.Part = d.day, name, PartOf(plan.Kind(kind), lines[line])
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// DayStore is what checking the sums of days needs of a database.
type DayStore interface {
	// WrongDay is a sum of a day that is not that of its rows, or is missing,
	// with what it is off by; false if there is none.
	WrongDay(ctx context.Context) (DaySum, bool, error)
}

// DayFinding is a sum of a day that is wrong.
type DayFinding struct{ Off DaySum }

func (f *DayFinding) Error() string {
	return fmt.Sprintf("The day's sum %q of %s (%s) is off by %d in %d rows.", f.Off.Name, f.Off.Day, f.Off.Part, f.Off.Amount, f.Off.N)
}

// CheckDays adds all days up again. The error is a *DayFinding if a kept sum is
// wrong.
func CheckDays(ctx context.Context, s DayStore) error {
	wrong, found, err := s.WrongDay(ctx)
	if err != nil || !found {
		return err
	}
	return &DayFinding{wrong}
}
