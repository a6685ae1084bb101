package insight_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// when is a time n microseconds after the clocks of tests start.
func when(n int) time.Time { return testkit.Epoch.Add(time.Duration(n) * time.Microsecond) }

// ever is every day.
func ever(no int64) report.Filter {
	return report.Filter{No: no, From: math.MinInt64, To: math.MaxInt64, Limit: 100}
}

func aDay(n int64, day plan.Day, rows [2]int64) closing.Closed {
	c := testkit.Full[closing.Closed](n)
	c.Day, c.FirstRow, c.LastRow = day, rows[0], rows[1]
	return c
}

func TestPlansAndClosedDaysAreThoseOfADay(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		s.Missing(store.LastDay(ctx))
		s.Missing(store.Closed(ctx, 10))
		first, second := aDay(1, 10, [2]int64{1, 5}), aDay(2, 11, [2]int64{6, 9})
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			books := s.DB.Closing()
			return errors.Join(books.AddDay(ctx, tx, first), books.AddDay(ctx, tx, second),
				books.AddPlan(ctx, tx, "a", 10, []byte("body a"), when(1)), books.AddPlan(ctx, tx, "b", 20, []byte("body b"), when(1)), books.AddPlan(ctx, tx, "c", 20, []byte("body c"), when(1)),
				books.AddPlan(ctx, tx, "gone", 15, []byte("body"), when(1)), books.CancelPlan(ctx, tx, "gone", when(2)))
		})
		for _, c := range []closing.Closed{first, second} {
			s.Same("a closed day", s.Found(store.Closed(ctx, c.Day)), c)
		}
		s.Missing(store.Closed(ctx, 12))
		s.Same("the last day", s.Found(store.LastDay(ctx)), plan.Day(11))
		s.Same("for figures", s.Found(s.DB.Figures().LastDay(ctx)), plan.Day(11))
		s.Same("for the public", s.Found(s.DB.Transparency().LastClose(ctx)), plan.Day(11))
		for day, want := range map[plan.Day]string{9: "", 10: "a", 15: "a", 19: "a", 20: "c", 99: "c"} {
			version, body, found, err := store.Plan(ctx, day)
			if found != (want != "") || version != want || err != nil || found && string(body) != "body "+want {
				s.T.Errorf("day %d: %q, %q, %v, %v", day, version, body, found, err)
			}
		}
	})
}

func TestStandingsAreReturnedForEveryMemberAskedFor(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		carried := testkit.Full[closing.Carried](1)
		carried.No = 1
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i, c := range []struct {
				no, pkg int64
				state   sale.State
				at      int
			}{{1, 11, sale.Final, 1}, {1, 12, sale.Cooling, 2}, {1, 13, sale.Refunded, 3}, {2, 21, sale.Cooling, 1}, {3, 31, sale.Reversed, 1}, {2, 22, sale.Cooling, 1}} {
				err = errors.Join(err, s.DB.Sale().Add(ctx, tx, sale.Sale{ID: fmt.Sprint("s", i), No: c.no, Package: c.pkg, Topup: sale.Activation, Amount: money.Micro(1), Day: plan.Day(100 + i), At: when(c.at), State: c.state}))
			}
			return errors.Join(err, s.DB.Closing().Keep(ctx, tx, []closing.Carried{carried, {No: 9, Rank: 9}}))
		})
		want := []report.StoredStanding{
			{No: 2, Package: 22, Owns: true, Bought: 105},
			{No: 1, Left: money.Micro(carried.Left), Right: money.Micro(carried.Right), Rank: carried.Rank, Package: 12, Owns: true, Bought: 101, Final: true},
			{No: 3},
			{No: 4},
		}
		s.Same("standings", s.Read(store.Standings(ctx, []int64{2, 1, 3, 4})), want)
		s.Same("of nobody", s.Read(store.Standings(ctx, nil)), want[:0])
		s.Same("carried", s.Read(store.Carried(ctx, 1)), carried)
		s.Same("carried by nobody", s.Read(store.Carried(ctx, 2)), closing.Carried{})
	})
}

