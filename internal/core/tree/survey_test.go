package tree

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestTeamsAndRollAgreeWithGet(t *testing.T) {
	t.Parallel()
	testShapes(t, func(t *testing.T, shape string, r *rand.Rand) {
		p, x := newPlain(), NewIndex()
		for len(p.places) <= 400 {
			must(t, x.Join(p.grow(shape, r)))
			if r.IntN(2) == 0 {
				must(t, x.Apply(p.change(No(1+r.IntN(len(p.places)-1)), r.IntN(3) > 0, Line(r.IntN(3)), r.Int64N(2_000_000))))
			}
		}
		type both struct{ left, right Leg }
		teams, customers, next := map[No]both{}, 0, No(1)
		x.Teams(func(no No, uid int64, left, right Leg) {
			if x.uidOf(no) != uid {
				t.Errorf("member %d has the id %d", no, uid)
			}
			teams[no] = both{left, right}
		})
		joined := map[No]time.Time{}
		x.Roll(0, func(no No, at time.Time, customer bool) {
			if no != next {
				t.Errorf("member %d follows %d", no, next-1)
			}
			if next++; customer {
				customers++
			}
			joined[no] = at
		})
		x.Roll(No(len(p.places)-3), func(no No, at time.Time, _ bool) {
			if int(no) < len(p.places)-2 || !at.Equal(joined[no]) {
				t.Errorf("after %d comes %d, at %v", len(p.places)-3, no, at)
			}
			next++
		})
		if int(next) != len(p.places)+2 {
			t.Errorf("%d were told of twice, want two", int(next)-len(p.places))
		}
		for no := No(1); int(no) < len(p.places); no++ {
			n, _ := x.Get(no)
			if !joined[no].Equal(n.Joined) {
				t.Errorf("member %d joined at %v, want %v", no, joined[no], n.Joined)
			}
			got, placed := teams[no]
			if want := no == 1 || n.Parent != 0; placed != want {
				t.Fatalf("member %d has a place: %v", no, placed)
			}
			leg := func(t Totals) Leg { return Leg{t.Members, t.Business[Robot].Micros()} }
			if want := (both{leg(n.Left), leg(n.Right)}); got != want {
				t.Errorf("member %d has the legs %+v, want %+v", no, got, want)
			}
		}
		if len(teams)+customers != len(p.places)-1 {
			t.Errorf("%d with a place and %d customers are not %d", len(teams), customers, len(p.places)-1)
		}
	})
}

// uidOf is for use while the index is being read: it takes no lock.
func (x *Index) uidOf(no No) int64 { return int64(*x.uid.at(uint32(no))) }
