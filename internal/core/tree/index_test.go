package tree

import (
	"math/rand/v2"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever the tree looks like, after every join and every change the index
// says what one would find by walking the tree.
func TestIndexAgreesWithAWalkAtEveryMoment(t *testing.T) {
	t.Parallel()
	testShapes(t, func(t *testing.T, shape string, r *rand.Rand) {
		p, x := newPlain(), NewIndex()
		for step := range 700 {
			if len(p.places) > 1 && r.IntN(3) == 0 {
				must(t, x.Apply(p.change(No(1+r.IntN(len(p.places)-1)), r.IntN(2) == 0, Line(r.IntN(3)), r.Int64N(2_000_000)-500_000)))
			} else {
				must(t, x.Join(p.grow(shape, r)))
			}
			no := No(1 + r.IntN(len(p.places)-1))
			p.agree(t, x, no)
			if step%3 == 0 {
				p.agreeLists(t, x, no, r)
			}
		}
	})
}

// Large enough for several levels of blocks and of the sequences, and for
// merges that are under way.
func TestIndexAgreesWithAWalkWhenLarge(t *testing.T) {
	t.Parallel()
	testShapes(t, func(t *testing.T, shape string, r *rand.Rand) {
		p, x := newPlain(), NewIndex()
		members := 20_000
		if testing.Short() {
			members = 9_500
		}
		for len(p.places) <= members {
			must(t, x.Join(p.grow(shape, r)))
			if r.IntN(2) == 0 {
				must(t, x.Apply(p.change(No(1+r.IntN(len(p.places)-1)), r.IntN(3) > 0, Line(r.IntN(3)), r.Int64N(2_000_000))))
			}
		}
		tops := []No{1, 2, No(members / 2), No(members)}
		for range 4 {
			tops = append(tops, No(1+r.IntN(members)))
		}
		rebuilt := reload(t, p)
		for _, no := range tops {
			for _, index := range []*Index{x, rebuilt} {
				p.agree(t, index, no)
				p.agreeLists(t, index, no, r)
			}
		}
		// A rebuilt index behaves like the original one.
		for range 300 {
			m := p.grow(shape, r)
			c := p.change(No(1+r.IntN(len(p.places)-1)), r.IntN(3) > 0, Robot, 1)
			for _, index := range []*Index{x, rebuilt} {
				must(t, index.Join(m))
				must(t, index.Apply(c))
			}
		}
		for _, index := range []*Index{x, rebuilt} {
			p.agree(t, index, 1)
			p.agreeLists(t, index, 1, r)
		}
	})
}

func reload(t *testing.T, p *plain) *Index {
	t.Helper()
	x := NewIndex()
	must(t, x.Load(func(yield func(Place) error) (int64, error) {
		for _, m := range p.places[1:] {
			if err := yield(m); err != nil {
				return 0, err
			}
		}
		return p.seq, nil
	}))
	return x
}

func TestWindowIsFourLevelsOfTheTree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	p, x := newPlain(), NewIndex()
	for range 200 {
		must(t, x.Join(p.grow("random", r)))
	}
	for no := No(1); no <= 200; no++ {
		window := x.Window(no)
		if window[0].No != no {
			t.Fatalf("window of %d begins with %d", no, window[0].No)
		}
		for i, node := range window {
			if i > 0 {
				up := window[(i-1)/2]
				want := No(0)
				if up.No != 0 {
					want = p.kids[up.No][(i-1)%2]
				}
				if node.No != want {
					t.Fatalf("window of %d: place %d holds %d, should hold %d", no, i, node.No, want)
				}
			}
			if node.No != 0 {
				legs := p.legs(node.No)
				if node.Left != legs[Left] || node.Right != legs[Right] {
					t.Fatalf("window of %d: legs of %d differ", no, node.No)
				}
			}
		}
	}
}

func TestBelowIsLimitedToTheMembersTree(t *testing.T) {
	t.Parallel()
	testShapes(t, func(t *testing.T, shape string, r *rand.Rand) {
		p, x := newPlain(), NewIndex()
		for range 120 {
			must(t, x.Join(p.grow(shape, r)))
		}
		for top := No(1); top <= 120; top++ {
			b := p.below(top)
			for no := No(1); no <= 120; no++ {
				if got, want := x.Below(top, no), no == top || b.level[no] > 0; got != want {
					t.Fatalf("%d below %d: %v", no, top, got)
				}
			}
		}
		if x.Below(1, 121) || x.Below(0, 1) || x.Below(121, 121) {
			t.Fatal("members who are not there are below somebody")
		}
	})
}

// An impossible place is refused and does not change the index; a known place is ignored.
func TestIndexRejectsImpossiblePlaces(t *testing.T) {
	t.Parallel()
	p, x := newPlain(), NewIndex()
	for range 3 {
		must(t, x.Join(p.grow("zigzag", rand.New(rand.NewPCG(1, 1)))))
	}
	good := Place{No: 4, UID: 999999, Sponsor: 3, Parent: 3, Side: Left, Joined: began.AddDate(1, 0, 0)}
	for name, change := range map[string]func(*Place){
		"a gap":                    func(m *Place) { m.No = 5 },
		"a place that is taken":    func(m *Place) { m.Parent, m.Side = 2, p.places[3].Side },
		"an id that is taken":      func(m *Place) { m.UID = p.places[2].UID },
		"no id":                    func(m *Place) { m.UID = 0 },
		"an id that does not fit":  func(m *Place) { m.UID = 1 << 33 },
		"a parent to come":         func(m *Place) { m.Parent = 9 },
		"itself as sponsor":        func(m *Place) { m.Sponsor = 4 },
		"no sponsor":               func(m *Place) { m.Sponsor = 0 },
		"a parent without a side":  func(m *Place) { m.Side = NoSide },
		"a side that is neither":   func(m *Place) { m.Side = 3 },
		"joined before the others": func(m *Place) { m.Joined = began },
	} {
		m := good
		change(&m)
		if x.Join(m) == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if x.Apply(Change{Seq: 2, No: 1}) == nil || x.Apply(Change{Seq: 1, No: 9}) == nil {
		t.Error("a change that cannot be was accepted")
	}
	must(t, x.Join(p.places[2])) // known
	if n, seq := x.State(); n != 3 || seq != 0 {
		t.Fatalf("the index stands at %d, %d", n, seq)
	}
	p.agree(t, x, 1)
	must(t, x.Join(good))
}
