package insight_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func TestFiguresAreReadInOrder(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Figures(), s.T.Context()
		var sums []closing.DaySum
		flips := []closing.Flip{{No: 3, Day: 100, Active: true}, {No: 4, Day: 100}, {No: 3, Day: 101}}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			sums = nil
			for day := plan.Day(100); day <= 103; day++ {
				for i, name := range []string{closing.SumFee, closing.SumFinal, closing.SumPaid} {
					for _, part := range []string{"a", "b"} {
						sums = append(sums, closing.DaySum{Day: day, Name: name, Part: part, N: int64(day) + int64(i), Amount: int64(len(sums) + 1)})
					}
				}
			}
			mixed := slices.Clone(sums)
			slices.Reverse(mixed)
			return errors.Join(s.DB.Closing().AddDaySums(ctx, tx, mixed), s.DB.Closing().AddFlips(ctx, tx, flips[:2]), s.DB.Closing().AddFlips(ctx, tx, flips[2:]))
		})
		s.Same("some days", s.Read(store.DaySums(ctx, 101, 102)), sums[6:18])
		s.Same("one day", s.Read(store.DaySums(ctx, 103, 103)), sums[18:])
		s.Same("no days", s.Read(store.DaySums(ctx, 104, 999)), sums[:0])
		for after := range int64(4) {
			var got []closing.Flip
			next := after
			s.Read(nil, store.Flips(ctx, after, func(n int64, f closing.Flip) error {
				if next++; n != next {
					s.T.Errorf("the number is %d, not %d", n, next)
				}
				got = append(got, f)
				return nil
			}))
			s.Same("flips", got, flips[after:])
		}
		for i, at := range []int{30, 0, 20, 10} {
			s.Exec(`INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at,
				remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
				VALUES ($1, 7, 'LevelIncome', 'USDT', $2, $3, 10, 'a', 'Confirmed', 0, 1, 'Ann', 1, 0, '', 0, '', '', 0, 0, $4, 1, 0, 0, $5)`, int64(i+1), int64(10+at), int64(at), fmt.Sprint("h", i), map[bool]int64{true: when(at).UnixMicro()}[at > 0])
		}
		for since, want := range map[int][]int64{1: {10, 20, 30}, 20: {20, 30}, 21: {30}, 31: nil} {
			var got []int64
			s.Read(nil, store.Charges(ctx, when(since), func(at time.Time, charge int64) error {
				if !at.Equal(when(int(charge))) {
					s.T.Errorf("%d at %v", charge, at)
				}
				got = append(got, charge)
				return nil
			}))
			s.Same("charges", got, want)
		}
		var ever []int64
		s.Read(nil, store.Charges(ctx, time.Time{}, func(_ time.Time, charge int64) error {
			ever = append(ever, charge)
			return nil
		}))
		s.Same("all charges", ever, []int64{10, 20, 30})
	})
}

func TestAPublishedPageIsKeptOnce(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Transparency(), s.T.Context()
		s.Missing(store.Kept(ctx, 100))
		keep := func(day plan.Day, body string) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.Keep(ctx, tx, day, []byte(body), when(1)) })
		}
		s.Read(nil, errors.Join(keep(101, "second"), keep(100, "first"), keep(102, "third")))
		if keep(100, "another") == nil {
			s.T.Error("a page is kept twice")
		}
		s.Same("the first stays", s.Found(store.Kept(ctx, 100)), []byte("first"))
		var at int64
		s.Read(nil, testkit.Raw(s.T, s.DSN).QueryRow("SELECT made_at FROM transparency WHERE day = 100").Scan(&at))
		s.Same("when", at, when(1).UnixMicro())
		for after, want := range map[plan.Day][]string{0: {"100 first", "101 second", "102 third"}, 100: {"101 second", "102 third"}, 102: nil} {
			var got []string
			s.Read(nil, s.DB.Figures().Published(ctx, after, func(day plan.Day, body []byte) error {
				got = append(got, fmt.Sprint(int64(day), " ", string(body)))
				return nil
			}))
			s.Same("published", got, want)
		}
	})
}

