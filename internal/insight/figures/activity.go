package figures

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Activity is counted once, by day and by month of joining, so that an answer reads the
// counts only. Registrations, purchases of closed days and the changes of activity at
// closes never change, so each is counted once.

// activity is the counted activity.
type activity struct {
	zone    *time.Location
	days    map[plan.Day]*dayActivity
	cohorts map[int]*cohort // by month
	people  []person        // by join number; number 0 is nobody

	until plan.Day // purchases of days up to this one are counted
	flips int64    // the last counted change of who is active
	early []event  // of people whom the index did not know yet
}

// dayActivity is what happened on a day.
type dayActivity struct{ members, customers, activations, became, ceased int64 }

// person is the state of a member that later counts depend on. Months are since year 0.
type person struct {
	joined uint16 // the month; 0 for customers
	bought uint16 // the last month with a purchase; 0 without one
	robot  bool   // has a package
}

// event is a counted event of a member on a day.
type event struct {
	day int32
	no  uint32
	did eventKind
}

type eventKind uint8

const (
	boughtPackage eventKind = iota
	boughtPosition
	becameActive
	ceasedToBe
)

// activityCache caches the counts.
type activityCache struct {
	mu  sync.Mutex
	all *activity
}

// with passes the current counts to a function. A change of the plan's zone changes the
// days, so all is counted anew.
func (k *activityCache) with(ctx context.Context, opt Options, a asked, show func(*activity) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if zone := a.plan.Zone(); k.all == nil || k.all.zone.String() != zone.String() {
		k.all = &activity{zone: zone, days: map[plan.Day]*dayActivity{}, cohorts: map[int]*cohort{}, people: make([]person, 1), until: math.MinInt32}
	}
	if err := k.all.grow(ctx, opt, a); err != nil {
		return err
	}
	return show(k.all)
}

// grow counts new events. The events of one read are counted completely or not at all.
func (c *activity) grow(ctx context.Context, opt Options, a asked) error {
	c.join(opt.Tree, a.plan)
	late := c.early
	c.early = nil
	c.count(late)
	if a.closed && a.last > c.until {
		more, err := purchases(ctx, opt.Store, c.until, a.last)
		if err != nil {
			return err
		}
		c.count(more)
		c.until = a.last
	}
	var more []event
	last := c.flips
	if err := opt.Store.Flips(ctx, last, func(n int64, x closing.Flip) error {
		did := ceasedToBe
		if x.Active {
			did = becameActive
		}
		more, last = append(more, event{int32(x.Day), uint32(x.No), did}), n
		return nil
	}); err != nil {
		return err
	}
	c.count(more)
	c.flips = last
	return nil
}

// join counts new members of the index. They are in the order of joining, so each day is
// looked up once.
func (c *activity) join(index *tree.Service, p *plan.Plan) {
	var on *dayActivity
	var in *cohort
	var begin, end time.Time
	index.Roll(tree.No(len(c.people)-1), func(_ tree.No, joined time.Time, customer bool) {
		if on == nil || joined.Before(begin) || !joined.Before(end) {
			day := p.Day(joined)
			begin, end = begins(day, c.zone), begins(day+1, c.zone)
			on, in = c.on(day), c.in(monthOf(day))
		}
		if customer {
			on.customers++
			c.people = append(c.people, person{})
			return
		}
		on.members++
		in.members++
		c.people = append(c.people, person{joined: uint16(in.month)})
	})
}

func (c *activity) on(d plan.Day) *dayActivity {
	if c.days[d] == nil {
		c.days[d] = &dayActivity{}
	}
	return c.days[d]
}

func (c *activity) in(month int) *cohort {
	if c.cohorts[month] == nil {
		c.cohorts[month] = &cohort{month: month}
	}
	return c.cohorts[month]
}

// count counts events, which are in the order of days for each member.
func (c *activity) count(all []event) {
	day, month := int32(math.MinInt32), 0
	var on *dayActivity
	for _, x := range all {
		if int(x.no) >= len(c.people) {
			c.early = append(c.early, x)
			continue
		}
		who := &c.people[x.no]
		if who.joined == 0 {
			continue
		}
		if on == nil || x.day != day {
			day, month, on = x.day, monthOf(plan.Day(x.day)), c.on(plan.Day(x.day))
		}
		with := c.cohorts[int(who.joined)]
		switch x.did {
		case becameActive:
			on.became++
			with.count(month, &with.active, 1)
			continue
		case ceasedToBe:
			on.ceased++
			with.count(month, &with.active, -1)
			continue
		case boughtPackage:
			if !who.robot {
				who.robot = true
				on.activations++
			}
		case boughtPosition:
		}
		if int(who.bought) != month {
			who.bought = uint16(month)
			with.count(month, &with.buying, 1)
		}
	}
}

// firstPackages counts the buyers of first packages by day since the last counted day.
// Those days are open: purchases may still change.
func (c *activity) firstPackages(ctx context.Context, store Store) (map[plan.Day]int64, error) {
	days, seen := map[plan.Day]int64{}, map[int64]bool{}
	err := store.Buyers(ctx, lines[0], c.until, math.MaxInt32, func(day plan.Day, no int64) error {
		if no < int64(len(c.people)) && !seen[no] && c.people[no].joined != 0 && !c.people[no].robot {
			days[day]++
		}
		seen[no] = true
		return nil
	})
	return days, err
}

// lines are the products: packages, and positions on both lines.
var lines = []string{"", plan.LineNames[0], plan.LineNames[1]}

// purchases lists those of days after one and up to another, by day.
func purchases(ctx context.Context, store Store, after, until plan.Day) (all []event, err error) {
	for _, line := range lines {
		did := boughtPosition
		if line == "" {
			did = boughtPackage
		}
		if err := store.Buyers(ctx, line, after, until, func(day plan.Day, no int64) error {
			all = append(all, event{int32(day), uint32(no), did})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b event) int { return int(a.day) - int(b.day) })
	return all, nil
}
