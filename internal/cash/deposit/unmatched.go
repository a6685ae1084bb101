package deposit

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Reason is why a payment became no fund request.
type Reason string

// The reasons.
const (
	Small       Reason = "small"       // it is below the minimum, to an address of a member's own
	Unannounced Reason = "unannounced" // it is to the company's address, and nobody has announced or named it
	FromCompany Reason = "company"     // the same, out of an address of the company
	Unassigned  Reason = "unassigned"  // it is to an address that no member has: one was told it before a restore
)

// Unmatched is a payment that the chain has shown, deep enough to count, and that
// became no fund request. It never changes.
type Unmatched struct {
	ID       int64
	Hash     string
	N        int // which of the transaction's events, from 0
	To, From string
	Amount   money.Amount
	Block    int64
	Mined    time.Time
	Reason   Reason
	At       time.Time // when it was written down
	UID      int64     // the member whose address To is; 0 for the company's and nobody's
	Ahead    *Address  // To, if no row has it yet
}

// UnmatchedFilter chooses unmatched payments; what is zero chooses nothing.
type UnmatchedFilter struct {
	Reason        Reason
	UID           int64
	Hash          string
	Oldest        bool // first; else the newest
	Offset, Limit int64
}

// Known tells whether an unmatched payment is written down already.
func (s *Service) Known(ctx context.Context, tx *ledger.Tx, u Unmatched) (bool, error) {
	return s.opt.Store.HasUnmatched(ctx, tx, u.Hash, u.N)
}

// Keep writes an unmatched payment down, once.
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

// Unmatched lists the payments that became no fund request, and how many they are.
func (s *Service) Unmatched(ctx context.Context, f UnmatchedFilter) ([]Unmatched, int64, error) {
	return s.opt.Store.Unmatched(ctx, f)
}
