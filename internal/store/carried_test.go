package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Each member is returned once, and a close that follows another within one command sees
// the other's result, which is not visible outside of the command yet.
func TestCarriedIsReadAsTheCommandSeesIt(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		db := l.DB.Closing()
		const members = 3000
		all := make([]closing.Carried, members)
		for i := range all {
			all[i] = closing.Carried{No: int64(i) + 1, Left: int64(i), Rank: 2, Active: true}
		}
		do := func(run func(ctx context.Context, tx *ledger.Tx) error) {
			t.Helper()
			if _, err := l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				return nil, run(ctx, tx)
			}}); err != nil {
				t.Fatal(err)
			}
		}
		is := func(ctx context.Context, tx *ledger.Tx, left int64) error {
			seen := make([]bool, members)
			if err := db.Carried(ctx, tx, func(c closing.Carried) error {
				if want := (closing.Carried{No: c.No, Left: c.No - 1 + left, Rank: 2, Active: true}); c != want || seen[c.No-1] {
					return errors.New("a row is wrong, or came twice")
				}
				seen[c.No-1] = true
				return nil
			}); err != nil {
				return err
			}
			for _, came := range seen {
				if !came {
					return errors.New("somebody is missing")
				}
			}
			return nil
		}
		do(func(ctx context.Context, tx *ledger.Tx) error { return db.Keep(ctx, tx, all) })
		do(func(ctx context.Context, tx *ledger.Tx) error { return is(ctx, tx, 0) })
		do(func(ctx context.Context, tx *ledger.Tx) error {
			for i := range all {
				all[i].Left += 7
			}
			return errors.Join(db.Keep(ctx, tx, all), db.AddDay(ctx, tx, closing.Closed{Day: 20_000, Plan: "p", Digest: "d", At: testkit.Epoch}), is(ctx, tx, 7))
		})
	})
}
