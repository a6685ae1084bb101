package cash_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func batch(id int64, state payout.BatchState) payout.Batch {
	return testkit.Full(id, func(b *payout.Batch) { b.ID, b.Way, b.State, b.Alone = id, payout.Manual, state, "demo" })
}

// paying is a payout of a withdrawal by a batch, with a value in every column.
func paying(batch, withdrawal int64, state payout.State) payout.Payout {
	return testkit.Full(10*batch+withdrawal, func(p *payout.Payout) {
		p.Batch, p.Withdrawal, p.Way, p.State = batch, withdrawal, payout.Hot, state
	})
}

func addBatch(s *testkit.Stores, b payout.Batch, all ...payout.Payout) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) error { return s.DB.Payout().AddBatch(ctx, tx, b, all) })
}

func TestABatchIsReadAsItWasWrittenWithItsPayouts(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Payout()
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(0)(store.LastBatch(ctx, tx)) })
		s.Is(nil, 0)(store.Batches(t.Context(), 0, 5))
		all := []payout.Payout{paying(1, 5, payout.Signed), paying(1, 4, payout.Waiting), paying(1, 6, payout.Cancelled)}
		var newest []payout.Batch
		for id := range int64(6) {
			b := batch(id+1, payout.Proposed)
			newest = slices.Insert(newest, 0, b)
			if id > 0 {
				addBatch(s, b)
				continue
			}
			addBatch(s, b, all...)
		}
		other := paying(2, 6, payout.Sent)
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error { return store.AddBatch(ctx, tx, newest[0], nil) })
		addBatch(s, batch(9, payout.Done), other, paying(9, 8, payout.Sent))
		newest = slices.Insert(newest, 0, batch(9, payout.Done))
		slices.SortFunc(all, func(a, b payout.Payout) int { return int(a.Withdrawal - b.Withdrawal) })
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for _, b := range newest {
				s.Is(b, true)(store.Batch(ctx, tx, b.ID))
			}
			s.Is(payout.Batch{}, false)(store.Batch(ctx, tx, 77))
			s.Is(all)(store.Payouts(ctx, tx, 1))
			s.Is(nil)(store.Payouts(ctx, tx, 77))
			for _, p := range append(all, other) {
				s.Is(p, true)(store.Payout(ctx, tx, p.Batch, p.Withdrawal))
			}
			s.Is(payout.Payout{}, false)(store.Payout(ctx, tx, 2, 5))
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(9)(store.LastBatch(ctx, tx)) })
		testkit.Pages(s, "batches", newest, func(offset, limit int64) ([]payout.Batch, int64, error) {
			return store.Batches(t.Context(), offset, limit)
		})
	})
}

func TestAPayoutIsLiveInOneBatchAndANonceIsUsedOnce(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Payout()
		addBatch(s, batch(1, payout.BatchApproved), paying(1, 4, payout.Returned), paying(1, 5, payout.Cancelled), paying(1, 6, payout.Failed), paying(1, 7, payout.Confirmed))
		addBatch(s, batch(2, payout.Proposed), paying(2, 4, payout.Waiting))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for withdrawal, batch := range map[int64]int64{4: 2, 5: 0, 6: 1, 7: 1, 8: 0} {
				s.Is(batch)(store.Live(ctx, tx, withdrawal))
			}
		})
		again := paying(3, 9, payout.Waiting)
		for _, change := range []func(p *payout.Payout){
			func(p *payout.Payout) { p.Withdrawal = 6 },
			func(p *payout.Payout) {
				p.Sender, p.Nonce = paying(1, 4, payout.Returned).Sender, paying(1, 4, payout.Returned).Nonce
			},
		} {
			p := again
			change(&p)
			s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
				return store.AddBatch(ctx, tx, batch(3, payout.Proposed), []payout.Payout{again, p})
			})
		}
		s.Is(payout.Batch{}, false)(store.Batch(t.Context(), nil, 3))
	})
}

