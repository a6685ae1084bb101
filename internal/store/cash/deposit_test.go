package cash_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestADepositAddressIsFoundByItsMemberAndByItself(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Deposit()
		var all []deposit.Address // in the order of their places
		for i := range int64(6) {
			all = append(all, testkit.Full(i+1, func(a *deposit.Address) { a.Root, a.Place = "root", deposit.Place{Branch: 1 + i/3, Index: 9 - i%3} }))
		}
		slices.SortFunc(all, func(a, b deposit.Address) int {
			return cmp.Or(cmp.Compare(a.Branch, b.Branch), cmp.Compare(a.Index, b.Index))
		})
		other := testkit.Full(9, func(a *deposit.Address) {
			a.Root, a.Place, a.UID = "a root", deposit.Place{Branch: 7, Index: 7}, all[0].UID
		})
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, a := range append(all, other) {
				err = errors.Join(err, store.AddAddress(ctx, tx, a))
			}
			return errors.Join(err, s.DB.Payout().PutWallet(ctx, tx, testkit.Full(1, func(w *payout.Wallet) { w.Sender = "hot wallet" })))
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for _, a := range append(all, other) {
				s.Is(a, true)(store.Address(ctx, tx, a.Root, a.UID))
				s.Is(a, true)(store.Owner(ctx, tx, a.Address))
			}
			s.Is(deposit.Address{}, false)(store.Address(ctx, tx, "root", 7))
			s.Is(deposit.Address{}, false)(store.Address(ctx, tx, "no root", all[0].UID))
			s.Is(deposit.Address{}, false)(store.Owner(ctx, tx, "nobody's"))
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(all[5].Place, true)(store.Last(ctx, tx, "root"))
			s.Is(other.Place, true)(store.Last(ctx, tx, "a root"))
			s.Is(deposit.Place{}, false)(store.Last(ctx, tx, "no root"))
		})
		ctx := t.Context()
		s.Is(all)(store.Addresses(ctx, "root", deposit.Place{}, 100))
		for i, a := range all {
			s.Is(all[i+1 : min(i+3, len(all))])(store.Addresses(ctx, "root", a.Place, 2))
		}
		s.Is([]string{"a root", "root"})(store.Roots(ctx))
		for address, ours := range map[string]bool{all[3].Address: true, "hot wallet": true, "nobody's": false} {
			s.Is(ours)(store.Ours(ctx, address))
		}
		for _, change := range []func(a *deposit.Address){
			func(a *deposit.Address) { a.Place = all[0].Place }, func(a *deposit.Address) { a.UID = all[0].UID }, func(a *deposit.Address) { a.Address = all[0].Address },
		} {
			s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
				return store.AddAddress(ctx, tx, testkit.Full(20, func(a *deposit.Address) { a.Root = "root"; change(a) }))
			})
		}
		s.Is(all)(store.Addresses(ctx, "root", deposit.Place{}, 100))
	})
}

func TestPaymentsToAddressesAreSummedCreditedOrNot(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		want, asked := map[string]money.Amount{}, []string{}
		for i := range 700 { // more than one statement asks for
			asked = append(asked, fmt.Sprint("address ", i))
		}
		for i := range int64(9) {
			r := testkit.Full(i+1, undecided, func(r *fund.Request) { r.Source = asked[i/2*100] })
			if i%2 == 1 {
				r = testkit.Full(i+1, rejected, func(r *fund.Request) { r.Source = asked[i/2*100] })
			}
			addRequests(s, r)
			want[r.Source] = money.Micro(want[r.Source].Micros() + r.Amount.Micros())
		}
		addRequests(s, testkit.Full(20, undecided), testkit.Full(21, rejected, func(r *fund.Request) { r.Source = "another" }))
		s.Is(want)(s.DB.Deposit().Received(t.Context(), asked))
		s.Is(map[string]money.Amount{})(s.DB.Deposit().Received(t.Context(), nil))
		s.Is(map[string]money.Amount{})(s.DB.Deposit().Received(t.Context(), []string{""}))
	})
}

func announced(uid int64, amount int64, hours int) func(i *deposit.Intent) {
	return func(i *deposit.Intent) {
		i.Fund, i.UID, i.Amount, i.OpenedAt, i.Expires, i.Request = string(fund.Forex), uid, money.Micro(amount), testkit.Epoch.Add(-time.Hour), testkit.Epoch.Add(time.Duration(hours)*time.Hour), 0
	}
}

