package trade_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func TestRowsOfADayAreSeenByTheirMark(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		all, store := addIncomes(s)[16:], s.DB.Closing()
		seen := func(x closing.Income) closing.Seen {
			return closing.Seen{
				Row: x.Row, UID: uidOf(x.Earner), Of: uidOf(x.Of), Kind: x.Kind, Line: x.Line, Level: x.Level, Paid: money.Micro(x.Paid), Nominal: money.Micro(x.Nominal),
				Capped: x.Capped, Scaled: x.Scaled, Taken: x.Reverses != 0, Held: x.Held && !x.Kind.Trading(),
			}
		}
		counts := map[closing.Mark]int64{}
		for _, mark := range []closing.Mark{"", closing.MarkCapped, closing.MarkScaled, closing.MarkHeld, closing.MarkTaken} {
			var want []closing.Seen
			for _, x := range all {
				if v := seen(x); (mark == "") || (mark == closing.MarkCapped && v.Capped) || (mark == closing.MarkScaled && v.Scaled) || (mark == closing.MarkHeld && v.Held) || (mark == closing.MarkTaken && v.Taken) {
					want = append(want, v)
				}
			}
			counts[mark] = int64(len(want))
			testkit.Pages(s, string(mark), want, func(offset, limit int64) ([]closing.Seen, int64, error) {
				page, total, err := store.MarkedRows(t.Context(), 21, mark, int(offset), int(limit))
				return page, int64(total), err
			})
		}
		s.Is(closing.Marks{Capped: counts[closing.MarkCapped], Scaled: counts[closing.MarkScaled], Held: counts[closing.MarkHeld], Taken: counts[closing.MarkTaken]})(store.Marked(t.Context(), 21))
		s.Is(closing.Marks{})(store.Marked(t.Context(), 22))
		s.Is(nil, 0)(store.MarkedRows(t.Context(), 22, "", 0, 5))
		tops := map[int64]*closing.Top{}
		for _, x := range all {
			if tops[x.Earner] == nil {
				tops[x.Earner] = &closing.Top{UID: uidOf(x.Earner)}
			}
			top := tops[x.Earner]
			top.Rows, top.Paid = top.Rows+1, money.Micro(top.Paid.Micros()+x.Paid)
		}
		var want []closing.Top
		for _, top := range tops {
			want = append(want, *top)
		}
		slices.SortFunc(want, func(a, b closing.Top) int { return cmp.Or(b.Paid.Cmp(a.Paid), cmp.Compare(a.UID, b.UID)) })
		s.Is(want)(store.TopEarners(t.Context(), 21, 9))
		s.Is(want[:2])(store.TopEarners(t.Context(), 21, 2))
		s.Is(nil)(store.TopEarners(t.Context(), 22, 9))
	})
}

func TestEarnersOfTheSameAreNamedByTheirNumberAndLosersNot(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		var rows []closing.Income
		for i, earner := range []int64{3, 1, 2, 4} {
			rows = append(rows, closing.Income{Row: int64(i + 1), Day: 20, Earner: earner, Of: 1, Paid: 5, Source: "S"})
		}
		rows[2].Paid, rows[3].Paid = -5, 0
		closeDay(s, 20, rows)
		want := []closing.Top{{UID: uidOf(1), Rows: 1, Paid: money.Micro(5)}, {UID: uidOf(3), Rows: 1, Paid: money.Micro(5)}}
		s.Is(want)(s.DB.Closing().TopEarners(t.Context(), 20, 9))
		s.Is(want[:1])(s.DB.Closing().TopEarners(t.Context(), 20, 1))
	})
}

