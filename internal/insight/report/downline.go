package report

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
)

// Only the tree's index knows a team, so no query can count a large team's purchases. But
// purchases are booked on open days only, so the buyers of closed days never change. They
// are cached in memory, four bytes a purchase, and only open days are read each time.

// buyers are the members with purchases on a line on closed days, in the order of
// purchases.
type buyers struct {
	until plan.Day // the last day that is in it
	days  []plan.Day
	start []int // of each day, in nos
	nos   []tree.No
}

// bought caches the buyers of each line.
type bought struct {
	mu    sync.Mutex
	lines map[string]*buyers
}

// of returns the buyers up to a closed day. Earlier results stay valid.
func (b *bought) of(ctx context.Context, store Store, line string, last plan.Day) (buyers, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lines == nil {
		b.lines = map[string]*buyers{}
	}
	known := b.lines[line]
	if known == nil {
		known = &buyers{until: math.MinInt64}
		b.lines[line] = known
	}
	if last <= known.until {
		return known.upTo(last), nil
	}
	grown := *known
	if err := store.Buyers(ctx, line, known.until, last, func(day plan.Day, no int64) error {
		if n := len(grown.days); n == 0 || grown.days[n-1] != day {
			grown.days, grown.start = append(grown.days, day), append(grown.start, len(grown.nos))
		}
		grown.nos = append(grown.nos, tree.No(no))
		return nil
	}); err != nil {
		return grown, err
	}
	grown.until = last
	*known = grown
	return grown, nil
}

// upTo leaves out days that another process has closed meanwhile.
func (b *buyers) upTo(last plan.Day) buyers {
	n, _ := slices.BinarySearch(b.days, last+1)
	if n == len(b.days) {
		return *b
	}
	return buyers{until: last, days: b.days[:n], start: b.start[:n], nos: b.nos[:b.start[n]]}
}

// end is the end of a day in nos.
func (b *buyers) end(day int) int {
	if day+1 < len(b.start) {
		return b.start[day+1]
	}
	return len(b.nos)
}

// chunk is the batch size for purchases of open days.
const chunk = 1000

// large lists a large team's purchases: of open days by purchase, of closed days by
// buyer. Only the page's purchases are read.
func (s *Service) large(ctx context.Context, f Filter, line string, top tree.No, page *Page[Purchase]) error {
	last, closed, err := s.opt.Store.LastDay(ctx)
	if err != nil {
		return err
	}
	if !closed {
		last = math.MinInt64
	}
	if f.To > last {
		if err := s.opened(ctx, f, line, top, last, page); err != nil {
			return err
		}
	}
	if !closed || f.From > last {
		return nil
	}
	b, err := s.bought.of(ctx, s.opt.Store, line, last)
	if err != nil {
		return err
	}
	return s.pick(ctx, f, line, b.below(s.opt.Tree, top, f, page), page)
}

// opened scans the purchases of days after last, newest first.
func (s *Service) opened(ctx context.Context, f Filter, line string, top tree.No, last plan.Day, page *Page[Purchase]) error {
	since, before := f.From, Key{Day: f.To}
	if last < math.MaxInt64 && last != math.MinInt64 {
		since = max(since, last+1)
	}
	if f.To < math.MaxInt64 {
		before.Day++
	}
	for {
		all, err := s.opt.Store.AllPurchases(ctx, line, since, before, chunk)
		if err != nil {
			return err
		}
		for _, x := range all {
			if no := tree.No(x.No); no == top || !s.opt.Tree.Below(top, no) {
				continue
			}
			if page.Total >= f.Offset && len(page.Rows) < f.Limit {
				page.Rows = append(page.Rows, x)
			}
			page.Total++
		}
		if len(all) < chunk {
			return nil
		}
		at := all[len(all)-1]
		before = Key{at.Day, at.At, at.ID}
	}
}

// picked is one purchase: the nth of a member on a day, from the last.
type picked struct {
	day plan.Day
	no  int64
	nth int
}

// below counts the purchases of members below top, newest first, and selects those of
// the page.
func (b *buyers) below(index *tree.Service, top tree.No, f Filter, page *Page[Purchase]) (picks []picked) {
	from, _ := slices.BinarySearch(b.days, f.From)
	for day := len(b.days) - 1; day >= from; day-- {
		if b.days[day] > f.To {
			continue
		}
		of := b.nos[b.start[day]:b.end(day)]
		index.Under(top, of, func(i int) {
			if page.Total >= f.Offset && len(page.Rows)+len(picks) < f.Limit {
				nth := 0
				for _, no := range of[i+1:] {
					if no == of[i] {
						nth++
					}
				}
				picks = append(picks, picked{b.days[day], int64(of[i]), nth})
			}
			page.Total++
		})
	}
	return picks
}

// pick reads purchases and adds them to the page.
func (s *Service) pick(ctx context.Context, f Filter, line string, picks []picked, page *Page[Purchase]) error {
	if len(picks) == 0 {
		return nil
	}
	nos := make([]int64, len(picks))
	for i, p := range picks {
		nos[i] = p.no
	}
	slices.Sort(nos)
	f.From, f.To = picks[len(picks)-1].day, picks[0].day
	all, err := s.opt.Store.PurchasesOf(ctx, slices.Compact(nos), f, line)
	if err != nil {
		return err
	}
	found := map[picked]Purchase{}
	seen := map[picked]int{} // by day and member
	for _, x := range all {
		k := picked{day: x.Day, no: x.No}
		found[picked{x.Day, x.No, seen[k]}] = x
		seen[k]++
	}
	for _, p := range picks {
		page.Rows = append(page.Rows, found[p])
	}
	return nil
}
