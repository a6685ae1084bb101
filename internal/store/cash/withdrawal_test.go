package cash_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// confirmed has a value in every column but the parts.
func confirmed(w *withdrawal.Withdrawal) {
	w.State, w.Amount = withdrawal.Confirmed, money.Micro(w.Charge.Micros()+w.Net.Micros())
}

// requested is what a withdrawal is before anybody decides.
func requested(w *withdrawal.Withdrawal) {
	confirmed(w)
	*w = withdrawal.Withdrawal{ID: w.ID, UID: w.UID, Wallet: w.Wallet, Type: w.Type, Amount: w.Amount, Charge: w.Charge, Net: w.Net, Address: w.Address, State: withdrawal.Pending, RequestedAt: w.RequestedAt}
}

func addWithdrawals(s *testkit.Stores, all ...withdrawal.Withdrawal) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, w := range all {
			err = errors.Join(err, s.DB.Withdrawal().Add(ctx, tx, w))
		}
		return err
	})
}

func TestAWithdrawalIsReadAsItWasWrittenWithItsParts(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Withdrawal()
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(0)(store.Last(ctx, tx)) })
		all := []withdrawal.Withdrawal{testkit.Full(1, confirmed), testkit.Full(2, requested), testkit.Full(3, confirmed)}
		for i, fund := range []string{"FUNDS", "FOREXFUNDS", "CRYPTOFUNDS"} { // in an order that is neither of their names nor their holds
			all[0].Parts = append(all[0].Parts, withdrawal.Part{Account: ledger.MustAccount("L:FUND:" + fund + ":1"), Amount: money.Micro(int64(20 + i)), Hold: int64(9 - i)})
		}
		all[1].Parts = []withdrawal.Part{{Account: ledger.MustAccount("L:INCOME:LevelIncome:2"), Amount: money.Micro(5), Hold: 10}}
		addWithdrawals(s, all...)
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for _, w := range all {
				s.Is(w, true)(store.Get(ctx, tx, w.ID))
			}
			s.Is(withdrawal.Withdrawal{}, false)(store.Get(ctx, tx, 7))
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(all[2].ID)(store.Last(ctx, tx))
			s.Is()(store.Verify(ctx, tx, all[1].ID))
		})
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.Add(ctx, tx, all[1]) })
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { // a hold is of one withdrawal
			return store.Add(ctx, tx, testkit.Full(4, requested, func(w *withdrawal.Withdrawal) { w.Parts = all[1].Parts }))
		})
		s.Is(withdrawal.Withdrawal{}, false)(store.Get(t.Context(), nil, testkit.FullWithLists[withdrawal.Withdrawal](4).ID))
	})
}

func TestAWithdrawalIsSavedOnlyInTheStateThatItIsIn(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, was, other := s.DB.Withdrawal(), testkit.Full(1, requested), testkit.Full(2, requested)
		addWithdrawals(s, was, other)
		now := testkit.Full(3, confirmed)
		now.ID = was.ID
		want := was
		want.State, want.NeedsTwo, want.First, want.Second, want.Remark, want.DecidedName, want.DecidedAt = now.State, now.NeedsTwo, now.First, now.Second, now.Remark, now.DecidedName, now.DecidedAt
		want.Batch, want.Hash, want.ReadyAt, want.SentAt, want.ConfirmedAt = now.Batch, now.Hash, now.ReadyAt, now.SentAt, now.ConfirmedAt
		save := func(from withdrawal.State) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.Save(ctx, tx, now, from) }
		}
		s.Refused(save(withdrawal.Approved))
		s.Is(was, true)(store.Get(t.Context(), nil, was.ID))
		s.Write(save(withdrawal.Pending))
		s.Refused(save(withdrawal.Pending))
		s.Is(want, true)(store.Get(t.Context(), nil, was.ID))
		s.Is(other, true)(store.Get(t.Context(), nil, other.ID))
	})
}

// someWithdrawals are of three members, all states and twenty minutes.
func someWithdrawals() (all []withdrawal.Withdrawal) {
	states := []withdrawal.State{withdrawal.Pending, withdrawal.Approved, withdrawal.Sent, withdrawal.Confirmed, withdrawal.Rejected, withdrawal.Cancelled}
	for i := range int64(36) {
		w := testkit.Full(i+1, requested)
		w.UID, w.Charge, w.State, w.RequestedAt = 1+i%5%3, money.Micro(1), states[i%6], testkit.Epoch.Add(time.Duration(i/2)*time.Minute)
		w.Net = money.Micro(900 - i%7)
		w.Amount = money.Micro(w.Net.Micros() + 1)
		if w.State != withdrawal.Pending {
			w.First = withdrawal.Approval{Operator: 1, Name: "Olga", At: testkit.Epoch.Add(time.Duration(i%8) * time.Hour)}
			w.ReadyAt = testkit.Epoch.Add(time.Duration(i%9) * time.Hour)
			if i%4 == 0 {
				w.Second = withdrawal.Approval{Operator: 2, Name: "Otto", At: testkit.Epoch.Add(time.Duration(2+i%8) * time.Hour)}
			}
		}
		if w.State == withdrawal.Sent || w.State == withdrawal.Confirmed {
			w.Hash = fmt.Sprint("hash ", i)
		}
		if i%4 > 1 {
			w.Batch = 3
		}
		all = append(all, w)
	}
	return all
}

