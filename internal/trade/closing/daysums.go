package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// DaySum is a sum that the close of a day booked. Reports over years read these instead
// of rows.
type DaySum struct {
	Day    plan.Day
	Name   string // one of the sums below
	Part   string // the buyer, incomes or line
	N      int64
	Amount int64
}

// Names of sums.
const (
	SumFinal    = "final"    // final sales, by buyer
	SumReversed = "reversed" // final sales charged back, by buyer
	SumPaid     = "paid"     // incomes, by PartOf
	SumTaken    = "taken"    // reversed incomes, by PartOf; never above zero
	SumFee      = "fee"      // the operator's share of booked profits, by line
)

// Buyers.
const (
	PartMember   = "member"
	PartCustomer = "customer"
)

// PartOf names the incomes of a kind, and of ROI of a line, in sums.
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

// incomeSums adds up the rows of the day. It uses no map per row, because there may be
// millions.
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

// DayStore is the database of CheckDays.
type DayStore interface {
	// WrongDay returns a sum of a day that differs from its rows or is missing, and the
	// difference; false if there is none.
	WrongDay(ctx context.Context) (DaySum, bool, error)
}

// DayFinding is a wrong sum of a day.
type DayFinding struct{ Off DaySum }

func (f *DayFinding) Error() string {
	return fmt.Sprintf("The day's sum %q of %s (%s) is off by %d in %d rows.", f.Off.Name, f.Off.Day, f.Off.Part, f.Off.Amount, f.Off.N)
}

// CheckDays adds up all days again. The error is a *DayFinding if a stored sum is wrong.
func CheckDays(ctx context.Context, s DayStore) error {
	wrong, found, err := s.WrongDay(ctx)
	if err != nil || !found {
		return err
	}
	return &DayFinding{wrong}
}
