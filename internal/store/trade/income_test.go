package trade_test

import (
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
)

// row is an income of a member; of a trading kind its source is a batch of FOREX.
func row(no int64, day plan.Day, kind plan.Kind, earner int64, source string) closing.Income {
	return testkit.Full(no, func(x *closing.Income) {
		x.Row, x.Day, x.Kind, x.Earner, x.Of, x.Source, x.Reverses, x.Released = no, day, kind, earner, 1+no%4, source, 0, 0
		x.Capped, x.Scaled, x.Held, x.Line, x.Position = no%3 == 0, no%4 == 1, no%2 == 0, "", fmt.Sprint("P", no%2)
		if kind.Trading() {
			x.Line = "FOREX"
		}
	})
}

// closeDay writes a day with its rows as its close does.
func closeDay(s *testkit.Stores, day plan.Day, rows []closing.Income, more ...func(ctx context.Context, tx *ledger.Tx) error) {
	s.T.Helper()
	if _, err := s.Do(s.T.Context(), ledger.Command{Actor: "closing", Key: "close " + day.String(), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		store := s.DB.Closing()
		d := closing.Closed{Day: day, Plan: "p", Digest: "d", At: testkit.Epoch, FirstRow: 1}
		if len(rows) > 0 {
			d.FirstRow, d.LastRow = rows[0].Row, rows[len(rows)-1].Row
		}
		err := errors.Join(store.AddDay(ctx, tx, d), store.AddIncomes(ctx, tx, len(rows), func(i int) closing.Income { return rows[i] }))
		for _, w := range more {
			err = errors.Join(err, w(ctx, tx))
		}
		return []byte("closed"), err
	}}); err != nil {
		s.T.Fatal(err)
	}
}

// incomes are two closed days of members 1 to 4. A sale "S" paid levels, of which one
// was taken back; batches "R1" and "R2" booked ROI of the positions "P0" and "P1".
func incomes() (first, second []closing.Income) {
	for no := int64(1); no <= 16; no++ {
		first = append(first, row(no, 20, plan.Kind((no-1)%8), 1+no%3, map[bool]string{true: "R1", false: "S"}[(no-1)%8 >= 6]))
	}
	for no := int64(17); no <= 40; no++ {
		second = append(second, row(no, 21, plan.Kind((no-1)%8), 1+no%4, map[bool]string{true: "R2", false: "T"}[(no-1)%8 >= 6]))
	}
	second[0].Reverses, second[0].Source, second[0].Earner, second[0].Paid = 9, "S", first[8].Earner, -4 // of a level row
	second[1].Reverses, second[1].Paid = 2, -3
	return first, second
}

func addIncomes(s *testkit.Stores) (all []closing.Income) {
	s.T.Helper()
	first, second := incomes()
	store := s.DB.Closing()
	batch := func(id string, day plan.Day) closing.Batch {
		return closing.Batch{ID: id, Line: "FOREX", Day: day, Fee: 3, ROI: 4}
	}
	closeDay(s, 20, first, add([]closing.Batch{batch("R1", 20)}, store.AddBatch))
	closeDay(s, 21, second, add([]closing.Batch{batch("R2", 21)}, store.AddBatch))
	return slices.Concat(first, second)
}

func TestIncomesAreReadAsTheirCloseWroteThem(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(0)(store.LastRow(ctx, tx))
			s.Is(nil)(store.Incomes(ctx, tx))
		})
		all := addIncomes(s)
		closeDay(s, 22, nil)
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(40)(store.LastRow(ctx, tx)) })
		for day, rows := range map[plan.Day][]closing.Income{20: all[:16], 21: all[16:], 22: nil, 23: nil} {
			s.Is(rows)(values(nil, func(yield func(closing.Income) error) error { return s.DB.Past().RowsOf(t.Context(), day, yield) }))
		}
		reversed := func(x *closing.Income, sameSource bool) bool {
			return slices.ContainsFunc(all, func(r closing.Income) bool {
				return r.Reverses == x.Row && r.Kind == plan.KindLevel && (r.Source == x.Source || !sameSource)
			})
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for _, sale := range []string{"S", "T", "R1", "nothing"} {
				s.Is(chosen(all, func(x *closing.Income) bool {
					return x.Source == sale && x.Kind == plan.KindLevel && x.Reverses == 0 && !reversed(x, true)
				}))(store.SaleIncomes(ctx, tx, sale))
			}
		})
		held := func(no int64) []closing.Income {
			return chosen(all, func(x *closing.Income) bool {
				return x.Earner == no && !x.Kind.Trading() && x.Held && x.Released == 0 && x.Reverses == 0 && !reversed(x, false)
			})
		}
		is := func() {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for no := range int64(6) {
					s.Is(held(no))(store.HeldIncomes(ctx, tx, no))
				}
			})
		}
		is()
		var released []int64
		for i, x := range held(1) {
			if i%2 == 0 {
				released, all[x.Row-1].Released = append(released, x.Row), 23
			}
		}
		write(s, func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.Release(ctx, tx, released, 23), store.Release(ctx, tx, nil, 24))
		})
		is()
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
			return store.AddIncomes(ctx, tx, 2, func(i int) closing.Income { return all[i] })
		})
	})
}