func TestALineIsSeenByItsPositionsClaimsAndBatches(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		open := []invest.Position{position("a", "FOREX", 1, 20, invest.Open), position("b", "FOREX", 1, 20, invest.Open), position("c", "FOREX", 1, 20, invest.Matured)}
		claim := func(id, line string) invest.Claim {
			return testkit.Full(int64(id[0]), func(c *invest.Claim) { c.ID, c.Line = id, line })
		}
		claims := []invest.Claim{claim("A", "FOREX"), claim("B", "FOREX"), claim("C", "FOREX"), claim("D", "CRYPTO")}
		batch := func(id string, line string, day, released plan.Day, roi int64) closing.Batch {
			return closing.Batch{ID: id, Line: line, Day: day, Released: released, ROI: roi, Fee: 1}
		}
		write(s, add(open, s.DB.Invest().Add), func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(s.DB.Invest().AddClaims(ctx, tx, claims), s.DB.Invest().Recall(ctx, tx, "A", money.Micro(5)), s.DB.Invest().Recall(ctx, tx, "C", money.Micro(7)), s.DB.Invest().Done(ctx, tx, "C", 30))
		}, add([]closing.Batch{batch("1", "FOREX", 9, 0, 4), batch("2", "FOREX", 7, 0, 4), batch("3", "FOREX", 5, 8, 4), batch("4", "FOREX", 4, 0, 0), batch("5", "CRYPTO", 3, 0, 4)}, store.AddBatch))
		post(s, ledger.Transfer{Kind: "deposit"}, "A:CLIENT", 100, "L:FUND:FOREXFUNDS:1", 100)
		post(s, ledger.Transfer{Kind: "invest"}, "A:CLIENT", -60, "A:TRADING:FOREX", 60)
		post(s, ledger.Transfer{Kind: "profit"}, "A:TRADING:FOREX", 30, "L:ROI_HELD:FOREX", 17, "L:FEE_HELD:FOREX", 4, "L:LINE_RESERVE:FOREX", 9)
		sum := func(a, b money.Amount) money.Amount { return money.Micro(a.Micros() + b.Micros()) }
		s.Is([]closing.LineView{{
			Line: "FOREX", Positions: 2, Principal: sum(open[0].Principal, open[1].Principal), Loss: sum(open[0].Loss, open[1].Loss), Reserve: money.Micro(9), ROI: money.Micro(17), Fee: money.Micro(4),
			Claims: 2, Claimed: sum(claims[0].Net, claims[1].Net), Recalled: money.Micro(5), Batches: 2, Oldest: 7,
		}, {Line: "CRYPTO", Claims: 1, Claimed: claims[3].Net, Batches: 1, Oldest: 3}})(store.LineBooks(t.Context()))
		order := by(func(p closing.OpenPosition) string { return p.ID })
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			for day, want := range map[plan.Day][]closing.OpenPosition{19: nil, 20: {{ID: "a", Loss: open[0].Loss.Micros()}, {ID: "b", Loss: open[1].Loss.Micros()}}} {
				found, err := m.Open(t.Context(), "FOREX", day)
				s.Is(want, slices.IsSortedFunc(found, order))(found, true, err)
			}
			s.Is(nil)(m.Open(t.Context(), "CRYPTO", 20))
			return nil
		}))
	})
}

func TestAWrongSumIsFound(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		rows := make([]closing.Income, 0, 12)
		for i := range int64(12) {
			x := closing.Income{Row: i + 1, Day: 20, Kind: plan.KindLevel, Earner: 1, Of: 2, Paid: 10 + i, Source: "S"}
			if i >= 6 {
				x.Kind, x.Line, x.Source = plan.KindROILevel, "FOREX", "R"
			}
			rows = append(rows, x)
		}
		closeDay(s, 20, rows)
		right := []closing.Sum{{Earner: 1, Kind: plan.KindLevel, First: 1, Last: 6, Rows: 6, Paid: 75}, {Earner: 1, Kind: plan.KindROILevel, Line: "FOREX", Batch: "R", First: 7, Last: 12, Rows: 6, Paid: 111}}
		for i, change := range []func(x *closing.Sum){
			nil, func(x *closing.Sum) { x.Rows-- }, func(x *closing.Sum) { x.Paid++ }, func(x *closing.Sum) { x.Last-- }, func(x *closing.Sum) { x.Earner = 2 }, func(x *closing.Sum) { x.Kind = plan.KindRank }, func(x *closing.Sum) { x.Line += "X" },
			func(x *closing.Sum) { x.Batch += "X" }, func(x *closing.Sum) { x.Last++ },
		} {
			for which := range right {
				if i == 7 && which == 0 {
					continue // levels have no batch
				}
				sums := slices.Clone(right)
				want := closing.Sum{}
				if change != nil {
					change(&sums[which])
					want = sums[which]
				}
				s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.AddSums(ctx, tx, sums) })
				got, found, err := s.DB.Sums().WrongSum(t.Context())
				if change == nil && i == 0 {
					s.Is(want, false)(got, found, err)
				} else if err != nil || !found || got != want {
					t.Errorf("change %d of sum %d: %+v, %v, %v", i, which, got, found, err)
				}
				s.Tamper("DELETE FROM income_sum")
			}
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.AddSums(ctx, tx, right) })
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddSums(ctx, tx, right[:1]) })
	})
}

