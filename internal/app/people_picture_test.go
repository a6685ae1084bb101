package app

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// person is a member in the test's naive model of the team.
type person struct {
	no              int
	uid             int64
	name            string
	sponsor, parent *person
	side            tree.Side
	kids            [3]*person // by side
	joined          time.Time
	active          bool
	own             [3]int64 // whole dollars: robot, forex, crypto
}

// picture is a naive model of a team: everything is found by walking.
type picture struct {
	s       *site
	all     []*person
	zone    *time.Location
	changes []purchase
}

type purchase struct {
	who    *person
	amount int64
	at     time.Time
}

func (p *person) below(top *person) bool {
	for ; p != nil; p = p.parent {
		if p == top {
			return true
		}
	}
	return false
}

// leg is the leg of top that p lies in; NoSide for others and top itself.
func (p *person) leg(top *person) tree.Side {
	for ; p.parent != nil; p = p.parent {
		if p.parent == top {
			return p.side
		}
	}
	return tree.NoSide
}

// levels is how far p is below top along next; -1 if it is not.
func (p *person) levels(top *person, next func(*person) *person) int {
	for n := 0; p != nil; n, p = n+1, next(p) {
		if p == top {
			return n
		}
	}
	return -1
}

func byParent(p *person) *person  { return p.parent }
func bySponsor(p *person) *person { return p.sponsor }

var letters = [...]string{"Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Theta", "Kappa"}

// growTeam registers n members over HTTP in a known shape, on several days, and
// lets some of them buy.
func growTeam(s *site, n int) *picture {
	s.t.Helper()
	zone := plan.Default().Zone()
	r := rand.New(rand.NewPCG(1, 2))
	x := &picture{s: s, zone: zone, all: []*person{{no: 1, uid: s.root.UID, name: "Root Member", joined: s.clock.Now()}}}
	for i := range n {
		if i%9 == 8 {
			s.clock.Advance(13 * time.Hour)
		} else {
			s.clock.Advance(time.Duration(1+r.IntN(600)) * time.Second)
		}
		sponsor, side := x.all[r.IntN(min(len(x.all), 12))], tree.Side(1+r.IntN(2))
		if i < 2 { // both legs of the root
			sponsor, side = x.all[0], tree.Side(1+i)
		}
		name := letters[i%8] + " " + letters[i/8%8]
		p := &person{no: i + 2, name: name, sponsor: sponsor, side: side, joined: s.clock.Now()}
		p.uid = s.register(sponsor.uid, side, name)
		p.parent = sponsor
		for p.parent.kids[side] != nil {
			p.parent = p.parent.kids[side]
		}
		p.parent.kids[side] = p
		x.all = append(x.all, p)
	}
	for i := range 2 * n {
		p := x.all[1+r.IntN(n)]
		var add [3]int64
		add[r.IntN(3)] = int64(50 * (1 + r.IntN(4)))
		p.active = p.active || i%2 == 0
		for line := range add {
			p.own[line] += add[line]
		}
		s.change(p.uid, p.active, strconv.FormatInt(add[0], 10), strconv.FormatInt(add[1], 10), strconv.FormatInt(add[2], 10))
		x.changes = append(x.changes, purchase{p, add[0] + add[1] + add[2], s.clock.Now()})
		if i == n {
			s.clock.Advance(26 * time.Hour)
		}
		s.clock.Advance(time.Second)
	}
	return x
}

// legTotals walks a leg.
func (x *picture) legTotals(top *person, side tree.Side) (members, active int64, business [3]int64) {
	for _, p := range x.all {
		if p.leg(top) == side && side != tree.NoSide {
			members++
			if p.active {
				active++
			}
			for line := range business {
				business[line] += p.own[line]
			}
		}
	}
	return members, active, business
}

func (x *picture) directs(top *person, side tree.Side) (members, active, robot int64) {
	for _, p := range x.all {
		if p.sponsor == top && p.side == side {
			members++
			robot += p.own[0]
			if p.active {
				active++
			}
		}
	}
	return members, active, robot
}

func dollars(n int64) string { return money.MustParse(strconv.FormatInt(n, 10)).String() }

func wireTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
