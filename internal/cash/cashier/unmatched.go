package cashier

import (
	"context"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
)

// PartOf is the source of a request that belongs to the n-th event of a transaction.
func PartOf(n int) string { return "#" + strconv.Itoa(n) }

// KeepUnmatched records payments that became no fund request. Payments that are recorded
// already, have a request, or are named by a pending or approved one are skipped. It
// fills in missing reasons.
func (s *Service) KeepUnmatched(ctx context.Context, all []deposit.Unmatched) error {
	var fresh []deposit.Unmatched
	for _, u := range all {
		known, err := s.matched(ctx, u)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if u.Reason == "" {
			hold, _, err := s.senders(ctx, []string{u.From})
			if err != nil {
				return err
			}
			if u.Reason = deposit.Unannounced; hold.Code == holdOurs.Code {
				u.Reason = deposit.FromCompany
			}
		}
		fresh = append(fresh, u)
	}
	if len(fresh) == 0 {
		return nil
	}
	_, err := s.opt.Do.Do(ctx, command("chain", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		for _, u := range fresh {
			if err := s.opt.Deposits.Keep(ctx, tx, u, tx.Now()); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}))
	return err
}

// matched reports whether a payment is recorded or visible to operators as a request.
func (s *Service) matched(ctx context.Context, u deposit.Unmatched) (bool, error) {
	if known, err := s.opt.Deposits.Known(ctx, nil, u); err != nil || known {
		return known, err
	}
	named, err := s.opt.Funds.Named(ctx, u.Hash)
	return slices.ContainsFunc(named, func(r fund.Request) bool {
		return r.Source == PartOf(u.N) || r.Source == u.To || (r.Source == "" && r.State != fund.Rejected)
	}), err
}

// Unmatched lists the payments that became no fund request, and their total count.
func (s *Service) Unmatched(ctx context.Context, f deposit.UnmatchedFilter) ([]deposit.Unmatched, int64, error) {
	return s.opt.Deposits.Unmatched(ctx, f)
}

// EachUnmatched yields every unmatched payment that matches f.
func (s *Service) EachUnmatched(ctx context.Context, f deposit.UnmatchedFilter, yield func(deposit.Unmatched) error) error {
	const most = 500
	f.Oldest, f.Offset, f.Limit = true, 0, most // new rows are appended at the end
	for {
		all, _, err := s.opt.Deposits.Unmatched(ctx, f)
		if err != nil {
			return err
		}
		for _, u := range all {
			if err := yield(u); err != nil {
				return err
			}
		}
		if len(all) < most {
			return nil
		}
		f.Offset += most
	}
}
