package figures

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Store is what figures need of a database. Nothing of it is written.
type Store interface {
	// LastDay is the last closed day; false before the first.
	LastDay(ctx context.Context) (plan.Day, bool, error)
	// DaySums lists what the closes of some days added up, both included.
	DaySums(ctx context.Context, from, to plan.Day) ([]closing.DaySum, error)
	// Buyers gives for whom something was bought on a line ("" for packages) on
	// days after one and up to another, in the order of purchases.
	Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error
	// Flips gives who became active or ceased to be, in order, after a number.
	Flips(ctx context.Context, after int64, yield func(n int64, f closing.Flip) error) error
	// Charges gives what withdrawals confirmed since a time cost, in the order of
	// time.
	Charges(ctx context.Context, since time.Time, yield func(at time.Time, charge int64) error) error
	// Published gives what the public was shown after the closes of days after
	// one, in order.
	Published(ctx context.Context, after plan.Day, yield func(day plan.Day, body []byte) error) error
}
