package figures

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Data that no longer changes is read once after a start and cached: the closes' sums,
// the fees of withdrawals of old days, the published reports, and in activity.go the
// activity. Later only new data is read.

// sums are the closes' sums, by day.
type sums struct {
	mu  sync.Mutex
	all []closing.DaySum
}

// of are the sums of some days. Only days after the last known one are read: a close
// writes all sums of its day at once, and a closed day never changes.
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

// charged is the fees of withdrawals by day.
type charged struct {
	day    plan.Day
	amount int64
}

type charges struct {
	mu    sync.Mutex
	until plan.Day
	all   []charged
}

// settled is the number of days after which a day cannot change: a confirmation has the
// time of its commit, and no commit takes a day.
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

// covered is how far cash covered what was owed after the close of a day, by class, in
// ppm.
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
		x.ratios["trading"] += x.ratios["held"]
		grown = append(grown, x)
		return nil
	}); err != nil {
		return nil, err
	}
	c.all = grown
	return grown, nil
}
