package figures

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/disclosure"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/tree"
)

// people counts who joined, who bought a first package, and who became active
// at closes or ceased to be. Customers are counted apart; only members are
// active.
func (s *Service) people(ctx context.Context, a asked) ([]Table, error) {
	t := over(a.Query,
		Column{"members", "Registrations", Count}, Column{"customers", "Customers", Count}, Column{"activations", "First packages", Count},
		Column{"became", "Became active", Count}, Column{"ceased", "Ceased to be", Count}, Column{"active", "Active at the end", Count})
	customers := s.joined(a, t)
	old, open, err := s.purchases.of(ctx, s.opt.Store, a.last, a.closed)
	if err != nil {
		return nil, err
	}
	member := func(no uint32) bool { return int(no) < len(customers) && !customers[no] }
	for _, some := range [][]purchase{old, open} {
		for _, x := range some {
			if x.first && member(x.no) {
				t.add(plan.Day(x.day), "activations", 1)
			}
		}
	}
	all, err := s.flips.of(ctx, s.opt.Store)
	if err != nil {
		return nil, err
	}
	active, next := int64(0), 0
	for _, row := range t.table.Rows {
		end := min(a.Bucket.next(plan.Day(row[0].N)), a.To+1)
		for ; next < len(all) && plan.Day(all[next].day) < end; next++ {
			x := all[next]
			switch {
			case !member(x.no):
			case x.active:
				active++
				t.add(plan.Day(x.day), "became", 1)
			default:
				active--
				t.add(plan.Day(x.day), "ceased", 1)
			}
		}
		row[t.columns["active"]].N = active
	}
	table := t.summed()
	table.Total[t.columns["active"]] = number(active)
	return []Table{table}, nil
}

// joined counts who joined, and tells by join number who is a customer. People
// joined one after the other, so that each bucket ends where the next begins.
func (s *Service) joined(a asked, t *timeline) (customers []bool) {
	starts := a.starts()
	ends := make([]time.Time, len(starts))
	for i, d := range starts {
		ends[i] = begins(min(a.Bucket.next(d), a.To+1), a.plan.Zone())
	}
	first, at := begins(a.From, a.plan.Zone()), 0
	customers = append(customers, true) // number 0 is nobody
	s.opt.Tree.Roll(func(_ tree.No, joined time.Time, customer bool) {
		customers = append(customers, customer)
		for at < len(ends) && !joined.Before(ends[at]) {
			at++
		}
		switch {
		case at == len(ends) || joined.Before(first):
		case customer:
			t.table.Rows[at][t.columns["customers"]].N++
		default:
			t.table.Rows[at][t.columns["members"]].N++
		}
	})
	return customers
}

// later is how many months after the one of joining are looked at.
const later = 12

// monthColumns are those of cohorts, by how many months have gone.
var monthColumns = func() (all [later + 1]Column) {
	for n := range all {
		all[n] = Column{"m" + strconv.Itoa(n), "After " + strconv.Itoa(n) + " months", Count}
	}
	return all
}()

// cohort are the members of one month: how many were active when each month
// after it ended, and how many bought something in it.
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

// retention tells of the members who joined in each month how many were active
// at the end of it and of each month after, and how many bought something in
// that month. Only months that are closed to their end are told.
func (s *Service) retention(ctx context.Context, a asked) ([]Table, error) {
	cohorts, of := s.cohorts(a)
	old, open, err := s.purchases.of(ctx, s.opt.Store, a.last, a.closed)
	if err != nil {
		return nil, err
	}
	all, err := s.flips.of(ctx, s.opt.Store)
	if err != nil {
		return nil, err
	}
	seen := make([]uint32, len(of)) // by join number: the last month with a purchase
	day, month := int32(-1), 0
	for _, some := range [][]purchase{old, open} {
		for _, x := range some {
			if x.day != day {
				day, month = x.day, monthOf(plan.Day(x.day))
			}
			if int(x.no) < len(of) && of[x.no] >= 0 && seen[x.no] != uint32(month) {
				seen[x.no] = uint32(month)
				cohorts[of[x.no]].count(month, &cohorts[of[x.no]].buying, 1)
			}
		}
	}
	day = -1
	for _, x := range all {
		if x.day != day {
			day, month = x.day, monthOf(plan.Day(x.day))
		}
		if int(x.no) < len(of) && of[x.no] >= 0 {
			change := int64(-1)
			if x.active {
				change = 1
			}
			cohorts[of[x.no]].count(month, &cohorts[of[x.no]].active, change)
		}
	}
	return retained(cohorts, a), nil
}

func (c *cohort) count(month int, in *[later + 1]int64, n int64) {
	if after := month - c.month; after >= 0 && after <= later {
		in[after] += n
	}
}

// cohorts are the months of the query, and by join number which one it is of; -1
// for customers and other months.
func (s *Service) cohorts(a asked) (cohorts []cohort, of []int16) {
	var ends []time.Time
	for m := monthOf(a.From); m <= monthOf(a.To); m++ {
		cohorts = append(cohorts, cohort{month: m})
		ends = append(ends, begins(firstOf(m+1), a.plan.Zone()))
	}
	first, at := begins(firstOf(cohorts[0].month), a.plan.Zone()), 0
	of = append(of, -1)
	s.opt.Tree.Roll(func(_ tree.No, joined time.Time, customer bool) {
		for at < len(ends) && !joined.Before(ends[at]) {
			at++
		}
		if customer || at == len(ends) || joined.Before(first) {
			of = append(of, -1)
			return
		}
		cohorts[at].members++
		of = append(of, int16(at))
	})
	return cohorts, of
}

// retained tells cohorts in tables: active, buying, and all together by how many
// months have gone.
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
