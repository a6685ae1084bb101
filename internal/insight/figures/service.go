package figures

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

// Options configures a Service.
type Options struct {
	Store  Store
	Tree   *tree.Service
	Plan   func(context.Context) (*plan.Plan, error) // that holds today
	Public func() *transparency.Report               // of the last close
	Clock  clock.Clock
}

// Service makes reports. The caller has checked permissions.
type Service struct {
	opt       Options
	sums      sums
	activity  activityCache
	charges   charges
	published published
	legs      legCache
}

func New(opt Options) *Service { return &Service{opt: opt} }

// usual is the default number of days of a report.
const usual = 90

// asked is a query being answered.
type asked struct {
	Query
	plan   *plan.Plan
	today  plan.Day
	closed bool // whether there was a close yet
	last   plan.Day
}

// Make makes a report, by default of the last ninety days, by day. Invalid names every
// wrong field.
func (s *Service) Make(ctx context.Context, q Query) (r Report, err error) {
	p, err := s.opt.Plan(ctx)
	if err != nil {
		return r, err
	}
	a := asked{Query: q, plan: p, today: p.Day(s.opt.Clock.Now())}
	if a.To == 0 {
		a.To = a.today
	}
	if a.From == 0 {
		a.From = a.To - usual + 1
	}
	if a.Bucket == "" {
		a.Bucket = ByDay
	}
	if err := a.check(); err != nil {
		return r, err
	}
	if a.last, a.closed, err = s.opt.Store.LastDay(ctx); err != nil {
		return r, err
	}
	r = Report{Query: a.Query, Closed: a.last}
	r.Tables, err = map[Kind]func(context.Context, asked) ([]Table, error){
		Revenue: s.revenue, Payouts: s.payouts, Retail: s.retail, People: s.people, Retention: s.retention,
		Legs: s.balance, Concentration: s.concentration, Disclosure: s.disclosure, Coverage: s.coverage,
	}[a.Kind](ctx, a)
	return r, err
}

// begins is the start of a local day.
func begins(d plan.Day, zone *time.Location) time.Time {
	y, m, day := date(d).Date()
	return time.Date(y, m, day, 0, 0, 0, 0, zone)
}
