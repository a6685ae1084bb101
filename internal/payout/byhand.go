package payout

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/money"
)

// Credit is what came into a wallet by hand, or by a transfer from another wallet.
type Credit struct {
	ID     string // of its kind and number
	Amount money.Amount
	By     string // who credited it; two operators joined by " and "
	From   string // the giver's account, of a transfer
	At     time.Time
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

const (
	maxHops     = 5     // transfers that are followed back
	maxAccounts = 2_000 // accounts that are looked at for a batch
)

// tracer finds out what payouts rest on. Each credit counts once.
type tracer struct {
	s       *Service
	credits map[string][]Credit
	counted map[string]money.Amount // of each credit
	by      map[string]money.Amount
}

// ByHand follows the money of a batch's payouts back: a withdrawal out of a wallet
// rests on what was credited there by hand, approved fund requests and corrections,
// or at the members who transferred it there. It is the most that can rest on it:
// which of a wallet's dollars leave first is not told apart.
func (s *Service) ByHand(ctx context.Context, all []Payout) (out ByHand, err error) {
	t := &tracer{s: s, credits: map[string][]Credit{}, counted: map[string]money.Amount{}, by: map[string]money.Amount{}}
	for _, p := range all {
		w, err := s.opt.Withdrawals.Get(ctx, nil, p.Withdrawal)
		if err != nil {
			return out, err
		}
		left := p.Amount // what leaves is less than the parts, by the charge
		for _, part := range w.Parts {
			n, err := t.take(ctx, part.Account.String(), least(part.Amount, left), maxHops)
			if err != nil {
				return out, err
			}
			if left, err = left.Sub(n); err != nil {
				return out, err
			}
			if out.Amount, err = out.Amount.Add(n); err != nil {
				return out, err
			}
		}
	}
	for names, sum := range t.by {
		out.By = append(out.By, HandSum{names, sum})
	}
	slices.SortFunc(out.By, func(a, b HandSum) int {
		if c := b.Amount.Cmp(a.Amount); c != 0 {
			return c
		}
		return strings.Compare(a.Names, b.Names)
	})
	return out, nil
}

// take is how much of need rests on hand-credited money of an account, the latest
// credits first.
func (t *tracer) take(ctx context.Context, account string, need money.Amount, hops int) (sum money.Amount, err error) {
	all, err := t.of(ctx, account)
	if err != nil {
		return sum, err
	}
	for _, c := range all {
		free, err := c.Amount.Sub(t.counted[c.ID])
		if err != nil {
			return sum, err
		}
		left, err := need.Sub(sum)
		if err != nil {
			return sum, err
		}
		n := least(free, left)
		if n.Sign() <= 0 {
			continue
		}
		if c.From == "" {
			t.by[c.By], err = t.by[c.By].Add(n)
		} else if n = money.Zero; hops > 0 {
			n, err = t.take(ctx, c.From, least(free, left), hops-1)
		}
		if err != nil {
			return sum, err
		}
		if t.counted[c.ID], err = t.counted[c.ID].Add(n); err != nil {
			return sum, err
		}
		if sum, err = sum.Add(n); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// of are the credits of an account, the latest first.
func (t *tracer) of(ctx context.Context, account string) ([]Credit, error) {
	if all, known := t.credits[account]; known || len(t.credits) >= maxAccounts {
		return all, nil
	}
	all, err := t.s.opt.Store.Credits(ctx, account)
	slices.SortStableFunc(all, func(a, b Credit) int { return b.At.Compare(a.At) })
	t.credits[account] = all
	return all, err
}

func least(a, b money.Amount) money.Amount {
	if b.Less(a) {
		return b
	}
	return a
}
