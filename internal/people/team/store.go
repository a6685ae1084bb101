package team

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is the database of lists and the dashboard.
type Store interface {
	// Balances are a member's accounts by code.
	Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error)
	// Bought lists the purchases since a time, newest first.
	Bought(ctx context.Context, since time.Time, limit int) ([]Bought, error)
	// Refunded lists the sales of some members since a time that were refunded or charged
	// back.
	Refunded(ctx context.Context, nos []tree.No, since time.Time) ([]Bought, error)
	// Earned sums a member's incomes by kind and line; ROI without what is on Hold.
	Earned(ctx context.Context, no tree.No) ([]Earned, error)
}

// Earned is the sum of one kind of income; of ROI, on one line.
type Earned struct {
	Kind   plan.Kind
	Line   string
	Amount money.Amount
}

// Bought is one purchase or investment.
type Bought struct {
	No     tree.No
	Amount money.Amount
	At     time.Time
}
