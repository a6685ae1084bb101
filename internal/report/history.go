package report

import (
	"context"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/sale"
	"github.com/bifolia/bifolia/internal/tree"
)

// History lists what was bought for a member on a line, newest first.
func (s *Service) History(ctx context.Context, q Query, line string) (page Page[Purchase], err error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	if page.Rows, page.Total, err = s.opt.Store.Purchases(ctx, f, line); err != nil {
		return page, err
	}
	return page, s.name(ctx, q.UID, line, page.Rows)
}

// chunk is how many purchases of everybody are looked at at a time.
const chunk = 1000

// Downline lists what was bought on a line for those who hang below a member,
// newest first.
//
// Who hangs below whom only the index knows, so it passes through all purchases
// of the days asked for, a chunk at a time along an index of the database, and
// keeps those of the page. Memory is that of a chunk and a page; the time is
// that of reading every purchase of those days, since the answer tells how many
// there are in all: some hundred thousand a second.
func (s *Service) Downline(ctx context.Context, q Query, line string) (page Page[Purchase], err error) {
	n, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	walk := f
	walk.Limit = chunk
	before := Key{Day: math.MaxInt64, At: time.UnixMicro(math.MaxInt64)}
	for {
		all, err := s.opt.Store.AllPurchases(ctx, walk, line, before)
		if err != nil {
			return page, err
		}
		for _, x := range all {
			if no := tree.No(x.No); no == n.No || !s.opt.Tree.Below(n.No, no) {
				continue
			}
			if page.Total >= f.Offset && len(page.Rows) < f.Limit {
				page.Rows = append(page.Rows, x)
			}
			page.Total++
		}
		if len(all) < chunk {
			return page, s.name(ctx, q.UID, line, page.Rows)
		}
		last := all[len(all)-1]
		before = Key{last.Day, last.At, last.ID}
	}
}

// name adds who a purchase was for and what it was, as the plan of its day
// calls it.
func (s *Service) name(ctx context.Context, asks int64, line string, rows []Purchase) error {
	planOf := s.planner(ctx)
	uids := make([]int64, 0, len(rows))
	for i := range rows {
		x := &rows[i]
		p, err := planOf(x.Day)
		if err != nil {
			return err
		}
		x.UID, x.Fund, x.PackageName = s.uid(x.No), fundOf(p, line), packageName(p, line, x.Package)
		x.Refundable = line == Robot && x.State == string(sale.Cooling) && x.Payer == asks
		uids = append(uids, x.UID)
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i := range rows {
		rows[i].Name = cards[rows[i].UID].Name
	}
	return err
}

func fundOf(p *plan.Plan, line string) string {
	if line == Robot {
		return "FUNDS"
	}
	return p.Lines[line].Fund
}

func packageName(p *plan.Plan, line string, id int64) string {
	for _, k := range p.RobotPackages {
		if line == Robot && k.ID == id {
			return k.Name
		}
	}
	for _, k := range p.Lines[line].Packages {
		if k.ID == id {
			return k.Name
		}
	}
	return ""
}