func TestABatchAndAPayoutAreSavedOnlyInTheStateThatTheyAreIn(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, ctx := s.DB.Payout(), t.Context()
		was, other := batch(1, payout.Proposed), batch(2, payout.Proposed)
		waits, beside, elsewhere := paying(1, 4, payout.Waiting), paying(1, 5, payout.Waiting), paying(2, 6, payout.Returned)
		waits.Hash, waits.Nonce = "", -1
		elsewhere.Withdrawal = 4
		addBatch(s, was, waits, beside)
		addBatch(s, other, elsewhere)
		now := testkit.Full(8, func(b *payout.Batch) { b.ID, b.State, b.Alone = 1, payout.Done, "" })
		want := was
		want.State, want.Approved, want.Alone, want.ExportedAt, want.EndedAt = now.State, now.Approved, now.Alone, now.ExportedAt, now.EndedAt
		signed := paying(8, 8, payout.Signed)
		signed.Batch, signed.Withdrawal = 1, 4
		paid := waits
		paid.State, paid.Sender, paid.Nonce, paid.Hash, paid.Note, paid.SignedAt, paid.SentAt, paid.EndedAt = signed.State, signed.Sender, signed.Nonce, signed.Hash, signed.Note, signed.SignedAt, signed.SentAt, signed.EndedAt
		batchFrom := func(from payout.BatchState) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.SaveBatch(ctx, tx, now, from) }
		}
		payoutFrom := func(from payout.State) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.SavePayout(ctx, tx, signed, from) }
		}
		s.Refused(batchFrom(payout.BatchApproved))
		s.Refused(payoutFrom(payout.Sent))
		s.Is(was, true)(store.Batch(ctx, nil, 1))
		s.Is(waits, true)(store.Payout(ctx, nil, 1, 4))
		s.Write(batchFrom(payout.Proposed))
		s.Write(payoutFrom(payout.Waiting))
		s.Refused(batchFrom(payout.Proposed))
		s.Refused(payoutFrom(payout.Waiting))
		s.Is(want, true)(store.Batch(ctx, nil, 1))
		s.Is(other, true)(store.Batch(ctx, nil, 2))
		s.Is([]payout.Payout{paid, beside})(store.Payouts(ctx, nil, 1))
		s.Is([]payout.Payout{elsewhere})(store.Payouts(ctx, nil, 2))
	})
}

func TestOpenPayoutsAreThoseOfApprovedBatches(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, ctx := s.DB.Payout(), t.Context()
		want := []payout.Payout{paying(1, 5, payout.Waiting), paying(3, 4, payout.Waiting), paying(3, 9, payout.Waiting)}
		early := paying(4, 10, payout.Confirmed)
		addBatch(s, batch(3, payout.BatchApproved), want[2], want[1])
		addBatch(s, batch(1, payout.BatchApproved), want[0], paying(1, 6, payout.Sent))
		addBatch(s, batch(2, payout.Proposed), paying(2, 7, payout.Waiting))
		addBatch(s, batch(4, payout.Done), early, testkit.Full(50, func(p *payout.Payout) {
			p.Batch, p.Withdrawal, p.State, p.Nonce, p.SignedAt = 4, 12, payout.Waiting, -1, time.Time{}
		}))
		s.Is(want)(store.Open(ctx, payout.Waiting, 9))
		s.Is(want[:2])(store.Open(ctx, payout.Waiting, 2))
		s.Is([]payout.Payout{paying(1, 6, payout.Sent)})(store.Open(ctx, payout.Sent, 9))
		s.Is(nil)(store.Open(ctx, payout.Failed, 9))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(early.Amount)(store.SignedSince(ctx, tx, paying(3, 9, payout.Waiting).SignedAt))
			s.Is(money.Amount{})(store.SignedSince(ctx, tx, early.SignedAt))
			sum := early.Amount.Micros()
			for _, p := range append(want, paying(1, 6, payout.Sent), paying(2, 7, payout.Waiting)) {
				sum += p.Amount.Micros()
			}
			s.Is(money.Micro(sum))(store.SignedSince(ctx, tx, time.Time{}))
		})
	})
}

func TestATransactionIsKeptForItsPayout(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Payout()
		var newest []payout.Transaction
		for n := range int64(3) {
			newest = slices.Insert(newest, 0, testkit.Full(9-n, func(x *payout.Transaction) { x.Batch, x.Withdrawal, x.N = 1, 4, n+1 }))
		}
		byHand := testkit.Full(20, func(x *payout.Transaction) { x.Batch, x.Raw = 1, nil })
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, x := range append(newest, byHand) {
				err = errors.Join(err, store.AddTransaction(ctx, tx, x))
			}
			return err
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(newest)(store.Transactions(ctx, tx, 1, 4))
			got, found, err := store.Used(ctx, tx, byHand.Hash)
			if len(got.Raw) == 0 {
				got.Raw = nil // engines read no bytes as nil or as none
			}
			s.Is(byHand, true)(got, found, err)
			s.Is(nil)(store.Transactions(ctx, tx, 2, 4))
			s.Is(newest[1], true)(store.Used(ctx, tx, newest[1].Hash))
			s.Is(payout.Transaction{}, false)(store.Used(ctx, tx, "nothing"))
		})
		for _, change := range []func(x *payout.Transaction){func(x *payout.Transaction) { x.Hash = newest[0].Hash }, func(x *payout.Transaction) { x.Batch, x.Withdrawal, x.N = 1, 4, 2 }} {
			s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
				return store.AddTransaction(ctx, tx, testkit.Full(30, change))
			})
		}
		s.Is(newest)(store.Transactions(t.Context(), nil, 1, 4))
	})
}

