package trade_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func sold(id string, no int64, day plan.Day, state sale.State) sale.Sale {
	return testkit.Full(int64(len(id))+no+int64(day), func(s *sale.Sale) {
		s.ID, s.No, s.Day, s.State, s.Topup = id, no, day, state, sale.Upgrade
	})
}

func TestASaleIsReadAsItWasWritten(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Sale()
		all := []sale.Sale{sold("b", 1, 20, sale.Cooling), sold("a", 2, 20, sale.Final), sold("B", 1, 20, sale.Cooling), sold("c", 1, 19, sale.Cooling), sold("d", 1, 21, sale.Cooling), sold("e", 1, 20, sale.Refunded), sold("f", 1, 20, sale.Reversed), sold("g", 1, 5, sale.Final)}
		write(s, add(all, store.Add))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.Add(ctx, tx, all[0]) })
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for _, x := range all {
				s.Is(x, true)(store.Get(ctx, tx, x.ID))
				s.Is(x, true)(store.Verified(ctx, tx, x.ID))
			}
			s.Is(sale.Sale{}, false)(store.Get(ctx, tx, "nothing"))
			s.Is(sale.Sale{}, false)(store.Verified(ctx, tx, "nothing"))
			s.Is([]sale.Sale{all[3], all[2], all[0]})(store.Due(ctx, tx, 20)) // by day and id, as text in bytes
			s.Is([]sale.Sale{all[3]})(store.Due(ctx, tx, 19))
			s.Is(nil)(store.Due(ctx, tx, 18))
			sum := int64(0)
			for _, i := range []int{0, 2, 3, 4, 7} {
				sum += all[i].Amount.Micros()
			}
			s.Is(money.Micro(sum), 5)(store.Owned(ctx, tx, 1))
			s.Is(all[1].Amount, 1)(store.Owned(ctx, tx, 2))
			s.Is(money.Amount{}, 0)(store.Owned(ctx, tx, 77))
		})
	})
}

func TestTheNewestUpgradeOfOneBuyerAndPayerIsFound(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Sale()
		of := func(id string, no, payer int64, day plan.Day, state sale.State) sale.Sale {
			x := sold(id, no, day, state)
			x.Payer = payer
			return x
		}
		first := of("a", 1, 7, 20, sale.Cooling)
		newest := of("c", 1, 7, 22, sale.Final)
		all := []sale.Sale{first, of("b", 1, 7, 21, sale.Cooling), newest, of("d", 1, 7, 23, sale.Refunded), of("e", 1, 8, 24, sale.Cooling), of("f", 2, 7, 24, sale.Cooling)}
		write(s, add(all, store.Add))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(newest, true)(store.Newer(ctx, tx, first))
			s.Is(newest, true)(store.Newer(ctx, tx, all[1]))
			for _, x := range all[2:] {
				s.Is(sale.Sale{}, false)(store.Newer(ctx, tx, x))
			}
		})
	})
}

func TestASaleChangesItsStateOnlyFromTheOneThatItIsIn(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Sale()
		all := []sale.Sale{sold("a", 1, 20, sale.Cooling), sold("b", 1, 20, sale.Cooling)}
		for i := range 600 { // more than one statement changes them
			all = append(all, sold(fmt.Sprintf("n%03d", i), 1, 20, sale.Cooling))
		}
		write(s, add(all, store.Add))
		set := func(from, to sale.State, day plan.Day) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.SetState(ctx, tx, "a", from, to, day) }
		}
		finalise := func(ids ...string) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.Finalise(ctx, tx, ids, 33) }
		}
		is := func() {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for _, x := range all {
					s.Is(x, true)(store.Get(ctx, tx, x.ID))
				}
			})
		}
		s.Refused(set(sale.Final, sale.Reversed, 30))
		is()
		write(s, set(sale.Cooling, sale.Refunded, 30))
		all[0].State, all[0].FinalDay = sale.Refunded, 30
		is()
		s.Refused(set(sale.Cooling, sale.Final, 31))
		s.Refused(finalise("b", "a")) // one does not cool off
		s.Refused(finalise("b", "nothing"))
		is()
		var ids []string
		for i := range all[2:] {
			x := &all[2+i]
			ids, x.State, x.FinalDay = append(ids, x.ID), sale.Final, 33
		}
		write(s, finalise(ids...), finalise())
		is()
	})
}

