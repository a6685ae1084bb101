package report

import (
	"context"
	"maps"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/tree"
)

// MaxStandings is how many members are asked for at once: a window of the tree.
const MaxStandings = 15

// StoredStanding is how a member stands, as stored. Bought and Today name the
// plans of the day of the last purchase and of today.
type StoredStanding struct {
	No            int64
	Left, Right   money.Amount
	Rank          int64
	Package       int64
	Owns          bool
	Final         int64 // purchases
	Bought, Today string
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

// boughtNothing: then there is nothing of theirs but what they carry.
func (a Asked) boughtNothing() bool { return a.Business.IsZero() && !a.Active }

// Standings tell how members stand, at most MaxStandings of them: one read, or two
// where some have bought and some have not.
func (s *Service) Standings(ctx context.Context, asked []Asked) (map[tree.No]Standing, error) {
	known, missing := s.standings.Get(asked[:min(len(asked), MaxStandings)])
	if len(missing) > 0 {
		read := s.standings.Now()
		fresh, err := s.readStandings(ctx, missing)
		if err != nil {
			return nil, err
		}
		s.standings.Put(fresh, read)
		maps.Copy(known, fresh)
	}
	out := make(map[tree.No]Standing, len(known))
	for a, n := range known {
		out[a.No] = n
	}
	return out, nil
}

func (s *Service) readStandings(ctx context.Context, asked []Asked) (map[Asked]Standing, error) {
	var bought, others []int64
	byNo, out := make(map[int64]Asked, len(asked)), make(map[Asked]Standing, len(asked))
	for _, a := range asked {
		byNo[int64(a.No)] = a
		if a.boughtNothing() {
			others, out[a] = append(others, int64(a.No)), Standing{}
		} else {
			bought = append(bought, int64(a.No))
		}
	}
	carried, err := s.volumes(ctx, others)
	if err != nil {
		return nil, err
	}
	for _, x := range carried {
		if x.Rank > 0 { // whose name is the plan's
			bought = append(bought, x.No)
			continue
		}
		out[byNo[x.No]] = Standing{Left: x.Left, Right: x.Right}
	}
	if len(bought) == 0 {
		return out, nil
	}
	// A day too early or late is of no account: only the names of ranks follow.
	day := plan.Day(s.opt.Clock.Now().Unix() / (24 * 60 * 60))
	all, err := s.opt.Store.Standings(ctx, bought, day)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		n := Standing{Left: x.Left, Right: x.Right, Package: x.Package, Cooling: x.Owns && x.Final == 0}
		if x.Rank > 0 {
			p, err := s.named(ctx, x.Today)
			if err != nil {
				return nil, err
			}
			if x.Rank <= int64(len(p.Ranks)) {
				n.Rank = p.Ranks[x.Rank-1].Name
			}
		}
		if x.Owns {
			p, err := s.named(ctx, x.Bought)
			if err != nil {
				return nil, err
			}
			n.PackageName = packageName(p, "", x.Package)
		}
		out[byNo[x.No]] = n
	}
	return out, nil
}

func (s *Service) volumes(ctx context.Context, nos []int64) ([]StoredStanding, error) {
	if len(nos) == 0 {
		return nil, nil
	}
	return s.opt.Store.Volumes(ctx, nos)
}

// named is a version by its name. Each is read once.
func (s *Service) named(ctx context.Context, version string) (*plan.Plan, error) {
	if p, known := s.plans.Load(version); known {
		return p.(*plan.Plan), nil
	}
	body, found, err := s.opt.Store.Version(ctx, version)
	if err == nil && !found {
		err = errs.New(errs.Internal, "report: there is no plan %q", version)
	}
	if err != nil {
		return nil, err
	}
	return s.keep(version, body)
}
