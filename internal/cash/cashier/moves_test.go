package cashier_test

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// move is what a list must tell, newest last.
type move struct {
	fund   fund.Kind
	amount money.Amount
	other  int64
}

// Moves are listed in the ledger's order in every fund and on every page, from either end;
// a count continues from the former one.
func TestMovesArePagedInTheOrderOfTheLedger(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("1000", anna, berta)
		told := func(sent bool) (all []move) {
			c.must(c.EachMove(t.Context(), fund.MoveFilter{UID: anna, Sent: sent}, func(m cashier.NamedMove) error {
				all = append(all, move{m.Fund, m.Amount, m.Other})
				return nil
			}))
			slices.Reverse(all)
			return all
		}
		lists := map[bool][]move{true: told(true), false: told(false)} // by whether anna sent it
		for round := range 2 {
			c.command(func(_ context.Context, tx *ledger.Tx) error {
				for i := range 800 {
					k, a := []fund.Kind{fund.Robot, fund.Forex, fund.Crypto}[i*i%7%3], money.Micro(int64(1_000_000+i*7919%50))
					err := fund.Deposit(tx, anna, k, a, strconv.Itoa(i))
					lists[false] = append(lists[false], move{k, a, 0})
					if err == nil && i%3 != round {
						err = fund.Transfer(tx, anna, berta, k, a, "")
						lists[true] = append(lists[true], move{k, a, berta})
					}
					if err == nil && i%5 == 0 {
						err = fund.Transfer(tx, berta, anna, fund.Robot, a, "")
						lists[false] = append(lists[false], move{fund.Robot, a, berta})
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			for sent, want := range lists {
				c.showsMoves(sent, want)
				if got := told(sent); !slices.Equal(got, want) {
					t.Errorf("sent %v: a file has %d moves, want %d, in the same order", sent, len(got), len(want))
				}
			}
		}
	})
}

func (c *counter) showsMoves(sent bool, want []move) {
	c.t.Helper()
	for _, order := range []fund.Order{fund.ByTime, fund.ByAmount} {
		sorted := slices.Clone(want)
		if order == fund.ByAmount {
			slices.SortStableFunc(sorted, func(a, b move) int { return cmp.Compare(a.amount.Micros(), b.amount.Micros()) })
		}
		for _, up := range []bool{true, false} {
			if !up {
				slices.Reverse(sorted)
			}
			for _, offset := range []int{0, 100, len(sorted) / 2, len(sorted) - 3, len(sorted)} {
				got, _, count, err := c.Moves(c.t.Context(), fund.MoveFilter{UID: anna, Sent: sent, Order: order, Ascending: up, Offset: int64(offset), Limit: 10})
				page := sorted[offset:min(offset+10, len(sorted))]
				if err != nil || count != int64(len(want)) || len(got) != len(page) {
					c.t.Fatalf("sent %v, order %v, up %v, from %d: %d of %d, %v; want %d of %d", sent, order, up, offset, len(got), count, err, len(page), len(want))
				}
				for i, m := range got {
					if (move{m.Fund, m.Amount, m.Other}) != page[i] {
						c.t.Errorf("sent %v, order %v, up %v: row %d is %+v, want %+v", sent, order, up, offset+i, m, page[i])
					}
				}
			}
		}
	}
}