// incomes are rows of two members on three days: the third of every four is of the second.
func incomes(s *testkit.Stores) (all []closing.IncomeState) {
	s.T.Helper()
	batches := map[string]plan.Day{"b1": 102, "b2": 0}
	for i := int64(1); i <= 48; i++ {
		x := testkit.Full[closing.IncomeState](i)
		x.Row, x.Day, x.Earner, x.Position, x.Reverses = i, plan.Day(100+(i-1)/16), 5, "p1", 0
		x.BatchReleased, x.ClaimMade, x.Claimed = 0, 0, 0
		if i%4 == 3 {
			x.Earner = 6
		}
		switch i % 3 {
		case 0:
			x.Kind, x.Line, x.Source = plan.KindLevel, "", "sale"
		case 1:
			x.Kind, x.Line, x.Source = plan.KindROI, []string{"FOREX", "CRYPTO"}[i%2], []string{"b1", "b2"}[i/2%2]
		case 2:
			x.Kind, x.Line, x.Source = plan.KindROILevel, "FOREX", []string{"b1", "b2"}[i/2%2]
		}
		x.Level, x.Paid, x.Capped = i%5, 1<<(i%20), i%2 == 0
		if x.Kind.Trading() {
			x.BatchReleased = batches[x.Source]
		}
		if x.Kind == plan.KindROI && x.Line == "FOREX" {
			x.Position, x.ClaimMade, x.Claimed = "p2", 101, 103
		}
		all = append(all, x)
	}
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		books := s.DB.Closing()
		for day := range 3 {
			part := all[day*16 : day*16+16]
			err = errors.Join(err, books.AddIncomes(ctx, tx, 16, func(i int) closing.Income { return part[i].Income }), books.AddDay(ctx, tx, aDay(int64(day), plan.Day(100+day), [2]int64{part[0].Row, part[15].Row})))
		}
		return errors.Join(err, books.AddBatch(ctx, tx, closing.Batch{ID: "b1", Line: "FOREX", N: 1, Day: 100, Released: 102}), books.AddBatch(ctx, tx, closing.Batch{ID: "b2", Line: "FOREX", N: 2, Day: 100}),
			s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: "C-p2", Position: "p2", Line: "FOREX", No: 5, Day: 101}}), s.DB.Invest().Done(ctx, tx, "C-p2", 103))
	})
	return all
}

