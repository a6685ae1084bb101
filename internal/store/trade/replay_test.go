package trade_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

func TestAReplayReadsEventsUntilADay(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		past, ctx := s.DB.Past(), t.Context()
		s.Is(closing.Weight{})(past.Weigh(ctx, 99))
		plant(s)
		all := addIncomes(s)
		final := func(id string, day plan.Day, state sale.State, on plan.Day) sale.Sale {
			x := sold(id, 1, day, state)
			x.FinalDay = on
			return x
		}
		sales := []sale.Sale{final("a", 19, sale.Final, 21), final("b", 20, sale.Refunded, 21), final("c", 20, sale.Reversed, 21), final("d", 21, sale.Cooling, 0), final("e", 21, sale.Final, 22)}
		positions := []invest.Position{position("a", "FOREX", 1, 20, invest.Claimed), position("b", "CRYPTO", 1, 21, invest.Open)}
		write(s, add(sales, s.DB.Sale().Add), add(positions, s.DB.Invest().Add))
		for day, n := range map[plan.Day]struct{ sales, positions, rows int64 }{18: {}, 19: {1, 0, 0}, 20: {3, 1, 16}, 21: {5, 2, 24}} {
			s.Is(closing.Weight{Members: 4, Sales: n.sales, Positions: n.positions, Rows: n.rows})(past.Weigh(ctx, day))
			s.Is(chosen(sales, func(x *sale.Sale) bool { return x.Day <= day && x.State != sale.Refunded }))(
				values(by(func(x sale.Sale) string { return x.ID }), func(yield func(sale.Sale) error) error { return past.SalesUntil(ctx, day, yield) }))
			s.Is(chosen(positions, func(p *invest.Position) bool { return p.Day <= day }))(
				values(by(func(p invest.Position) string { return p.ID }), func(yield func(invest.Position) error) error { return past.PositionsUntil(ctx, day, yield) }))
		}
		days := []closing.Closed{{Day: 20, Plan: "p", Digest: "d", FirstRow: 1, LastRow: 16, At: testkit.Epoch}, {Day: 21, Plan: "p", Digest: "d", FirstRow: 17, LastRow: 40, At: testkit.Epoch}}
		s.Is(days)(past.ClosedDays(ctx, 21))
		s.Is(days[:1])(past.ClosedDays(ctx, 20))
		s.Is(nil)(past.ClosedDays(ctx, 19))
		ids, err := past.FinalOn(ctx, 21)
		s.Is(2, map[string]bool{"a": true, "c": true})(len(ids), map[string]bool{ids[0]: true, ids[1]: true}, err)
		s.Is([]string{"e"})(past.FinalOn(ctx, 22))
		stops(s, func(yield func(closing.Income) error) error { return past.RowsOf(ctx, 20, yield) })
		sum := int64(0)
		for _, x := range all {
			if !x.Kind.Trading() && x.Reverses == 0 {
				sum += x.Paid
			}
		}
		totals := closing.Totals{Paid: map[closing.Earned]int64{}, Refused: map[string]string{}, Gross: sales[0].Amount.Micros() + sales[2].Amount.Micros() + sales[4].Amount.Micros(), Reversed: sales[2].Amount.Micros()}
		for _, x := range all {
			totals.Paid[closing.Earned{UID: uidOf(x.Earner), Kind: x.Kind, Line: x.Line}] += x.Paid
		}
		s.Is(totals)(s.DB.Totals(ctx))
		s.Is()(s.DB.Books().Moment(ctx, func(m closing.Moment) error {
			s.Is(sum)(m.NetworkPaid(ctx))
			return nil
		}))
	})
}

func TestReviewsAndClaimsTurnInTheOrderInWhichTheyCame(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		event := func(id string, minute int, body, refused string) closing.Noted {
			return closing.Noted{ID: id, Day: plan.Day(20 + minute), At: testkit.Epoch, Recorded: testkit.Epoch.Add(time.Duration(minute) * time.Minute), Body: []byte(body), Refused: refused}
		}
		review := func(kind string, no int64) string {
			return fmt.Sprintf(`{"id":"x","kind":%q,"uid":"%d"}`, kind, uidOf(no))
		}
		write(s, add([]closing.Noted{
			event("c", 3, review("unblock", 2), ""), event("a", 2, review("block", 4), ""), event("b", 2, `{"kind":"claim","uid":"100007","claim":"C-1"}`, ""), event("d", 1, review("block", 2), ""),
			event("e", 1, review("block", 3), "why"), event("f", 1, review("deposit", 3), ""), event("g", 1, `{"kind":"other","note":{"kind":"block"}}`, ""),
		}, s.DB.Closing().Note))
		at := func(minute int) time.Time { return testkit.Epoch.Add(time.Duration(minute) * time.Minute) }
		s.Is([]closing.Turn{{Kind: "block", No: 2, Day: 21, At: at(1)}, {Kind: "block", No: 4, Day: 22, At: at(2)}, {Kind: "claim", Claim: "C-1", Day: 22, At: at(2)}, {Kind: "unblock", No: 2, Day: 23, At: at(3)}})(
			s.DB.Past().Turns(t.Context()))
	})
}

