package report

import (
	"context"
	"math"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
)

// Whole reports, for files. They are read in batches, each starting after the last row of
// the one before, so that memory stays bounded and no row comes twice. Errors are those
// of the reports, before the first row, and yield's.

// eachPage is the batch size.
const eachPage = 1000

// openAll is open for a whole report, without page and order.
func (s *Service) openAll(ctx context.Context, q Query) (tree.Node, Filter, error) {
	q.Sort, q.Page, q.Size = "", 1, 1
	return s.open(ctx, q)
}

// EachIncome yields a member's income rows of one kind, newest first as the screen has them.
func (s *Service) EachIncome(ctx context.Context, q Query, kind plan.Kind, line string, yield func(Income) error) error {
	_, f, err := s.openAll(ctx, q)
	if err != nil {
		return err
	}
	f.Limit = eachPage
	for before := int64(math.MaxInt64); ; {
		rows, err := s.opt.Store.IncomesBefore(ctx, f, kind, line, before)
		if err != nil {
			return err
		}
		for _, x := range rows {
			if err := yield(s.show(x)); err != nil {
				return err
			}
		}
		if len(rows) < eachPage {
			return nil
		}
		before = rows[len(rows)-1].Row
	}
}

// EachClaim yields a member's claims on a line, newest first. A member has few: one for
// each matured position.
func (s *Service) EachClaim(ctx context.Context, q Query, line string, yield func(Claim) error) error {
	q.Sort, q.Size = "-dd", MaxSize
	for q.Page = 1; ; q.Page++ {
		p, err := s.Claims(ctx, q, line)
		if err != nil {
			return err
		}
		for _, c := range p.Rows {
			if err := yield(c); err != nil {
				return err
			}
		}
		if len(p.Rows) < MaxSize {
			return nil
		}
	}
}

// EachPurchase yields the purchases on a line of a member, or of those below, newest
// first.
func (s *Service) EachPurchase(ctx context.Context, q Query, line string, downline bool, yield func(Purchase) error) error {
	n, f, err := s.openAll(ctx, q)
	if err != nil {
		return err
	}
	mine := func(x Purchase) bool { return int64(n.No) == x.No }
	if downline {
		mine = func(x Purchase) bool { return x.No != int64(n.No) && s.opt.Tree.Below(n.No, tree.No(x.No)) }
	}
	before := Key{Day: f.To}
	if f.To < math.MaxInt64 {
		before.Day++
	}
	for {
		all, err := s.purchasesBefore(ctx, f, line, downline, before)
		if err != nil {
			return err
		}
		kept := make([]Purchase, 0, len(all))
		for _, x := range all {
			if mine(x) {
				kept = append(kept, x)
			}
		}
		if err := s.name(ctx, q.UID, line, kept); err != nil {
			return err
		}
		for _, x := range kept {
			if err := yield(x); err != nil {
				return err
			}
		}
		if len(all) < eachPage {
			return nil
		}
		last := all[len(all)-1]
		before = Key{last.Day, last.At, last.ID}
	}
}

func (s *Service) purchasesBefore(ctx context.Context, f Filter, line string, downline bool, before Key) ([]Purchase, error) {
	if downline {
		return s.opt.Store.AllPurchases(ctx, line, f.From, before, eachPage)
	}
	return s.opt.Store.PurchasesBefore(ctx, f, line, before, eachPage)
}
