package trade_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// uidOf is the user id of a join number.
func uidOf(no int64) int64 { return 100_000 + 7*no }

// plant adds members 1 to 4: 2 and 4 sit below 1, and 3 is a customer of 2.
func plant(s *testkit.Stores) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, p := range []tree.Place{{No: 1}, {No: 2, Sponsor: 1, Parent: 1, Side: tree.Left}, {No: 3, Sponsor: 2}, {No: 4, Sponsor: 2, Parent: 1, Side: tree.Right}} {
			p.UID, p.Joined = uidOf(int64(p.No)), testkit.Epoch.Add(time.Duration(p.No)*time.Hour)
			err = errors.Join(err, s.DB.Tree().Add(ctx, tx, p, tree.Seat{Sponsor: p.Sponsor, Parent: p.Parent, LeftTop: 1, RightTop: 1}))
		}
		return err
	})
}

// write runs writes in one command.
func write(s *testkit.Stores, all ...func(ctx context.Context, tx *ledger.Tx) error) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, w := range all {
			err = errors.Join(err, w(ctx, tx))
		}
		return err
	})
}

// add gives the write of each value by one method of a store.
func add[T any](all []T, method func(ctx context.Context, tx *ledger.Tx, v T) error) func(ctx context.Context, tx *ledger.Tx) error {
	return func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, v := range all {
			err = errors.Join(err, method(ctx, tx, v))
		}
		return err
	}
}

// post posts a transfer in a separate command; legs are account, micro-dollars and so on.
func post(s *testkit.Stores, t ledger.Transfer, legs ...any) {
	s.T.Helper()
	for i := 0; i < len(legs); i += 2 {
		t.Legs = append(t.Legs, ledger.Leg{Account: ledger.MustAccount(legs[i].(string)), Delta: money.Micro(int64(legs[i+1].(int)))})
	}
	s.Write(func(_ context.Context, tx *ledger.Tx) error {
		_, err := tx.Post(t)
		return err
	})
}

// values collects what a method yields, in an order.
func values[T any](order func(a, b T) int, read func(yield func(T) error) error) (all []T, err error) {
	err = read(func(v T) error {
		all = append(all, v)
		return nil
	})
	if order != nil {
		slices.SortFunc(all, order)
	}
	return all, err
}

func chosen[T any](all []T, wanted func(*T) bool) (out []T) {
	for i := range all {
		if wanted(&all[i]) {
			out = append(out, all[i])
		}
	}
	return out
}

func by[T any, K cmp.Ordered](key func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(key(a), key(b)) }
}

// stops tells whether a method that yields ends with the error of its caller.
func stops[T any](s *testkit.Stores, read func(yield func(T) error) error) {
	s.T.Helper()
	enough, n := errors.New("enough"), 0
	err := read(func(T) error {
		n++
		return enough
	})
	if !errors.Is(err, enough) || n != 1 {
		s.T.Error(fmt.Errorf("after the first of %d values: %w", n, err))
	}
}
