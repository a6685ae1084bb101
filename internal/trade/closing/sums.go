package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// ManyRows is the number of rows of a kind in one close from which their sum is stored.
const ManyRows = 32

// Sum is a member's income from many rows of one kind in one close or, of ROI levels, in
// one batch. It covers all of the member's rows of that kind and line between First and
// Last.
type Sum struct {
	Earner      int64
	Kind        plan.Kind
	Line        string
	Batch       string // of ROI levels
	First, Last int64  // numbers of the rows
	Rows, Paid  int64
}

// sums adds up the rows of earners with many of a kind, so that reports need not read
// them all. Only levels occur in large numbers. ROI rows depend on their own position and
// are not summed.
func (d *day) sums() (all []Sum) {
	var counts [plan.Kinds][]int32 // by earner, of the kinds that are summed
	for k := range counts {
		if plan.Kind(k).Info().Summed {
			counts[k] = make([]int32, len(d.book.UID))
		}
	}
	for i := range d.out.Rows {
		if r := &d.out.Rows[i]; counts[r.Kind] != nil {
			counts[r.Kind][r.To]++
		}
	}
	type key struct {
		to     int32
		kind   plan.Kind
		source string
	}
	sums := map[key]*Sum{}
	for i := range d.out.Rows {
		r := &d.out.Rows[i]
		if n := counts[r.Kind]; n == nil || n[r.To] < ManyRows {
			continue
		}
		k, x := key{to: r.To, kind: r.Kind}, Sum{Earner: int64(r.To) + 1, Kind: r.Kind, First: r.No}
		if r.Kind.Trading() {
			k.source, x.Batch, x.Line = r.Source, r.Source, plan.LineNames[r.Line]
		}
		if sums[k] == nil {
			sums[k] = &x
		}
		sum := sums[k]
		sum.Last, sum.Rows, sum.Paid = r.No, sum.Rows+1, sum.Paid+r.Paid
	}
	for _, x := range sums {
		if x.Rows >= ManyRows {
			all = append(all, *x)
		}
	}
	slices.SortFunc(all, func(a, b Sum) int { return cmp.Or(cmp.Compare(a.Earner, b.Earner), cmp.Compare(a.First, b.First)) })
	return all
}

// SumStore is the database of CheckSums.
type SumStore interface {
	// WrongSum returns a sum that differs from its rows; false if there is none. A
	// missing sum only makes reports slower.
	WrongSum(ctx context.Context) (Sum, bool, error)
}

// Finding is a wrong sum of incomes.
type Finding struct{ Sum Sum }

func (f *Finding) Error() string {
	return fmt.Sprintf("The sum of member %d's rows %d to %d is not %d in %d rows.", f.Sum.Earner, f.Sum.First, f.Sum.Last, f.Sum.Paid, f.Sum.Rows)
}

// CheckSums adds up all income rows again. The error is a *Finding if a stored sum is
// wrong.
func CheckSums(ctx context.Context, s SumStore) error {
	wrong, found, err := s.WrongSum(ctx)
	if err != nil || !found {
		return err
	}
	return &Finding{wrong}
}
