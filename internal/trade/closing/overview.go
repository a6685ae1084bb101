package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Figures for operators before they approve a close, and of closed days: top earners,
// special rows, and the day before.

// Looks is its database. It runs outside of commands.
type Looks interface {
	// ClosedDay is false if the day is not closed.
	ClosedDay(ctx context.Context, day plan.Day) (Closed, bool, error)
	// DaySums lists what a day's close booked, added up.
	DaySums(ctx context.Context, day plan.Day) ([]DaySum, error)
	// TopEarners lists who earned most by a day's close.
	TopEarners(ctx context.Context, day plan.Day, limit int) ([]Top, error)
	// Marked counts a day's special rows.
	Marked(ctx context.Context, day plan.Day) (Marks, error)
	// MarkedRows lists some of a day's rows by number, and how many they are in
	// all.
	MarkedRows(ctx context.Context, day plan.Day, only Mark, offset, limit int) ([]Seen, int, error)
	// LineBooks lists the present state of the trading lines.
	LineBooks(ctx context.Context) ([]LineView, error)
}

// Top is a member's income of one close.
type Top struct {
	UID  int64
	Rows int64
	Paid money.Amount
}

// Marks count the special rows of a day.
type Marks struct{ Capped, Scaled, Held, Taken int64 }

func (n *Marks) count(x *plan.Row) {
	if x.Capped {
		n.Capped++
	}
	if x.Scaled {
		n.Scaled++
	}
	if MarkHeld.Of(x) {
		n.Held++
	}
	if x.Reverses != 0 {
		n.Taken++
	}
}

// Mark is a property of special rows.
type Mark string

// The marks; none is every row.
const (
	MarkCapped Mark = "capped" // cut by the daily cap of matching
	MarkScaled Mark = "scaled" // cut to what the pool had
	MarkHeld   Mark = "held"   // of a member under review
	MarkTaken  Mark = "taken"  // takes an earlier row back
)

// Of reports whether a row has the mark. ROI is always on Hold first and does not count.
func (m Mark) Of(x *plan.Row) bool {
	switch m {
	case MarkCapped:
		return x.Capped
	case MarkScaled:
		return x.Scaled
	case MarkHeld:
		return x.Held && !x.Kind.Trading()
	case MarkTaken:
		return x.Reverses != 0
	}
	return true
}

// Seen is a row for operators.
type Seen struct {
	Row                   int64
	UID, Of               int64
	Kind                  plan.Kind
	Line                  string
	Level                 int64
	Paid, Nominal         money.Amount
	Capped, Scaled, Taken bool
	Held                  bool // under review
}

// LineView is the state of a trading line.
type LineView struct {
	Line              string
	Positions         int64        // that are open
	Principal, Loss   money.Amount // of open positions
	Reserve, ROI, Fee money.Amount // ROI and fee: booked and not settled
	Claims            int64        // unpaid
	Claimed, Recalled money.Amount // their value, and the cash recalled for them
	Batches           int64        // booked profits on Hold
	Oldest            plan.Day     // of them; 0 without any
}

// topEarners limits the listed members.
const topEarners = 10

// Look returns the top earners among the rows, and the number of special rows.
func (r *Rows) Look() (top []Top, n Marks) {
	if r == nil {
		return nil, n
	}
	sums, counts := make([]int64, len(r.d.book.UID)), make([]int32, len(r.d.book.UID))
	for i := range r.d.out.Rows {
		x := &r.d.out.Rows[i]
		sums[x.To] += x.Paid
		counts[x.To]++
		n.count(x)
	}
	for i, sum := range sums {
		if sum <= 0 || (len(top) == topEarners && sum <= top[topEarners-1].Paid.Micros()) {
			continue
		}
		top = append(top, Top{r.d.book.UID[i], int64(counts[i]), money.Micro(sum)})
		slices.SortStableFunc(top, func(a, b Top) int { return cmp.Compare(b.Paid.Micros(), a.Paid.Micros()) })
		top = top[:min(len(top), topEarners)]
	}
	return top, n
}

// Some lists rows with a mark, and their total count.
func (r *Rows) Some(only Mark, offset, limit int) (page []Seen, total int) {
	for i := range r.Len() {
		x := &r.d.out.Rows[i]
		if !only.Of(x) {
			continue
		}
		if total >= offset && len(page) < limit {
			line := ""
			if x.Kind.Trading() {
				line = plan.LineNames[x.Line]
			}
			page = append(page, Seen{
				x.No, r.d.book.UID[x.To], r.d.book.UID[x.Of], x.Kind, line, int64(x.Level), money.Micro(x.Paid), money.Micro(x.Nominal),
				x.Capped, x.Scaled, x.Reverses != 0, MarkHeld.Of(x),
			})
		}
		total++
	}
	return page, total
}

// Shown is a closed day for operators.
type Shown struct {
	Closed
	Totals map[string]money.Amount // by kind of income
	Paid   money.Amount
	Top    []Top
	Marks  Marks
}

// Shown returns a closed day. NotFound if it is not closed.
func (s *Service) Shown(ctx context.Context, on plan.Day) (x Shown, err error) {
	var found bool
	if x.Closed, found, err = s.opt.Store.ClosedDay(ctx, on); err != nil {
		return x, err
	}
	if !found {
		return x, errs.New(errs.NotFound, "close.day_not_closed", "{day} is not closed.", "day", on)
	}
	if x.Totals, x.Paid, err = s.totals(ctx, on); err != nil {
		return x, err
	}
	if x.Top, err = s.opt.Store.TopEarners(ctx, on, topEarners); err != nil {
		return x, err
	}
	x.Marks, err = s.opt.Store.Marked(ctx, on)
	return x, err
}

// ShownRows lists rows of a closed day, and their total count.
func (s *Service) ShownRows(ctx context.Context, on plan.Day, only Mark, offset, limit int) ([]Seen, int, error) {
	return s.opt.Store.MarkedRows(ctx, on, only, offset, limit)
}

// DayBefore returns the close before a day; false if there is none.
func (s *Service) DayBefore(ctx context.Context, on plan.Day) (x Shown, found bool, err error) {
	if x.Closed, found, err = s.opt.Store.ClosedDay(ctx, on-1); err != nil || !found {
		return x, false, err
	}
	x.Totals, x.Paid, err = s.totals(ctx, on-1)
	return x, true, err
}

// totals adds up the incomes of a day by kind, minus reversed ones.
func (s *Service) totals(ctx context.Context, on plan.Day) (by map[string]money.Amount, paid money.Amount, err error) {
	sums, err := s.opt.Store.DaySums(ctx, on)
	if err != nil {
		return nil, paid, err
	}
	by = map[string]money.Amount{}
	for _, x := range sums {
		if x.Name != SumPaid && x.Name != SumTaken {
			continue
		}
		number, _, _ := strings.Cut(x.Part, " ")
		kind, err := strconv.Atoi(number)
		name := plan.Kind(kind).Name()
		if err != nil || name == "" {
			return nil, paid, fmt.Errorf("closing: the day's sum %q of %s is of no kind", x.Part, on)
		}
		if by[name], err = by[name].Add(money.Micro(x.Amount)); err != nil {
			return nil, paid, err
		}
		if paid, err = paid.Add(money.Micro(x.Amount)); err != nil {
			return nil, paid, err
		}
	}
	return by, paid, nil
}

// Lines returns the state of the trading lines.
func (s *Service) Lines(ctx context.Context) ([]LineView, error) {
	return s.opt.Store.LineBooks(ctx)
}

// Today is the local day.
func (s *Service) Today(ctx context.Context) (plan.Day, error) { return s.today(ctx, nil) }