func TestWithdrawalsAreListedByEveryFilterAndOrderWithTheirSum(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := someWithdrawals()
		addWithdrawals(s, all...)
		early, late := testkit.Epoch.Add(3*time.Minute), testkit.Epoch.Add(15*time.Minute)
		for _, f := range []withdrawal.Filter{
			{},
			{Ascending: true},
			{State: withdrawal.Pending},
			{State: withdrawal.Confirmed, Ascending: true},
			{UID: 1},
			{UID: 2, State: withdrawal.Sent},
			{From: early},
			{Before: late},
			{From: early, Before: late, UID: 3, Ascending: true},
			{Upto: all[20].ID},
			{UID: 77},
			{ByAmount: true},
			{ByAmount: true, Ascending: true},
			{ByAmount: true, State: withdrawal.Pending},
			{ByAmount: true, UID: 1, From: early},
		} {
			want := chosen(all, func(w *withdrawal.Withdrawal) bool {
				return (f.UID == 0 || w.UID == f.UID) && (f.State == "" || w.State == f.State) && (f.Upto == 0 || w.ID <= f.Upto) && within(w.RequestedAt, f.From, f.Before)
			}, down(func(a, b withdrawal.Withdrawal) int {
				if f.ByAmount {
					return cmp.Or(a.Amount.Cmp(b.Amount), cmp.Compare(a.ID, b.ID))
				}
				return cmp.Compare(a.ID, b.ID)
			}, !f.Ascending))
			testkit.Pages(s, fmt.Sprintf("%+v", f), want, func(offset, limit int64) ([]withdrawal.Withdrawal, int64, error) {
				f.Offset, f.Limit = offset, limit
				page, count, sum, err := s.DB.Withdrawal().List(t.Context(), f)
				if sum != amounts(want) {
					t.Errorf("%+v: the sum is %s, not %s", f, sum, amounts(want))
				}
				return page, count, err
			})
		}
	})
}

func amounts(all []withdrawal.Withdrawal) (sum money.Amount) {
	for _, w := range all {
		sum = money.Micro(sum.Micros() + w.Amount.Micros())
	}
	return sum
}

func TestWithdrawalsAreSummedAndChosenByTheirState(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, all := s.DB.Withdrawal(), someWithdrawals()
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(money.Amount{})(store.ApprovedOfAll(ctx, tx, testkit.Epoch))
			s.Is(time.Time{})(s.DB.Payout().OldestOpen(ctx, tx))
		})
		addWithdrawals(s, all...)
		byID := func(a, b withdrawal.Withdrawal) int { return cmp.Compare(a.ID, b.ID) }
		approved := func(w *withdrawal.Withdrawal) bool {
			return w.State == withdrawal.Approved || w.State == withdrawal.Sent || w.State == withdrawal.Confirmed
		}
		for hour := range 9 {
			since := testkit.Epoch.Add(time.Duration(hour) * time.Hour) // of some approvals
			asked := testkit.Epoch.Add(time.Duration(hour) * time.Minute)
			ready := chosen(all, func(w *withdrawal.Withdrawal) bool {
				return w.State == withdrawal.Approved && w.Batch == 0 && !w.ReadyAt.After(since)
			}, byID)
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				for uid := range int64(4) {
					s.Is(amounts(chosen(all, func(w *withdrawal.Withdrawal) bool {
						return w.UID == uid && w.State != withdrawal.Rejected && w.State != withdrawal.Cancelled && !w.RequestedAt.Before(asked)
					}, byID)))(store.Requested(ctx, tx, uid, asked))
				}
				s.Is(amounts(chosen(all, func(w *withdrawal.Withdrawal) bool {
					last := w.First.At
					if !w.Second.At.IsZero() {
						last = w.Second.At
					}
					return approved(w) && !last.Before(since)
				}, byID)))(store.ApprovedOfAll(ctx, tx, since))
			})
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				want := map[int64]money.Amount{}
				for _, uid := range []int64{1, 3} {
					if sum := amounts(chosen(all, func(w *withdrawal.Withdrawal) bool {
						return w.UID == uid && approved(w) && (w.First.At.After(since) || w.Second.At.After(since))
					}, byID)); !sum.IsZero() {
						want[uid] = sum
					}
				}
				s.Is(want)(store.ApprovedSince(ctx, tx, []int64{1, 3, 77}, since))
				s.Is(ready)(store.Payable(ctx, tx, since, 100))
				s.Is(ready[:min(2, len(ready))])(store.Payable(ctx, tx, since, 2))
			})
		}
		var unpaid []payout.Unpaid
		var open []payout.Candidate
		known := map[string]int64{"tx": 8}
		for _, w := range all {
			if w.State == withdrawal.Approved {
				unpaid = append(unpaid, payout.Unpaid{ID: w.ID, UID: w.UID, Batch: w.Batch, Address: w.Address, Amount: w.Net})
			}
			if w.State == withdrawal.Pending || w.State == withdrawal.Approved || w.State == withdrawal.Sent && w.Batch != 0 {
				open = append(open, payout.Candidate{ID: w.ID, Batch: w.Batch, State: w.State, Address: w.Address, Amount: w.Net})
			}
			if w.Hash != "" {
				known[w.Hash] = w.ID
			}
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return s.DB.Payout().AddTransaction(ctx, tx, payout.Transaction{Hash: "tx", Withdrawal: 8})
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(unpaid)(s.DB.Payout().Approved(ctx, tx))
			s.Is(testkit.Epoch)(s.DB.Payout().OldestOpen(ctx, tx))
		})
		s.Is(open, known)(s.DB.Payout().Candidates(t.Context()))
	})
}

