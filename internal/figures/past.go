package figures

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/transparency"
)

// What of the past never changes is read once after a start and kept: what closes
// added up, who bought and who was active on closed days, what withdrawals of days long over cost,
// and what the public was shown. After that only what is new is read.

// purchase says for whom something was bought on a day.
type purchase struct {
	day   int32
	no    uint32
	first bool // the first package of this person
}

// lines are what can be bought: packages, and positions on both lines.
var lines = []string{"", plan.LineNames[0], plan.LineNames[1]}

type purchases struct {
	mu    sync.Mutex
	until plan.Day
	begun bool
	all   []purchase // by day
	has   []bool     // by join number: has bought a package
}

// of are all purchases in the order of days: those of days up to last, which is
// closed, from memory.
func (p *purchases) of(ctx context.Context, store Store, last plan.Day, closed bool) (old, open []purchase, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun {
		p.until = math.MinInt32
	}
	if closed && last > p.until {
		more, err := read(ctx, store, p.until, last)
		if err != nil {
			return nil, nil, err
		}
		p.mark(more)
		p.all, p.until, p.begun = append(p.all, more...), last, true
	}
	if open, err = read(ctx, store, p.until, math.MaxInt32); err != nil {
		return nil, nil, err
	}
	seen := map[uint32]bool{}
	for i := range open {
		x := &open[i]
		had := int(x.no) < len(p.has) && p.has[x.no]
		if x.first {
			x.first, seen[x.no] = !had && !seen[x.no], true
		}
	}
	return p.all, open, nil
}

// mark finds the first package of each person.
func (p *purchases) mark(more []purchase) {
	for i := range more {
		x := &more[i]
		if !x.first {
			continue
		}
		if grow := int(x.no) + 1 - len(p.has); grow > 0 {
			p.has = append(p.has, make([]bool, grow)...)
		}
		x.first, p.has[x.no] = !p.has[x.no], true
	}
}

// read lists purchases by day; first says that it is a package.
func read(ctx context.Context, store Store, after, until plan.Day) (all []purchase, err error) {
	for _, line := range lines {
		if err := store.Buyers(ctx, line, after, until, func(day plan.Day, no int64) error {
			all = append(all, purchase{int32(day), uint32(no), line == ""})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b purchase) int { return int(a.day) - int(b.day) })
	return all, nil
}

// flip says that somebody became active at the close of a day, or ceased to be.
type flip struct {
	day    int32
	no     uint32
	active bool
}

type flips struct {
	mu   sync.Mutex
	last int64
	all  []flip
}

func (f *flips) of(ctx context.Context, store Store) ([]flip, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	grown, last := f.all, f.last
	if err := store.Flips(ctx, last, func(n int64, x closing.Flip) error {
		grown, last = append(grown, flip{int32(x.Day), uint32(x.No), x.Active}), n
		return nil
	}); err != nil {
		return nil, err
	}
	f.all, f.last = grown, last
	return grown, nil
}

// sums are what closes added up, by day.
type sums struct {
	mu  sync.Mutex
	all []closing.DaySum
}

// of are those of some days. Only days after the last one known are read:
// a close writes all sums of its day at once, and a closed day never changes.
func (s *sums) of(ctx context.Context, store Store, from, to plan.Day) ([]closing.DaySum, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	after := plan.Day(math.MinInt32)
	if n := len(s.all); n > 0 {
		after = s.all[n-1].Day
	}
	more, err := store.DaySums(ctx, after+1, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	s.all = append(s.all, more...)
	by := func(x closing.DaySum, d plan.Day) int { return int(x.Day - d) }
	first, _ := slices.BinarySearchFunc(s.all, from, by)
	end, _ := slices.BinarySearchFunc(s.all, to+1, by)
	return s.all[first:max(first, end)], nil
}

// charged is what withdrawals of a day cost.
type charged struct {
	day    plan.Day
	amount int64
}

type charges struct {
	mu    sync.Mutex
	until plan.Day
	all   []charged
}

// settled is after how many days nothing can be added to a day any more: what is
// confirmed bears the time of its commit, and no commit takes a day.
const settled = 2

func (c *charges) of(ctx context.Context, store Store, p *plan.Plan, today plan.Day) ([]charged, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Clone(c.all)
	since := begins(c.until+1, p.Zone())
	var next time.Time // the end of the day that is being added up
	if err := store.Charges(ctx, since, func(at time.Time, charge int64) error {
		if !at.Before(next) {
			day := p.Day(at)
			all, next = append(all, charged{day: day}), begins(day+1, p.Zone())
		}
		all[len(all)-1].amount += charge
		return nil
	}); err != nil {
		return nil, err
	}
	keep, _ := slices.BinarySearchFunc(all, today-settled+1, func(x charged, d plan.Day) int { return int(x.day - d) })
	if keep > len(c.all) {
		c.all, c.until = slices.Clone(all[:keep]), all[keep-1].day
	}
	return all, nil
}

// covered is how far cash covered what was owed after the close of a day, by
// class, in ppm.
type covered struct {
	day    plan.Day
	ratios map[string]int64
}

type published struct {
	mu  sync.Mutex
	all []covered
}

func (c *published) of(ctx context.Context, store Store) ([]covered, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after, grown := plan.Day(math.MinInt32), c.all
	if n := len(c.all); n > 0 {
		after = c.all[n-1].day
	}
	if err := store.Published(ctx, after, func(day plan.Day, body []byte) error {
		var shown struct {
			Coverage []transparency.Cover `json:"coverage"`
		}
		if err := json.Unmarshal(body, &shown); err != nil {
			return err
		}
		x := covered{day, map[string]int64{}}
		for _, cover := range shown.Coverage {
			x.ratios[cover.Class] = cover.Ratio
		}
		grown = append(grown, x)
		return nil
	}); err != nil {
		return nil, err
	}
	c.all = grown
	return grown, nil
}
