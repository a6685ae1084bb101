package trade_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

// moving is a correction that waits, of a kind that has a value in every column.
func moving(seed int64) booking.Correction {
	return testkit.Full(seed, func(c *booking.Correction) {
		c.Direction, c.Against, c.State, c.Decided, c.DecidedAt, c.Answer, c.Alone = booking.Move, booking.AgainstWallet, approval.Waiting, actor.By{}, time.Time{}, "", ""
	})
}

func addCorrections(s *testkit.Stores, all []booking.Correction) {
	s.T.Helper()
	for i := range all {
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			id, err := s.DB.Corrections().AddCorrection(ctx, tx, all[i])
			if all[i].ID = int64(i + 1); id != all[i].ID {
				s.T.Errorf("correction %d has id %d", i+1, id)
			}
			return err
		})
	}
}

func TestACorrectionIsReadBackUnchanged(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Corrections()
		all := []booking.Correction{moving(1), moving(2), moving(3), moving(4), moving(5)}
		all[4].UID, all[2].UID, all[0].UID = all[1].UID, all[1].UID, all[1].UID
		addCorrections(s, all)
		is := func(waiting, decided []booking.Correction) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for _, c := range all {
					s.Is(c, true)(store.Correction(ctx, tx, c.ID))
				}
				s.Is(booking.Correction{}, false)(store.Correction(ctx, tx, 77))
			})
			mine := func(c *booking.Correction) bool { return c.UID == all[1].UID }
			s.Is(waiting)(store.CorrectionsWaiting(t.Context(), 0))
			s.Is(chosen(waiting, mine))(store.CorrectionsWaiting(t.Context(), all[1].UID))
			s.Is(nil)(store.CorrectionsWaiting(t.Context(), 77))
			for _, limit := range []int{1, 9} {
				s.Is(decided[:min(limit, len(decided))])(store.CorrectionsDecided(t.Context(), 0, limit))
				own := chosen(decided, mine)
				s.Is(own[:min(limit, len(own))])(store.CorrectionsDecided(t.Context(), all[1].UID, limit))
			}
			s.Is(nil)(store.CorrectionsDecided(t.Context(), 77, 9))
			var listed []booking.Correction
			s.Is()(s.DB.CorrectionBooks().Corrections(t.Context(), func(c booking.Correction) error {
				listed = append(listed, c)
				return nil
			}, func(booking.CorrectionTransfer) error { return nil }))
			s.Is(all)(listed)
		}
		is(all, nil)
		now := testkit.Full(8, func(c *booking.Correction) { c.State, c.Alone = approval.Approved, approval.AloneDemo })
		refused := testkit.Full(9, func(c *booking.Correction) { c.State, c.Alone, c.DecidedAt = approval.Refused, "", now.DecidedAt })
		late := refused
		late.DecidedAt = now.DecidedAt.Add(time.Second)
		for i, c := range map[int]booking.Correction{2: now, 0: refused, 3: late} {
			was := &all[i]
			was.State, was.Decided, was.DecidedAt, was.Answer, was.Alone = c.State, c.Decided, c.DecidedAt, c.Answer, c.Alone
			c.ID = was.ID
			write(s, add([]booking.Correction{c}, store.DecideCorrection))
		}
		waiting, decided := []booking.Correction{all[1], all[4]}, []booking.Correction{all[3], all[2], all[0]} // the latest first
		is(waiting, decided)
		for _, id := range []int64{1, 77} {
			s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
				c := now
				c.ID = id
				return store.DecideCorrection(ctx, tx, c)
			})
		}
		is(waiting, decided)
	})
}

func TestEarlierCorrectionsAreSummedByTransferAndWallet(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Corrections()
		all := slices.Repeat([]booking.Correction{moving(1)}, 7)
		for i, change := range []func(c *booking.Correction){nil, func(c *booking.Correction) { c.UID++ }, func(c *booking.Correction) { c.Wallet = "other" }, func(c *booking.Correction) { c.Corrects = "other" }, nil, nil, nil} {
			if all[i].Amount = money.Micro(1 << i); change != nil {
				change(&all[i])
			}
		}
		addCorrections(s, all)
		decide := func(id int64, state approval.State, by int64) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error {
				return store.DecideCorrection(ctx, tx, booking.Correction{ID: id, State: state, Decided: actor.By{Operator: by}, DecidedAt: testkit.Epoch})
			}
		}
		write(s, decide(5, approval.Approved, 1), decide(6, approval.Refused, 1), decide(7, approval.Withdrawn, all[6].By.Operator))
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(money.Micro(16))(store.CorrectedBefore(ctx, tx, all[0]))
			s.Is(money.Micro(1))(store.CorrectedBefore(ctx, tx, all[4]))
			s.Is(money.Micro(0))(store.CorrectedBefore(ctx, tx, all[1]))
			s.Is(money.Micro(0))(store.CorrectedBefore(ctx, tx, booking.Correction{}))
		})
	})
}

func TestATransferIsReadForItsCorrection(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Corrections()
		const wallet, cash = "L:FUND:FUNDS:1", "A:CLIENT"
		post(s, ledger.Transfer{ID: "in", Kind: "deposit"}, cash, 50, wallet, 50)
		post(s, ledger.Transfer{ID: "given", Kind: "transfer"}, wallet, -9, "L:FUND:FUNDS:2", 9)
		post(s, ledger.Transfer{ID: "back", Kind: "correction", Reason: "why", Reference: "correction 1"}, wallet, -5, cash, -5)
		post(s, ledger.Transfer{ID: "more", Kind: "correction", Reason: "so", Reference: "correction 2"}, wallet, 4, cash, 4)
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(booking.Wrong{Kind: "deposit", Delta: money.Micro(50), Cash: true}, true)(store.Wrong(ctx, tx, "in", wallet))
			s.Is(booking.Wrong{Kind: "transfer", Delta: money.Micro(-9)}, true)(store.Wrong(ctx, tx, "given", wallet))
			s.Is(booking.Wrong{}, false)(store.Wrong(ctx, tx, "given", cash))
			s.Is(booking.Wrong{}, false)(store.Wrong(ctx, tx, "nothing", wallet))
		})
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount(wallet), Amount: money.Micro(3), For: time.Hour, Reason: "r", Reference: "r"})
			return err
		})
		s.Is(map[string]ledger.Balance{wallet: {Posted: money.Micro(40), Held: money.Micro(3), Available: money.Micro(37), Version: 5}, cash: {Posted: money.Micro(49), Available: money.Micro(49), Version: 3}})(
			store.Standing(t.Context(), []string{wallet, cash, "L:FUND:FUNDS:77"}))
		var found []booking.CorrectionTransfer
		s.Is()(s.DB.CorrectionBooks().Corrections(t.Context(), func(booking.Correction) error { return nil }, func(c booking.CorrectionTransfer) error {
			found = append(found, c)
			return nil
		}))
		s.Is([]booking.CorrectionTransfer{
			{ID: "back", Actor: "test", Reason: "why", Reference: "correction 1", Legs: map[string]int64{wallet: -5, cash: -5}},
			{ID: "more", Actor: "test", Reason: "so", Reference: "correction 2", Legs: map[string]int64{wallet: 4, cash: 4}},
		})(found)
		enough := errors.New("enough")
		if err := s.DB.CorrectionBooks().Corrections(t.Context(), nil, func(booking.CorrectionTransfer) error { return enough }); !errors.Is(err, enough) {
			t.Errorf("the caller's error is %v", err)
		}
	})
}