func TestIncomesAreListedByEveryFilter(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		all := incomes(s)
		for _, of := range []struct {
			kind plan.Kind
			line string
		}{{plan.KindLevel, ""}, {plan.KindROI, "FOREX"}, {plan.KindROI, "CRYPTO"}, {plan.KindROILevel, "FOREX"}, {plan.KindROILevel, "CRYPTO"}} {
			for _, f := range []report.Filter{{No: 5, To: math.MaxInt64}, {No: 6, To: math.MaxInt64}, {No: 7, To: math.MaxInt64}, {No: 5, From: 101, To: 101}, {No: 5, From: 101, To: 200}, {No: 5, To: 100}, {No: 5, From: 200, To: 300}} {
				var rows []closing.IncomeState
				sum := int64(0)
				for _, x := range all {
					if x.Earner == f.No && x.Kind == of.kind && x.Line == of.line && x.Day >= f.From && x.Day <= f.To {
						rows = append(rows, x)
						if ss, _ := x.Status(); ss == "Release" {
							sum += x.Paid
						}
					}
				}
				n, amount, err := store.IncomeTotal(ctx, f, of.kind, of.line)
				s.Same("how many", s.Read(n, err), len(rows))
				s.Same("the sum", amount, money.Micro(sum))
				for _, f.Order = range []report.Order{report.ByDay, report.ByAmount, report.ByLevel} {
					for _, f.Descending = range []bool{false, true} {
						want := slices.Clone(rows)
						slices.SortStableFunc(want, func(a, b closing.IncomeState) int {
							by := [][2]int64{{}, {a.Paid, b.Paid}, {a.Level, b.Level}}[f.Order]
							c := int(by[0] - by[1])
							if c == 0 {
								c = int(a.Row - b.Row)
							}
							if f.Descending {
								c = -c
							}
							return c
						})
						for _, page := range [][2]int{{0, 100}, {0, 3}, {2, 3}, {len(rows), 3}} {
							f.Offset, f.Limit = page[0], page[1]
							s.Same(fmt.Sprintf("%+v %v", f, of), s.Read(store.Incomes(ctx, f, of.kind, of.line)), want[min(page[0], len(want)):min(page[0]+page[1], len(want))])
						}
					}
				}
				before := int64(20)
				earlier := slices.DeleteFunc(slices.Clone(rows), func(x closing.IncomeState) bool { return x.Row >= before })
				slices.Reverse(earlier)
				f.Limit = 2
				s.Same("before a row", s.Read(store.IncomesBefore(ctx, f, of.kind, of.line, before)), earlier[:min(2, len(earlier))])
			}
		}
		for _, x := range all[:9] {
			s.Same("a row", s.Found(store.Income(ctx, x.Earner, x.Row)), x)
			s.Missing(store.Income(ctx, 11-x.Earner, x.Row))
		}
		s.Missing(store.Income(ctx, 5, 99))
	})
}

func TestIncomesByDayCountReleasedRows(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		all := incomes(s)
		check := func() {
			s.T.Helper()
			for _, f := range []report.Filter{ever(5), ever(6), {No: 5, From: 101, To: 101}, {No: 5, From: 101, To: 102}, {No: 7, To: 999}} {
				sums := map[report.DayIncome]int64{}
				for _, x := range all {
					if ss, _ := x.Status(); x.Earner == f.No && ss != "Hold" && x.Day >= f.From && x.Day <= f.To {
						sums[report.DayIncome{Day: x.Day, Kind: x.Kind, Line: x.Line}] += x.Paid
					}
				}
				got := s.Read(store.IncomeByDay(ctx, f)).([]report.DayIncome)
				if !slices.IsSortedFunc(got, func(a, b report.DayIncome) int { return int(a.Day - b.Day) }) || len(got) != len(sums) {
					s.T.Errorf("%+v: %+v, not %v", f, got, sums)
				}
				for _, d := range got {
					if want := sums[report.DayIncome{Day: d.Day, Kind: d.Kind, Line: d.Line}]; d.Amount != money.Micro(want) {
						s.T.Errorf("%+v: %+v, not %d", f, d, want)
					}
				}
			}
		}
		check()
		// The same with the sums of a close in place of rows.
		var sum closing.Sum
		for _, x := range all[16:32] {
			if x.Earner == 5 && x.Kind == plan.KindLevel {
				if sum.Rows == 0 {
					sum = closing.Sum{Earner: 5, Kind: plan.KindLevel, First: x.Row}
				}
				sum.Last, sum.Rows, sum.Paid = x.Row, sum.Rows+1, sum.Paid+x.Paid
			}
		}
		rows, amount, err := store.IncomeTotal(ctx, ever(5), plan.KindLevel, "")
		s.Read(nil, err)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return s.DB.Closing().AddSums(ctx, tx, []closing.Sum{sum})
		})
		check()
		again, same, err := store.IncomeTotal(ctx, ever(5), plan.KindLevel, "")
		if err != nil || again != rows || same != amount || rows == 0 {
			s.T.Errorf("with sums %d rows of %s, without %d of %s; %v", again, same, rows, amount, err)
		}
	})
}

