package closing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (d *day) uid(i int32) string { return strconv.FormatInt(d.book.UID[i], 10) }

// earner returns the user id of a join number.
func (d *day) earner(no int64) string { return d.uid(int32(no - 1)) }

// wallet is the account code, without owner, of an income kind.
func wallet(kind plan.Kind, line string, held bool) string {
	name := plan.Income{Kind: kind, Line: line}.Wallet()
	if held {
		return "L:HELD:" + name
	}
	return "L:INCOME:" + name
}

// WalletName is the display name of an income kind's wallet.
func WalletName(x Income) string { return plan.Income{Kind: x.Kind, Line: x.Line}.Wallet() }

// legs collects the legs of a transfer and adds up those of one account.
type legs map[string]int64

// leg is what a transfer does to one account.
type leg struct {
	code   string
	amount int64
}

// post posts one transfer of the close.
func (d *day) post(kind, reference string, l legs) error {
	all := make([]leg, 0, len(l))
	for code, n := range l {
		all = append(all, leg{code, n})
	}
	return d.transfer(kind, reference, all)
}

// ReasonPrefix begins the reason of a close's transfers; the day follows.
const ReasonPrefix = "close of "

// transfer posts the legs that are not zero in the order of accounts. Its id is derived
// from the day, so that a close cannot post twice.
func (d *day) transfer(kind, reference string, all []leg) error {
	all = slices.DeleteFunc(all, func(l leg) bool { return l.amount == 0 })
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b leg) int { return strings.Compare(a.code, b.code) })
	t := ledger.Transfer{Kind: kind, Reference: reference, Reason: ReasonPrefix + d.day.String(), Legs: make([]ledger.Leg, len(all))}
	accounts := make([]ledger.Account, len(all))
	for i, l := range all {
		account, err := ledger.ParseAccount(l.code)
		if err != nil {
			return err
		}
		t.Legs[i], accounts[i] = ledger.Leg{Account: account, Delta: money.Micro(l.amount)}, account
	}
	d.posted++
	d.advanceSome("post", int64(d.posted), d.transfers())
	t.ID = fmt.Sprintf("close/%s/%06d", d.day, d.posted)
	if err := d.tx.Load(accounts); err != nil {
		return err
	}
	_, err := d.tx.Post(t)
	return err
}

// spread posts many legs as several transfers within the ledger's limit. Each balances
// its part against another account.
func (d *day) spread(kind, reference string, many []leg, other string, sign int64) error {
	many = slices.DeleteFunc(many, func(l leg) bool { return l.amount == 0 })
	slices.SortFunc(many, func(a, b leg) int { return strings.Compare(a.code, b.code) })
	for part := range slices.Chunk(many, ledger.MaxLegs-10) {
		sum := int64(0)
		for _, l := range part {
			sum += l.amount
		}
		if err := d.transfer(kind, reference, append([]leg{{other, sign * sum}}, part...)); err != nil {
			return err
		}
	}
	return nil
}

