package deposit

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Reason is why a payment became no fund request.
type Reason string

const (
	Small       Reason = "small"       // below the minimum, to a deposit address
	Unannounced Reason = "unannounced" // to the company's address, neither announced nor named
	FromCompany Reason = "company"     // likewise, from an address of the company
	Unassigned  Reason = "unassigned"  // to an address without a member, shown to one before a restore
)

// Unmatched is a payment with enough confirmations that became no fund request. It never
// changes.
type Unmatched struct {
	ID       int64
	Hash     string
	N        int // index of the transaction's event
	To, From string
	Amount   money.Amount
	Block    int64
	Mined    time.Time
	Reason   Reason
	At       time.Time // time of recording
	UID      int64     // the member of address To, or 0
	Ahead    *Address  // To, if no row has it yet
}

// UnmatchedFilter selects unmatched payments. Zero fields do not restrict.
type UnmatchedFilter struct {
	Reason        Reason
	UID           int64
	Hash          string
	Oldest        bool // first; else the newest
	Offset, Limit int64
}

// Known reports whether an unmatched payment is recorded.
func (s *Service) Known(ctx context.Context, tx *ledger.Tx, u Unmatched) (bool, error) {
	return s.opt.Store.HasUnmatched(ctx, tx, u.Hash, u.N)
}

// Keep records an unmatched payment once.
func (s *Service) Keep(ctx context.Context, tx *ledger.Tx, u Unmatched, at time.Time) error {
	known, err := s.Known(ctx, tx, u)
	if err != nil || known {
		return err
	}
	if u.Ahead != nil {
		if err := s.reserve(ctx, tx, *u.Ahead, at); err != nil {
			return err
		}
	}
	u.At = at
	return s.opt.Store.AddUnmatched(ctx, tx, u)
}

// Unmatched lists the payments that became no fund request, and their total count.
func (s *Service) Unmatched(ctx context.Context, f UnmatchedFilter) ([]Unmatched, int64, error) {
	return s.opt.Store.Unmatched(ctx, f)
}
