package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/testkit"
)

// What was accepted once stays accepted: the server's own connection cannot
// forget a transaction number, nor a request, nor where a withdrawal's money is
// held.
func TestTheServerCannotForgetMoneyThatWasAskedFor(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		do := func(run func(ctx context.Context, rows ledger.Rows) error) error {
			_, err := l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				rows, err := tx.Rows(ctx)
				if err != nil {
					return nil, err
				}
				return nil, run(ctx, rows)
			}})
			return err
		}
		s := l.DB.Fund()
		r := fund.Request{ID: 7, UID: 100001, Fund: fund.Robot, Amount: money.MustParse("5"), Number: "ABC123", Way: fund.ByBank, State: fund.Pending, RequestedAt: testkit.Epoch}
		if err := do(func(ctx context.Context, rows ledger.Rows) error { return s.Add(ctx, rows, r) }); err != nil {
			t.Fatal(err)
		}
		r.ID, r.UID = 8, 100002
		var refused *ledger.ConstraintError
		if err := do(func(ctx context.Context, rows ledger.Rows) error { return s.Add(ctx, rows, r) }); !errors.As(err, &refused) || !refused.Unique {
			t.Errorf("a number is taken twice: %v", err)
		}
		if err := do(func(ctx context.Context, rows ledger.Rows) error {
			first := r
			first.ID = 7
			if fresh, err := s.Release(ctx, rows, first, fund.Decider{Operator: 1, Name: "Olga"}, "not theirs", testkit.Epoch); err != nil || !fresh {
				t.Errorf("a number is not released: %v, %v", fresh, err)
			}
			return s.Add(ctx, rows, r)
		}); err != nil {
			t.Errorf("a number that was released cannot be claimed: %v", err)
		}
		r.ID, r.UID = 9, 100003
		if err := do(func(ctx context.Context, rows ledger.Rows) error { return s.Add(ctx, rows, r) }); !errors.As(err, &refused) || !refused.Unique {
			t.Errorf("a number is taken twice after its release: %v", err)
		}
		for _, query := range []string{
			"DELETE FROM fund_number", "UPDATE fund_number SET number = 'X'", "DELETE FROM fund_release", "UPDATE fund_release SET number = 'X'", "DELETE FROM fund_request",
		} {
			if err := do(func(ctx context.Context, rows ledger.Rows) error {
				_, err := rows.(testkit.Rows).Exec(ctx, query)
				return err
			}); err == nil {
				t.Errorf("%s: it is done", query)
			}
		}
		if got, found, err := s.Get(t.Context(), nil, 7); err != nil || !found || got.Number != "ABC123" || got.Amount != r.Amount || !got.RequestedAt.Equal(testkit.Epoch) {
			t.Errorf("left: %+v, %v, %v", got, found, err)
		}
	})
}