func TestAnAccountIsReadAsItWasBeforeAClose(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		const wallet = "L:FUND:FUNDS:1"
		deposit := func(id string, n int) { post(s, ledger.Transfer{ID: id, Kind: "deposit"}, "A:CLIENT", n, wallet, n) }
		deposit("", 50)
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: ledger.MustAccount(wallet), Amount: money.Micro(3), For: time.Hour, Reason: "r", Reference: "r"})
			return err
		})
		deposit("close/1970-01-21/000001", 7)
		deposit("close/1970-01-22/000001", 9)
		for day, n := range map[plan.Day]int64{20: 47, 21: 54, 22: 0} {
			s.Is(n)(s.DB.Past().Before(t.Context(), day, wallet))
		}
		s.Is(0)(s.DB.Past().Before(t.Context(), 20, "L:FUND:FUNDS:77"))
	})
}

func TestAHistoryDerivesEventsFromTheTreeAndTheLedger(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		s.Is(closing.History{Body: []byte{}})(s.DB.History(t.Context()))
		plant(s)
		write(s, add([]closing.Noted{
			{ID: "known", Day: 20, At: testkit.Epoch, Body: []byte(fmt.Sprintf(`{"kind":"register","uid":"%d"}`, uidOf(2)))},
			{ID: "D1", Day: 20, At: testkit.Epoch, Body: []byte(`{"kind":"deposit"}`)},
		}, s.DB.Closing().Note), add([]closing.Closed{{Day: 20, Plan: "p"}, {Day: 21, Plan: "p"}, {Day: 22, Plan: "q"}}, s.DB.Closing().AddDay), func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(s.DB.Closing().AddPlan(ctx, tx, "q", 22, []byte("body"), testkit.Epoch), s.DB.Closing().AddPlan(ctx, tx, "r", 23, []byte("later"), testkit.Epoch))
		})
		post(s, ledger.Transfer{Kind: "deposit", Reference: "D1"}, "A:CLIENT", 50, "L:FUND:FUNDS:1", 50)
		post(s, ledger.Transfer{Kind: "deposit", Reference: "D2"}, "A:CLIENT", 50, "L:FUND:FUNDS:1", 50)
		post(s, ledger.Transfer{Kind: "transfer"}, "L:FUND:FUNDS:1", -9, "L:FUND:FUNDS:2", 9)
		post(s, ledger.Transfer{Kind: "withdraw"}, "L:FUND:FUNDS:1", -8, "A:CLIENT", -8)
		post(s, ledger.Transfer{Kind: "correction"}, "L:FUND:FUNDS:1", 7, "A:CLIENT", 7)
		post(s, ledger.Transfer{Kind: "correction"}, "L:FUND:FUNDS:1", -6, "A:CLIENT", -6)
		post(s, ledger.Transfer{Kind: "other"}, "A:CLIENT", 5, "L:FUND:FUNDS:1", 5)
		h, err := s.DB.History(t.Context())
		s.Is(plan.Day(20), plan.Day(22), []string{"p", "q"}, []byte("body"))(h.First, h.Last, h.Plans, h.Body, err)
		var told []string
		for _, e := range h.Events {
			told = append(told, fmt.Sprint(e.ID, " ", e.Derived, " ", fields(t, e.Body)))
		}
		slices.Sort(told)
		want := []string{
			"!0-000000000001 true [kind:register uid:100007]", "!0-000000000003 true [kind:customer side: sponsor:100014 uid:100021]", "!0-000000000004 true [kind:register side:Right sponsor:100014 uid:100028]",
			"!1-000000000002 true [amount:0.000050 fund:FUNDS kind:deposit uid:1]", "!2-000000000003 true [amount:0.000009 from:1 fund:FUNDS kind:transfer to:2]",
			"!2-000000000004 true [amount:0.000008 kind:withdraw type:FUNDS uid:1]", "!2-000000000005 true [amount:0.000007 fund:FUNDS kind:deposit uid:1]",
			"D1 false [kind:deposit]", "known false [kind:register uid:100014]",
		}
		if fmt.Sprint(told) != fmt.Sprint(want) {
			t.Errorf("the history is\n%q, not\n%q", told, want)
		}
	})
}