func TestTheHotWalletIsWrittenOver(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, other := s.DB.Payout(), testkit.FullWithLists[payout.Wallet](9)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutWallet(ctx, tx, other) })
		for n := range int64(2) {
			w := testkit.Full(n+1, func(w *payout.Wallet) { w.Sender = "sender" })
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutWallet(ctx, tx, w) })
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				s.Is(w, true)(store.Wallet(ctx, tx, "sender"))
				s.Is(other, true)(store.Wallet(ctx, tx, other.Sender))
				s.Is(payout.Wallet{}, false)(store.Wallet(ctx, tx, "nobody"))
			})
		}
	})
}

func TestRowsOfABatchAreVerifiedTogether(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		addBatch(s, batch(1, payout.Proposed), paying(1, 400, payout.Waiting))
		w := testkit.Full(4, requested)
		w.ID = 400
		addWithdrawals(s, w)
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is()(s.DB.Payout().Verify(ctx, tx, 1, []int64{400})) })
	})
}

func TestCreditsByHandAndByTransferAreSummedByTheirSource(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		approve := func(seed int64, uid int64, k fund.Kind, by, first string) fund.Request {
			return testkit.Full(seed, rejected, func(r *fund.Request) {
				r.UID, r.Fund, r.State, r.ReleasedAt, r.DecidedName, r.First.Name, r.Amount = uid, k, fund.Approved, time.Time{}, by, first, money.Micro(seed)
			})
		}
		chain := approve(7, 1, fund.Robot, "the chain", "")
		chain.DecidedBy = 0
		addRequests(s, approve(1, 1, fund.Robot, "Olga", ""), approve(2, 1, fund.Robot, "Olga", "Otto"), approve(3, 1, fund.Robot, "Olga", "Olga"), approve(4, 2, fund.Robot, "Eve", ""),
			approve(5, 1, fund.Forex, "Eve", ""), chain, testkit.Full(8, rejected, func(r *fund.Request) { r.UID, r.Fund = 1, fund.Robot }))
		correct := func(uid int64, wallet string, d booking.Direction, into string, amount int64, by, approved string, state string) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				c := booking.Correction{UID: uid, Wallet: wallet, Direction: d, Into: into, Amount: money.Micro(amount), Against: booking.AgainstCompany, Reason: "why", State: "waiting"}
				if d == booking.Move {
					c.Against = booking.AgainstWallet
				}
				c.By.Operator, c.By.Name = 1, by
				id, err := s.DB.Corrections().AddCorrection(ctx, tx, c)
				if state == "waiting" || err != nil {
					return err
				}
				c.ID, c.State, c.Alone = id, "approved", "demo"
				c.Decided.Operator, c.Decided.Name, c.DecidedAt = 2, approved, testkit.Epoch
				return s.DB.Corrections().DecideCorrection(ctx, tx, c)
			})
		}
		correct(1, "FUNDS", booking.Credit, "", 10, "Olga", "Otto", "approved")
		correct(1, "FUNDS", booking.Credit, "", 20, "Olga", "Olga", "approved")
		correct(1, "FUNDS", booking.Credit, "", 40, "Olga", "Olga", "waiting")
		correct(1, "FUNDS", booking.Debit, "", 80, "Olga", "Olga", "approved")
		correct(2, "FUNDS", booking.Credit, "", 160, "Olga", "Olga", "approved")
		correct(1, "LevelIncome", booking.Move, "binaryIncome", 320, "Olga", "Olga", "approved")
		give(s, []gift{{2, 1, fund.Robot, 5, 0}, {2, 1, fund.Robot, 6, 1}, {3, 1, fund.Robot, 7, 2}, {2, 1, fund.Forex, 8, 3}, {1, 2, fund.Robot, 9, 4}})
		credit := func(by, from string, micros int64) payout.Credit {
			return payout.Credit{By: by, From: from, Amount: money.Micro(micros)}
		}
		for account, want := range map[string][]payout.Credit{
			"L:FUND:FUNDS:1":          {credit("Olga", "", 4), credit("Otto and Olga", "", 2), credit("Olga", "", 20), credit("Olga and Otto", "", 10), credit("", "L:FUND:FUNDS:2", 11), credit("", "L:FUND:FUNDS:3", 7)},
			"L:INCOME:binaryIncome:1": {credit("Olga", "", 320)},
			"L:INCOME:LevelIncome:1":  nil,
			"L:FUND:FUNDS:77":         nil,
			"A:CLIENT":                nil,
			"L:PRINCIPAL:FOREX:1:P":   nil,
		} {
			s.Is(want)(s.DB.Payout().Credits(t.Context(), account))
		}
	})
}