func TestTheSumsOfADayAreReadAndAddedUpAgain(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		store := s.DB.Closing()
		sold := func(id string, no int64, state sale.State, final plan.Day, amount int64) sale.Sale {
			return sale.Sale{ID: id, No: no, Topup: sale.Activation, Amount: money.Micro(amount), State: state, FinalDay: final}
		}
		sales := []sale.Sale{sold("a", 1, sale.Final, 20, 5), sold("b", 2, sale.Reversed, 20, 6), sold("c", 3, sale.Final, 20, 7), sold("d", 1, sale.Cooling, 0, 8), sold("e", 1, sale.Refunded, 0, 9)}
		back := []closing.Booking{{ID: "B", Kind: "chargeback", Sale: "b", Day: 21}, {ID: "C", Kind: "chargeback", Sale: "c", Day: 21}, {ID: "D", Kind: "chargeback", Sale: "a", Day: 21}}
		rows := []closing.Income{{Row: 1, Day: 20, Kind: plan.KindLevel, Earner: 1, Paid: 4}, {Row: 2, Day: 20, Kind: plan.KindLevel, Earner: 2, Paid: 5}, {Row: 3, Day: 20, Kind: plan.KindROI, Line: "FOREX", Earner: 2, Paid: 6}, {Row: 4, Day: 20, Kind: plan.KindLevel, Reverses: 1, Earner: 1, Paid: -2}}
		closeDay(s, 20, rows, add(sales, s.DB.Sale().Add), add(back, store.AddBooking), func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.CloseBooking(ctx, tx, "B", ""), store.CloseBooking(ctx, tx, "D", "not final"))
		}, add([]closing.Batch{{ID: "R", Line: "FOREX", Day: 20, Fee: 3, FeeDay: 21}, {ID: "Q", Line: "FOREX", Day: 20, Fee: 3}, {ID: "O", Line: "FOREX", Day: 20, FeeDay: 21}}, store.AddBatch))
		right := []closing.DaySum{
			{Day: 20, Name: "final", Part: "customer", N: 1, Amount: 7},
			{Day: 20, Name: "final", Part: "member", N: 2, Amount: 11},
			{Day: 21, Name: "reversed", Part: "member", N: 1, Amount: 6},
			{Day: 20, Name: "paid", Part: "0 ", N: 2, Amount: 9},
			{Day: 20, Name: "paid", Part: "6 FOREX", N: 1, Amount: 6},
			{Day: 20, Name: "taken", Part: "0 ", N: 1, Amount: -2},
			{Day: 21, Name: "fee", Part: "FOREX", N: 1, Amount: 3},
		}
		wrong := func(sums []closing.DaySum) (closing.DaySum, bool, error) {
			t.Helper()
			s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.AddDaySums(ctx, tx, sums) })
			defer s.Tamper("DELETE FROM day_sum")
			byName := func(x closing.DaySum) string { return fmt.Sprint(x.Name, x.Part) }
			for _, day := range []plan.Day{20, 21, 22} {
				found, err := store.DaySums(t.Context(), day)
				slices.SortFunc(found, by(byName))
				want := chosen(sums, func(x *closing.DaySum) bool { return x.Day == day })
				slices.SortFunc(want, by(byName))
				s.Is(want)(found, err)
			}
			return s.DB.Days().WrongDay(t.Context())
		}
		s.Is(closing.DaySum{}, false)(wrong(right))
		for i, x := range right {
			without := slices.Delete(slices.Clone(right), i, i+1)
			s.Is(closing.DaySum{Day: x.Day, Name: x.Name, Part: x.Part, N: -x.N, Amount: -x.Amount}, true)(wrong(without))
			more := slices.Clone(right)
			more[i].Amount += 5
			s.Is(closing.DaySum{Day: x.Day, Name: x.Name, Part: x.Part, Amount: 5}, true)(wrong(more))
			more[i] = x
			more[i].N++
			s.Is(closing.DaySum{Day: x.Day, Name: x.Name, Part: x.Part, N: 1}, true)(wrong(more))
		}
		s.Is(closing.DaySum{Day: 19, Name: "fee", Part: "y", N: 1}, true)(wrong(append(right, closing.DaySum{Day: 19, Name: "fee", Part: "y", N: 1})))
	})
}
