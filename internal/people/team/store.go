package team

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Store is what lists and the dashboard need of a database beside the nouns'.
type Store interface {
	// Balances are a member's accounts by code.
	Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error)
	// Bought gives what members bought since a moment, newest first.
	Bought(ctx context.Context, since time.Time, limit int) ([]Bought, error)
	// Earned sums a member's incomes by kind and line; of ROI those that left
	// Hold.
	Earned(ctx context.Context, no tree.No) ([]Earned, error)
}

// Earned is what one kind of income, of ROI on one line, came to.
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