func TestAHoldOfPayoutsIsReadUntilItIsLifted(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, ctx := s.DB.Payout(), t.Context()
		s.Is(payout.Hold{}, false)(store.LastHold(ctx))
		hold := func(id int64, state payout.HoldState) payout.Hold {
			return testkit.Full(id, func(h *payout.Hold) { h.ID, h.Cause, h.State, h.Alone = id, "chain", state, "demo" })
		}
		all := []payout.Hold{hold(1, payout.Held), hold(2, payout.Settling), hold(3, payout.Lifted)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, h := range all {
				err = errors.Join(err, store.AddHold(ctx, tx, h))
			}
			return err
		})
		holds := func(want ...payout.Hold) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) { s.Is(want)(store.Holds(ctx, tx)) })
			s.Is(all[2], true)(store.LastHold(ctx))
		}
		holds(all[0], all[1])
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddHold(ctx, tx, all[0]) }) // its note has a hold
		now := testkit.Full(9, func(h *payout.Hold) { h.ID, h.State, h.Alone = 1, payout.Settled, "only operator" })
		save := func(from payout.HoldState) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.SaveHold(ctx, tx, now, from) }
		}
		s.Refused(save(payout.Settling))
		holds(all[0], all[1])
		s.Write(save(payout.Held))
		now.Cause, now.Note, now.Detail, now.At = all[0].Cause, all[0].Note, all[0].Detail, all[0].At
		holds(now, all[1])
		now.State = payout.Lifted
		s.Refused(save(payout.Held))
		s.Write(save(payout.Settled))
		holds(all[1])
	})
}

func TestARestoreIsNotedUntilAHoldNamesIt(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		notes := []payout.Note{testkit.FullWithLists[payout.Note](1), testkit.FullWithLists[payout.Note](2), testkit.FullWithLists[payout.Note](3)}
		for _, n := range []int{2, 0, 1} {
			if err := s.DB.NoteRestore(t.Context(), notes[n]); err != nil {
				t.Fatal(err)
			}
		}
		var broken *ledger.ConstraintError
		if err := s.DB.NoteRestore(t.Context(), notes[0]); !errors.As(err, &broken) || !broken.Unique {
			t.Errorf("a second note: %v", err)
		}
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) { s.Is(notes)(s.DB.Payout().Notes(ctx, tx)) })
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return s.DB.Payout().AddHold(ctx, tx, payout.Hold{Cause: "restore", Note: notes[1].ID, State: payout.Held})
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is([]payout.Note{notes[0], notes[2]})(s.DB.Payout().Notes(ctx, tx))
		})
	})
}

func TestAPaymentThatWasFoundIsReadByItsHoldAndItsWithdrawal(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Payout()
		found := func(hold, n, withdrawal int64) payout.Found {
			return testkit.Full(10*hold+n, func(f *payout.Found) {
				f.Hold, f.N, f.Withdrawal, f.Own = hold, n, withdrawal, false
				if n == 3 {
					f.Own, f.Dismissed, f.DismissedFor = true, payout.Mark{}, ""
				}
			})
		}
		all := []payout.Found{found(1, 1, 5), found(1, 2, 6), found(1, 3, 5), found(2, 1, 5)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return store.AddFound(ctx, tx, []payout.Found{all[3], all[2], all[0], all[1]})
		})
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
			return store.AddFound(ctx, tx, []payout.Found{found(3, 1, 5), all[0]})
		})
		read := func() {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(all[:3])(store.Found(ctx, tx, 1))
				s.Is(all[3:])(store.Found(ctx, tx, 2))
				s.Is(nil)(store.Found(ctx, tx, 3))
				s.Is([]payout.Found{all[0], all[2], all[3]})(store.FoundFor(ctx, tx, 5))
				s.Is(nil)(store.FoundFor(ctx, tx, 77))
			})
		}
		read()
		now := testkit.Full(90, func(f *payout.Found) { f.Hold, f.N = 1, 2 })
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.SaveFound(ctx, tx, now) })
		all[1].Dismissed, all[1].DismissedFor = now.Dismissed, now.DismissedFor
		read()
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error { return store.SaveFound(ctx, tx, found(7, 1, 5)) })
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return store.SaveFound(ctx, tx, payout.Found{Hold: 1, N: 3, Dismissed: now.Dismissed})
		})
		read()
	})
}
