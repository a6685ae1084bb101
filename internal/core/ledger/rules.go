package ledger

import (
	"math/bits"
	"slices"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// manyMembers marks a transfer that credits the incomes of several members.
const manyMembers = -1

// legInfo is a leg with the properties of its account that the rules use.
type legInfo struct {
	account Account
	kind    string
	owner   int64
	delta   int64
}

func describe(legs []Leg) ([]legInfo, error) {
	infos := make([]legInfo, len(legs))
	var known map[Account]bool // only for many legs; a scan is faster for a few
	if len(legs) > fewLegs {
		known = make(map[Account]bool, len(legs))
	}
	for i, l := range legs {
		if l.Account.code == "" {
			return nil, errs.New(errs.Invalid, "ledger.leg_without_account", "Leg {leg} names no account.", "leg", i+1)
		}
		if l.Delta.IsZero() {
			return nil, errs.New(errs.Invalid, "ledger.leg_moves_nothing", "Leg {leg} of account {account} moves nothing.", "leg", i+1, "account", l.Account)
		}
		duplicate := known[l.Account]
		if known == nil {
			duplicate = slices.ContainsFunc(infos[:i], func(before legInfo) bool { return before.account == l.Account })
		} else {
			known[l.Account] = true
		}
		if duplicate {
			return nil, errs.New(errs.Invalid, "ledger.account_twice", "Account {account} stands in two legs of one transfer.", "account", l.Account)
		}
		infos[i] = legInfo{l.Account, l.Account.Kind(), l.Account.Owner(), l.Delta.Micros()}
	}
	return infos, nil
}

const fewLegs = 16

// wide is a sum of int64 that cannot overflow for the allowed number of legs.
type wide struct {
	hi int64
	lo uint64
}

func (w *wide) add(n int64) {
	var carry uint64
	w.lo, carry = bits.Add64(w.lo, uint64(n), 0)
	w.hi += n>>63 + int64(carry)
}

func (w *wide) sub(n int64) {
	var borrow uint64
	w.lo, borrow = bits.Sub64(w.lo, uint64(n), 0)
	w.hi -= n>>63 + int64(borrow)
}

func (w wide) sign() int {
	switch {
	case w.hi < 0:
		return -1
	case w.hi == 0 && w.lo == 0:
		return 0
	}
	return 1
}

// balanced checks that assets and the other side change by the same sum.
func balanced(legs []legInfo) error {
	var sum wide
	for _, l := range legs {
		if isAsset(l.kind) {
			sum.add(l.delta)
		} else {
			sum.sub(l.delta)
		}
	}
	if sum.sign() != 0 {
		return errs.New(errs.Invalid, "ledger.unbalanced", "The transfer does not balance: assets and the other side change by different sums.")
	}
	return nil
}

// beneficiary is the member whose income the transfer credits: 0 for none,
// manyMembers for several. It is stored with every entry, so that the database
// can reject the postings that lawfulSources rejects.
func beneficiary(legs []legInfo) int64 {
	var who int64
	for _, l := range legs {
		if l.delta <= 0 || !isIncome(l.kind) {
			continue
		}
		if who != 0 && who != l.owner {
			return manyMembers
		}
		who = l.owner
	}
	return who
}

// lawfulSources enforces, on each single posting, that no income is paid out of
// deposits.
//
//   - A credit to an income or held account may debit only the working pools,
//     held ROI of a line, or that same member's incomes and principals; never
//     a fund wallet, not even the member's own.
//   - A working pool is filled from deferred sales and working pools only, so
//     that no deposit passes through a pool in several steps. Incomes taken back
//     go to the reserve, which pays no income and fills no pool.
//   - Neither may be paid with fresh cash: their gain must not exceed the loss of
//     the debited accounts.
//   - Held ROI grows at most by the growth of the same line's trading cash.
func lawfulSources(legs []legInfo) error {
	who := beneficiary(legs)
	var toWorking, toReserve bool
	var gained wide // restricted credits minus debits: must not be positive
	for _, l := range legs {
		switch {
		case isAsset(l.kind):
		case l.delta < 0:
			gained.add(l.delta)
		case isIncome(l.kind) || isPool(l.kind):
			toWorking = toWorking || isWorkingPool(l.kind)
			toReserve = toReserve || l.kind == reserve
			gained.add(l.delta)
		}
	}
	for _, l := range legs {
		if l.delta >= 0 || isAsset(l.kind) {
			continue
		}
		if who != 0 && !paysIncome(l, who) {
			return errs.New(errs.Refused, "ledger.income_source", "An income cannot be paid from {account}: only from pools, held profit or the member's own incomes and principals.", "account", l.account)
		}
		fromSales := l.kind == "L:DEFERRED" || isWorkingPool(l.kind)
		if (toWorking && !fromSales) || (toReserve && !fromSales && !isIncome(l.kind)) {
			return errs.New(errs.Refused, "ledger.pool_source", "A pool cannot be filled from {account}: only from final sales.", "account", l.account)
		}
	}
	if (who != 0 || toWorking || toReserve) && gained.sign() > 0 {
		return errs.New(errs.Refused, "ledger.fresh_cash", "An income or a pool cannot be paid with fresh cash.")
	}
	return lawfulROI(legs)
}

// paysIncome reports whether l may be debited to pay an income of member who.
func paysIncome(l legInfo, who int64) bool {
	return isWorkingPool(l.kind) || l.kind == "L:ROI_HELD" || (who > 0 && l.owner == who && l.kind != "L:FUND")
}

// lawfulROI checks that held ROI of a line comes from booked profit of that line.
func lawfulROI(legs []legInfo) error {
	for _, l := range legs {
		if l.kind != "L:ROI_HELD" || l.delta <= 0 {
			continue
		}
		var earned int64
		for _, o := range legs {
			if o.kind == "A:TRADING" && o.account.line() == l.account.line() {
				earned = o.delta
			}
			if !isAsset(o.kind) && o.delta < 0 {
				return errs.New(errs.Refused, "ledger.held_profit_source", "Held profit cannot be filled from {account}: only from booked trading profit.", "account", o.account)
			}
		}
		if earned < l.delta {
			return errs.New(errs.Refused, "ledger.held_profit_too_large", "Held profit of {line} grows by more than the profit of its line.", "line", l.account.line())
		}
	}
	return nil
}
