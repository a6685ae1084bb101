package closing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
)

func (d *day) uid(i int32) string { return strconv.FormatInt(d.book.UID[i], 10) }

// wallet is the account, without its owner, that an income of a kind goes to.
func wallet(kind plan.Kind, line string, held bool) string {
	name := map[plan.Kind]string{
		plan.KindLevel: "LevelIncome", plan.KindMatching: "binaryIncome", plan.KindRoyalty: "royalty_income",
		plan.KindRank: "salaryrankreward", plan.KindReward: "salaryrankreward", plan.KindSalary: "salaryrankreward",
	}[kind]
	switch line {
	case "FOREX":
		name = "ForexIncome"
	case "CRYPTO":
		name = "CryptoIncome"
	}
	if held {
		return "L:HELD:" + name
	}
	return "L:INCOME:" + name
}

// WalletName is the wallet that an income goes to, as people know it.
func WalletName(x Income) string {
	code := wallet(x.Kind, x.Line, false)
	return code[len("L:INCOME:"):]
}

// legs collects what a transfer does; amounts of one account are added up.
type legs map[string]int64

// post makes one transfer of the close. Its id follows from the day, so that a
// close that ran before cannot post again.
func (d *day) post(kind, reference string, l legs) error {
	t := ledger.Transfer{Kind: kind, Reference: reference, Reason: "close of " + d.day.String()}
	codes := make([]string, 0, len(l))
	for code, n := range l {
		if n != 0 {
			codes = append(codes, code)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	slices.Sort(codes)
	for _, code := range codes {
		account, err := ledger.ParseAccount(code)
		if err != nil {
			return err
		}
		t.Legs = append(t.Legs, ledger.Leg{Account: account, Delta: money.Micro(l[code])})
	}
	d.posted++
	d.tellSome("post", int64(d.posted), d.transfers())
	t.ID = fmt.Sprintf("close/%s/%06d", d.day, d.posted)
	_, err := d.tx.Post(t)
	return err
}

// spread makes transfers of many legs, each within the ledger's bound: one per
// part, whose other side common fills in.
func (d *day) spread(kind, reference string, many legs, common func(part legs, sum int64)) error {
	codes := make([]string, 0, len(many))
	for code, n := range many {
		if n != 0 {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	for part := range slices.Chunk(codes, ledger.MaxLegs-10) {
		l, sum := legs{}, int64(0)
		for _, code := range part {
			l[code] = many[code]
			sum += many[code]
		}
		common(l, sum)
		if err := d.post(kind, reference, l); err != nil {
			return err
		}
	}
	return nil
}

// postAll posts what the plan said, in its order.
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
		x := d.sales[r.Sale.ID]
		l := legs{"L:FUND:FUNDS:" + strconv.FormatInt(x.Payer, 10): r.Sale.Amount, "A:CLIENT": r.Sale.Amount, "E:COMPANY": -r.Rest, "A:OPERATING": -r.Rest}
		for k, gave := range r.Gave {
			pool := plan.Pool(k)
			if pool == plan.LEVEL {
				pool = plan.RESERVE
			}
			l["P:"+pool.Name()] -= gave
			l["A:FIELD"] -= gave
		}
		if err := d.post("chargeback", r.Sale.ID, l); err != nil {
			return err
		}
	}
	return nil
}

// postPays pays pools out, one entry per earner and wallet.
func (d *day) postPays() error {
	kinds := make(map[int64]plan.Kind, len(d.out.Rows))
	for i := range d.out.Rows {
		kinds[d.out.Rows[i].No] = d.out.Rows[i].Kind
	}
	var pays [plan.RESERVE]legs
	var debts [plan.RESERVE]int64
	for _, p := range d.out.Pays {
		if pays[p.Pool] == nil {
			pays[p.Pool] = legs{}
		}
		pays[p.Pool][wallet(kinds[p.Row], "", p.Held)+":"+d.uid(p.To)] += p.Amount - p.Debt
		debts[p.Pool] += p.Debt
	}
	for k, many := range pays {
		pool := "P:" + plan.Pool(k).Name()
		if err := d.spread("income", pool, many, func(l legs, sum int64) { l[pool] = -sum }); err != nil {
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

// postTrades books results in the order in which they were booked: a loss may
// use the reserve that a profit before it has filled.
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
			if err := d.post("settle", x.ID, legs{"A:TRADING:" + name: -x.Amount, "A:FIELD": x.Amount}); err != nil {
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
	many := legs{}
	for _, s := range x.Shares {
		many[d.principal(x.Line, s.Of)] = -s.Amount
	}
	return d.spread("loss", x.ID, many, func(l legs, sum int64) { l[cash] = sum })
}

func (d *day) postProfit(name string, x plan.Profit) error {
	cash := "A:TRADING:" + name
	many := legs{}
	for _, s := range x.Repaid {
		many[d.principal(x.Line, s.Of)] = s.Amount
	}
	if err := d.spread("repay", x.ID, many, func(l legs, sum int64) { l[cash] = sum }); err != nil {
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
		many := legs{}
		for _, s := range r.Shares {
			many[wallet(plan.KindROI, name, false)+":"+d.uid(s.Of)] += s.Amount
		}
		if err := d.spread("release", r.Batch, many, func(l legs, sum int64) { l["L:ROI_HELD:"+name] = -sum }); err != nil {
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
