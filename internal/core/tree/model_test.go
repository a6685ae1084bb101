package tree

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// plain is the tree as one would write it down: every question is answered by
// walking. The index must say the same.
type plain struct {
	places []Place // by number; 0 is nobody
	kids   [][2]No
	seq    int64
}

var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newPlain() *plain { return &plain{places: make([]Place, 1), kids: make([][2]No, 1)} }

// join places the next member as the service does: at the end of the
// sponsor's outer line.
func (p *plain) join(sponsor No, side Side) Place {
	no := No(len(p.places))
	parent := sponsor
	if side != NoSide {
		for p.kids[parent][side-1] != 0 {
			parent = p.kids[parent][side-1]
		}
		p.kids[parent][side-1] = no
	} else {
		parent = 0
	}
	m := Place{No: no, UID: 100000 + int64(no)*7919%900000, Sponsor: sponsor, Parent: parent, Side: side, Joined: began.Add(time.Duration(no) * time.Minute)}
	p.places, p.kids = append(p.places, m), append(p.kids, [2]No{})
	return m
}

func (p *plain) change(no No, active bool, line Line, micros int64) Change {
	p.seq++
	c := Change{Seq: p.seq, No: no, Active: active}
	c.Add[line] = money.Micro(micros)
	m := &p.places[no]
	m.Active = active
	m.Business[line] = money.Micro(m.Business[line].Micros() + micros)
	return c
}

// placed: it hangs in the binary tree.
func (p *plain) placed(no No) bool { return p.places[no].Parent != 0 || no == 1 }

// below is one pass from top: by number, the leg of top and how deep along
// parents, and how deep along sponsors; 0 for who is not below it.
type below struct {
	leg            []Side
	level, invited []int
}

func (p *plain) below(top No) below {
	n := len(p.places)
	b := below{make([]Side, n), make([]int, n), make([]int, n)}
	for no := top + 1; int(no) < n; no++ {
		m := p.places[no]
		switch {
		case m.Parent == top:
			b.leg[no], b.level[no] = m.Side, 1
		case m.Parent > top && b.level[m.Parent] > 0:
			b.leg[no], b.level[no] = b.leg[m.Parent], b.level[m.Parent]+1
		}
		switch {
		case m.Sponsor == top:
			b.invited[no] = 1
		case m.Sponsor > top && b.invited[m.Sponsor] > 0:
			b.invited[no] = b.invited[m.Sponsor] + 1
		}
	}
	return b
}

func (t *Totals) count(m Place) {
	t.Members++
	if m.Active {
		t.Active++
	}
	*t = t.Add(Totals{Business: m.Business})
}

func (p *plain) legs(top No) (legs [3]Totals) {
	for no, leg := range p.below(top).leg {
		if leg != NoSide {
			legs[leg].count(p.places[no])
		}
	}
	return legs
}

func (p *plain) downline(top No) (t Totals) {
	for no, level := range p.below(top).invited {
		if level > 0 {
			t.count(p.places[no])
		}
	}
	return t
}

func (p *plain) directs(of No) (d [3]Directs) {
	for _, m := range p.places[1:] {
		if m.Sponsor == of {
			d[m.Side].Members++
			if m.Active {
				d[m.Side].Active++
			}
			d[m.Side].Robot = money.Micro(d[m.Side].Robot.Micros() + m.Business[Robot].Micros())
		}
	}
	return d
}

// list is a page of all members for whom level says more than 0.
func (p *plain) list(q List, level func(Place) int) (nos []No, total int) {
	var found []Place
	for _, m := range p.places[1:] {
		switch {
		case level(m) == 0,
			q.Active != nil && *q.Active != m.Active,
			!q.Since.IsZero() && m.Joined.Before(q.Since),
			!q.Until.IsZero() && !m.Joined.Before(q.Until):
		default:
			found = append(found, m)
		}
	}
	key := func(m Place) int64 {
		switch q.Order {
		case ByUID:
			return m.UID
		case ByLevel:
			return int64(level(m))
		case ByRobot, ByForex, ByCrypto:
			return m.Business[q.Order-ByRobot].Micros()
		case ByJoined:
		}
		return int64(m.No)
	}
	slices.SortStableFunc(found, func(a, b Place) int {
		c := cmp.Compare(key(a), key(b))
		if q.Descending {
			c = -c
		}
		return c
	})
	for _, m := range found[min(q.Offset, len(found)):min(q.Offset+q.Limit, len(found))] {
		nos = append(nos, m.No)
	}
	return nos, len(found)
}