func TestFactsAreThoseOfTheLastClose(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Transparency(), s.T.Context()
		if _, found, err := store.Facts(ctx); found || err != nil {
			s.T.Errorf("before the first close: %v, %v", found, err)
		}
		post := func(tx *ledger.Tx, to string, amount int64) error {
			_, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: money.Micro(amount)}, {Account: ledger.MustAccount(to), Delta: money.Micro(amount)}}})
			return err
		}
		day := aDay(1, 102, [2]int64{4, 5})
		day.At = when(50)
		earlier := aDay(2, 101, [2]int64{1, 3})
		rows := []closing.Income{
			{Row: 1, Day: 101, Kind: plan.KindLevel, Earner: 1, Paid: 10},
			{Row: 2, Day: 101, Kind: plan.KindLevel, Earner: 1, Paid: -3, Reverses: 1},
			{Row: 3, Day: 101, Kind: plan.KindROI, Line: "FOREX", Earner: 1, Paid: 100},
			{Row: 4, Day: 102, Kind: plan.KindLevel, Earner: 2, Paid: 1000},
			{Row: 6, Day: 103, Kind: plan.KindLevel, Earner: 2, Paid: 10000},
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			books := s.DB.Closing()
			err := errors.Join(post(tx, "L:FUND:FUNDS:100001", 70), post(tx, "L:FUND:FUNDS:100002", 7), post(tx, "L:FUND:FOREXFUNDS:100001", 5),
				books.AddDay(ctx, tx, earlier), books.AddDay(ctx, tx, day), books.AddIncomes(ctx, tx, 3, func(i int) closing.Income { return rows[i] }),
				books.AddIncomes(ctx, tx, 1, func(int) closing.Income { return rows[3] }), books.AddIncomes(ctx, tx, 1, func(int) closing.Income { return rows[4] }),
				books.Keep(ctx, tx, []closing.Carried{{No: 1, Final: 77, Own: 5}}))
			for i, b := range []struct {
				kind, line string
				day        plan.Day
				amount     int64
			}{{"pnl", "FOREX", 101, 5}, {"pnl", "FOREX", 101, -2}, {"pnl", "FOREX", 101, 30}, {"pnl", "CRYPTO", 101, 400}, {"pnl", "FOREX", 102, -7}, {"settle", "FOREX", 101, 9000}, {"pnl", "FOREX", 103, 9000}, {"pnl", "FOREX", 102, 9000}, {"pnl", "FOREX", 102, 9000}} {
				id := fmt.Sprint("b", i)
				err = errors.Join(err, books.AddBooking(ctx, tx, closing.Booking{ID: id, Kind: b.kind, Line: b.line, Day: b.day, Amount: money.Micro(b.amount)}))
				if i != 8 { // the last stays open
					err = errors.Join(err, books.CloseBooking(ctx, tx, id, map[bool]string{true: "refused"}[i == 7]))
				}
			}
			places := []tree.Place{{No: 1, UID: 1, Joined: when(1)}, {No: 2, UID: 2, Sponsor: 1, Parent: 1, Side: tree.Left, Joined: when(50)}, {No: 3, UID: 3, Sponsor: 1, Joined: when(2)}, {No: 4, UID: 4, Sponsor: 1, Parent: 1, Side: tree.Right, Joined: when(51)}}
			for _, p := range places {
				seat := tree.Seat{Parent: 1, LeftTop: 1, RightTop: 1}
				if p.Side == tree.NoSide {
					seat = tree.Seat{}
				}
				err = errors.Join(err, s.DB.Tree().Add(ctx, tx, p, seat))
			}
			for i, x := range []struct {
				no     int64
				state  sale.State
				amount int64
			}{{1, sale.Final, 1}, {1, sale.Reversed, 20}, {3, sale.Final, 300}, {3, sale.Reversed, 4000}, {1, sale.Cooling, 50000}, {3, sale.Refunded, 600000}} {
				err = errors.Join(err, s.DB.Sale().Add(ctx, tx, sale.Sale{ID: fmt.Sprint("s", i), No: x.no, Topup: sale.Activation, Amount: money.Micro(x.amount), State: x.state}))
			}
			return err
		})
		var seq int64
		if _, err := s.Do(ctx, ledger.Command{Actor: "closing", Key: "close " + day.Day.String(), Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
			return nil, post(tx, "L:FUND:FUNDS:100001", 100)
		}}); err != nil {
			s.T.Fatal(err)
		}
		s.Read(nil, testkit.Raw(s.T, s.DSN).QueryRow("SELECT MAX(seq) FROM transfer").Scan(&seq))
		s.Write(func(_ context.Context, tx *ledger.Tx) error { return post(tx, "L:FUND:FUNDS:100002", 4000) }) // after the close
		f, found, err := store.Facts(ctx)
		if !found || err != nil {
			s.T.Fatalf("found %v, %v", found, err)
		}
		slices.SortFunc(f.Balances, func(a, b transparency.Balance) int { return strings.Compare(a.Kind+a.Of, b.Kind+b.Of) })
		slices.SortFunc(f.Incomes, func(a, b transparency.Paid) int { return int(a.Kind - b.Kind) })
		slices.SortFunc(f.People, func(a, b disclosure.Person) int { return int(a.Earned - b.Earned) })
		s.Same("facts", f, transparency.Facts{
			Closed:   transparency.Closed{Day: 102, Plan: day.Plan, Digest: day.Digest, At: day.At, Seq: seq, LastRow: 5},
			Balances: []transparency.Balance{{Kind: "A:CLIENT", Amount: 182}, {Kind: "L:FUND", Of: "FOREXFUNDS", Amount: 5}, {Kind: "L:FUND", Of: "FUNDS", Amount: 177}},
			Results:  []transparency.Booked{{Day: 102, Line: "FOREX", Loss: -7}, {Day: 101, Line: "FOREX", Profit: 35, Loss: -2}, {Day: 101, Line: "CRYPTO", Profit: 400}},
			Incomes:  []transparency.Paid{{Kind: plan.KindLevel, Paid: 1010, Reversed: -3}, {Kind: plan.KindROI, Line: "FOREX", Paid: 100}},
			Sales:    transparency.Sales{Gross: 4321, Reversed: 4020, Retail: 4300, Kept: 300},
			People:   []disclosure.Person{{Earned: 7, Bought: 77}, {Earned: 1000}},
		})
	})
}