func TestTheOldestOpenWithdrawalIsNotAtItsEnd(t *testing.T) {
	for _, state := range []withdrawal.State{withdrawal.Pending, withdrawal.Approved, withdrawal.Sent, withdrawal.Confirmed, withdrawal.Rejected, withdrawal.Cancelled} {
		t.Run(string(state), func(t *testing.T) {
			testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
				w := testkit.Full(1, confirmed, func(w *withdrawal.Withdrawal) { w.State = state })
				addWithdrawals(s, w, testkit.Full(2, confirmed))
				want := time.Time{}
				if state.Open() {
					want = w.RequestedAt
				}
				s.Is(want)(s.DB.Payout().OldestOpen(t.Context(), nil))
			})
		})
	}
}

func TestAHoldIsPromisedUntilATransferReleasesIt(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, account := s.DB.Withdrawal(), ledger.MustAccount("L:FUND:FUNDS:1")
		var holds []int64
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			err := fund.Deposit(tx, 1, fund.Robot, money.Micro(100), "paid in")
			for i := range 3 {
				hold, herr := tx.PlaceHold(ledger.HoldRequest{Account: account, Amount: money.Micro(5), For: time.Hour, Reason: fmt.Sprint("reason ", i), Reference: fmt.Sprint("withdrawal ", i)})
				holds, err = append(holds, hold.ID), errors.Join(err, herr)
			}
			return err
		})
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			_, err := tx.Void(holds[0], "given back")
			return err
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for i, id := range holds {
				s.Is(withdrawal.Promise{Reference: fmt.Sprint("withdrawal ", i), Reason: "until 2026-11-15T04:00:00.000000Z; " + fmt.Sprint("reason ", i), Released: i == 0}, true)(store.Promise(ctx, tx, id))
			}
			s.Is(withdrawal.Promise{}, false)(store.Promise(ctx, tx, 77))
		})
	})
}

func TestAHashIsUsedByItsPayment(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		credited := testkit.Full(1, rejected, func(r *fund.Request) { r.State, r.ReleasedAt, r.Number = fund.Approved, time.Time{}, "credited" })
		named := testkit.Full(2, undecided, func(r *fund.Request) { r.Number = "named" })
		addRequests(s, credited, named)
		paid := testkit.Full(1, confirmed, func(w *withdrawal.Withdrawal) { w.Hash = "paid" })
		addWithdrawals(s, paid, testkit.Full(2, requested))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(fund.Deposit(tx, 1, fund.Robot, money.Micro(5), "credited"), fund.Deposit(tx, 1, fund.Robot, money.Micro(5), "by the ledger"),
				s.DB.Payout().AddTransaction(ctx, tx, payout.Transaction{Hash: "signed", Withdrawal: 8}), s.DB.Payout().AddTransaction(ctx, tx, payout.Transaction{Hash: "credited", Withdrawal: 9, N: 2}))
		})
		asked := []string{"", "named", "nothing", "credited", "by the ledger", "paid"}
		for i := range 600 { // more than one statement asks for
			asked = append(asked, fmt.Sprint("none ", i))
		}
		want := map[string]withdrawal.Use{"credited": {Deposit: credited.ID, Withdrawal: 9}, "by the ledger": {Deposit: withdrawal.Unnamed}, "paid": {Withdrawal: paid.ID}, "signed": {Withdrawal: 8}}
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(want)(s.DB.Withdrawal().Uses(ctx, tx, slices.Concat(asked, []string{"signed"})))
			s.Is(map[string]withdrawal.Use{})(s.DB.Withdrawal().Uses(ctx, tx, nil))
		})
	})
}

func TestAOneTimeCodeIsWrittenInPlaceOfTheOneBefore(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Withdrawal()
		other := testkit.Full(9, func(c *withdrawal.Code) { c.UID = 6 })
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutCode(ctx, tx, other) })
		for _, c := range []withdrawal.Code{testkit.FullWithLists[withdrawal.Code](1), testkit.FullWithLists[withdrawal.Code](2), {Hash: []byte("hash")}} {
			c.UID = 5
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutCode(ctx, tx, c) })
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				s.Is(c, true)(store.Code(ctx, tx, 5))
				s.Is(other, true)(store.Code(ctx, tx, 6))
				s.Is(withdrawal.Code{}, false)(store.Code(ctx, tx, 7))
			})
		}
	})
}
