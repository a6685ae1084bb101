package cashier

import (
	"context"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
)

// Exports read whole lists, newest first, in pages. Each page continues from the last row
// of the page before, so that rows added meanwhile do not shift the following pages.

const eachPage = 500

// each reads a list to its end. page returns rows whose number is at most upto, from an
// offset; upto 0 does not restrict. Rows with the same number are adjacent.
func each[T any](page func(upto, offset int64) ([]T, error), number func(T) int64, yield func(T) error) error {
	for upto, offset := int64(0), int64(0); ; {
		all, err := page(upto, offset)
		if err != nil {
			return err
		}
		for _, x := range all {
			if err := yield(x); err != nil {
				return err
			}
			if n := number(x); n == upto {
				offset++
			} else {
				upto, offset = n, 1
			}
		}
		if len(all) < eachPage {
			return nil
		}
	}
}

// EachRequest yields every fund request that matches f.
func (s *Service) EachRequest(ctx context.Context, f fund.Filter, yield func(fund.Request) error) error {
	return each(func(upto, offset int64) ([]fund.Request, error) {
		f.Upto, f.Offset, f.Limit = upto, offset, eachPage
		all, _, err := s.opt.Funds.List(ctx, f)
		return all, err
	}, func(r fund.Request) int64 { return r.ID }, yield)
}

// EachWithdrawal yields every withdrawal that matches f.
func (s *Service) EachWithdrawal(ctx context.Context, f withdrawal.Filter, yield func(withdrawal.Withdrawal) error) error {
	return each(func(upto, offset int64) ([]withdrawal.Withdrawal, error) {
		f.Upto, f.Offset, f.Limit = upto, offset, eachPage
		all, _, _, err := s.opt.Withdrawals.List(ctx, f)
		return all, err
	}, func(w withdrawal.Withdrawal) int64 { return w.ID }, yield)
}

type NamedMove struct {
	fund.Move
	Name string
}

// EachMove yields every incoming or outgoing transfer that matches f.
func (s *Service) EachMove(ctx context.Context, f fund.MoveFilter, yield func(NamedMove) error) error {
	return each(func(upto, offset int64) ([]NamedMove, error) {
		f.Upto, f.Offset, f.Limit = upto, offset, eachPage
		moves, names, _, err := s.Moves(ctx, f)
		out := make([]NamedMove, 0, len(moves))
		for _, m := range moves {
			out = append(out, NamedMove{m, names[m.Other]})
		}
		return out, err
	}, func(m NamedMove) int64 { return m.Seq }, yield)
}
