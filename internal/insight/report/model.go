// Package report answers members' queries about money: incomes and their calculation,
// progress to ranks and rewards, claims, purchases, and balances. It is read-only.
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

// Query selects a part of a report. Days are the plan's, both inclusive; nil is open.
type Query struct {
	UID        int64
	From, To   *plan.Day
	Sort       string // "" newest first, or a column, with - before it for descending
	Page, Size int
}

// MaxSize is the largest page.
const MaxSize = 500

// Order is a report's sort order.
type Order int

const (
	ByDay Order = iota
	ByAmount
	ByLevel
)

// sorts are the sortable columns. Each report has its own name for the amount.
var sorts = map[string]Order{
	"dd": ByDay, "lvl": ByLevel,
	"income": ByAmount, "plan_amount": ByAmount, "binaryincome": ByAmount, "reward": ByAmount, "netamount": ByAmount, "Request_amount": ByAmount, "Amount": ByAmount,
}

// Filter is a query for the store.
type Filter struct {
	No         int64 // the member's join number
	From, To   plan.Day
	Order      Order
	Descending bool
	Offset     int
	Limit      int
}

// nearer reads the page from the nearer end of a list of total rows; the result is then
// reversed.
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

// dated reports whether the query selects days.
func (q Query) dated() bool { return q.From != nil || q.To != nil }

// Page is part of a report, with the length and total of the whole.
type Page[T any] struct {
	Rows  []T
	First int // number of the first row, from 1
	Total int
	Sum   money.Amount
}

// Income is an income row of its earner.
type Income struct {
	closing.IncomeState
	OfUID  int64 // whose sale or position it came from; the earner otherwise
	OfName string
	SS     string
	Since  plan.Day // when it left Hold; 0 if it never was, or still is
	Remark string
	Rate   money.Amount // of ROI rows: percent of the principal
}

// DayIncome is one day's sum of a kind of income; line is that of ROI.
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

// Claim is a claim with the fund of its position.
type Claim struct {
	invest.Claim
	Fund string
}

// Package is a product. Amount is a Robot package's price or a line package's minimum;
// From and To are a line package's.
type Package struct {
	ID               int64
	Name             string
	Amount, From, To money.Amount
	Cap              money.Amount // of a Robot package: the most matching income of a day
	// Of a line package: the term in days, when an investment of today ends, and how a
	// booked profit is divided.
	Term  int64
	Ends  plan.Day
	Split plan.Split
}

// Purchase is a sale or a position in histories.
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
	Term        int64    // of a position, in days
	Until       plan.Day // the last day of a cooling-off; 0 unless the sale cools off
	Left        int64    // the days of it that are left after today
	Ends        plan.Day // when a position matures; 0 of a sale
	Refunded    plan.Day // 0 unless the sale was refunded
	Refundable  bool     // it cools off, the caller has paid it, and did not upgrade it since
	Blocked     bool     // the caller can refund it after its upgrade
}

// Investment is a position with its result so far.
type Investment struct {
	Purchase
	Loss     money.Amount // carried; later profit repays it first
	Earned   money.Amount // the member's part of all profits, on Hold too
	Released money.Amount // the part of Earned that was paid into the income wallet
	Claim    string       // of a matured position, its claim, else empty
	Net      money.Amount // what the claim pays
	Ready    bool         // the claim can be paid now
}

// Key is a purchase's place in the order of all of them.
type Key struct {
	Day plan.Day
	At  time.Time
	ID  string
}

// Why is the calculation of an income row.
type Why struct {
	Income
	RatePPM   int64 // 0 where no rate applies
	FactorPPM int64 // what was paid of the nominal amount, floored
	Source    *Origin
	Close     closing.Closed
	// The legs before and after matching; of the last close only, because every close
	// replaces them.
	Before, After *[2]money.Amount
	// Need is the requirement in the plan of that day: of a rank matched volume, of a
	// reward the largest leg and the others, of a salary the team's volume.
	Need, NeedOther money.Amount
	Profit          *ProfitShare // of ROI
	Uncapped        money.Amount // of matching: the income without the daily cap
}

// ProfitShare is the calculation of a position's ROI from a booked profit: Share less
// the repayment of earlier losses, and the member's part of the rest.
type ProfitShare struct {
	Share, Repaid money.Amount
	MemberPPM     int64
	Rate          money.Amount // the share in percent of the principal: the trading result
}

// Origin is the sale or the booking that caused an income.
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

// FundBalance selects the total of all funds.
const FundBalance = "FundBalance"

// Lines are named as in the plan; Robot is the product, not a line.
const (
	Robot  = ""
	Forex  = "FOREX"
	Crypto = "CRYPTO"
)
