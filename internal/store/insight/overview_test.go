package insight_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

func TestLossesAndReadyClaimsAreThoseOfTheMember(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i := range int64(6) {
				p := testkit.Full[invest.Position](i + 1)
				p.ID, p.Line, p.No, p.Loss, p.State = fmt.Sprintf("p%d", i), []string{"FOREX", "CRYPTO"}[i%2], 5+i/4, money.Micro(10+i), invest.Open
				c := testkit.Full[invest.Claim](i + 1)
				c.ID, c.Position, c.Line, c.No, c.Net, c.Recalled, c.Done, c.ClaimDay = "C-"+p.ID, p.ID, p.Line, p.No, money.Micro(100+i), money.Amount{}, false, 0
				err = errors.Join(err, s.DB.Invest().Add(ctx, tx, p), s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{c}))
				if i%3 != 1 {
					err = errors.Join(err, s.DB.Invest().Recall(ctx, tx, c.ID, c.Net))
				}
				if i == 3 {
					err = errors.Join(err, s.DB.Invest().Done(ctx, tx, c.ID, 200))
				}
			}
			return err
		})
		s.Same("losses", s.Read(store.Losses(ctx, 5)), money.Micro(10+11+12+13))
		s.Same("no losses", s.Read(store.Losses(ctx, 9)), money.Amount{})
		s.Same("ready claims", s.Read(store.ReadyClaims(ctx, 5)), []report.ReadyClaims{{Line: "FOREX", Count: 2, Amount: money.Micro(100 + 102)}})
		s.Same("no ready claims", len(s.Read(store.ReadyClaims(ctx, 9)).([]report.ReadyClaims)), 0)
	})
}

func TestMovesAreThoseInProgressAndTheLastRejection(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		states := []withdrawal.State{withdrawal.Rejected, withdrawal.Pending, withdrawal.Confirmed, withdrawal.Approved, withdrawal.Cancelled, withdrawal.Rejected}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, state := range states {
				w := testkit.Full[withdrawal.Withdrawal](int64(i + 1))
				w.ID, w.UID, w.State, w.RequestedAt, w.Parts = int64(100001+i), 100001, state, when(10+i), nil
				w.Amount, w.Charge, w.Net = money.Micro(100), money.Micro(2), money.Micro(98)
				err = errors.Join(err, s.DB.Withdrawal().Add(ctx, tx, w))
			}
			return err
		})
		var got []string
		for _, m := range s.Read(store.Moves(ctx, 100001)).([]report.Move) {
			got = append(got, fmt.Sprint(m.Kind, m.ID, m.State))
		}
		s.Same("moves", got, []string{"withdrawal100006Rejected", "withdrawal100004Approved", "withdrawal100002Pending"})
		s.Same("no moves", len(s.Read(store.Moves(ctx, 100002)).([]report.Move)), 0)

		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, way := range []fund.Way{fund.ByBank, fund.ByUSDT} {
				r := testkit.Full[fund.Request](int64(i + 1))
				r.UID, r.Fund, r.Way, r.State, r.RequestedAt = 100003, fund.Robot, way, fund.Pending, when(20+i)
				r.DecidedBy, r.DecidedName, r.DecidedAt, r.ReleasedAt = 0, "", time.Time{}, time.Time{}
				err = errors.Join(err, s.DB.Fund().Add(ctx, tx, r))
			}
			return err
		})
		moves := s.Read(store.Moves(ctx, 100003)).([]report.Move)
		if len(moves) != 2 || moves[0].Way != string(fund.ByUSDT) || moves[1].Way != string(fund.ByBank) {
			s.T.Errorf("pending requests: %+v", moves)
		}
	})
}