func position(id, line string, no int64, day plan.Day, state invest.State) invest.Position {
	return testkit.Full(int64(len(id))+no+int64(day), func(p *invest.Position) {
		p.ID, p.Line, p.No, p.Day, p.State, p.Principal = id, line, no, day, state, money.Micro(p.Loss.Micros()+7)
	})
}

func TestAPositionIsReadAsItWasWritten(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Invest()
		all := []invest.Position{position("B", "FOREX", 1, 20, invest.Open), position("a", "FOREX", 1, 19, invest.Claimed), position("b", "FOREX", 2, 18, invest.Matured), position("c", "CRYPTO", 1, 20, invest.Open)}
		write(s, add([]invest.Position{all[2], all[0], all[3], all[1]}, store.Add))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.Add(ctx, tx, all[0]) })
		is := func() {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for _, p := range all {
					s.Is(p, true)(store.Get(ctx, tx, p.ID))
				}
				s.Is(invest.Position{}, false)(store.Get(ctx, tx, "nothing"))
				s.Is(all[:3])(store.All(ctx, tx, "FOREX")) // by id, as text in bytes
				s.Is(all[3:])(store.All(ctx, tx, "CRYPTO"))
				s.Is(nil)(store.All(ctx, tx, "OTHER"))
			})
		}
		is()
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(1)(store.Held(ctx, tx, 1, "FOREX"))
			s.Is(1)(store.Held(ctx, tx, 2, "FOREX"))
			s.Is(0)(store.Held(ctx, tx, 2, "CRYPTO"))
		})
		write(s, func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.SetPosition(ctx, tx, "B", money.Micro(3), invest.Matured), store.SetPositions(ctx, tx, []invest.Position{{ID: "b", Loss: money.Micro(4), State: invest.Claimed}, {ID: "c", Loss: money.Micro(5), State: invest.Matured}}), store.SetPositions(ctx, tx, nil))
		})
		all[0].Loss, all[0].State, all[2].Loss, all[2].State, all[3].Loss, all[3].State = money.Micro(3), invest.Matured, money.Micro(4), invest.Claimed, money.Micro(5), invest.Matured
		is()
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return store.SetPosition(ctx, tx, "nothing", money.Amount{}, invest.Open)
		})
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return store.SetPositions(ctx, tx, []invest.Position{{ID: "a", State: invest.Open}, {ID: "nothing", State: invest.Open}})
		})
		is()
	})
}

func TestAClaimIsReadAsItWasWrittenAndPaidOnce(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Invest()
		claim := func(n int64, line string) invest.Claim {
			return testkit.Full(n, func(c *invest.Claim) { c.Line, c.Recalled, c.Done, c.ClaimDay = line, money.Amount{}, false, 0 })
		}
		all := []invest.Claim{claim(1, "FOREX"), claim(2, "FOREX"), claim(3, "CRYPTO"), testkit.Full(4, func(c *invest.Claim) {
			c.Line, c.Recalled, c.Done, c.ClaimDay, c.Income = "CRYPTO", money.Amount{}, false, 0, money.Micro(-9)
		})}
		write(s, func(ctx context.Context, tx *ledger.Tx) error { return store.AddClaims(ctx, tx, all) })
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddClaims(ctx, tx, all[:1]) })
		recall := func(n int64) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error {
				return store.Recall(ctx, tx, all[0].ID, money.Micro(n))
			}
		}
		done := func(id string) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.Done(ctx, tx, id, 44) }
		}
		write(s, recall(5), recall(6), done(all[1].ID))
		all[0].Recalled, all[1].Done, all[1].ClaimDay = money.Micro(11), true, 44
		s.Refused(done(all[1].ID))
		s.Refused(done("nothing"))
		s.Refused(recall(all[0].Net.Micros())) // more than the claim is worth
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for _, c := range all {
				s.Is(c, true)(store.GetClaim(ctx, tx, c.ID))
			}
			s.Is(invest.Claim{}, false)(store.GetClaim(ctx, tx, "nothing"))
			s.Is(1)(store.Pending(ctx, tx, "FOREX"))
			s.Is(2)(store.Pending(ctx, tx, "CRYPTO"))
			s.Is(0)(store.Pending(ctx, tx, "OTHER"))
		})
	})
}

