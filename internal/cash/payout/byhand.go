package payout

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Credit is a total of money that came into a wallet: credited manually by some
// operators, or transferred from one other wallet.
type Credit struct {
	By     string // the operators of manual credits; two are joined by " and "
	From   string // the sender's account of transfers
	Amount money.Amount
}

// ByHand is the part of a batch that depends on manual credits, which no chain and no
// bank has confirmed to the program, and their operators.
type ByHand struct {
	Amount money.Amount
	By     []HandSum // largest first
}

// HandSum is the part that depends on some operators.
type HandSum struct {
	Names  string
	Amount money.Amount
}

// maxAccounts limits the accounts that are traced for a batch.
const maxAccounts = 2_000

// NotTraced replaces the operators of money from accounts beyond maxAccounts, whose
// credits are unknown.
const NotTraced = "not traced"

// ByHand traces the money of a batch's payouts backwards as a flow network. Wallets are
// its nodes: manual credits flow into them, transfers connect them, and payouts flow out.
// The maximum flow is the most that can depend on manual credits; the order in which a
// wallet's money leaves does not matter.
func (s *Service) ByHand(ctx context.Context, all []Payout) (out ByHand, err error) {
	net := newNetwork()
	var open []string // accounts to trace
	node := func(account string) int {
		n, known := net.node("account " + account)
		if !known {
			open = append(open, account)
		}
		return n
	}
	for _, p := range all {
		w, err := s.opt.Withdrawals.Get(ctx, nil, p.Withdrawal)
		if err != nil {
			return out, err
		}
		payout, _ := net.node(fmt.Sprint("payout ", p.Withdrawal)) // the parts minus the charge
		net.add(payout, sink, p.Amount.Micros())
		for _, part := range w.Parts {
			net.add(node(part.Account.String()), payout, part.Amount.Micros())
		}
	}
	operators := map[string]int{}
	byHand := func(names string, to int, micros int64) {
		n, known := net.node("by hand " + names)
		if !known {
			operators[names] = net.add(source, n, unbounded)
		}
		net.add(n, to, micros)
	}
	for looked := 0; looked < len(open); looked++ {
		to := node(open[looked])
		if looked >= maxAccounts {
			byHand(NotTraced, to, unbounded)
			continue
		}
		credits, err := s.opt.Store.Credits(ctx, open[looked])
		if err != nil {
			return out, err
		}
		for _, c := range credits {
			if c.From == "" {
				byHand(c.By, to, c.Amount.Micros())
			} else {
				net.add(node(c.From), to, c.Amount.Micros())
			}
		}
	}
	out.Amount = money.Micro(net.flow())
	for names, edge := range operators {
		if through := net.through(edge); through > 0 {
			out.By = append(out.By, HandSum{names, money.Micro(through)})
		}
	}
	slices.SortFunc(out.By, func(a, b HandSum) int { return cmp.Or(b.Amount.Cmp(a.Amount), cmp.Compare(a.Names, b.Names)) })
	return out, ctx.Err()
}
