package cash_test

import (
	"context"
	"errors"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// An accepted request stays accepted: the server's own connection cannot delete a request,
// the owner of a deposit address, or the hold of a withdrawal.
func TestTheServerCannotDeleteRequestsForMoney(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		do := func(run func(ctx context.Context, tx *ledger.Tx) error) error {
			_, err := l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				return nil, run(ctx, tx)
			}})
			return err
		}
		s := l.DB.Fund()
		r := fund.Request{ID: 7, UID: 100001, Fund: fund.Robot, Amount: money.MustParse("5"), Number: "ABC123", Way: fund.ByBank, State: fund.Pending, RequestedAt: testkit.Epoch}
		if err := do(func(ctx context.Context, tx *ledger.Tx) error { return s.Add(ctx, tx, r) }); err != nil {
			t.Fatal(err)
		}
		r.ID = 8
		var refused *ledger.ConstraintError
		if err := do(func(ctx context.Context, tx *ledger.Tx) error { return s.Add(ctx, tx, r) }); !errors.As(err, &refused) || !refused.Unique {
			t.Errorf("a member names a number twice: %v", err)
		}
		r.ID, r.UID = 9, 100002
		if err := do(func(ctx context.Context, tx *ledger.Tx) error { return s.Add(ctx, tx, r) }); err != nil {
			t.Errorf("a number that another member has named cannot be named: %v", err)
		}
		decide := func(id int64, to fund.State) error {
			return do(func(ctx context.Context, tx *ledger.Tx) error {
				return s.Decide(ctx, tx, fund.Request{ID: id, State: to, DecidedBy: 1, DecidedName: "Olga", DecidedAt: testkit.Epoch})
			})
		}
		if err := decide(7, fund.Approved); err != nil {
			t.Fatal(err)
		}
		if err := decide(9, fund.Approved); !errors.As(err, &refused) || !refused.Unique {
			t.Errorf("a number is credited twice: %v", err)
		}
		if err := decide(9, fund.Rejected); err != nil {
			t.Fatal(err)
		}
		if err := do(func(ctx context.Context, tx *ledger.Tx) error {
			if fresh, err := s.Release(ctx, tx, 9, testkit.Epoch); err != nil || !fresh {
				t.Errorf("a number is not released: %v, %v", fresh, err)
			}
			r.ID = 10
			return s.Add(ctx, tx, r)
		}); err != nil {
			t.Errorf("a number that was released cannot be named again: %v", err)
		}
		a := deposit.Address{Root: "key", UID: 100001, Address: "0x1", At: testkit.Epoch}
		addresses := l.DB.Deposit()
		add := func(a deposit.Address) error {
			return do(func(ctx context.Context, tx *ledger.Tx) error { return addresses.AddAddress(ctx, tx, a) })
		}
		if err := add(a); err != nil {
			t.Fatal(err)
		}
		for _, b := range []deposit.Address{{Root: "key", UID: 2, Address: "0x2"}, {Root: "key", Place: deposit.Place{Index: 1}, UID: 100001, Address: "0x2"}, {Root: "key", Place: deposit.Place{Index: 1}, UID: 2, Address: "0x1"}} {
			if err := add(b); !errors.As(err, &refused) || !refused.Unique {
				t.Errorf("%+v beside the first one: %v", b, err)
			}
		}
		if err := do(func(ctx context.Context, tx *ledger.Tx) error {
			return addresses.AddUnmatched(ctx, tx, deposit.Unmatched{Hash: "0x1", To: "0x2", From: "0x3", Amount: money.Micro(1), Reason: deposit.Small})
		}); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{
			"DELETE FROM deposit_address", "UPDATE deposit_address SET uid = 2", "DELETE FROM fund_request", "DELETE FROM unmatched_payment", "UPDATE unmatched_payment SET amount = 2",
		} {
			if err := do(func(ctx context.Context, tx *ledger.Tx) error {
				_, err := tx.Rows().(testkit.Rows).Exec(ctx, query)
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
