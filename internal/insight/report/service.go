package report

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Options configures a Service.
type Options struct {
	Store   Store
	Places  Places
	Tree    *tree.Service
	Members *member.Service
	Clock   clock.Clock
	// Licences are the references under which lines are offered; a line without one has
	// no packages.
	Licences map[string]string
}

// Places finds members: *team.Service.
type Places interface {
	Node(ctx context.Context, uid int64) (tree.Node, error)
}

// Service answers queries. The caller has checked that uid may ask.
type Service struct {
	opt    Options
	plans  sync.Map // by version: *plan.Plan
	legs   legs
	bought bought
	// standings of members, by what the tree says of them
	standings *cache.Cache[Asked, Standing]
	shown     *cache.Cache[plan.Day, *plan.Plan]
}

// Lifetimes of the caches of what pages repeat.
const (
	cacheSize = 50_000
	cacheLife = time.Second
)

func New(opt Options) *Service {
	return &Service{opt: opt, standings: cache.NewExpiring[Asked, Standing](cacheSize, cacheLife, opt.Clock), shown: cache.NewExpiring[plan.Day, *plan.Plan](cacheSize, cacheLife, opt.Clock)}
}

// open finds the member and checks the query. NotFound if there is no such member;
// Invalid names every wrong field.
func (s *Service) open(ctx context.Context, q Query) (tree.Node, Filter, error) {
	n, err := s.opt.Places.Node(ctx, q.UID)
	if err != nil {
		return n, Filter{}, err
	}
	f, err := q.filter(int64(n.No))
	return n, f, err
}

// planOf is the plan in force on a day. A version never changes, so each is read once.
func (s *Service) planOf(ctx context.Context, day plan.Day) (*plan.Plan, error) {
	version, body, found, err := s.opt.Store.Plan(ctx, day)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errs.New(errs.Unavailable, "plan.none_yet", "There is no plan for {day} yet. Try again in a few seconds.", "day", day)
	}
	if p, known := s.plans.Load(version); known {
		return p.(*plan.Plan), nil
	}
	return s.keep(version, body)
}

func (s *Service) keep(version string, body []byte) (*plan.Plan, error) {
	p, err := plan.Parse(body)
	if err == nil {
		s.plans.Store(version, p)
	}
	return p, err
}

// today is the plan in force. The plan's zone determines the day, and the day the plan:
// all versions of an installation have the zone of the first.
func (s *Service) today(ctx context.Context) (*plan.Plan, error) {
	now := s.opt.Clock.Now()
	p, err := s.planOf(ctx, 0)
	if err != nil {
		return nil, err
	}
	return s.planOf(ctx, p.Day(now))
}

// planner caches, within one answer, the plan of each day.
func (s *Service) planner(ctx context.Context) func(plan.Day) (*plan.Plan, error) {
	known := map[plan.Day]*plan.Plan{}
	return func(day plan.Day) (*plan.Plan, error) {
		if p := known[day]; p != nil {
			return p, nil
		}
		p, err := s.planOf(ctx, day)
		known[day] = p
		return p, err
	}
}

func (s *Service) uid(no int64) int64 {
	n, _ := s.opt.Tree.Get(tree.No(no))
	return n.UID
}

// Incomes lists a member's income rows of one kind; of ROI, of one line. The sum is over
// all selected days, of ROI of released rows only.
func (s *Service) Incomes(ctx context.Context, q Query, kind plan.Kind, line string) (page Page[Income], err error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	if page.Total, page.Sum, err = s.opt.Store.IncomeTotal(ctx, f, kind, line); err != nil || f.Offset >= page.Total {
		return page, err
	}
	f, back := f.nearer(page.Total)
	rows, err := s.opt.Store.Incomes(ctx, f, kind, line)
	if err != nil {
		return page, err
	}
	if back {
		slices.Reverse(rows)
	}
	for _, x := range rows {
		page.Rows = append(page.Rows, s.show(x))
	}
	if kind != plan.KindLevel && kind != plan.KindROILevel {
		return page, nil
	}
	return page, s.nameSources(ctx, page.Rows)
}

