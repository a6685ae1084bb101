package figures

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
)

// people counts registrations, first packages, and members who became active or inactive
// at closes. Customers are counted separately; only members are active.
func (s *Service) people(ctx context.Context, a asked) ([]Table, error) {
	t := over(a.Query,
		Column{"members", "Registrations", Count}, Column{"customers", "Customers", Count}, Column{"activations", "First packages", Count},
		Column{"became", "Became active", Count}, Column{"ceased", "Ceased to be", Count}, Column{"active", "Active at the end", Count})
	active := int64(0)
	if err := s.activity.with(ctx, s.opt, a, func(c *activity) error {
		open, err := c.firstPackages(ctx, s.opt.Store)
		if err != nil {
			return err
		}
		for day, n := range open {
			t.add(day, "activations", n)
		}
		for day, n := range c.days {
			if day < a.From {
				active += n.became - n.ceased
			}
			t.add(day, "members", n.members)
			t.add(day, "customers", n.customers)
			t.add(day, "activations", n.activations)
			t.add(day, "became", n.became)
			t.add(day, "ceased", n.ceased)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, row := range t.table.Rows {
		active += row[t.columns["became"]].N - row[t.columns["ceased"]].N
		row[t.columns["active"]].N = active
	}
	table := t.summed()
	table.Total[t.columns["active"]] = number(active)
	return []Table{table}, nil
}

// later is how many months after the one of joining are reported.
const later = 12

// monthColumns are those of cohorts, by months since joining.
var monthColumns = func() (all [later + 1]Column) {
	for n := range all {
		all[n] = Column{"m" + strconv.Itoa(n), "After " + strconv.Itoa(n) + " months", Count}
	}
	return all
}()

// cohort is the members of one month: the change of the number of active ones in each
// later month, and the number of buyers in it.
type cohort struct {
	month   int // since year 0
	members int64
	active  [later + 1]int64
	buying  [later + 1]int64
}

func monthOf(d plan.Day) int { t := date(d); return t.Year()*12 + int(t.Month()) - 1 }

func firstOf(month int) plan.Day {
	return plan.Day(time.Date(month/12, time.Month(month%12+1), 1, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// retention reports for the members who joined in each month how many were active at its
// end and at that of each later month, and how many bought something in that month. It
// covers completely closed months only.
func (s *Service) retention(ctx context.Context, a asked) ([]Table, error) {
	var all []cohort
	err := s.activity.with(ctx, s.opt, a, func(c *activity) error {
		for m := monthOf(a.From); m <= monthOf(a.To); m++ {
			if found := c.cohorts[m]; found != nil {
				all = append(all, *found)
			}
		}
		return nil
	})
	return retained(all, a), err
}

func (c *cohort) count(month int, in *[later + 1]int64, n int64) {
	if after := month - c.month; after >= 0 && after <= later {
		in[after] += n
	}
}

// retained makes tables of cohorts: active, buying, and the totals by months since
// joining.
func retained(cohorts []cohort, a asked) []Table {
	columns := []Column{{"cohort", "Joined in", Month}, {"members", "Members", Count}}
	for n := range later + 1 {
		columns = append(columns, monthColumns[n])
	}
	active, buying := Table{Name: "active", Columns: columns}, Table{Name: "buying", Columns: columns}
	overall := Table{Name: "overall", Columns: []Column{
		{"months", "Months after joining", Count},
		{"members", "Members", Count},
		{"active", "Active", Count},
		{"active_share", "Active, share", Share},
		{"buying", "Bought something", Count},
		{"buying_share", "Bought something, share", Share},
	}}
	var sums [later + 1][3]int64
	for i := range cohorts {
		c := &cohorts[i]
		if c.members == 0 {
			continue
		}
		head := []Cell{number(int64(firstOf(c.month))), number(c.members)}
		one, two := head, append([]Cell{}, head...)
		now := int64(0)
		for n := range later + 1 {
			now += c.active[n]
			if whole := a.closed && firstOf(c.month+n+1) <= a.last+1; !whole {
				one, two = append(one, none), append(two, none)
				continue
			}
			one, two = append(one, number(now)), append(two, number(c.buying[n]))
			sums[n][0], sums[n][1], sums[n][2] = sums[n][0]+c.members, sums[n][1]+now, sums[n][2]+c.buying[n]
		}
		active.Rows, buying.Rows = append(active.Rows, one), append(buying.Rows, two)
	}
	for n, x := range sums {
		if x[0] > 0 {
			overall.Rows = append(overall.Rows, []Cell{
				number(int64(n)), number(x[0]), number(x[1]), number(disclosure.Share(x[1], x[0])), number(x[2]), number(disclosure.Share(x[2], x[0])),
			})
		}
	}
	return []Table{overall, active, buying}
}
