package insight_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// purchases are sales and positions of three members, in the order of (day, at, id).
func purchases(s *testkit.Stores) map[string][]report.Purchase {
	s.T.Helper()
	all := map[string][]report.Purchase{}
	for i := range 18 {
		line := []string{report.Robot, report.Forex, report.Crypto}[i%3]
		p := report.Purchase{
			ID: fmt.Sprintf("%s%02d", strings.ToLower(line), i), No: int64(1 + i/3%3), Payer: int64(100001 + i%2), Package: int64(50 + i), Topup: string([]sale.Topup{sale.Activation, sale.Upgrade}[i%2]),
			Amount: money.Micro(int64(1000 + i*7%5)), Day: plan.Day(100 + i/6), At: when(i / 12), State: "open",
		}
		if line != report.Robot {
			p.Term = 30
		} else {
			p.State = string([]sale.State{sale.Cooling, sale.Final, sale.Cooling, sale.Refunded}[i/3%4])
		}
		all[line] = append(all[line], p)
	}
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for line, list := range all {
			for _, p := range list {
				if line == report.Robot {
					err = errors.Join(err, s.DB.Sale().Add(ctx, tx, sale.Sale{ID: p.ID, No: p.No, Payer: p.Payer, Package: p.Package, Topup: sale.Topup(p.Topup), Amount: p.Amount, Volume: money.Micro(3), Day: p.Day, At: p.At, State: sale.State(p.State)}))
					continue
				}
				err = errors.Join(err, s.DB.Invest().Add(ctx, tx, invest.Position{ID: p.ID, Line: line, No: p.No, Payer: p.Payer, Package: p.Package, Topup: p.Topup, Principal: p.Amount, Loss: money.Micro(1), Day: p.Day, Term: 30, At: p.At, State: invest.Open}))
			}
		}
		return err
	})
	for _, list := range all {
		slices.SortFunc(list, compare)
	}
	return all
}

func compare(a, b report.Purchase) int {
	if c := int(a.Day - b.Day); c != 0 {
		return c
	}
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

func pick(all []report.Purchase, wanted func(p report.Purchase) bool) (out []report.Purchase) {
	for _, p := range slices.Backward(all) {
		if wanted(p) {
			out = append(out, p)
		}
	}
	return out
}

var lines = []string{report.Robot, report.Forex, report.Crypto}

func TestPurchasesAreListedByEveryFilter(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		all := purchases(s)
		for _, line := range lines {
			for _, f := range []report.Filter{ever(1), ever(2), ever(7), {No: 1, From: 101, To: 101}, {No: 3, From: 101, To: 200}, {No: 2, To: 100}} {
				newest := pick(all[line], func(p report.Purchase) bool { return p.No == f.No && p.Day >= f.From && p.Day <= f.To })
				for _, f.Order = range []report.Order{report.ByDay, report.ByAmount} {
					for _, f.Descending = range []bool{true, false} {
						want := slices.Clone(newest)
						if f.Order == report.ByAmount {
							slices.SortStableFunc(want, func(a, b report.Purchase) int { return int(b.Amount.Micros() - a.Amount.Micros()) })
						}
						if !f.Descending {
							slices.Reverse(want)
						}
						for _, page := range [][2]int{{0, 100}, {0, 1}, {1, 1}, {len(want), 1}} {
							f.Offset, f.Limit = page[0], page[1]
							got, n, err := store.Purchases(ctx, f, line)
							s.Same(fmt.Sprintf("%+v %s", f, line), s.Read(got, err), want[min(page[0], len(want)):min(page[0]+page[1], len(want))])
							s.Same("how many", n, len(want))
						}
					}
				}
			}
		}
	})
}

func TestRefundsAreFoundByTheirSales(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		s.Write(func(_ context.Context, tx *ledger.Tx) (err error) {
			for _, x := range []struct{ kind, sale string }{{"buy", "s1"}, {"refund", "s1"}, {"buy", "s2"}, {"refund", "s3"}} {
				from, to := ledger.MustAccount("L:FUND:FUNDS:100001"), ledger.MustAccount("L:DEFERRED:"+x.sale)
				if x.kind == "refund" {
					from, to = to, from
				}
				_, e := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: from, Delta: money.Micro(5)}, {Account: ledger.MustAccount("A:CLIENT"), Delta: money.Micro(5)}}})
				_, e2 := tx.Post(ledger.Transfer{Kind: x.kind, Reference: x.sale, Legs: []ledger.Leg{{Account: from, Delta: money.Micro(-5)}, {Account: to, Delta: money.Micro(5)}}})
				err = errors.Join(err, e, e2)
			}
			return err
		})
		at, err := s.DB.Report().Refunded(s.T.Context(), []string{"s1", "s2", "s3", "nothing"})
		if err != nil || len(at) != 2 || at["s1"].IsZero() || at["s3"].IsZero() {
			s.T.Errorf("refunds are %v, %v", at, err)
		}
	})
}

