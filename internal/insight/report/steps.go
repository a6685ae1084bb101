package report

import (
	"context"
	"sync"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Ranks lists the plan's ranks: reached ones as they were paid, the others with the
// member's progress. With days, only those reached then.
func (s *Service) Ranks(ctx context.Context, q Query) (Page[Step], error) {
	return s.steps(ctx, q, plan.KindRank, func(p *plan.Plan, no int64) ([]Step, error) {
		c, err := s.opt.Store.Carried(ctx, no)
		var open []Step
		for _, k := range p.Ranks {
			open = append(open, Step{Level: k.Level, Name: k.Name, Need: k.Need, Have: money.Micro(c.Match), Reward: k.Reward, Nominal: k.Reward})
		}
		return open, err
	})
}

// Rewards lists the plan's rewards likewise.
func (s *Service) Rewards(ctx context.Context, q Query) (Page[Step], error) {
	return s.steps(ctx, q, plan.KindReward, func(p *plan.Plan, no int64) ([]Step, error) {
		leg1, other, err := s.legs.of(ctx, s.opt.Store, no)
		var open []Step
		for _, k := range p.Rewards {
			open = append(open, Step{
				Level: k.Level, NeedLeg1: k.NeedLeg1, Leg1: money.Micro(leg1), NeedOther: k.NeedOther, Other: money.Micro(other),
				Reward: k.Reward, Nominal: k.Reward, Salary: k.Salary,
			})
		}
		return open, err
	})
}

// steps lists reached steps, then the progress to the others, by level. Steps are few, so
// all are read and the page is cut here.
func (s *Service) steps(ctx context.Context, q Query, kind plan.Kind, progress func(*plan.Plan, int64) ([]Step, error)) (page Page[Step], err error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	whole := f
	whole.Order, whole.Descending, whole.Offset, whole.Limit = ByLevel, false, 0, MaxSize
	reached, err := s.opt.Store.Incomes(ctx, whole, kind, "")
	if err != nil {
		return page, err
	}
	if _, page.Sum, err = s.opt.Store.IncomeTotal(ctx, f, kind, ""); err != nil {
		return page, err
	}
	planOf, last := s.planner(ctx), int64(0)
	var all []Step
	for _, x := range reached {
		p, err := planOf(x.Day)
		if err != nil {
			return page, err
		}
		all, last = append(all, s.step(p, x)), x.Level
	}
	if !q.dated() {
		p, err := s.today(ctx)
		if err != nil {
			return page, err
		}
		open, err := progress(p, f.No)
		if err != nil {
			return page, err
		}
		for _, k := range open {
			if k.Level > last {
				all = append(all, k)
			}
		}
	}
	page.First, page.Total = f.Offset+1, len(all)
	page.Rows = all[min(f.Offset, len(all)):min(f.Offset+f.Limit, len(all))]
	return page, nil
}

// step is a reached one, with the requirement of that day's plan and the values that the
// close found.
func (s *Service) step(p *plan.Plan, x closing.IncomeState) Step {
	i := s.show(x)
	k := Step{Row: x.Row, Level: x.Level, Reward: money.Micro(x.Paid), Nominal: money.Micro(x.Nominal), Day: x.Day, SS: i.SS, Remark: i.Remark}
	if x.Kind == plan.KindRank {
		r := p.Ranks[x.Level-1]
		k.Name, k.Need, k.Have = r.Name, r.Need, money.Micro(x.A)
		return k
	}
	r := p.Rewards[x.Level-1]
	k.NeedLeg1, k.Leg1, k.NeedOther, k.Other, k.Salary = r.NeedLeg1, money.Micro(x.A), r.NeedOther, money.Micro(x.B), r.Salary
	return k
}

// legs are the sponsor legs of every member, as of the last close.
//
// They are summed from the close's data (the volume of final sales), not from the tree's
// index, which counts amounts instead of volume, sales in cooling-off, and customers as
// separate legs. Volume changes only with a close, so one pass over all members, backwards
// in the order of joining, serves all queries until the next one. The first query reads
// all places, and the sums take 16 bytes a member.
type legs struct {
	mu          sync.Mutex
	known       bool
	day         plan.Day
	best, total []int64 // by join number
}

// of is a member's largest leg, and the sum of the others.
func (l *legs) of(ctx context.Context, store Store, no int64) (leg1, other int64, err error) {
	day, closed, err := store.LastDay(ctx)
	if err != nil || !closed {
		return 0, 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known || l.day != day {
		if err := l.read(ctx, store); err != nil {
			return 0, 0, err
		}
		// A close that committed meanwhile makes the sums newer than their day: the next
		// query then reads again.
		l.known, l.day = true, day
	}
	if no >= int64(len(l.best)) {
		return 0, 0, nil // joined after the close
	}
	return l.best[no], l.total[no] - l.best[no], nil
}

func (l *legs) read(ctx context.Context, store Store) error {
	var best, total []int64
	err := store.Owned(ctx, func(o Owned) error {
		if best == nil { // the last who joined comes first
			best, total = make([]int64, o.No+1), make([]int64, o.No+1)
		}
		if o.Sponsor == 0 || o.Customer {
			return nil
		}
		leg := o.Volume + total[o.No]
		total[o.Sponsor] += leg
		best[o.Sponsor] = max(best[o.Sponsor], leg)
		return nil
	})
	if err != nil {
		return err
	}
	l.best, l.total = best, total
	return nil
}
