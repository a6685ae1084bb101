package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
)

// joins measures, in this process, the memory of the index and the time of joins.
func (b *treeBench) joins(ctx context.Context, g *installation) error {
	w, err := g.enter(ctx)
	if err != nil {
		return err
	}
	defer w.leave()
	before := heap()
	if err := w.tree.Load(ctx); err != nil {
		return err
	}
	if bytes := float64(heap()-before) / float64(g.members); b.wants("memory") {
		b.print(g, TreeLine{Case: "memory", Value: bytes, Unit: "bytes/member", Ratio: bytes / needBytes, Must: "at most 200"}, bytes <= needBytes)
	}
	if b.wants("join_depth") {
		if err := b.joinDepth(ctx, g, w); err != nil {
			return err
		}
	}
	if b.wants("join_size") {
		if err := b.joinSize(ctx, g, w); err != nil {
			return err
		}
	}
	if !b.wants("join_depth", "join_size") {
		return nil
	}
	return b.recount(ctx, g, w)
}

// heap returns the used memory after garbage collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// arm is one side of a comparison: the next join, and the durations so far.
type arm struct {
	join func() (time.Duration, error)
	took []time.Duration
}

// alternate runs the arms in turn, so that disturbances of the machine affect all equally. The
// first joins of each are not counted, because caches are cold and statements not prepared.
func (b *treeBench) alternate(ctx context.Context, arms ...*arm) error {
	warm := min(20, b.Joins)
	for i := range b.Joins + warm {
		for k := range arms {
			a := arms[(i+k)%len(arms)]
			took, err := a.join()
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if i >= warm {
				a.took = append(a.took, took)
			}
		}
	}
	return nil
}

func (a *arm) figures() figures {
	var all time.Duration
	for _, d := range a.took {
		all += d
	}
	return summarise(slices.Clone(a.took), all)
}

// joinDepth compares joins at depth 10 with joins at depth 100,000, or at the largest depth. In
// a chain, a third arm uses the root as sponsor, whose outer line is as long as the tree.
func (b *treeBench) joinDepth(ctx context.Context, g *installation, w *world) error {
	b.say("%s: joins by depth in a %s", g.engine, g.shape)
	all := depths(w.tree.Index)
	at := func(want int) (*arm, int) {
		s := seatsAt(w.tree.Index, all, want)
		return &arm{join: func() (time.Duration, error) {
			seat := s.take()
			uid, took, err := w.join(ctx, seat.sponsor, seat.side)
			s.joined(seat, uid)
			return took, err
		}}, s.free[0].depth
	}
	high, highAt := at(shallow)
	low, lowAt := at(min(deep, slices.Max(all)))
	arms := []*arm{high, low}
	if root := w.uid(1); g.shape == "chain" {
		arms = append(arms, &arm{join: func() (time.Duration, error) {
			_, took, err := w.join(ctx, root, tree.Left)
			return took, err
		}})
	}
	if err := b.alternate(ctx, arms...); err != nil {
		return err
	}
	base := millis(high.figures().P50)
	for i, a := range arms[1:] {
		f := a.figures()
		l := TreeLine{
			Case: "join_depth", Value: millis(f.P50), Unit: "ms", Seat: "under the sponsor", Depth: lowAt, BaseDepth: highAt, Base: base,
			Ratio: millis(f.P50) / base, P50: millis(f.P50), P99: millis(f.P99), Clients: 1, Must: "ratio at most 1.3",
		}
		if i == 1 {
			l.Seat, l.Depth = "at the end of the root's outer line", g.members
		}
		b.print(g, l, l.Ratio <= needDepth)
	}
	return nil
}

// joinSize compares joins with those into a small tree of the same shape. Every other one
// continues the shape; the others have a random sponsor and side.
func (b *treeBench) joinSize(ctx context.Context, g *installation, w *world) error {
	small, err := b.build(ctx, g.engine, g.shape, min(smallTree, g.members/2))
	if err != nil {
		return err
	}
	defer small.remove()
	s, err := small.enter(ctx)
	if err != nil {
		return err
	}
	defer s.leave()
	if err := s.tree.Load(ctx); err != nil {
		return err
	}
	b.say("%s: joins by size in a %s", g.engine, g.shape)
	into := func(w *world, tip tree.No) *arm {
		r, i := rand.New(rand.NewPCG(3, 4)), 0
		return &arm{join: func() (time.Duration, error) {
			n, _ := w.tree.State()
			sponsor, side := anybody(int(n)+1, r)
			i++
			onward := i%2 == 0 && g.shape != "random"
			if onward {
				sponsor, side = tip, tree.Left
				if end, _ := w.tree.Get(tip); g.shape == "zigzag" {
					side = tree.Left + tree.Right - end.Side
				}
			}
			uid, took, err := w.join(ctx, w.uid(sponsor), side)
			if onward {
				tip = w.tree.Find(uid)
			}
			return took, err
		}}
	}
	large, little := into(w, tree.No(g.members)), into(s, tree.No(small.members))
	if err := b.alternate(ctx, little, large); err != nil {
		return err
	}
	f, base := large.figures(), millis(little.figures().P50)
	l := TreeLine{
		Case: "join_size", Value: millis(f.P50), Unit: "ms", Ratio: millis(f.P50) / base, Base: base,
		P50: millis(f.P50), P99: millis(f.P99), Clients: 1, Must: "ratio at most 1.5",
	}
	b.print(g, l, l.Ratio <= needSize)
	return b.recount(ctx, small, s)
}

// recount verifies all counts after joining: the stored rows with tree.Check, and the index by
// its size. It skips a large tree whose recount would take over a minute.
func (b *treeBench) recount(ctx context.Context, g *installation, w *world) error {
	if g.members > smallTree {
		limit, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		ctx = limit
	}
	started := time.Now()
	sum, err := tree.Check(ctx, w.db.Tree())
	if errors.Is(err, context.DeadlineExceeded) {
		b.say("%s: the recount of %d members took over a minute and was left", g.engine, g.members)
		return nil
	}
	if err != nil {
		return err
	}
	left, right := w.tree.Legs(1)
	if want := int64(g.members + w.n); sum.Members != want || left.Members+right.Members+1 != want {
		return fmt.Errorf("%d members are stored and %d in the index, not %d", sum.Members, left.Members+right.Members+1, want)
	}
	ids, err := member.NewIDs([]byte(idKey))
	if err != nil {
		return err
	}
	if last := w.uid(tree.No(sum.Members)); last != ids.At(sum.Members) {
		return fmt.Errorf("the last member has id %d, not %d", last, ids.At(sum.Members))
	}
	b.say("%s: recounted %d members of a %s in %.1f s: all counts are right", g.engine, sum.Members, g.shape, time.Since(started).Seconds())
	return nil
}
