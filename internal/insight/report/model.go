// Package report answers what members ask about money: what they earned and
// why, how far they are from the next rank and reward, what they can claim, what
// was bought, and what is available. It reads what closes and purchases wrote;
// it changes nothing.
package report

import (
	"math"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// Query is which part of a report is wanted. Days are the plan's, both
// inclusive; nil is open.
type Query struct {
	UID        int64
	From, To   *plan.Day
	Sort       string // "" newest first, or a column, with - before it for descending
	Page, Size int
}

// MaxSize is the largest page.
const MaxSize = 500

// Order is what a report is sorted by.
type Order int

// The orders.
const (
	ByDay Order = iota
	ByAmount
	ByLevel
)

// sorts are the columns by which reports can be sorted: each report knows its
// amount by a name of its own.
var sorts = map[string]Order{
	"dd": ByDay, "lvl": ByLevel,
	"income": ByAmount, "plan_amount": ByAmount, "binaryincome": ByAmount, "reward": ByAmount, "netamount": ByAmount, "Request_amount": ByAmount, "Amount": ByAmount,
}

// Filter is a query as the store takes it.
type Filter struct {
	No         int64 // the member's join number
	From, To   plan.Day
	Order      Order
	Descending bool
	Offset     int
	Limit      int
}

// nearer asks for the same page of a list of total rows from whichever of its
// ends is nearer; what comes back is then turned round.
func (f Filter) nearer(total int) (_ Filter, back bool) {
	limit := max(0, min(f.Limit, total-f.Offset))
	left := total - f.Offset - limit
	if left >= f.Offset {
		return f, false
	}
	f.Descending, f.Offset, f.Limit = !f.Descending, left, limit
	return f, true
}

// filter checks a query. Invalid names every wrong field.
func (q Query) filter(no int64) (Filter, error) {
	f := Filter{No: no, From: math.MinInt64, To: math.MaxInt64, Descending: true, Offset: (q.Page - 1) * q.Size, Limit: q.Size}
	var wrong []errs.Field
	if q.From != nil {
		f.From = *q.From
	}
	if q.To != nil {
		f.To = *q.To
	}
	if f.To < f.From {
		wrong = append(wrong, errs.NewField("tdate", "report.last_day_before_first", "The last day is before the first."))
	}
	if q.Sort != "" {
		column, down := strings.CutPrefix(q.Sort, "-")
		order, known := sorts[column]
		if !known {
			wrong = append(wrong, errs.NewField("sort", "report.not_sortable", "This report cannot be sorted by {column}.", "column", column))
		}
		f.Order, f.Descending = order, down
	}
	if q.Page < 1 || q.Page > 1_000_000 {
		wrong = append(wrong, errs.NewField("page", "field.page_range", "Pages are counted from 1 to 1000000."))
	}
	if q.Size < 1 || q.Size > MaxSize {
		wrong = append(wrong, errs.NewField("size", "field.size_range", "A page has 1 to 500 rows."))
	}
	return f, errs.Fields(wrong)
}

// dated tells whether only some days are wanted.
func (q Query) dated() bool { return q.From != nil || q.To != nil }

// Page is part of a report, how long the whole report is, and its total.
type Page[T any] struct {
	Rows  []T
	First int // number of the first row, from 1
	Total int
	Sum   money.Amount
}

// Income is an income row as its earner sees it.
type Income struct {
	closing.IncomeState
	OfUID  int64 // whose sale or position it came from; the earner otherwise
	SS     string
	Since  plan.Day // when it left Hold; 0 if it never was, or still is
	Remark string
	Rate   money.Amount // of ROI rows: percent of the principal
}

// DayIncome is what one kind of income came to on one day; line is that of ROI.
type DayIncome struct {
	Day    plan.Day
	Kind   plan.Kind
	Line   string
	Amount money.Amount
}

// Step is a rank or a reward of the plan, reached or not.
type Step struct {
	Row              int64 // the income row; 0 while it is not reached
	Level            int64
	Name             string       // of a rank
	Need, Have       money.Amount // of a rank: matched volume
	NeedLeg1, Leg1   money.Amount // of a reward
	NeedOther, Other money.Amount
	Reward, Nominal  money.Amount // what was paid, and before scaling; what there is to earn while it is not reached
	Salary           money.Amount
	Day              plan.Day // of income row Row
	SS, Remark       string
}

// Claim is a claim with the fund that its position came from.
type Claim struct {
	invest.Claim
	Fund string
}

// Package is what can be bought. Amount is a Robot package's price and a line
// package's least; From and To are a line package's.
type Package struct {
	ID               int64
	Name             string
	Amount, From, To money.Amount
}

// Purchase is a sale or a position as histories show it.
type Purchase struct {
	ID          string
	No          int64
	Payer       int64
	Package     int64
	Topup       string
	Amount      money.Amount
	Day         plan.Day
	At          time.Time
	State       string
	UID         int64
	Name        string // of the member
	PackageName string
	Fund        string
	Refundable  bool // it cools off, and who looks has paid it
}

// Key is where a purchase stands in the order of all of them.
type Key struct {
	Day plan.Day
	At  time.Time
	ID  string
}

// Why is everything that explains an income row.
type Why struct {
	Income
	RatePPM   int64 // 0 where no rate applies
	FactorPPM int64 // what was paid of the nominal amount, floored
	Source    *Origin
	Close     closing.Closed
	// The legs before and after matching; only of the last close, since every
	// close replaces what the one before it kept.
	Before, After *[2]money.Amount
	// Need is what the plan of that day asked for: of a rank matched volume, of a
	// reward the largest leg and the others, of a salary what the team brings.
	Need, NeedOther money.Amount
	Profit          *ProfitShare // of ROI
}

// ProfitShare is how a position's ROI came out of a booked profit: Share less what
// repaid losses of the position before, and of the rest the member's part.
type ProfitShare struct {
	Share, Repaid money.Amount
	MemberPPM     int64
}

// Origin is the sale or the booking that an income came from.
type Origin struct {
	Kind      string // sale or pnl
	ID        string
	Amount    money.Amount
	Day       plan.Day
	At        time.Time
	State     string // of a sale
	Reference string // of a booking: the operator's evidence
}

// wallets are the incomes that can be withdrawn.
var wallets = map[string]bool{
	"LevelIncome": true, "binaryIncome": true, "ForexIncome": true, "CryptoIncome": true, "royalty_income": true, "salaryrankreward": true,
}

// FundBalance asks for what is available in all funds together.
const FundBalance = "FundBalance"

// Lines as the plan calls them; Robot is the product, which is no line.
const (
	Robot  = ""
	Forex  = "FOREX"
	Crypto = "CRYPTO"
)