func TestAnIncomeIsReadWithItsBatchAndItsClaim(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, all := s.DB.Closing(), addIncomes(s)
		claims := []invest.Claim{{ID: "C-P0", Position: "P0", Line: "FOREX", No: 1, Net: money.Micro(5), Day: 22}, {ID: "C-P1", Position: "P1", Line: "FOREX", No: 1, Net: money.Micro(5), Day: 23}}
		write(s, func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(s.DB.Invest().AddClaims(ctx, tx, claims), s.DB.Invest().Done(ctx, tx, "C-P0", 25), store.SetBatch(ctx, tx, closing.Batch{ID: "R2", Released: 24, FeeDay: 25}), store.Release(ctx, tx, []int64{2, 4}, 24))
		})
		all[1].Released, all[3].Released = 24, 24
		var want, changed []closing.IncomeState
		for _, x := range all {
			state := closing.IncomeState{Income: x}
			if x.Kind.Trading() && x.Source == "R2" {
				state.BatchReleased = 24
			}
			if x.Kind == plan.KindROI {
				state.ClaimMade = 23
				if x.Position == "P0" {
					state.ClaimMade, state.Claimed = 22, 25
				}
			}
			want = append(want, state)
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(want)(store.Incomes(ctx, tx)) })
		order := by(func(x closing.IncomeState) int64 { return x.Row })
		for _, c := range []struct {
			day     plan.Day
			batches []string
			wanted  func(x *closing.IncomeState) bool
		}{
			{24, nil, func(x *closing.IncomeState) bool { return x.Released == 24 }},
			{23, []string{"R1"}, func(x *closing.IncomeState) bool { return x.Source == "R1" }},
			{24, []string{"R1", "R2"}, func(x *closing.IncomeState) bool { return x.Released == 24 || x.Source == "R1" || x.Source == "R2" }},
			{25, nil, func(x *closing.IncomeState) bool { return x.Claimed == 25 }},
			{0, []string{"nothing"}, func(x *closing.IncomeState) bool { return false }},
		} {
			changed = nil
			for _, x := range chosen(want, c.wanted) {
				changed = append(changed, closing.IncomeState{Income: closing.Income{Row: x.Row, Kind: x.Kind, Held: x.Held, Released: x.Released, Source: x.Source}, BatchReleased: x.BatchReleased, ClaimMade: x.ClaimMade, Claimed: x.Claimed})
			}
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				s.Is(changed)(values(order, func(yield func(closing.IncomeState) error) error {
					return store.Changed(ctx, tx, c.day, c.batches, yield)
				}))
			})
		}
	})
}

func TestABatchIsReadUntilItIsReleasedAndItsFeeIsPaid(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		var all []closing.Batch
		for i := range int64(5) { // their number is given when they are added
			all = append(all, testkit.Full(i+1, func(b *closing.Batch) {
				b.Line, b.N, b.Day, b.Released, b.FeeDay = "FOREX", i+1, plan.Day(30-i/2), 0, 0
			}))
		}
		all[2].FeeDay, all[3].Line, all[4].Released, all[4].FeeDay = 31, "CRYPTO", 31, 32
		write(s, add(all, store.AddBatch))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddBatch(ctx, tx, all[0]) })
		is := func() {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for _, line := range []string{"FOREX", "CRYPTO", "OTHER"} {
					s.Is(chosen(all, func(b *closing.Batch) bool { return b.Line == line && (b.Released == 0 || b.FeeDay == 0) }))(store.Batches(ctx, tx, line))
				}
			})
			var held []closing.Held
			for _, i := range []int{2, 3, 0, 1, 4} { // by day, then by number
				if b := all[i]; b.Released == 0 {
					held = append(held, closing.Held{ID: b.ID, Line: b.Line, Day: b.Day, ROI: money.Micro(b.ROI), Fee: money.Micro(b.Fee)})
				}
			}
			slices.SortStableFunc(held, by(func(h closing.Held) plan.Day { return h.Day }))
			s.Is(held)(store.Held(t.Context(), 9))
			s.Is(held[:2])(store.Held(t.Context(), 2))
		}
		is()
		all[0].Released, all[1].Released, all[1].FeeDay = 33, 33, 34
		write(s, add(all[:2], store.SetBatch))
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return store.SetBatch(ctx, tx, closing.Batch{ID: "nothing"})
		})
		is()
	})
}

