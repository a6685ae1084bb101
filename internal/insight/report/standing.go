package report

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// MaxStandings is how many members are asked for at once: a window of the tree.
const MaxStandings = 15

// StoredStanding is how a member stands, as stored.
type StoredStanding struct {
	No          int64
	Left, Right money.Amount
	Rank        int64
	// Of the purchase that was made last and not given back:
	Package int64
	Owns    bool
	Bought  plan.Day
	Final   bool // one of its purchases is final
}

// Standing is how a member stands: carried volume and rank as of the last close,
// and the package that was bought last and not given back.
type Standing struct {
	Left, Right money.Amount
	Rank        string
	Package     int64
	PackageName string
	Cooling     bool // it has a package and none of its purchases is final
}

// Asked names a member whose standing is asked for, beside what the tree says of
// it: who bought since is somebody else to the memory.
type Asked struct {
	No       tree.No
	Business money.Amount
	Active   bool
}

// Standings tell how members stand, at most MaxStandings of them.
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
	// A day too early or late is of no account: only the names of ranks follow.
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
			n.PackageName = packageName(p, "", x.Package)
		}
		out[byNo[x.No]] = n
	}
	return out, nil
}

// planShown is planOf for names that pages show.
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
