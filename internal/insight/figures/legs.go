package figures

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
)

// bins classify the weaker leg's share of the stronger one: an empty leg, up to a tenth,
// up to two tenths, …
const bins = 11

// largest is how many teams are listed.
const largest = 20

// team is a member with both legs.
type team struct {
	uid         int64
	left, right tree.Leg
}

func (t team) members() int64 { return t.left.Members + t.right.Members }

// survey is the balance of all legs.
type survey struct {
	members, business [bins]int64
	teams             []team // the largest, by members
}

// legCache caches a survey until the tree changes.
type legCache struct {
	mu  sync.Mutex
	no  tree.No
	seq int64
	all *survey
}

func (k *legCache) of(index *tree.Service) *survey {
	k.mu.Lock()
	defer k.mu.Unlock()
	no, seq := index.State()
	if k.all == nil || no != k.no || seq != k.seq {
		k.no, k.seq, k.all = no, seq, look(index)
	}
	return k.all
}

// look surveys all legs. Members without team, or without purchases below, are in no bin.
func look(index *tree.Service) *survey {
	s := &survey{}
	index.Teams(func(_ tree.No, uid int64, left, right tree.Leg) {
		if left.Members+right.Members == 0 {
			return
		}
		s.members[bin(left.Members, right.Members)]++
		if left.Robot > 0 || right.Robot > 0 {
			s.business[bin(left.Robot, right.Robot)]++
		}
		s.teams = append(s.teams, team{uid, left, right})
		if len(s.teams) >= 50*largest {
			s.cut()
		}
	})
	s.cut()
	return s
}

// cut keeps the largest teams.
func (s *survey) cut() {
	slices.SortStableFunc(s.teams, func(a, b team) int { return cmp.Or(cmp.Compare(b.members(), a.members()), cmp.Compare(a.uid, b.uid)) })
	s.teams = s.teams[:min(len(s.teams), largest)]
}

// bin is the bin of a pair of legs: 0 if one is empty, else the tenth of the weaker one's
// share.
func bin(a, b int64) int {
	weaker, stronger := min(a, b), max(a, b)
	if weaker <= 0 {
		return 0
	}
	return int((disclosure.Share(weaker, stronger) + 99_999) / 100_000)
}

// balance is the current balance of legs.
func (s *Service) balance(_ context.Context, _ asked) ([]Table, error) {
	all := s.legs.of(s.opt.Tree)
	spread := Table{Name: "spread", Columns: []Column{
		{"ratio", "Weaker leg, up to", Share}, {"by_members", "Members, by people", Count}, {"by_business", "Members, by business", Count},
	}, Total: []Cell{none, {}, {}}}
	for i := range bins {
		row := []Cell{number(int64(i) * 100_000), number(all.members[i]), number(all.business[i])}
		spread.Rows = append(spread.Rows, row)
		spread.Total[1].N += row[1].N
		spread.Total[2].N += row[2].N
	}
	teams := Table{Name: "largest", Columns: []Column{
		{"member", "Member", UID},
		{"left", "Left, people", Count},
		{"right", "Right, people", Count},
		{"ratio", "Weaker leg by people", Share},
		{"left_business", "Left, business", Money},
		{"right_business", "Right, business", Money},
		{"business_ratio", "Weaker leg by business", Share},
	}}
	for _, t := range all.teams {
		teams.Rows = append(teams.Rows, []Cell{
			number(t.uid), number(t.left.Members), number(t.right.Members), even(t.left.Members, t.right.Members),
			number(t.left.Robot), number(t.right.Robot), even(t.left.Robot, t.right.Robot),
		})
	}
	return []Table{spread, teams}, nil
}

// even is the weaker leg's share of the stronger one.
func even(a, b int64) Cell {
	if a <= 0 && b <= 0 {
		return none
	}
	return number(disclosure.Share(min(a, b), max(a, b)))
}
