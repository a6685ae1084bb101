package tree_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var ctx = context.Background()

// world is a tree on a running ledger.
type world struct {
	*testkit.Ledger
	*tree.Service
	store tree.Store
}

func start(t *testing.T, dsn string) *world {
	t.Helper()
	l := testkit.StartLedger(t, dsn)
	w := &world{l, tree.NewService(l.DB.Tree(), testkit.Log()), l.DB.Tree()}
	if _, err := w.do(func(ctx context.Context, tx *ledger.Tx) (tree.Place, error) {
		return w.PlaceRoot(ctx, tx, id)
	}); err != nil {
		t.Fatal(err)
	}
	return w
}

func id(no tree.No) int64 { return 100000 + int64(no) }

func (w *world) do(run func(ctx context.Context, tx *ledger.Tx) (tree.Place, error)) (p tree.Place, err error) {
	_, err = w.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		p, err = run(ctx, tx)
		return nil, err
	}})
	return p, err
}

func (w *world) join(sponsor int64, side tree.Side) (tree.Place, error) {
	return w.do(func(ctx context.Context, tx *ledger.Tx) (tree.Place, error) {
		return w.Place(ctx, tx, sponsor, side, id)
	})
}

func (w *world) change(uid int64, active bool, line tree.Line, micros int64) error {
	_, err := w.do(func(ctx context.Context, tx *ledger.Tx) (tree.Place, error) {
		var add tree.Business
		add[line] = money.Micro(micros)
		return tree.Place{}, w.Change(ctx, tx, uid, active, add)
	})
	return err
}

func (w *world) check(t *testing.T) {
	t.Helper()
	if _, err := tree.Check(ctx, w.store); err != nil {
		t.Fatal(err)
	}
}

// Sixty callers join at once under few sponsors: no two in one place, no gap,
// every outer line whole, and the index shows exactly what was committed.
func TestMembersWhoJoinAtOnceGetDifferentPlaces(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		var all sync.WaitGroup
		for i := range 60 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(7, uint64(i)))
				for range 5 {
					no, _ := w.Service.State()
					if _, err := w.join(id(1+tree.No(r.IntN(int(no)))), tree.Side(1+r.IntN(2))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		w.check(t)
		left, right := w.Legs(1)
		if left.Members+right.Members != 300 {
			t.Fatalf("300 joined, the legs count %d and %d", left.Members, right.Members)
		}
	})
}

// A refused command takes its place back: the next one gets it.
func TestARefusedJoinLeavesNothing(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		no := errors.New("no")
		_, err := w.do(func(ctx context.Context, tx *ledger.Tx) (tree.Place, error) {
			if _, err := w.Place(ctx, tx, id(1), tree.Left, id); err != nil {
				t.Error(err)
			}
			return tree.Place{}, no
		})
		if !errors.Is(err, no) {
			t.Fatal(err)
		}
		if _, err := w.join(999999, tree.Left); !errs.Is(err, errs.NotFound) || err.Error() != tree.NoSponsor {
			t.Fatalf("an unknown sponsor: %v", err)
		}
		p, err := w.join(id(1), tree.Left)
		if err != nil || p.No != 2 || p.Parent != 1 {
			t.Fatalf("%+v, %v", p, err)
		}
		w.check(t)
	})
}

// The order of joining is that of time, whatever the clock does.
func TestJoinTimesRiseWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		for i := range 6 {
			w.Clock.SetWall(testkit.Epoch.AddDate(0, 0, -i))
			if _, err := w.join(id(1), tree.Right); err != nil {
				t.Fatal(err)
			}
		}
		w.check(t)
	})
}

