package report

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// Store is what reports need of a database. Nothing of it is written.
type Store interface {
	// Plan is the version that holds on a day; false if there is none yet.
	Plan(ctx context.Context, day plan.Day) (version string, body []byte, found bool, err error)
	// LastDay is the last closed day; false before the first.
	LastDay(ctx context.Context) (plan.Day, bool, error)
	// Standings tell how members stand, by join numbers: at most MaxStandings.
	// Everybody asked for is told of, once each.
	Standings(ctx context.Context, nos []int64) ([]StoredStanding, error)
	// Closed is false if the day is not closed.
	Closed(ctx context.Context, day plan.Day) (closing.Closed, bool, error)

	// Incomes lists a member's rows of one kind and line.
	Incomes(ctx context.Context, f Filter, kind plan.Kind, line string) ([]closing.IncomeState, error)
	// IncomesAfter lists the next of them after a row, oldest first.
	IncomesAfter(ctx context.Context, f Filter, kind plan.Kind, line string, after int64) ([]closing.IncomeState, error)
	// IncomeTotal is how many they are in all, and the sum of what was paid; of
	// ROI rows only those that are released.
	IncomeTotal(ctx context.Context, f Filter, kind plan.Kind, line string) (int, money.Amount, error)
	// IncomeByDay sums a member's incomes by day, kind and line, oldest day first;
	// of ROI those that left Hold.
	IncomeByDay(ctx context.Context, f Filter) ([]DayIncome, error)
	// Income is one row of a member's; false if it has no such row.
	Income(ctx context.Context, no, row int64) (closing.IncomeState, bool, error)
	// Origin is the sale, or else the booking, of an id.
	Origin(ctx context.Context, id string) (Origin, bool, error)

	Claims(ctx context.Context, f Filter, line string) ([]invest.Claim, error)
	// ClaimTotal is how many they are in all, and the sum of paid ones.
	ClaimTotal(ctx context.Context, f Filter, line string) (int, money.Amount, error)

	// Carried is what the last close keeps of a member.
	Carried(ctx context.Context, no int64) (closing.Carried, error)
	// Owned gives every member with the volume of its final sales, last joined
	// first.
	Owned(ctx context.Context, yield func(Owned) error) error

	// Balances are a member's accounts by code.
	Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error)

	// Account finds an account by its code, and how many entries it has; zeros if
	// nothing was ever posted to it.
	Account(ctx context.Context, code string) (id, versions int64, err error)
	// Entries lists an account's entries after a version, up to another.
	Entries(ctx context.Context, account, after, last int64, limit int) ([]Entry, error)

	// Purchases lists what was bought for a member on a line, newest first, and
	// how many they are in all.
	Purchases(ctx context.Context, f Filter, line string) ([]Purchase, int, error)
	// PurchasesBefore lists what was bought for a member on a line, newest
	// first: those before a key.
	PurchasesBefore(ctx context.Context, f Filter, line string, before Key, limit int) ([]Purchase, error)
	// Cooling lists the packages that a member has paid for and that cool off,
	// newest first.
	Cooling(ctx context.Context, payer int64, limit int) ([]Purchase, error)
	// PurchasesOf lists what was bought for some members, of each the newest
	// first.
	PurchasesOf(ctx context.Context, nos []int64, f Filter, line string) ([]Purchase, error)
	// Buyers gives for whom something was bought on a line on days after one
	// and up to another, in the order of purchases.
	Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error
	// AllPurchases lists what was bought on a line for anybody since a day,
	// newest first: those before a key.
	AllPurchases(ctx context.Context, line string, since plan.Day, before Key, limit int) ([]Purchase, error)
}

// Owned is a member's place along sponsors and what its final sales brought.
type Owned struct {
	No, Sponsor int64
	Customer    bool
	Volume      int64
}