// postAll posts the result of the plan in its order.
func (d *day) postAll() error {
	for _, step := range []func() error{d.postFinalised, d.postReversals, d.postPays, d.postTrades, d.postReleases} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) postFinalised() error {
	for part := range slices.Chunk(d.out.Finalised, ledger.MaxLegs-20) {
		l := legs{}
		for _, f := range part {
			l["L:DEFERRED:"+f.ID] -= f.Amount
			l["A:CLIENT"] -= f.Amount
			l["A:FIELD"] += f.Amount - f.Rest
			l["A:OPERATING"] += f.Rest
			l["E:COMPANY"] += f.Rest
			for k, share := range f.Shares {
				l["P:"+plan.Pool(k).Name()] += share
			}
		}
		if err := d.post("finalise", d.day.String(), l); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) postReversals() error {
	for _, r := range d.out.Reversals {
		taken := legs{}
		for k, t := range r.Taken {
			taken[wallet(plan.KindLevel, "", r.Levels[k].Held)+":"+d.uid(r.Levels[k].To)] -= t
			taken["P:RESERVE"] += t
		}
		if err := d.post("reversal", r.Sale.ID, taken); err != nil {
			return err
		}
		l := legs{"L:FUND:FUNDS:" + strconv.FormatInt(d.payers[r.Sale.ID], 10): r.Sale.Amount, "A:CLIENT": r.Sale.Amount, "E:COMPANY": -r.Rest, "A:OPERATING": -r.Rest}
		for k, gave := range r.Gave {
			pool := plan.Pool(k)
			if pool == plan.LEVEL {
				pool = plan.RESERVE
			}
			l["P:"+pool.Name()] -= gave
			l["A:FIELD"] -= gave
		}
		if err := d.post(Chargeback, r.Sale.ID, l); err != nil {
			return err
		}
	}
	return nil
}

// postPays pays pools out, one entry per earner and wallet.
func (d *day) postPays() error {
	type earner struct {
		to   int32
		name string
		held bool
	}
	var pays [plan.RESERVE]map[earner]int64
	var debts [plan.RESERVE]int64
	for i := range d.out.Pays {
		p := &d.out.Pays[i]
		if pays[p.Pool] == nil {
			pays[p.Pool] = map[earner]int64{}
		}
		row := &d.out.Rows[p.Row-d.out.Rows[0].No]
		pays[p.Pool][earner{p.To, row.Kind.Info().Wallet, p.Held}] += p.Amount - p.Debt
		debts[p.Pool] += p.Debt
	}
	for k, sums := range pays {
		pool, many := "P:"+plan.Pool(k).Name(), make([]leg, 0, len(sums))
		for to, sum := range sums {
			where := "L:INCOME:"
			if to.held {
				where = "L:HELD:"
			}
			many = append(many, leg{where + to.name + ":" + d.uid(to.to), sum})
		}
		if err := d.spread("income", pool, many, pool, -1); err != nil {
			return err
		}
		if err := d.post("debt", pool, legs{pool: -debts[k], "P:RESERVE": debts[k]}); err != nil {
			return err
		}
	}
	return d.post("breakage", "P:LEVEL", legs{"P:LEVEL": -d.out.Breakage, "P:RESERVE": d.out.Breakage})
}

// principal is the account of a position.
func (d *day) principal(line int, i int32) string {
	p := &d.book.Lines[line].Positions[i]
	return strings.Join([]string{"L:PRINCIPAL", plan.LineNames[line], d.uid(p.Member), p.ID}, ":")
}

// postTrades posts results in the order of booking, because a loss may use the reserve
// that an earlier profit has filled.
func (d *day) postTrades() error {
	for line, name := range plan.LineNames {
		for _, b := range d.in.Profits[line] {
			for _, x := range d.out.Losses {
				if x.Line == line && x.ID == b.ID {
					if err := d.postLoss(name, x); err != nil {
						return err
					}
				}
			}
			for _, x := range d.out.Profits {
				if x.Line == line && x.ID == b.ID {
					if err := d.postProfit(name, x); err != nil {
						return err
					}
				}
			}
		}
		for _, x := range d.out.Settled[line] {
			if err := d.post(Settle, x.ID, legs{"A:TRADING:" + name: -x.Amount, "A:FIELD": x.Amount}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *day) postLoss(name string, x plan.Loss) error {
	cash := "A:TRADING:" + name
	if err := d.post("loss", x.ID, legs{cash: -x.Reserve, "L:LINE_RESERVE:" + name: -x.Reserve, "A:OPERATING": -x.Company, "E:COMPANY": -x.Company}); err != nil {
		return err
	}
	many := make([]leg, len(x.Shares))
	for i, s := range x.Shares {
		many[i] = leg{d.principal(x.Line, s.Of), -s.Amount}
	}
	return d.spread("loss", x.ID, many, cash, 1)
}

func (d *day) postProfit(name string, x plan.Profit) error {
	cash := "A:TRADING:" + name
	many := make([]leg, len(x.Repaid))
	for i, s := range x.Repaid {
		many[i] = leg{d.principal(x.Line, s.Of), s.Amount}
	}
	if err := d.spread("repay", x.ID, many, cash, 1); err != nil {
		return err
	}
	return d.post("profit", x.ID, legs{
		cash: x.ROI + x.Fee + x.Reserve, "L:ROI_HELD:" + name: x.ROI, "L:FEE_HELD:" + name: x.Fee, "L:LINE_RESERVE:" + name: x.Reserve,
	})
}

// postReleases pays settled batches, one entry per earner, then fees, and gives
// back what maturities freed.
func (d *day) postReleases() error {
	for _, r := range d.out.Releases {
		name := plan.LineNames[r.Line]
		sums := make(map[int32]int64, len(r.Shares))
		for _, s := range r.Shares {
			sums[s.Of] += s.Amount
		}
		many, to := make([]leg, 0, len(sums)), wallet(plan.KindROI, name, false)+":"
		for of, sum := range sums {
			many = append(many, leg{to + d.uid(of), sum})
		}
		if err := d.spread("release", r.Batch, many, "L:ROI_HELD:"+name, -1); err != nil {
			return err
		}
	}
	for line, name := range plan.LineNames {
		for _, f := range d.out.FeesPaid[line] {
			if err := d.post("fee", f.ID, legs{"L:FEE_HELD:" + name: -f.Amount, "E:COMPANY": f.Amount, "A:FIELD": -f.Amount, "A:OPERATING": f.Amount}); err != nil {
				return err
			}
		}
		x := d.out.Unsettled[line]
		if err := d.post("unsettle", name, legs{"A:FIELD": -x, "A:TRADING:" + name: x}); err != nil {
			return err
		}
	}
	return nil
}
