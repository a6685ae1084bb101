// Package transparency makes the public report: what is owed and what covers it, results
// of trading, sources of incomes, and the distribution of members' incomes. All figures
// are exact as of the last close: later postings are subtracted. The report of a close is
// made once and stored.
package transparency

import (
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Report is the public report of a close. Amounts are dollars.
type Report struct {
	Day      string    `json:"day" doc:"The last closed day; empty before the first."`
	Plan     string    `json:"plan" doc:"The version of the rules."`
	Digest   string    `json:"digest" doc:"Of the close's result."`
	Closed   time.Time `json:"closed_at"`
	Transfer int64     `json:"transfer" doc:"The number of the last transfer that is counted."`

	Liabilities []Part   `json:"liabilities" nullable:"false" doc:"What is owed to members, by class."`
	Pools       []Part   `json:"pools" nullable:"false" doc:"What final sales have put aside for incomes."`
	Reserves    []Part   `json:"reserves" nullable:"false" doc:"What covers losses before anybody's principal does, and what pools keep."`
	Cash        []Part   `json:"cash" nullable:"false" doc:"What there is, by class."`
	Company     Dollars  `json:"company" doc:"The company's own."`
	Coverage    []Cover  `json:"coverage" nullable:"false"`
	Lines       []Line   `json:"lines" nullable:"false" doc:"What each line booked in all."`
	Results     []Result `json:"results" nullable:"false" doc:"What each line booked, by day, newest first; of the last days that have results."`
	Payouts     []Payout `json:"payouts" nullable:"false" doc:"Incomes by what they were paid from."`
	Revenue     Revenue  `json:"revenue"`
	Income      Income   `json:"income_disclosure"`
}

// Dollars formats an amount with six places.
type Dollars string

func dollars(micros int64) Dollars { return Dollars(money.Micro(micros).String()) }

// Part is the sum of one class.
type Part struct {
	Class  string  `json:"class" doc:"The kind of account."`
	Of     string  `json:"of" doc:"Which fund, wallet, line or pool; empty where there is one."`
	Amount Dollars `json:"amount"`
}

// Cover is the coverage of a class by its cash.
type Cover struct {
	Class string  `json:"class" enum:"deposits,incomes,trading,held,all" doc:"held is cash that a line has settled or recalled and that is in client cash or in the cash for incomes until it is paid out: it covers the lines."`
	Owed  Dollars `json:"owed"`
	Cash  Dollars `json:"cash"`
	Ratio int64   `json:"ratio_ppm" doc:"A million is one to one. Of held: its part of the coverage of trading."`
}

// Line is the total result of a trading line.
type Line struct {
	Line   string  `json:"line"`
	Profit Dollars `json:"profit"`
	Loss   Dollars `json:"loss" doc:"Never above zero."`
	Net    Dollars `json:"net"`
	Days   int64   `json:"days" doc:"On how many days something was booked."`
	Losing int64   `json:"losing_days"`
}

// Result is a line's result of a day.
type Result struct {
	Day    string  `json:"day"`
	Line   string  `json:"line"`
	Profit Dollars `json:"profit"`
	Loss   Dollars `json:"loss"`
	Net    Dollars `json:"net"`
}

// Payout is the incomes paid from one source.
type Payout struct {
	Source   string  `json:"source" doc:"The pool, or the line whose booked profit it is."`
	Income   string  `json:"income" doc:"The kind of income."`
	Paid     Dollars `json:"paid" doc:"Before what was taken back."`
	Reversed Dollars `json:"reversed" doc:"Taken back by chargebacks; never above zero."`
	Net      Dollars `json:"net"`
}

// Revenue is the revenue from final sales.
type Revenue struct {
	Gross    Dollars `json:"gross_final"`
	Reversed Dollars `json:"reversed"`
	Net      Dollars `json:"net"`
	Retail   Dollars `json:"retail" doc:"Of gross: what customers bought, who are no members."`
	Payout   int64   `json:"payout_to_revenue_ppm" doc:"Network incomes, net, of net revenue."`
}

// Income is members' income from the network. Shares are in ppm.
type Income struct {
	Definition string  `json:"definition"`
	Population int64   `json:"population"`
	NoIncome   int64   `json:"share_with_no_income_ppm"`
	P25        Dollars `json:"p25"`
	Median     Dollars `json:"median"`
	P75        Dollars `json:"p75"`
	P90        Dollars `json:"p90"`
	Max        Dollars `json:"max"`
	Exceeds    int64   `json:"share_income_exceeds_own_purchases_ppm"`
	Top        int64   `json:"top_earner_share_ppm"`
	Retail     int64   `json:"retail_revenue_ppm"`

	Concentration *Concentration `json:"concentration,omitempty" doc:"How far incomes lie with few."`
}

// Concentration is the concentration of network incomes. Shares are in ppm.
type Concentration struct {
	Earners int64   `json:"earners" doc:"Members who earned something, net of reversals."`
	Total   Dollars `json:"total" doc:"What they earned."`
	Gini    int64   `json:"gini_earners_ppm" doc:"Among earners: 0 is all the same."`
	GiniAll int64   `json:"gini_members_ppm" doc:"Among all members, also those without income."`
	Tops    []Top   `json:"tops" nullable:"false"`
}

// Top are the highest earners.
type Top struct {
	Who    string  `json:"who" enum:"first,ten,hundred,percent,tenth" doc:"The highest earner, the ten and the hundred highest, the highest percent and tenth of all earners."`
	People int64   `json:"people"`
	Earned Dollars `json:"earned"`
	Share  int64   `json:"share_ppm"`
}

// concentrated returns the concentration of incomes.
func concentrated(c disclosure.Concentration) *Concentration {
	out := &Concentration{Earners: c.Earners, Total: dollars(c.Total), Gini: c.Gini, GiniAll: c.GiniAll, Tops: []Top{}}
	for _, t := range c.Tops {
		out.Tops = append(out.Tops, Top{t.Who, t.People, dollars(t.Earned), disclosure.Share(t.Earned, c.Total)})
	}
	return out
}

// Facts are the data of a report, all of one close.
type Facts struct {
	Closed   Closed
	Balances []Balance
	Results  []Booked // newest first
	Incomes  []Paid
	Sales    Sales
	People   []disclosure.Person // registered by then, without customers
}

// Closed is the close of the facts.
type Closed struct {
	Day          plan.Day
	Plan, Digest string
	At           time.Time
	Seq          int64 // its last transfer
	LastRow      int64 // its last income
}

// Balance is the sum of a class of accounts.
type Balance struct {
	Kind, Of string
	Amount   int64
}

// Booked is a line's result of a day.
type Booked struct {
	Day          plan.Day
	Line         string
	Profit, Loss int64
}

// Paid is the sum of a kind of incomes.
type Paid struct {
	Kind           plan.Kind
	Line           string
	Paid, Reversed int64
}

// Sales sums final sales. Kept is the part of Retail that was not reversed.
type Sales struct{ Gross, Reversed, Retail, Kept int64 }

// shownDays is the number of listed results.
const shownDays = 366

func Make(f Facts) Report {
	r := Report{
		Day: f.Closed.Day.String(), Plan: f.Closed.Plan, Digest: f.Closed.Digest, Closed: f.Closed.At.UTC(), Transfer: f.Closed.Seq,
		Liabilities: []Part{}, Pools: []Part{}, Reserves: []Part{}, Cash: []Part{}, Payouts: []Payout{}, Results: []Result{},
	}
	r.balances(f.Balances)
	r.results(f.Results)
	r.payouts(f.Incomes)
	s := disclosure.Of(f.People)
	net := f.Sales.Gross - f.Sales.Reversed
	r.Revenue = Revenue{
		Gross: dollars(f.Sales.Gross), Reversed: dollars(f.Sales.Reversed), Net: dollars(net), Retail: dollars(f.Sales.Retail),
		Payout: disclosure.Share(s.Total.Micros(), net),
	}
	r.Income = Income{
		Definition: disclosure.Definition, Population: s.Population, NoIncome: s.NoIncome,
		P25: dollars(s.P25.Micros()), Median: dollars(s.Median.Micros()), P75: dollars(s.P75.Micros()), P90: dollars(s.P90.Micros()), Max: dollars(s.Max.Micros()),
		Exceeds: s.Exceeds, Top: s.Top, Retail: disclosure.Share(f.Sales.Kept, net),
		Concentration: concentrated(disclosure.Concentrated(f.People)),
	}
	return r
}

// balances sorts accounts into liabilities, reserves and cash.
func (r *Report) balances(all []Balance) {
	slices.SortFunc(all, func(a, b Balance) int { return strings.Compare(a.Kind+" "+a.Of, b.Kind+" "+b.Of) })
	sums := map[string]int64{}
	company := int64(0)
	for _, b := range all {
		class, name, _ := strings.Cut(b.Kind, ":")
		part := Part{Class: name, Of: b.Of, Amount: dollars(b.Amount)}
		sums[b.Kind] += b.Amount
		switch {
		case b.Kind == "P:RESERVE", b.Kind == "L:LINE_RESERVE":
			r.Reserves = append(r.Reserves, part)
		case class == "P":
			part.Class, part.Of = "POOL", name
			r.Pools = append(r.Pools, part)
		case class == "L":
			r.Liabilities = append(r.Liabilities, part)
		case class == "A":
			r.Cash = append(r.Cash, part)
		default:
			company += b.Amount
		}
	}
	r.Company = dollars(company)
	pools := sums["P:LEVEL"] + sums["P:MATCH"] + sums["P:LEAD"] + sums["P:ROYALTY"] + sums["P:RESERVE"]
	deposits, incomes := sums["L:FUND"]+sums["L:DEFERRED"], pools+sums["L:INCOME"]+sums["L:HELD"]
	trading := sums["L:PRINCIPAL"] + sums["L:ROI_HELD"] + sums["L:FEE_HELD"] + sums["L:LINE_RESERVE"]
	client, field, lines := sums["A:CLIENT"], sums["A:FIELD"], sums["A:TRADING"]
	// Cash that a line has settled or recalled is in the other two classes until it is
	// paid out: their surplus over their own liabilities covers the lines. It has a row,
	// so that all rows add up to the total.
	forClient, forField := max(0, client-deposits), max(0, field-incomes)
	held, own := forClient+forField, ratio(lines, trading)
	r.Coverage = []Cover{
		{"deposits", dollars(deposits), dollars(client - forClient), ratio(client-forClient, deposits)},
		{"incomes", dollars(incomes), dollars(field - forField), ratio(field-forField, incomes)},
		{"trading", dollars(trading), dollars(lines), own},
		{"held", dollars(0), dollars(held), ratio(lines+held, trading) - own},
		{"all", dollars(deposits + incomes + trading), dollars(client + field + lines), ratio(client+field+lines, deposits+incomes+trading)},
	}
}

// ratio of nothing owed is one to one.
func ratio(cash, owed int64) int64 {
	if owed == 0 {
		return 1_000_000
	}
	return disclosure.Share(cash, owed)
}

func (r *Report) results(all []Booked) {
	days := map[plan.Day]bool{}
	for _, name := range plan.LineNames {
		l, profit, loss := Line{Line: name}, int64(0), int64(0)
		for _, b := range all {
			if b.Line != name {
				continue
			}
			profit, loss = profit+b.Profit, loss+b.Loss
			l.Days++
			if b.Profit+b.Loss < 0 {
				l.Losing++
			}
		}
		l.Profit, l.Loss, l.Net = dollars(profit), dollars(loss), dollars(profit+loss)
		r.Lines = append(r.Lines, l)
	}
	for _, b := range all {
		if days[b.Day] = true; len(days) > shownDays {
			break
		}
		r.Results = append(r.Results, Result{b.Day.String(), b.Line, dollars(b.Profit), dollars(b.Loss), dollars(b.Profit + b.Loss)})
	}
}

func (r *Report) payouts(all []Paid) {
	slices.SortFunc(all, func(a, b Paid) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return strings.Compare(a.Line, b.Line)
	})
	for _, p := range all {
		source := "pool " + plan.Income{Kind: p.Kind}.Source()
		if p.Line != "" {
			source = "booked profit " + p.Line
		}
		r.Payouts = append(r.Payouts, Payout{source, p.Kind.Info().Public, dollars(p.Paid), dollars(p.Reversed), dollars(p.Paid + p.Reversed)})
	}
}
