package report

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// MaxStandings is the maximum number of members per query: a window of the tree.
const MaxStandings = 15

// StoredStanding is a member's stored standing.
type StoredStanding struct {
	No          int64
	Left, Right money.Amount
	Rank        int64
	// Of the last purchase that was not refunded:
	Package int64
	Owns    bool
	Bought  plan.Day
	Final   bool // one of its purchases is final
}

// Standing is a member's standing: carried volume and rank as of the last close, and the
// last package that was not refunded.
type Standing struct {
	Left, Right money.Amount
	Rank        string
	Package     int64
	PackageName string
	Cooling     bool // it has a package and none of its purchases is final
}

// Asked is a member with the tree's data that the standing depends on: a purchase changes
// the key of the cache.
type Asked struct {
	No       tree.No
	Business money.Amount
	Active   bool
}

// Standings returns members' standings, at most MaxStandings.
func (s *Service) Standings(ctx context.Context, asked []Asked) (map[Asked]Standing, error) {
	known, missing := s.standings.Many(asked[:min(len(asked), MaxStandings)])
	if len(missing) > 0 {
		mark := s.standings.Mark()
		fresh, err := s.readStandings(ctx, missing)
		if err != nil {
			return nil, err
		}
		for asked, n := range fresh {
			s.standings.Put(asked, n, mark)
			known[asked] = n
		}
	}
	return known, nil
}

func (s *Service) readStandings(ctx context.Context, asked []Asked) (map[Asked]Standing, error) {
	nos := make([]int64, len(asked))
	byNo, out := make(map[int64]Asked, len(asked)), make(map[Asked]Standing, len(asked))
	for i, a := range asked {
		nos[i] = int64(a.No)
		byNo[nos[i]] = a
	}
	all, err := s.opt.Store.Standings(ctx, nos)
	if err != nil {
		return nil, err
	}
	// A day more or less does not matter: only the names of ranks depend on it.
	today := plan.Day(s.opt.Clock.Now().Unix() / (24 * 60 * 60))
	for _, x := range all {
		n := Standing{Left: x.Left, Right: x.Right, Package: x.Package, Cooling: x.Owns && !x.Final}
		if x.Rank > 0 {
			p, err := s.planShown(ctx, today)
			if err != nil {
				return nil, err
			}
			if x.Rank <= int64(len(p.Ranks)) {
				n.Rank = p.Ranks[x.Rank-1].Name
			}
		}
		if x.Owns {
			p, err := s.planShown(ctx, x.Bought)
			if err != nil {
				return nil, err
			}
			n.Package, n.PackageName = owned(p, byNo[x.No].Business, n.Package)
		}
		out[byNo[x.No]] = n
	}
	return out, nil
}

// owned is the largest package that purchases of a value come to. It differs from last, the
// last one bought, if an earlier purchase was refunded to another payer.
func owned(p *plan.Plan, value money.Amount, last int64) (id int64, name string) {
	id, name = last, packageName(p, Robot, last)
	for _, k := range p.RobotPackages { // by price
		if !value.Less(k.Amount) {
			id, name = k.ID, k.Name
		}
	}
	return id, name
}

// planShown is planOf for names on pages.
func (s *Service) planShown(ctx context.Context, day plan.Day) (*plan.Plan, error) {
	if p, known := s.shown.Get(day); known {
		return p, nil
	}
	mark := s.shown.Mark()
	p, err := s.planOf(ctx, day)
	if err == nil {
		s.shown.Put(day, p, mark)
	}
	return p, err
}