// A second process, and one that starts later, show the same numbers.
func TestAnotherIndexFollowsTheStore(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		other := tree.NewService(w.store, testkit.Log())
		if err := other.Load(ctx); err != nil {
			t.Fatal(err)
		}
		stop, cancel := context.WithCancel(ctx)
		var following sync.WaitGroup
		following.Go(func() { other.Follow(stop, func() bool { return false }) })
		defer following.Wait()
		defer cancel()
		r := rand.New(rand.NewPCG(3, 3))
		for range 200 {
			no, _ := w.Service.State()
			uid := id(1 + tree.No(r.IntN(int(no))))
			var err error
			if r.IntN(2) == 0 {
				_, err = w.join(uid, tree.Side(1+r.IntN(2)))
			} else {
				err = w.change(uid, r.IntN(2) == 0, tree.Line(r.IntN(3)), r.Int64N(1000))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		late := tree.NewService(w.store, testkit.Log())
		if err := errors.Join(late.Load(ctx), other.Catch(ctx)); err != nil {
			t.Fatal(err)
		}
		no, _ := w.Service.State()
		for top := tree.No(1); top <= no; top++ {
			want, _ := w.Get(top)
			for name, x := range map[string]*tree.Service{"following": other, "started late": late} {
				if got, _ := x.Get(top); got != want {
					t.Fatalf("%s: member %d is %+v, should be %+v", name, top, got, want)
				}
			}
		}
		w.check(t)
	})
}

func TestBusinessNeverFallsBelowZero(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		if err := w.change(id(1), true, tree.Forex, 5); err != nil {
			t.Fatal(err)
		}
		if err := w.change(id(1), true, tree.Forex, -6); !errs.Is(err, errs.Refused) {
			t.Fatalf("six of five were taken back: %v", err)
		}
		if err := w.change(424242, true, tree.Forex, 1); !errs.Is(err, errs.NotFound) {
			t.Fatalf("a change of nobody: %v", err)
		}
		w.check(t)
	})
}

// Check finds a change of the tree that was made without the server.
func TestCheckNamesTheFirstWrongMember(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		for i := range 12 {
			if _, err := w.join(id(tree.No(1+i/2)), tree.Side(1+i%2)); err != nil {
				t.Fatal(err)
			}
			if err := w.change(id(tree.No(1+i)), true, tree.Robot, int64(i)); err != nil {
				t.Fatal(err)
			}
		}
		w.check(t)
		raw := testkit.Raw(t, dsn)
		if strings.HasPrefix(dsn, "sqlite:") {
			for _, trigger := range []string{"place_change_keep_row", "place_change_no_delete", "place_no_delete"} {
				if _, err := raw.ExecContext(ctx, "DROP TRIGGER "+trigger); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, c := range []struct{ tamper, restore string }{
			{"UPDATE place SET robot = robot + 1 WHERE no = 3", "UPDATE place SET robot = robot - 1 WHERE no = 3"},
			{"UPDATE place SET active = 0 WHERE no = 4", "UPDATE place SET active = 1 WHERE no = 4"},
			{"UPDATE place SET left_tail = 1 WHERE no = 1", fmt.Sprintf("UPDATE place SET left_tail = %d WHERE no = 1", tail(w))},
			{"UPDATE place SET sponsor = 2 WHERE no = 13", "UPDATE place SET sponsor = 6 WHERE no = 13"},
			{"UPDATE place_change SET forex = 7 WHERE seq = 5", "UPDATE place_change SET forex = 0 WHERE seq = 5"},
			{"UPDATE place SET joined_at = 1 WHERE no = 9", ""},
		} {
			if _, err := raw.ExecContext(ctx, c.tamper); err != nil {
				t.Fatal(err)
			}
			var f *tree.Finding
			if _, err := tree.Check(ctx, w.store); !errors.As(err, &f) {
				t.Errorf("case %d, %s: %v", i, c.tamper, err)
			}
			if c.restore == "" {
				break
			}
			if _, err := raw.ExecContext(ctx, c.restore); err != nil {
				t.Fatal(err)
			}
			w.check(t)
		}
	})
}

// tail is the end of the root's left line.
func tail(w *world) tree.No {
	no := tree.No(1)
	for {
		n, _ := w.Get(no)
		if n.Kids[0] == 0 {
			return no
		}
		no = n.Kids[0]
	}
}

// The process that writes shows a member the moment it is answered.
func TestTheIndexKnowsAMemberWhenItsJoinIsAnswered(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		w := start(t, dsn)
		for range 20 {
			before, _ := w.Legs(1)
			p, err := w.join(id(1), tree.Left)
			if err != nil {
				t.Fatal(err)
			}
			after, _ := w.Legs(1)
			if w.Find(p.UID) != p.No || after.Members != before.Members+1 {
				t.Fatalf("member %d was answered and is not there", p.UID)
			}
			w.Clock.Advance(time.Second)
		}
	})
}