func TestClaimsAndOriginsAreReadBack(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		var all []invest.Claim
		for i := range int64(12) {
			c := testkit.Full[invest.Claim](i + 1)
			c.ID, c.Line, c.No, c.Day = fmt.Sprintf("c%02d", i), []string{"FOREX", "CRYPTO"}[i/6], 5+i%3/2, plan.Day(100+i/2)
			c.Net, c.Recalled, c.Done, c.ClaimDay = money.Micro(1000-(i%4)*10), money.Amount{}, false, 0
			all = append(all, c)
		}
		var first, upgrade sale.Sale
		first, upgrade = testkit.Full[sale.Sale](1), testkit.Full[sale.Sale](2)
		first.Topup, first.State, upgrade.Topup, upgrade.State = sale.Activation, sale.Final, sale.Upgrade, sale.Cooling
		booking := testkit.Full[closing.Booking](3)
		booking.Kind = "pnl"
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			err := errors.Join(s.DB.Invest().AddClaims(ctx, tx, all), s.DB.Sale().Add(ctx, tx, first), s.DB.Sale().Add(ctx, tx, upgrade), s.DB.Closing().AddBooking(ctx, tx, booking))
			for i := range all {
				if i%3 == 0 {
					err = errors.Join(err, s.DB.Invest().Recall(ctx, tx, all[i].ID, all[i].Net), s.DB.Invest().Done(ctx, tx, all[i].ID, 200))
				}
			}
			return err
		})
		for i := range all {
			if i%3 == 0 {
				all[i].Recalled, all[i].Done, all[i].ClaimDay = all[i].Net, true, 200
			}
		}
		for _, f := range []report.Filter{ever(5), ever(6), ever(7), {No: 5, From: 101, To: 103}, {No: 5, From: 102, To: 102}} {
			for _, line := range []string{"FOREX", "CRYPTO", "OTHER"} {
				var rows []invest.Claim
				paid := int64(0)
				for _, c := range all {
					if c.No == f.No && c.Line == line && c.Day >= f.From && c.Day <= f.To {
						if rows = append(rows, c); c.Done {
							paid += c.Net.Micros()
						}
					}
				}
				n, sum, err := store.ClaimTotal(ctx, f, line)
				s.Same("how many", s.Read(n, err), len(rows))
				s.Same("the sum", sum, money.Micro(paid))
				for _, f.Order = range []report.Order{report.ByDay, report.ByAmount} {
					for _, f.Descending = range []bool{false, true} {
						want := slices.Clone(rows)
						slices.SortStableFunc(want, func(a, b invest.Claim) int {
							c := int(a.Day - b.Day)
							if f.Order == report.ByAmount {
								c = int(a.Net.Micros() - b.Net.Micros())
							}
							if c == 0 {
								c = map[bool]int{true: -1, false: 1}[a.ID < b.ID]
							}
							if f.Descending {
								c = -c
							}
							return c
						})
						for _, page := range [][2]int{{0, 100}, {1, 2}, {len(rows), 2}} {
							f.Offset, f.Limit = page[0], page[1]
							s.Same("claims", s.Read(store.Claims(ctx, f, line)), want[min(page[0], len(want)):min(page[0]+page[1], len(want))])
						}
					}
				}
			}
		}
		s.Same("a sale", s.Found(store.Origin(ctx, first.ID)), report.Origin{Kind: "sale", ID: first.ID, Amount: first.Amount, Day: first.Day, At: first.At, State: "final"})
		s.Same("a booking", s.Found(store.Origin(ctx, booking.ID)), report.Origin{Kind: "pnl", ID: booking.ID, Amount: booking.Amount, Day: booking.Day, At: booking.At, Reference: booking.Reference})
		s.Missing(store.Origin(ctx, "unknown"))
	})
}

