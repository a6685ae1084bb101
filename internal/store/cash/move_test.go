package cash_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMovesAreListedByEveryFilterAndOrder(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		seqs := give(s, gifts)
		s.Write(func(_ context.Context, tx *ledger.Tx) error { // it moves nothing
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount("L:FUND:FUNDS:1"), Amount: money.Micro(1), For: time.Hour, Reason: "a hold", Reference: "none"})
			return err
		})
		var all []fund.Move // of member 1, sent and received
		sent := map[int64]bool{}
		for i, k := range []fund.Kind{fund.Robot, fund.Forex, fund.Crypto} {
			all = append(all, fund.Move{Seq: int64(i) + 1, Fund: k, Amount: money.Micro(1000), What: "deposit", At: testkit.Epoch.Add(time.Duration(i) * time.Microsecond)})
		}
		for i, g := range gifts {
			m := fund.Move{Seq: seqs[i], Fund: g.fund, Amount: money.Micro(g.amount), What: "transfer", Other: g.to, At: minute(g.minute)}
			switch int64(1) {
			case g.from:
				sent[m.Seq] = true
			case g.to:
				m.Other = g.from
			default:
				continue
			}
			all = append(all, m)
		}
		list := func(f fund.MoveFilter) ([]fund.Move, int64, error) { return s.DB.Fund().Moves(t.Context(), f) }
		early, late := minute(2), minute(7)
		for _, f := range []fund.MoveFilter{
			{},
			{Ascending: true},
			{Order: fund.ByAmount},
			{Order: fund.ByAmount, Ascending: true},
			{Sent: true},
			{Sent: true, Ascending: true},
			{Sent: true, Order: fund.ByAmount},
			{Sent: true, Order: fund.ByAmount, Ascending: true},
			{From: early},
			{Before: late},
			{Sent: true, From: early, Before: late},
			{Sent: true, From: early, Order: fund.ByAmount},
		} {
			f.UID = 1
			want := chosen(all, func(m *fund.Move) bool { return sent[m.Seq] == f.Sent && within(m.At, f.From, f.Before) }, down(func(a, b fund.Move) int {
				if f.Order == fund.ByAmount {
					return cmp.Or(a.Amount.Cmp(b.Amount), cmp.Compare(a.Seq, b.Seq))
				}
				return cmp.Compare(a.Seq, b.Seq)
			}, !f.Ascending))
			testkit.Pages(s, fmt.Sprintf("%+v", f), want, func(offset, limit int64) ([]fund.Move, int64, error) {
				f.Offset, f.Limit = offset, limit
				return list(f)
			})
			// Moves that continue from another move are not counted.
			f.Offset, f.Limit, f.Upto = 0, 50, seqs[3]
			s.Is(slices.DeleteFunc(want, func(m fund.Move) bool { return m.Seq > f.Upto }), 0)(list(f))
		}
		s.Is(nil, 0)(list(fund.MoveFilter{UID: 77, Limit: 5}))
		if s.Write(func(_ context.Context, tx *ledger.Tx) error {
			return fund.Deposit(tx, 1, fund.Robot, money.Micro(3), "more")
		}); !t.Failed() {
			_, n, err := list(fund.MoveFilter{UID: 1, Limit: 1})
			s.Is(5)(n, err) // what was counted before is counted on
		}
	})
}