func TestAnnouncedPaymentsAreFoundUntilTheyEnd(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Deposit()
		all := []deposit.Intent{
			testkit.Full(1, announced(1, 500, 1)), testkit.Full(2, announced(2, 600, 2)), testkit.Full(3, announced(1, 700, 3)), testkit.Full(4, announced(1, 800, 4)),
			testkit.Full(5, func(i *deposit.Intent) {
				i.Fund, i.OpenedAt, i.Expires = string(fund.Robot), testkit.Epoch.Add(-2*time.Second), testkit.Epoch.Add(-time.Second)
			}),
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(0)(store.LastIntent(ctx, tx)) })
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, i := range all {
				err = errors.Join(err, store.AddIntent(ctx, tx, i))
			}
			return err
		})
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddIntent(ctx, tx, all[1]) })
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(all[4].ID)(store.LastIntent(ctx, tx)) })
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for _, i := range all {
				s.Is(i, true)(store.Intent(ctx, tx, i.ID))
			}
			s.Is(deposit.Intent{}, false)(store.Intent(ctx, tx, 7))
			after := all[1].Expires // the moment at which one ends
			s.Is([]deposit.Intent{all[3], all[2]})(store.Intents(ctx, tx, 0, after))
			s.Is([]deposit.Intent{all[3], all[2], all[1]})(store.Intents(ctx, tx, 0, after.Add(-time.Microsecond)))
			s.Is([]deposit.Intent{all[3], all[2], all[0]})(store.Intents(ctx, tx, 1, testkit.Epoch))
			s.Is(nil)(store.Intents(ctx, tx, 77, testkit.Epoch))
			between := func(after time.Time, least, most int64) ([]deposit.Intent, error) {
				found, err := store.Between(ctx, tx, after, money.Micro(least), money.Micro(most))
				slices.SortFunc(found, func(a, b deposit.Intent) int { return cmp.Compare(a.ID, b.ID) })
				return found, err
			}
			s.Is(all[0:3])(between(testkit.Epoch, 500, 700))
			s.Is(all[1:2])(between(testkit.Epoch, 501, 699))
			s.Is(all[2:3])(between(all[1].Expires, 500, 700))
		})
		at := testkit.Epoch.Add(time.Minute)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.EndIntent(ctx, tx, all[0].ID, at), store.Settle(ctx, tx, all[1].ID, 77))
		})
		all[0].Expires, all[1].Request = at, 77
		for _, wrong := range []func(ctx context.Context, tx *ledger.Tx) error{
			func(ctx context.Context, tx *ledger.Tx) error { return store.EndIntent(ctx, tx, all[1].ID, at) },
			func(ctx context.Context, tx *ledger.Tx) error { return store.Settle(ctx, tx, all[1].ID, 78) },
			func(ctx context.Context, tx *ledger.Tx) error { return store.Settle(ctx, tx, 7, 78) },
			func(ctx context.Context, tx *ledger.Tx) error { return store.EndIntent(ctx, tx, 7, at) },
		} {
			s.Refused(wrong)
		}
		for _, i := range all {
			s.Is(i, true)(store.Intent(t.Context(), nil, i.ID))
		}
	})
}

func TestTheCursorOfATokenIsWrittenOver(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, ctx := s.DB.Deposit(), t.Context()
		s.Is(0, false)(store.Cursor(ctx, "a"))
		for _, block := range []int64{5, 9, 3} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				return errors.Join(store.SetCursor(ctx, tx, "a", block, testkit.Epoch.Add(time.Duration(block))), store.SetCursor(ctx, tx, "b", block+1, testkit.Epoch))
			})
			s.Is(block, true)(store.Cursor(ctx, "a"))
			s.Is(block+1, true)(store.Cursor(ctx, "b"))
		}
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return store.SetCursor(ctx, tx, "a", -1, testkit.Epoch)
		})
		s.Is(3, true)(store.Cursor(ctx, "a"))
	})
}

func TestUnmatchedPaymentsAreListedByEveryFilter(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Deposit()
		address := testkit.Full(1, func(a *deposit.Address) { a.UID = 5 })
		reasons := []deposit.Reason{deposit.Small, deposit.Unannounced, deposit.FromCompany, deposit.Unassigned}
		var all []deposit.Unmatched
		for i := range int64(12) {
			all = append(all, testkit.Full(i+1, func(u *deposit.Unmatched) {
				u.ID, u.Reason, u.Hash, u.N, u.UID = i+1, reasons[i%4], fmt.Sprint("hash ", i/2), int(i%2), 0
				if i%3 == 0 {
					u.To, u.UID = address.Address, 5
				}
			}))
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := store.AddAddress(ctx, tx, address)
			for _, u := range all {
				err = errors.Join(err, store.AddUnmatched(ctx, tx, u))
			}
			return err
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(true)(store.HasUnmatched(ctx, tx, "hash 1", 1))
			s.Is(false)(store.HasUnmatched(ctx, tx, "hash 1", 2))
			s.Is(false)(store.HasUnmatched(ctx, tx, "hash 77", 1))
		})
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
			return store.AddUnmatched(ctx, tx, testkit.Full(20, func(u *deposit.Unmatched) { u.Reason, u.Hash, u.N = deposit.Small, "hash 1", 1 }))
		})
		for _, f := range []deposit.UnmatchedFilter{
			{}, {Oldest: true}, {Reason: deposit.Small}, {UID: 5}, {UID: 6}, {Hash: "hash 2"}, {Reason: deposit.Unassigned, UID: 5, Oldest: true}, {Hash: "nothing"},
		} {
			want := chosen(all, func(u *deposit.Unmatched) bool {
				return (f.Reason == "" || u.Reason == f.Reason) && (f.UID == 0 || u.UID == f.UID) && (f.Hash == "" || u.Hash == f.Hash)
			}, down(func(a, b deposit.Unmatched) int { return cmp.Compare(a.ID, b.ID) }, !f.Oldest))
			testkit.Pages(s, fmt.Sprintf("%+v", f), want, func(offset, limit int64) ([]deposit.Unmatched, int64, error) {
				f.Offset, f.Limit = offset, limit
				return store.Unmatched(t.Context(), f)
			})
		}
	})
}
