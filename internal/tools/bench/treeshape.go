package bench

import (
	"iter"
	"math/rand/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
)

// TreeShapes are the shapes of trees: one left leg, a leg that changes sides at every member, or
// random sponsors and sides.
var TreeShapes = []string{"chain", "zigzag", "random"}

// continued returns the sponsor and the side of member no of a shape.
func continued(shape string, no int, r *rand.Rand) (sponsor tree.No, side tree.Side) {
	switch {
	case no == 1:
		return 0, tree.NoSide
	case shape == "chain":
		return tree.No(no - 1), tree.Left
	case shape == "zigzag":
		return tree.No(no - 1), tree.Side(1 + no%2)
	}
	return anybody(no, r)
}

func anybody(no int, r *rand.Rand) (tree.No, tree.Side) {
	return tree.No(1 + r.IntN(no-1)), tree.Side(1 + r.IntN(2))
}

// members yields the members of a shape, always the same ones. A third is active and has bought.
func members(shape string, n int) iter.Seq[store.Joining] {
	return func(yield func(store.Joining) bool) {
		r := rand.New(rand.NewPCG(1, 2))
		for no := 1; no <= n; no++ {
			j := store.Joining{Active: no%3 == 0}
			j.Sponsor, j.Side = continued(shape, no, r)
			if j.Active {
				j.Business[tree.Robot] = money.Micro(int64(50+50*(no%20)) * 1_000_000)
				j.Business[tree.Forex] = money.Micro(int64(100*(no%2)) * 1_000_000)
			}
			if !yield(j) {
				return
			}
		}
	}
}

// depths returns the depths of all members below the root, by join number.
func depths(x *tree.Index) []int {
	n, _ := x.State()
	out := make([]int, n+1)
	for no := tree.No(2); no <= n; no++ {
		node, _ := x.Get(no)
		out[no] = out[node.Parent] + 1
	}
	return out
}

// seat is a free place: the sponsor has no member on that side.
type seat struct {
	sponsor int64
	side    tree.Side
	depth   int
}

// seats are free places at and below a depth, the nearest first. A join opens two more, so that
// they never run out.
type seats struct{ free []seat }

// seatsAt starts at the free place nearest to a depth.
func seatsAt(x *tree.Index, depth []int, want int) *seats {
	var best tree.Node
	off := func(no tree.No) int { return max(depth[no]+1-want, want-depth[no]-1) }
	for no := tree.No(1); int(no) < len(depth); no++ {
		if best.No != 0 && off(no) >= off(best.No) {
			continue
		}
		if n, _ := x.Get(no); n.Kids[0] == 0 || n.Kids[1] == 0 {
			best = n
		}
	}
	s := &seats{}
	for i, kid := range best.Kids {
		if kid == 0 {
			s.free = append(s.free, seat{best.UID, tree.Side(1 + i), depth[best.No] + 1})
		}
	}
	return s
}

func (s *seats) take() seat {
	first := s.free[0]
	s.free = s.free[1:]
	return first
}

// joined replaces a taken seat by the two new ones.
func (s *seats) joined(at seat, uid int64) {
	s.free = append(s.free, seat{uid, tree.Left, at.depth + 1}, seat{uid, tree.Right, at.depth + 1})
}