func TestTheSharesOfABatchAreThoseOfItsRows(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := addIncomes(s)
		for _, batch := range []string{"R1", "R2"} {
			var roi []closing.PositionShare
			sums := map[int64]int64{}
			for _, x := range all {
				switch {
				case x.Source != batch:
				case x.Kind == plan.KindROI:
					roi = append(roi, closing.PositionShare{Position: x.Position, Amount: x.Paid})
				case x.Kind == plan.KindROILevel:
					sums[x.Earner] += x.Paid
				}
			}
			var levels []closing.EarnerShare
			for no := range int64(6) {
				if sums[no] > 0 {
					levels = append(levels, closing.EarnerShare{No: no, Amount: sums[no]})
				}
			}
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				s.Is(roi, levels)(s.DB.Closing().BatchShares(ctx, tx, batch))
			})
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(nil, nil)(s.DB.Closing().BatchShares(ctx, tx, "nothing"))
		})
	})
}

func TestRowsThatSomebodyChangedAreNotActedOn(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		addIncomes(s)
		store := s.DB.Closing()
		sold, put, claim := sold("sale", 1, 20, "cooling"), position("P", "FOREX", 1, 20, invest.Open), invest.Claim{ID: "C", Line: "FOREX", Net: money.Micro(5), Day: 20}
		write(s, add([]closing.Booking{booked("b", "pnl", 1, 30)}, store.AddBooking), func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(s.DB.Sale().Add(ctx, tx, sold), s.DB.Invest().Add(ctx, tx, put), s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{claim}), store.AddPlan(ctx, tx, "v", 9, []byte("{}"), testkit.Epoch))
		})
		for _, c := range []struct {
			change string
			read   func(ctx context.Context, tx *ledger.Tx) error
		}{
			{"sale SET day = day - 1", func(ctx context.Context, tx *ledger.Tx) error { return last(s.DB.Sale().Due(ctx, tx, 20)) }},
			{"invest_position SET term = 1", func(ctx context.Context, tx *ledger.Tx) error { return last(s.DB.Invest().All(ctx, tx, "FOREX")) }},
			{"claim SET no = 9", func(ctx context.Context, tx *ledger.Tx) error { return last(s.DB.Invest().GetClaim(ctx, tx, "C")) }},
			{"booking SET amount = 9", func(ctx context.Context, tx *ledger.Tx) error { return last(store.Bookings(ctx, tx, 30)) }},
			{"plan_version SET first_day = 1", func(ctx context.Context, tx *ledger.Tx) error { return last(store.Versions(ctx, tx)) }},
			{"roi_batch SET roi = 9", func(ctx context.Context, tx *ledger.Tx) error { return last(store.Batches(ctx, tx, "FOREX")) }},
			{"income SET earner = 9 WHERE source = 'T'", func(ctx context.Context, tx *ledger.Tx) error { return last(store.SaleIncomes(ctx, tx, "T")) }},
			{"income SET paid = paid + 1 WHERE source = 'R1'", func(ctx context.Context, tx *ledger.Tx) error { return last(store.BatchShares(ctx, tx, "R1")) }},
		} {
			if err := s.Try(c.read); err != nil {
				t.Errorf("before %s: %v", c.change, err)
			}
			s.Tamper("UPDATE " + c.change)
			var tampered *ledger.TamperedError
			if err := s.Try(c.read); !errors.As(err, &tampered) {
				t.Errorf("after %s: %v", c.change, err)
			}
		}
		var tampered *ledger.TamperedError
		if err := s.Try(func(ctx context.Context, tx *ledger.Tx) error { return last(s.DB.Sale().Verified(ctx, tx, "sale")) }); !errors.As(err, &tampered) {
			t.Errorf("a changed sale: %v", err)
		}
	})
}

// last is the error of a method.
func last(all ...any) error {
	err, _ := all[len(all)-1].(error)
	return err
}
