package trade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// fields are the identifying fields of an event, by name.
func fields(t *testing.T, body []byte) (out []string) {
	t.Helper()
	all := map[string]string{}
	if err := json.Unmarshal(body, &all); err != nil {
		t.Fatal(err)
	}
	for name, value := range all {
		if name != "id" && name != "at" && name != "rec" {
			out = append(out, name+":"+value)
		}
	}
	slices.Sort(out)
	return out
}

func TestBooksMatchTheTablesAndTheLedger(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		sales := []sale.Sale{sold("a", 1, 20, sale.Cooling), sold("b", 1, 20, sale.Cooling), sold("c", 1, 20, sale.Final)}
		positions := []invest.Position{position("a", "FOREX", 1, 20, invest.Open), position("b", "FOREX", 1, 20, invest.Matured), position("c", "FOREX", 1, 20, invest.Claimed), position("d", "CRYPTO", 1, 20, invest.Open), position("e", "FOREX", 2, 20, invest.Open)}
		claims := []invest.Claim{{ID: "A", Line: "FOREX", Net: money.Micro(50)}, {ID: "B", Line: "FOREX", Net: money.Micro(50)}, {ID: "C", Line: "CRYPTO", Net: money.Micro(50)}}
		write(s, add(sales, s.DB.Sale().Add), add(positions, s.DB.Invest().Add), func(ctx context.Context, tx *ledger.Tx) error {
			c, i := s.DB.Closing(), s.DB.Invest()
			return errors.Join(i.AddClaims(ctx, tx, claims), i.Recall(ctx, tx, "A", money.Micro(5)), i.Recall(ctx, tx, "B", money.Micro(6)), i.Done(ctx, tx, "B", 30), i.Recall(ctx, tx, "C", money.Micro(8)),
				c.SetTally(ctx, tx, "settled:FOREX", 11), c.SetTally(ctx, tx, "frozen:CRYPTO", 12), c.SetTally(ctx, tx, "other", 13))
		}, add([]closing.Batch{{ID: "1", Line: "FOREX", Fee: 3}, {ID: "2", Line: "FOREX", Fee: 4}, {ID: "3", Line: "FOREX", Fee: 9, FeeDay: 30}}, s.DB.Closing().AddBatch))
		post(s, ledger.Transfer{Kind: "deposit"}, "A:CLIENT", 100, "L:FUND:FUNDS:1", 60, "L:FUND:FOREXFUNDS:1", 40)
		post(s, ledger.Transfer{Kind: "invest"}, "L:FUND:FOREXFUNDS:1", -30, "L:PRINCIPAL:FOREX:1:a", 10, "L:PRINCIPAL:CRYPTO:1:d", 20)
		post(s, ledger.Transfer{Kind: "sale"}, "L:FUND:FUNDS:1", -15, "L:DEFERRED:a", 15)
		want := closing.Standing{
			Accounts: map[string]int64{"A:CLIENT": 100, "L:FUND": 55, "L:PRINCIPAL:FOREX": 10, "L:PRINCIPAL:CRYPTO": 20, "L:DEFERRED": 15},
			Cooling:  sales[0].Amount.Micros() + sales[1].Amount.Micros(),
		}
		// The remainder of each position is 7.
		want.Lines[0] = closing.LineStanding{Open: 14, Matured: 7, Fees: 7, Settled: 11, Recalled: 5}
		want.Lines[1] = closing.LineStanding{Open: 7, Frozen: 12, Recalled: 8}
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(want)(s.DB.Closing().Standing(ctx, tx)) })
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			s.Is(want)(m.Standing(t.Context()))
			return nil
		}))
		claims[0].Recalled, claims[1].Recalled, claims[1].Done, claims[1].ClaimDay, claims[2].Recalled = money.Micro(5), money.Micro(6), true, 30, money.Micro(8)
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			b, err := s.DB.Closing().Books(ctx, tx)
			slices.SortFunc(b.Sales, by(func(x sale.Sale) string { return x.ID }))
			slices.SortFunc(b.Positions, by(func(x invest.Position) string { return x.ID }))
			slices.SortFunc(b.Claims, by(func(x invest.Claim) string { return x.ID }))
			accounts := map[string]int64{"A:CLIENT": 100, "L:FUND:FUNDS:1": 45, "L:FUND:FOREXFUNDS:1": 10, "L:PRINCIPAL:FOREX:1:a": 10, "L:PRINCIPAL:CRYPTO:1:d": 20, "L:DEFERRED:a": 15}
			s.Is(closing.Books{Accounts: accounts, Sales: sales, Positions: positions, Claims: claims})(b, err)
		})
	})
}

func TestSalesAreGivenWithTheDayOnWhichTheLedgerMadeThemFinal(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := []sale.Sale{sold("a", 1, 20, sale.Final), sold("b", 1, 20, sale.Refunded), sold("c", 1, 20, sale.Cooling), sold("d", 1, 20, sale.Cooling)}
		write(s, add(all, s.DB.Sale().Add))
		post(s, ledger.Transfer{Kind: "deposit"}, "A:CLIENT", 100, "L:FUND:FUNDS:1", 100)
		for _, id := range []string{"a", "b", "c"} {
			post(s, ledger.Transfer{Kind: "sale"}, "L:FUND:FUNDS:1", -15, "L:DEFERRED:"+id, 15)
		}
		post(s, ledger.Transfer{Kind: "finalise", Reference: "1970-02-01"}, "L:DEFERRED:a", -15, "P:LEVEL", 15)
		post(s, ledger.Transfer{Kind: "refund", Reference: "b"}, "L:DEFERRED:b", -15, "L:FUND:FUNDS:1", 15)
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			days := map[string]string{}
			got, err := values(by(func(x sale.Sale) string { return x.ID }), func(yield func(sale.Sale) error) error {
				return m.Sales(t.Context(), func(x sale.Sale, final string) error {
					days[x.ID] = final
					return yield(x)
				})
			})
			s.Is(all, map[string]string{"a": "1970-02-01", "b": "", "c": "", "d": ""})(got, days, err)
			return nil
		}))
	})
}

func TestTheFirstRowThatTheLedgerContradictsIsNamed(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		wrong := func() (b *closing.Broken) {
			t.Helper()
			s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) (err error) {
				if b, err = m.Unverified(t.Context()); b != nil || err != nil {
					t.Errorf("a row is not what the chain says: %v, %v", b, err)
				}
				b, err = m.Disagreement(t.Context())
				return err
			}))
			return b
		}
		if b := wrong(); b != nil {
			t.Errorf("an empty database: %v", b)
		}
		x := sold("a", 1, 20, sale.Cooling)
		x.Amount = money.MustParse("5")
		write(s, add([]sale.Sale{x}, s.DB.Sale().Add))
		if b, want := wrong(), (closing.Broken{Rule: "a sale's amount is what was paid for it", Of: "sale a", Have: "5.000000", Want: "0.000000"}); b == nil || *b != want {
			t.Errorf("found: %s", fmt.Sprint(b))
		}
	})
}
