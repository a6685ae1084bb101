package report

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// History lists a member's purchases on a line, newest first or by dd or Amount.
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

// Investments lists a member's positions on a line with their results so far, newest
// first.
func (s *Service) Investments(ctx context.Context, q Query, line string) (page Page[Investment], err error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	if page.Rows, page.Total, err = s.opt.Store.Investments(ctx, f, line); err != nil {
		return page, err
	}
	named := make([]Purchase, len(page.Rows))
	for i, x := range page.Rows {
		named[i] = x.Purchase
	}
	err = s.name(ctx, q.UID, line, named)
	for i := range named {
		page.Rows[i].Purchase = named[i]
	}
	return page, err
}

// Today is the local day of the plan.
func (s *Service) Today(ctx context.Context) (plan.Day, error) {
	p, err := s.today(ctx)
	if err != nil {
		return 0, err
	}
	return p.Day(s.opt.Clock.Now()), nil
}

// maxRefundable is the maximum number of refundable packages listed.
const maxRefundable = 500

// Refundable lists the refundable packages that a member paid for, for any member, newest
// first.
func (s *Service) Refundable(ctx context.Context, uid int64) ([]Purchase, error) {
	rows, err := s.opt.Store.Cooling(ctx, uid, maxRefundable)
	if err != nil {
		return nil, err
	}
	return rows, s.name(ctx, uid, Robot, rows)
}

// Downline lists the purchases on a line of those below a member, newest first or, sorted
// by dd, oldest first. Another order would require reading all purchases of a large team.
func (s *Service) Downline(ctx context.Context, q Query, line string) (page Page[Purchase], err error) {
	n, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	if f.Order != ByDay {
		return page, errs.BadField("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", strings.TrimPrefix(q.Sort, "-"))
	}
	read := s.large
	if n.Left.Members+n.Right.Members <= smallTeam {
		read = s.small
	}
	if err := newestFirst(f, &page, func(f Filter) error { return read(ctx, f, line, n.No, &page) }); err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	return page, s.name(ctx, q.UID, line, page.Rows)
}

// newestFirst reads a page in either order by a function that reads newest first only:
// for oldest first it reads the page at the same distance from the other end and
// reverses it.
func newestFirst(f Filter, page *Page[Purchase], read func(Filter) error) error {
	if f.Descending {
		return read(f)
	}
	offset, limit := f.Offset, f.Limit
	f.Offset, f.Limit = 0, 0
	if err := read(f); err != nil {
		return err
	}
	total := page.Total
	f.Offset = max(0, total-offset-limit)
	f.Limit = max(0, total-offset-f.Offset)
	*page = Page[Purchase]{}
	err := read(f)
	slices.Reverse(page.Rows)
	return err
}

// smallTeam is the largest team whose members are queried by number.
const smallTeam = 2000

// small reads all purchases of a small team.
func (s *Service) small(ctx context.Context, f Filter, line string, top tree.No, page *Page[Purchase]) error {
	team, _ := s.opt.Tree.Team(tree.List{Of: top, Limit: smallTeam})
	nos := make([]int64, len(team))
	for i, r := range team {
		nos[i] = int64(r.No)
	}
	all, err := s.opt.Store.PurchasesOf(ctx, nos, f, line)
	slices.SortFunc(all, func(a, b Purchase) int {
		return cmp.Or(cmp.Compare(b.Day, a.Day), b.At.Compare(a.At), strings.Compare(b.ID, a.ID))
	})
	page.Total, page.Rows = len(all), all[min(f.Offset, len(all)):min(f.Offset+f.Limit, len(all))]
	return err
}

// name adds a purchase's member, its name in the plan of its day, and its terms.
func (s *Service) name(ctx context.Context, asks int64, line string, rows []Purchase) error {
	planOf := s.planner(ctx)
	uids := make([]int64, 0, len(rows))
	if err := s.markRefundable(ctx, asks, line, rows); err != nil {
		return err
	}
	refunds, err := s.refunds(ctx, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		x := &rows[i]
		p, err := planOf(x.Day)
		if err != nil {
			return err
		}
		x.UID, x.Fund, x.PackageName = s.uid(x.No), fundOf(p, line), packageName(p, line, x.Package)
		switch {
		case line != Robot:
			x.Ends = x.Day + plan.Day(x.Term)
		case x.State == string(sale.Cooling):
			x.Until = x.Day + plan.Day(p.CoolingOffDays)
			x.Left = int64(max(0, x.Until-p.Day(s.opt.Clock.Now())))
		}
		if at, found := refunds[x.ID]; found {
			x.Refunded = p.Day(at)
		}
		uids = append(uids, x.UID)
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i := range rows {
		rows[i].Name = cards[rows[i].UID].Name
	}
	return err
}

// markRefundable marks the packages that the caller can return: those that it paid for, of
// each member the newest first.
func (s *Service) markRefundable(ctx context.Context, asks int64, line string, rows []Purchase) error {
	mine := func(x Purchase) bool {
		return line == Robot && x.State == string(sale.Cooling) && x.Payer == asks
	}
	if !slices.ContainsFunc(rows, mine) {
		return nil
	}
	cooling, err := s.opt.Store.Cooling(ctx, asks, maxRefundable)
	if err != nil {
		return err
	}
	newest := map[int64]string{} // by the buyer's join number
	for _, x := range slices.Backward(cooling) {
		newest[x.No] = x.ID
	}
	for i, x := range rows {
		rows[i].Refundable = mine(x) && newest[x.No] == x.ID
		rows[i].Blocked = mine(x) && newest[x.No] != x.ID
	}
	return nil
}

// refunds returns when the refunded sales of rows were refunded, by id.
func (s *Service) refunds(ctx context.Context, rows []Purchase) (map[string]time.Time, error) {
	var ids []string
	for _, x := range rows {
		if x.State == string(sale.Refunded) {
			ids = append(ids, x.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.opt.Store.Refunded(ctx, ids)
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
