package payout

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Credit is what came into a wallet in all: by the hand of some operators, or by
// transfers from one other wallet.
type Credit struct {
	By     string // of credits by hand: who credited it; two operators joined by " and "
	From   string // of transfers: the giver's account
	Amount money.Amount
}

// ByHand is how much of a batch rests on money that operators have credited by hand,
// which no chain and no bank has confirmed to the program, and on whose word.
type ByHand struct {
	Amount money.Amount
	By     []HandSum // the largest first
}

// HandSum is what rests on the word of some operators.
type HandSum struct {
	Names  string
	Amount money.Amount
}

// maxAccounts bounds the accounts that are looked at for a batch.
const maxAccounts = 2_000

// NotTraced stands for the operators of what came from accounts beyond maxAccounts:
// it may rest on anybody's word.
const NotTraced = "not traced"

// ByHand follows the money of a batch's payouts back. Wallets are the nodes of a
// network: what was credited by hand flows into them, transfers connect them, and the
// payouts flow out. The largest flow is the most that can rest on credits by hand;
// which of a wallet's dollars leave first is not told apart.
func (s *Service) ByHand(ctx context.Context, all []Payout) (out ByHand, err error) {
	net := newNetwork()
	var open []string // accounts to look at
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
		payout, _ := net.node(fmt.Sprint("payout ", p.Withdrawal)) // less than the parts, by the charge
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
