package report

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// Store is the database of reports, read-only.
type Store interface {
	// Plan is the version in force on a day; false if there is none yet.
	Plan(ctx context.Context, day plan.Day) (version string, body []byte, found bool, err error)
	// LastDay is the last closed day; false before the first.
	LastDay(ctx context.Context) (plan.Day, bool, error)
	// Standings returns standings by join numbers, at most MaxStandings, one for each.
	Standings(ctx context.Context, nos []int64) ([]StoredStanding, error)
	// Closed is false if the day is not closed.
	Closed(ctx context.Context, day plan.Day) (closing.Closed, bool, error)

	// Incomes lists a member's rows of one kind and line.
	Incomes(ctx context.Context, f Filter, kind plan.Kind, line string) ([]closing.IncomeState, error)
	// IncomesBefore lists the next ones before a row, newest first.
	IncomesBefore(ctx context.Context, f Filter, kind plan.Kind, line string, before int64) ([]closing.IncomeState, error)
	// IncomeTotal is their number, and the sum of what was paid; of ROI rows only of
	// released ones.
	IncomeTotal(ctx context.Context, f Filter, kind plan.Kind, line string) (int, money.Amount, error)
	// IncomeByDay sums a member's incomes by day, kind and line, oldest day first; of ROI
	// what left Hold.
	IncomeByDay(ctx context.Context, f Filter) ([]DayIncome, error)
	// Income is a member's row; false if the member has no such row.
	Income(ctx context.Context, no, row int64) (closing.IncomeState, bool, error)
	// Origin is the sale, or else the booking, of an id.
	Origin(ctx context.Context, id string) (Origin, bool, error)

	Claims(ctx context.Context, f Filter, line string) ([]invest.Claim, error)
	// ClaimTotal is their number, and the sum of paid ones.
	ClaimTotal(ctx context.Context, f Filter, line string) (int, money.Amount, error)

	// Losses is the sum of what later profit has not repaid, over all positions of a
	// member.
	Losses(ctx context.Context, no int64) (money.Amount, error)
	// ReadyClaims sums the claims that a member can collect, by line.
	ReadyClaims(ctx context.Context, no int64) ([]ReadyClaims, error)
	// Moves lists a member's fund requests and withdrawals in progress, and its last
	// withdrawal if that was rejected, newest first.
	Moves(ctx context.Context, uid int64) ([]Move, error)

	// Carried is a member's data in the last close.
	Carried(ctx context.Context, no int64) (closing.Carried, error)
	// Owned yields every member with the volume of its final sales, last joined first.
	Owned(ctx context.Context, yield func(Owned) error) error

	// Balances are a member's accounts by code.
	Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error)

	// Account finds an account by its code and returns the number of its entries; zeros
	// if nothing was posted to it.
	Account(ctx context.Context, code string) (id, versions int64, err error)
	// Entries lists an account's entries after a version, up to another.
	Entries(ctx context.Context, account, after, last int64, limit int) ([]Entry, error)
	// Moved returns what entered and what left an account by the same entries.
	Moved(ctx context.Context, account, after, last int64) (in, out money.Amount, err error)

	// Purchases lists a member's purchases on a line, newest first, and their number.
	Purchases(ctx context.Context, f Filter, line string) ([]Purchase, int, error)
	// Investments lists a member's positions on a line, newest first, with their results,
	// and their number.
	Investments(ctx context.Context, f Filter, line string) ([]Investment, int, error)
	// PurchasesBefore lists a member's purchases on a line before a key, newest first.
	PurchasesBefore(ctx context.Context, f Filter, line string, before Key, limit int) ([]Purchase, error)
	// Cooling lists the packages in cooling-off that a member paid for, newest first.
	Cooling(ctx context.Context, payer int64, limit int) ([]Purchase, error)
	// Refunded returns when sales were refunded, by id.
	Refunded(ctx context.Context, ids []string) (map[string]time.Time, error)
	// PurchasesOf lists purchases of some members, of each the newest first.
	PurchasesOf(ctx context.Context, nos []int64, f Filter, line string) ([]Purchase, error)
	// Buyers yields the buyers on a line on days after one and up to another, in the
	// order of purchases.
	Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error
	// AllPurchases lists all purchases on a line since a day and before a key, newest
	// first.
	AllPurchases(ctx context.Context, line string, since plan.Day, before Key, limit int) ([]Purchase, error)
}

// Owned is a member's place along sponsors and the volume of its final sales.
type Owned struct {
	No, Sponsor int64
	Customer    bool
	Volume      int64
}