// grow makes the next member of a shape.
func (p *plain) grow(shape string, r *rand.Rand) Place {
	n := len(p.places)
	if n == 1 {
		return p.join(0, NoSide)
	}
	placed := func() No {
		for {
			if no := No(1 + r.IntN(n-1)); p.placed(no) {
				return no
			}
		}
	}
	side := Side(1 + r.IntN(2))
	switch shape {
	case "left chain":
		return p.join(placed(), Left)
	case "right chain":
		return p.join(1, Right)
	case "zigzag":
		return p.join(No(n-1), Side(1+n%2))
	case "mixed":
		if r.IntN(10) == 0 {
			return p.join(No(1+r.IntN(n-1)), NoSide) // a customer
		}
		if r.IntN(3) == 0 {
			return p.join(1, side) // many invitations of one
		}
	}
	return p.join(placed(), side)
}

var shapes = []string{"left chain", "right chain", "zigzag", "random", "mixed"}

func testShapes(t *testing.T, test func(t *testing.T, shape string, r *rand.Rand)) {
	for i, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			test(t, shape, rand.New(rand.NewPCG(20261115, uint64(i))))
		})
	}
}

// agree compares everything the index says of one member with the plain tree.
func (p *plain) agree(t *testing.T, x *Index, no No) {
	t.Helper()
	m := p.places[no]
	n, ok := x.Get(x.Find(m.UID))
	if !ok || n.Place != m || n.SponsorUID != p.places[m.Sponsor].UID || n.Kids != p.kids[no] {
		t.Fatalf("member %d is %+v, should be %+v", no, n, m)
	}
	legs := p.legs(no)
	if !p.placed(no) {
		legs = [3]Totals{}
	}
	if n.Left != legs[Left] || n.Right != legs[Right] {
		t.Fatalf("legs of %d are %+v and %+v, should be %+v and %+v", no, n.Left, n.Right, legs[Left], legs[Right])
	}
	if got, want := x.Downline(no), p.downline(no); got != want {
		t.Fatalf("downline of %d is %+v, should be %+v", no, got, want)
	}
	left, right := x.Directs(no)
	if d := p.directs(no); left != d[Left] || right != d[Right] {
		t.Fatalf("directs of %d are %+v and %+v, should be %+v", no, left, right, d)
	}
}

// agreeLists compares pages of random lists.
func (p *plain) agreeLists(t *testing.T, x *Index, no No, r *rand.Rand) {
	t.Helper()
	q := List{
		Of: no, Leg: Side(r.IntN(3)), Order: Order(r.IntN(6)), Descending: r.IntN(2) == 0,
		Offset: r.IntN(3) * r.IntN(1+len(p.places)/2), Limit: 1 + r.IntN(40),
	}
	if r.IntN(2) == 0 {
		q.Order = ByJoined
	}
	if r.IntN(2) == 0 {
		active := r.IntN(2) == 0
		q.Active = &active
	}
	if r.IntN(2) == 0 {
		q.Since = began.Add(time.Duration(r.IntN(len(p.places))) * time.Minute)
	}
	if r.IntN(3) == 0 {
		q.Until = began.Add(time.Duration(r.IntN(len(p.places))) * time.Minute)
	}
	b := p.below(no)
	check := func(what string, rows []Row, total int, level func(Place) int) {
		t.Helper()
		want, all := p.list(q, level)
		var got []No
		for _, row := range rows {
			got = append(got, row.No)
			if row.Level != level(p.places[row.No]) {
				t.Fatalf("%s %+v: level of %d is %d, should be %d", what, q, row.No, row.Level, level(p.places[row.No]))
			}
			if row.Leg != b.leg[row.No] {
				t.Fatalf("%s: leg of %d is %v, should be %v", what, row.No, row.Leg, b.leg[row.No])
			}
		}
		if !slices.Equal(got, want) || total != all {
			t.Fatalf("%s %+v: got %d of %d, should be %d of %d\n%v\n%v", what, q, len(got), total, len(want), all, got, want)
		}
	}
	rows, total := x.Team(q)
	check("team", rows, total, func(m Place) int {
		if q.Leg == NoSide || b.leg[m.No] == q.Leg {
			return b.level[m.No]
		}
		return 0
	})
	if p.placed(no) {
		rows, total = x.Levels(q, 1, 1)
		check("directs", rows, total, func(m Place) int {
			if m.Sponsor == no && (q.Leg == NoSide || m.Side == q.Leg) {
				return 1
			}
			return 0
		})
		q.Leg = NoSide
		from := 1 + r.IntN(4)
		to := from + r.IntN(17)
		rows, total = x.Levels(q, from, to)
		check(fmt.Sprintf("levels %d to %d", from, to), rows, total, func(m Place) int {
			if l := b.invited[m.No]; l >= from && l <= to {
				return l
			}
			return 0
		})
	}
}