func TestInvestmentsAreListedWithTheirResults(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		all := purchases(s)
		mine := pick(all[report.Forex], func(p report.Purchase) bool { return p.No == 2 })
		if len(mine) < 2 {
			s.T.Fatalf("the member has %d positions", len(mine))
		}
		want := make([]report.Investment, len(mine))
		for i, p := range mine {
			want[i] = report.Investment{Purchase: p, Loss: money.Micro(1)}
		}
		row := func(no, paid int64, kind plan.Kind, position, batch string) closing.Income {
			return closing.Income{Row: no, Day: 20000, Kind: kind, Line: report.Forex, Earner: 2, Paid: paid, Position: position, Source: batch}
		}
		ended := &want[len(want)-1]
		rows := []closing.Income{
			row(1, 10, plan.KindROI, want[0].ID, "released"), row(2, 300, plan.KindROI, want[0].ID, "held"), row(3, 5000, plan.KindROILevel, want[0].ID, "released"),
			row(4, 70, plan.KindROI, ended.ID, "released"), row(5, 900, plan.KindROI, ended.ID, "late"),
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			books := s.DB.Closing()
			return errors.Join(books.AddIncomes(ctx, tx, len(rows), func(i int) closing.Income { return rows[i] }),
				books.AddBatch(ctx, tx, closing.Batch{ID: "released", Line: report.Forex, N: 1, Day: 20000, Released: 20001}), books.AddBatch(ctx, tx, closing.Batch{ID: "held", Line: report.Forex, N: 2, Day: 20000}),
				books.AddBatch(ctx, tx, closing.Batch{ID: "late", Line: report.Forex, N: 3, Day: 20000, Released: 20009}),
				s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: invest.ClaimID(ended.ID), Position: ended.ID, Line: report.Forex, No: 2, Day: 20002, Amount: money.Micro(8), Net: money.Micro(8)}}))
		})
		want[0].Earned, want[0].Released = money.Micro(310), money.Micro(10)
		ended.Earned, ended.Released, ended.Claim, ended.Net = money.Micro(970), money.Micro(70), "C-"+ended.ID, money.Micro(8)
		list := func(offset, limit int, of ...report.Investment) {
			s.T.Helper()
			got, n, err := s.DB.Report().Investments(s.T.Context(), report.Filter{No: 2, Offset: offset, Limit: limit}, report.Forex)
			s.Same("investments", s.Read(got, err), of)
			s.Same("how many", n, len(want))
		}
		list(0, 100, want...)
		list(1, 1, want[1])
		s.Exec("UPDATE claim SET recalled = net")
		ended.Ready = true
		list(0, 100, want...)
		s.Exec("UPDATE claim SET state = 'Claimed'")
		ended.Ready = false
		list(0, 100, want...)
	})
}

func TestPurchasesAreListedBeforeAKey(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Report(), s.T.Context()
		all := purchases(s)
		for _, line := range lines {
			for _, k := range append(all[line], report.Purchase{Day: 999}) {
				key := report.Key{Day: k.Day, At: k.At, ID: k.ID}
				for _, from := range []plan.Day{0, 101} {
					of := ever(2)
					of.From = from
					before := func(p report.Purchase) bool { return compare(p, k) < 0 && p.Day >= from }
					mine := pick(all[line], func(p report.Purchase) bool { return p.No == 2 && before(p) })
					everybodys := pick(all[line], before)
					for _, limit := range []int{1, 100} {
						s.Same("of a member", s.Read(store.PurchasesBefore(ctx, of, line, key, limit)), mine[:min(limit, len(mine))])
						s.Same("of all", s.Read(store.AllPurchases(ctx, line, from, key, limit)), everybodys[:min(limit, len(everybodys))])
					}
				}
			}
			of := ever(0)
			of.From, of.To = 101, 101
			s.Same("of some members", s.Read(store.PurchasesOf(ctx, []int64{1, 3}, of, line)), pick(all[line], func(p report.Purchase) bool { return p.No != 2 && p.Day == 101 }))
			s.Same("of nobody", s.Read(store.PurchasesOf(ctx, nil, of, line)), []report.Purchase{})
			for _, of := range [][2]plan.Day{{99, 102}, {100, 102}, {99, 101}, {102, 102}} {
				type buyer struct {
					day plan.Day
					no  int64
				}
				var want []buyer
				for _, p := range all[line] {
					if p.Day > of[0] && p.Day <= of[1] {
						want = append(want, buyer{p.Day, p.No})
					}
				}
				for _, read := range []func(context.Context, string, plan.Day, plan.Day, func(plan.Day, int64) error) error{store.Buyers, s.DB.Figures().Buyers} {
					var got []buyer
					s.Read(nil, read(ctx, line, of[0], of[1], func(day plan.Day, no int64) error {
						got = append(got, buyer{day, no})
						return nil
					}))
					if !slices.Equal(got, want) {
						s.T.Errorf("buyers of %v: %v, not %v", of, got, want)
					}
				}
			}
		}
		for payer := int64(100001); payer <= 100003; payer++ {
			want := pick(all[report.Robot], func(p report.Purchase) bool { return p.Payer == payer && p.State == string(sale.Cooling) })
			for _, limit := range []int{1, 100} {
				s.Same("cooling", s.Read(store.Cooling(ctx, payer, limit)), want[:min(limit, len(want))])
			}
		}
	})
}
