package core_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// grown is a tree of a root, two members on its left, one on its right and a customer:
//
//	   1
//	 2   4
//	3
//
// 5 is a customer of 2.
func grown(s *testkit.Stores) []tree.Stored {
	s.T.Helper()
	place := func(no, sponsor, parent tree.No, side tree.Side) tree.Place {
		return tree.Place{No: no, UID: 4_000_000_000 + int64(no), Sponsor: sponsor, Parent: parent, Side: side, Joined: when(int(no))}
	}
	all := []tree.Stored{
		{Place: place(1, 0, 0, tree.NoSide), LeftTop: 1, RightTop: 1, LeftTail: 3, RightTail: 4},
		{Place: place(2, 1, 1, tree.Left), LeftTop: 1, RightTop: 2, LeftTail: 2, RightTail: 2},
		{Place: place(3, 1, 2, tree.Left), LeftTop: 1, RightTop: 3, LeftTail: 3, RightTail: 3},
		{Place: place(4, 2, 1, tree.Right), LeftTop: 4, RightTop: 1, LeftTail: 4, RightTail: 4},
		{Place: place(5, 2, 0, tree.NoSide), LeftTop: 5, RightTop: 5, LeftTail: 5, RightTail: 5},
	}
	seats := []tree.Seat{{}, {Sponsor: 1, Parent: 1, LeftTop: 1, RightTop: 1}, {Sponsor: 1, Parent: 2, LeftTop: 1, RightTop: 2}, {Sponsor: 1, Parent: 1, LeftTop: 1, RightTop: 1}, {}}
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for i, p := range all {
			err = errors.Join(err, s.DB.Tree().Add(ctx, tx, p.Place, seats[i]))
		}
		return err
	})
	return all
}

func TestAPlaceIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Tree(), s.T.Context()
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			no, at, err := store.Last(ctx, tx)
			if no != 0 || !at.IsZero() || err != nil {
				s.T.Errorf("an empty tree ends with %d, %v, %v", no, at, err)
			}
			return nil
		})
		want := grown(s)
		change := func(i int, active bool, business tree.Business, add tree.Business) (c tree.Change) {
			p := &want[i].Place
			p.Active, p.Business = active, business
			s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
				c, err = store.Change(ctx, tx, *p, tree.Change{No: p.No, Active: active, Add: add}, when(50))
				s.Same("within the command", s.Found(store.Standing(ctx, tx, p.UID)), *p)
				return err
			})
			return c
		}
		business := func(a, b, c int64) tree.Business {
			return tree.Business{money.Micro(a), money.Micro(b), money.Micro(c)}
		}
		changes := []tree.Change{change(0, true, business(5, 6, 7), business(1, 2, 3)), change(1, false, business(-1, 0, 9), business(-2, 4, 8)), change(0, true, business(6, 7, 8), business(1, 1, 1))}
		for i, c := range []tree.Change{{Seq: 1, No: 1, Active: true, Add: business(1, 2, 3)}, {Seq: 2, No: 2, Add: business(-2, 4, 8)}, {Seq: 3, No: 1, Active: true, Add: business(1, 1, 1)}} {
			s.Same("a change", changes[i], c)
		}
		var stored []tree.Stored
		var told []tree.Change
		s.Read(nil, store.All(ctx, func(p tree.Stored) error {
			stored = append(stored, p)
			return nil
		}, func(c tree.Change) error {
			told = append(told, c)
			return nil
		}))
		s.Same("all places", stored, want)
		s.Same("all changes", told, changes)
		var read []tree.Place
		last, err := store.Read(ctx, func(p tree.Place) error {
			read = append(read, p)
			return nil
		})
		s.Same("the last change", s.Read(last, err), int64(3))
		var places []tree.Place
		for _, p := range want {
			places = append(places, p.Place)
		}
		s.Same("read", read, places)
		for i := range places {
			places[i].Active, places[i].Business = false, tree.Business{}
		}
		for _, c := range []struct {
			no    tree.No
			seq   int64
			limit int
		}{{0, 0, 10}, {2, 1, 10}, {1, 0, 2}, {5, 3, 10}} {
			some, since, err := store.Since(ctx, c.no, c.seq, c.limit)
			s.Same("places since", s.Read(some, err), places[c.no:min(int(c.no)+c.limit, len(places))])
			s.Same("changes since", since, changes[c.seq:min(int(c.seq)+c.limit, len(changes))])
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			no, at, err := store.Last(ctx, tx)
			if no != 5 || !at.Equal(when(5)) {
				s.T.Errorf("the tree ends with %d, %v", no, at)
			}
			s.Missing(store.Standing(ctx, tx, 7))
			return err
		})
		stop := errors.New("stop")
		for i, err := range []error{
			store.All(ctx, func(tree.Stored) error { return stop }, func(tree.Change) error { return nil }),
			store.All(ctx, func(tree.Stored) error { return nil }, func(tree.Change) error { return stop }),
			func() error { _, err := store.Read(ctx, func(tree.Place) error { return stop }); return err }(),
		} {
			if !errors.Is(err, stop) {
				s.T.Errorf("%d: an error of the caller: %v", i, err)
			}
		}
	})
}

