package team

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Which selects a list of people.
type Which int

const (
	Referrals Which = iota
	Downline
	Levels
)

// eachPage is the batch size of Each.
const eachPage = 1000

// Each yields every row of a list in the order of joining, ignoring q's page and order.
// It reads in batches, each starting after the last member of the one before: members
// who join meanwhile come last, and none comes twice. level is that of Levels.
//
// Errors: those of the lists, before the first row; yield's.
func (s *Service) Each(ctx context.Context, q Query, which Which, level int, yield func(Person) error) error {
	l, from, to, err := s.each(ctx, q, which, level)
	if err != nil {
		return err
	}
	for {
		var rows []tree.Row
		if which == Downline {
			rows, _ = s.opt.Tree.Team(l)
		} else {
			rows, _ = s.opt.Tree.Levels(l, from, to)
		}
		uids := make([]int64, len(rows))
		for i, r := range rows {
			uids[i] = r.UID
		}
		cards, err := s.opt.Members.Cards(ctx, uids)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := yield(Person{r, cards[r.UID]}); err != nil {
				return err
			}
		}
		if len(rows) < eachPage {
			return nil
		}
		l.After = rows[len(rows)-1].No
	}
}

// each is a list as a query of the tree, and its levels.
func (s *Service) each(ctx context.Context, q Query, which Which, level int) (l tree.List, from, to int, err error) {
	no, err := s.find(ctx, q.UID)
	if err != nil {
		return l, 0, 0, err
	}
	if level < 0 || level > MaxLevel {
		return l, 0, 0, errs.BadField("leveltype", "team.level_range", "Levels go from 1 to 20; 0 is all of them.")
	}
	q.Sort, q.Page, q.Size = "registrationDate", 1, MaxSize
	from, to = 1, 1
	if which == Levels {
		q.Side, from, to = tree.NoSide, max(level, 1), level
		if level == 0 {
			to = MaxLevel
		}
	}
	l, err = q.list(no)
	l.Limit = eachPage
	return l, from, to, err
}

// EachLeg yields the business of each invitation and its downline, in the order of
// joining.
func (s *Service) EachLeg(ctx context.Context, q Query, yield func(LegBusiness) error) error {
	l, _, _, err := s.each(ctx, q, Referrals, 0)
	for err == nil {
		rows, _ := s.opt.Tree.Levels(l, 1, 1)
		for _, r := range rows {
			if err := yield(LegBusiness{r.UID, r.Business, s.opt.Tree.Downline(r.No).Business}); err != nil {
				return err
			}
		}
		if len(rows) < eachPage {
			return ctx.Err()
		}
		l.After, err = rows[len(rows)-1].No, ctx.Err()
	}
	return err
}