// nameSources adds the names of the members whom incomes come from.
func (s *Service) nameSources(ctx context.Context, rows []Income) error {
	uids := make([]int64, len(rows))
	for i, x := range rows {
		uids[i] = x.OfUID
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i := range rows {
		rows[i].OfName = cards[rows[i].OfUID].Name
	}
	return err
}

// IncomeByDay sums a member's incomes by day and kind, oldest day first, as the dashboard
// does: of ROI what left Hold.
func (s *Service) IncomeByDay(ctx context.Context, q Query) ([]DayIncome, error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return nil, err
	}
	return s.opt.Store.IncomeByDay(ctx, f)
}

// show adds derived values to a row, as the close's report does.
func (s *Service) show(x closing.IncomeState) Income {
	i := Income{IncomeState: x, OfUID: s.uid(x.Of)}
	i.SS, i.Since = x.Status()
	i.Remark = closing.Remark(x.Income)
	if x.Kind == plan.KindROI && x.On > 0 {
		if rate, err := money.Micro(x.Paid).MulDiv(percent, x.On); err == nil {
			i.Rate = rate
		}
	}
	return i
}

// Claims lists the claims of a member's matured positions on a line. The sum is of paid
// ones.
func (s *Service) Claims(ctx context.Context, q Query, line string) (page Page[Claim], err error) {
	_, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	page.First = f.Offset + 1
	if page.Total, page.Sum, err = s.opt.Store.ClaimTotal(ctx, f, line); err != nil || f.Offset >= page.Total {
		return page, err
	}
	claims, err := s.opt.Store.Claims(ctx, f, line)
	if err != nil {
		return page, err
	}
	planOf := s.planner(ctx)
	for _, c := range claims {
		p, err := planOf(c.Day)
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, Claim{c, p.Lines[line].Fund})
	}
	return page, nil
}

// Nothing is a report without rows.
func (s *Service) Nothing(ctx context.Context, q Query) error {
	_, _, err := s.open(ctx, q)
	return err
}

// Dated checks a query of another package's rows and returns the zone of its days.
func (s *Service) Dated(ctx context.Context, q Query) (*time.Location, error) {
	if err := s.Nothing(ctx, q); err != nil {
		return nil, err
	}
	p, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	return p.Zone(), nil
}

// Packages lists today's products: Robot packages, or those of a line, none while the
// line has no licence.
func (s *Service) Packages(ctx context.Context, line string) (out []Package, err error) {
	p, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	if line == Robot {
		for _, k := range p.RobotPackages {
			out = append(out, Package{ID: k.ID, Name: k.Name, Amount: k.Amount, Cap: k.Cap})
		}
		return out, nil
	}
	if s.opt.Licences[line] == "" {
		return nil, nil
	}
	today := p.Day(s.opt.Clock.Now())
	for _, k := range p.Lines[line].Packages {
		out = append(out, Package{ID: k.ID, Name: k.Name, Amount: k.From, From: k.From, To: k.To, Term: k.Term, Ends: today + plan.Day(k.Term), Split: p.ProfitSplitPPM})
	}
	return out, nil
}

// Plan is the plan of today.
func (s *Service) Plan(ctx context.Context) (*plan.Plan, error) { return s.today(ctx) }

// Balance is a member's available balance in an income wallet, or with FundBalance the
// total of its three funds. Invalid if there is no such wallet.
func (s *Service) Balance(ctx context.Context, uid int64, wallet string) (money.Amount, error) {
	suffix := ":" + strconv.FormatInt(uid, 10)
	codes := []string{"L:INCOME:" + wallet + suffix}
	switch {
	case wallet == FundBalance:
		codes = []string{"L:FUND:FUNDS" + suffix, "L:FUND:FOREXFUNDS" + suffix, "L:FUND:CRYPTOFUNDS" + suffix}
	case !wallets[wallet]:
		return money.Amount{}, errs.BadField("type", "report.type_unknown", "The type is LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income, salaryrankreward or FundBalance.")
	}
	all, err := s.opt.Store.Balances(ctx, uid)
	if err != nil {
		return money.Amount{}, err
	}
	parts := make([]money.Amount, 0, len(codes))
	for _, code := range codes {
		parts = append(parts, all[code].Available)
	}
	return money.Sum(parts...)
}