func TestASeatIsTheEndOfTheOuterLine(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Tree()
		want := grown(s)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			for _, c := range []struct {
				sponsor int
				side    tree.Side
				seat    tree.Seat
			}{
				{1, tree.Left, tree.Seat{Sponsor: 1, Parent: 3, LeftTop: 1, RightTop: 3}},
				{1, tree.Right, tree.Seat{Sponsor: 1, Parent: 4, LeftTop: 4, RightTop: 1}},
				{2, tree.Left, tree.Seat{Sponsor: 2, Parent: 3, LeftTop: 1, RightTop: 3}},
				{2, tree.Right, tree.Seat{Sponsor: 2, Parent: 2, LeftTop: 1, RightTop: 2}},
				{4, tree.Right, tree.Seat{Sponsor: 4, Parent: 4, LeftTop: 4, RightTop: 1}},
				{4, tree.Left, tree.Seat{Sponsor: 4, Parent: 4, LeftTop: 4, RightTop: 1}},
			} {
				s.Same(fmt.Sprint("a seat of ", c.sponsor, c.side), s.Found(store.Seat(ctx, tx, want[c.sponsor-1].UID, c.side)), c.seat)
			}
			s.Missing(store.Seat(ctx, tx, want[4].UID, tree.Left)) // a customer invites nobody
			s.Missing(store.Seat(ctx, tx, 7, tree.Left))
			return nil
		})
	})
}

func TestAPlaceIsTakenOnce(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Tree()
		want := grown(s)
		add := func(no, sponsor tree.No, uid int64, parent tree.No, side tree.Side, seat tree.Seat) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				return store.Add(ctx, tx, tree.Place{No: no, UID: uid, Sponsor: sponsor, Parent: parent, Side: side, Joined: when(9)}, seat)
			})
		}
		s.Duplicate("the same number", add(5, 1, 99, 3, tree.Left, tree.Seat{Parent: 3, LeftTop: 1, RightTop: 3}))
		s.Duplicate("the same member", add(6, 1, want[0].UID, 3, tree.Left, tree.Seat{Parent: 3, LeftTop: 1, RightTop: 3}))
		s.Duplicate("the same side", add(6, 1, 99, 1, tree.Left, tree.Seat{Parent: 1, LeftTop: 1, RightTop: 1}))
		if add(6, 1, 99, 4, tree.Left, tree.Seat{Parent: 4, LeftTop: 1, RightTop: 1}) == nil {
			s.T.Error("a line continues somewhere else than at its end")
		}
		if s.Try(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.Change(ctx, tx, tree.Place{No: 9}, tree.Change{No: 9}, time.Time{})
			return err
		}) == nil {
			s.T.Error("an unknown place changes")
		}
		var stored []tree.Stored
		s.Read(nil, store.All(s.T.Context(), func(p tree.Stored) error {
			stored = append(stored, p)
			return nil
		}, func(c tree.Change) error {
			s.T.Errorf("a change is left: %+v", c)
			return nil
		}))
		s.Same("after the errors", stored, want)
	})
}

func TestALongTreeIsReadInBatches(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		const all = 2100
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for no := tree.No(1); no <= all && err == nil; no++ {
				err = s.DB.Tree().Add(ctx, tx, tree.Place{No: no, UID: int64(no), Sponsor: no - 1, Joined: when(int(no))}, tree.Seat{})
			}
			return err
		})
		for _, stopAt := range []tree.No{0, 1, 1025} {
			next, stop := tree.No(1), errors.New("stop")
			_, err := s.DB.Tree().Read(s.T.Context(), func(p tree.Place) error {
				if p.No != next {
					s.T.Fatalf("%d after %d", p.No, next-1)
				}
				if next == stopAt {
					return stop
				}
				next++
				return nil
			})
			if stopAt == 0 && (err != nil || next != all+1) || stopAt > 0 && (!errors.Is(err, stop) || next != stopAt) {
				s.T.Errorf("stopped at %d: %d places, %v", stopAt, next-1, err)
			}
		}
	})
}