func TestAnAccountsEntriesAreListedInOrder(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		leg := func(code string, amount int64) ledger.Leg {
			return ledger.Leg{Account: ledger.MustAccount(code), Delta: money.Micro(amount)}
		}
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			_, deposit := tx.Post(ledger.Transfer{Kind: "deposit", Reason: "why", Reference: "ref", Legs: []ledger.Leg{leg("A:CLIENT", 70), leg("L:FUND:FUNDS:100001", 70)}})
			_, transfer := tx.Post(ledger.Transfer{Kind: "transfer", Legs: []ledger.Leg{leg("L:FUND:FUNDS:100001", -30), leg("L:FUND:FUNDS:100002", 30)}})
			_, other := tx.Post(ledger.Transfer{Kind: "other", Legs: []ledger.Leg{leg("L:FUND:FUNDS:100001", -1), leg("L:FUND:FUNDS:100002", 1)}})
			_, held := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Amount: money.Micro(9), For: time.Hour})
			return errors.Join(deposit, transfer, other, held)
		})
		id, versions, err := store.Account(ctx, "L:FUND:FUNDS:100001")
		if id == 0 || versions != 4 || err != nil {
			s.T.Errorf("the account: %d, %d, %v", id, versions, err)
		}
		none, nothing, err := store.Account(ctx, "L:FUND:FUNDS:100009")
		if none != 0 || nothing != 0 || err != nil {
			s.T.Errorf("an unknown account: %d, %d, %v", none, nothing, err)
		}
		want := []report.Entry{
			{Version: 1, Kind: "deposit", Reason: "why", Reference: "ref", Delta: money.Micro(70), Balance: money.Micro(70)},
			{Version: 2, Kind: "transfer", Delta: money.Micro(-30), Balance: money.Micro(40), Other: 100002},
			{Version: 3, Kind: "other", Delta: money.Micro(-1), Balance: money.Micro(39)},
			{Version: 4, Kind: "hold.place", Balance: money.Micro(39), Held: money.Micro(9)},
		}
		for _, c := range []struct {
			after, last int64
			limit       int
			from, to    int
		}{{0, 4, 9, 0, 4}, {1, 3, 9, 1, 3}, {0, 4, 2, 0, 2}, {4, 4, 9, 4, 4}} {
			got := s.Read(store.Entries(ctx, id, c.after, c.last, c.limit)).([]report.Entry)
			for i := range got {
				if got[i].At.Before(testkit.Epoch) {
					s.T.Errorf("recorded at %v", got[i].At)
				}
				if got[i].At = (time.Time{}); got[i].Kind == "hold.place" {
					got[i].Reason = ""
				}
			}
			s.Same("entries", got, want[c.from:c.to])
		}
		balances := s.Read(store.Balances(ctx, 100002)).(map[string]ledger.Balance)
		if b := balances["L:FUND:FUNDS:100002"]; len(balances) != 1 || b.Posted != money.Micro(31) || b.Version != 2 {
			s.T.Errorf("balances: %v", balances)
		}
	})
}

func TestOwnedGivesMembersAndCustomersLastJoinedFirst(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			add := func(no, sponsor, parent tree.No, side tree.Side, seat tree.Seat) error {
				return s.DB.Tree().Add(ctx, tx, tree.Place{No: no, UID: int64(no), Sponsor: sponsor, Parent: parent, Side: side, Joined: when(int(no))}, seat)
			}
			return errors.Join(add(1, 0, 0, tree.NoSide, tree.Seat{}), add(2, 1, 1, tree.Left, tree.Seat{Parent: 1, LeftTop: 1, RightTop: 1}), add(3, 2, 0, tree.NoSide, tree.Seat{}),
				s.DB.Closing().Keep(ctx, tx, []closing.Carried{{No: 2, Own: 7, Final: 8}}))
		})
		var got []report.Owned
		s.Read(nil, s.DB.Report().Owned(s.T.Context(), func(o report.Owned) error {
			got = append(got, o)
			return nil
		}))
		s.Same("owned", got, []report.Owned{{No: 3, Sponsor: 2, Customer: true}, {No: 2, Sponsor: 1, Volume: 7}, {No: 1}})
	})
}
