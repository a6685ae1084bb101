package figures

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Store is the database of figures, read-only.
type Store interface {
	// LastDay is the last closed day; false before the first.
	LastDay(ctx context.Context) (plan.Day, bool, error)
	// DaySums lists the closes' sums of some days, both included.
	DaySums(ctx context.Context, from, to plan.Day) ([]closing.DaySum, error)
	// Buyers yields the buyers on a line ("" for packages) on days after one and up to
	// another, in the order of purchases.
	Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error
	// Flips yields changes of activity after a number, in order.
	Flips(ctx context.Context, after int64, yield func(n int64, f closing.Flip) error) error
	// Charges yields the fees of withdrawals confirmed since a time, in the order of
	// time.
	Charges(ctx context.Context, since time.Time, yield func(at time.Time, charge int64) error) error
	// Published yields the reports published after the closes of days after one, in
	// order.
	Published(ctx context.Context, after plan.Day, yield func(day plan.Day, body []byte) error) error
}