// Each state and line has claims of three members and some days.
func TestClaimsAreListedWithAllColumnsByEveryFilter(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Invest()
		var all []invest.Claim
		for i := range int64(24) {
			all = append(all, testkit.Full(i+1, func(c *invest.Claim) {
				c.ID, c.Line, c.No, c.Day, c.Recalled, c.Done, c.ClaimDay = fmt.Sprintf("C-%02d", (i*7)%24), plan.LineNames[i%2], 1+i%3, plan.Day(20+i/4), money.Amount{}, false, 0
			}))
		}
		write(s, func(ctx context.Context, tx *ledger.Tx) error { return store.AddClaims(ctx, tx, all) })
		for i := range all {
			c := &all[i]
			switch i % 4 {
			case 1:
				c.Recalled = money.Micro(9)
			case 2, 3:
				c.Recalled = c.Net
			}
			if i%4 > 0 {
				write(s, func(ctx context.Context, tx *ledger.Tx) error { return store.Recall(ctx, tx, c.ID, c.Recalled) })
			}
			if i%4 == 3 {
				c.Done, c.ClaimDay = true, 60
				write(s, func(ctx context.Context, tx *ledger.Tx) error { return store.Done(ctx, tx, c.ID, 60) })
			}
		}
		slices.SortFunc(all, func(a, b invest.Claim) int { return cmp.Or(cmp.Compare(a.Day, b.Day), strings.Compare(a.ID, b.ID)) })
		for _, f := range []invest.ClaimFilter{
			{},
			{Newest: true},
			{State: invest.ClaimOpen},
			{State: invest.ClaimFunded, Line: "FOREX"},
			{State: invest.ClaimDone, Newest: true},
			{Line: "CRYPTO"},
			{No: 2},
			{No: 2, Line: "FOREX"},
			{From: 21},
			{To: 23},
			{From: 22, To: 24, State: invest.ClaimOpen, Newest: true},
			{No: 77},
		} {
			need := int64(0)
			want := chosen(all, func(c *invest.Claim) bool {
				return (f.State == "" || c.State() == f.State) && (f.Line == "" || c.Line == f.Line) && (f.No == 0 || c.No == f.No) && c.Day >= f.From && (f.To == 0 || c.Day <= f.To)
			})
			for _, c := range want {
				need += c.Net.Micros() - c.Recalled.Micros()
			}
			if f.Newest {
				slices.Reverse(want)
			}
			testkit.Pages(s, fmt.Sprintf("%+v", f), want, func(offset, limit int64) ([]invest.Claim, int64, error) {
				f.Offset, f.Limit = offset, limit
				page, total, sum, err := store.Claims(t.Context(), f)
				if sum.Micros() != need {
					t.Errorf("%+v: they need %s, not %d", f, sum, need)
				}
				return page, total, err
			})
		}
	})
}

func TestCashOfALineIncludesItsAccountAndRecalls(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Invest()
		s.Is(map[string]money.Amount{})(store.Cash(t.Context()))
		deposit := ledger.Transfer{Kind: "deposit"}
		post(s, deposit, "A:CLIENT", 100, "L:FUND:FOREXFUNDS:1", 100)
		post(s, ledger.Transfer{Kind: "invest"}, "L:FUND:FOREXFUNDS:1", -60, "L:PRINCIPAL:FOREX:1:P", 60)
		post(s, ledger.Transfer{Kind: "invest"}, "A:CLIENT", -60, "A:TRADING:FOREX", 60)
		for i, t := range []ledger.Transfer{{ID: "r0", Kind: "recall"}, {ID: "r1", Kind: "recall"}, {ID: "r2", Kind: "recall"}, {ID: "r3", Kind: "other"}} {
			post(s, t, "A:TRADING:FOREX", -5-i, "A:CLIENT", 5+i)
		}
		s.Is(map[string]money.Amount{"FOREX": money.Micro(60 - 26)})(store.Cash(t.Context()))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(12, 2)(store.RecalledBy(ctx, tx, []string{"r0", "r2", "r3", "nothing"}))
			s.Is(0, 0)(store.RecalledBy(ctx, tx, []string{"nothing"}))
		})
	})
}
