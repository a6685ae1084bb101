// Package closing closes days. A close applies the plan to the stored data of a day,
// posts the result and writes it in one command. Each day is closed once, in order, and
// never reopens. An operator previews the result, and its digest is what is committed.
package closing

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

type Options struct {
	Do        ledger.CommandRunner
	Store     Store
	Sales     sale.Store
	Positions invest.Store
	Tree      *tree.Service
	Members   *member.Service
	Clock     clock.Clock
	Log       *slog.Logger
	// AuditLog receives the operators' acts; nil without operators.
	AuditLog *auditlog.Service
	// Second mails the operators who may approve; nil without operators.
	Second *approvalmail.Service
	// Demo allows closing today before it is over.
	Demo bool
}

// Service closes days and determines the open day.
type Service struct {
	opt   Options
	now   atomic.Pointer[Progress]
	watch atomic.Pointer[func(Progress)]
	plans sync.Map // by body: *plan.Plan
}

func New(opt Options) *Service { return &Service{opt: opt} }

// Event is an event with its id, the time it happened and the time it was recorded.
type Event struct {
	ID       string
	At       time.Time
	Recorded time.Time
	Body     []byte `json:"-"` // scenario form
}

// Is returns the event with its scenario form: a kind and its fields.
func (e Event) Is(kind string, fields map[string]any) Event {
	all := map[string]any{"id": e.ID, "kind": kind, "at": e.At.UTC(), "rec": e.Recorded.UTC()}
	maps.Copy(all, fields)
	raw, err := json.Marshal(all)
	if err != nil {
		panic("closing: an event has no JSON: " + err.Error()) // it would be kept without what it was
	}
	e.Body = raw
	return e
}

// PlanNow returns the plan in force at the time of the command. Refused if there is none.
func (s *Service) PlanNow(ctx context.Context, tx *ledger.Tx) (*plan.Plan, error) {
	p, _, err := s.Open(ctx, tx, Event{At: tx.Now(), Recorded: tx.Now()})
	return p, err
}

// Open returns the plan of an event and the day it counts on. Closed days never reopen,
// so a late event counts on the first open one. Refused if that day has no plan.
func (s *Service) Open(ctx context.Context, tx *ledger.Tx, e Event) (*plan.Plan, plan.Day, error) {
	last, closed, err := s.opt.Store.LastDay(ctx, tx)
	if err != nil {
		return nil, 0, err
	}
	all, err := s.opt.Store.Versions(ctx, tx)
	if err != nil {
		return nil, 0, err
	}
	// The plan's zone determines the day, and the day the plan. All versions of an
	// installation keep the zone of the first. The grace period is that of the event's
	// own day.
	p, err := s.version(all, 0)
	if err == nil {
		p, err = s.version(all, p.Day(e.At))
	}
	if err != nil {
		return nil, 0, err
	}
	day := p.BookDay(e.At, e.Recorded)
	if closed {
		day = max(day, last+1)
	}
	p, err = s.version(all, day)
	return p, day, err
}

func (s *Service) version(all []Version, day plan.Day) (*plan.Plan, error) {
	for _, v := range slices.Backward(all) {
		if v.First <= day {
			return s.parse(v.Body)
		}
	}
	return nil, noPlan(day)
}

func noPlan(day plan.Day) error {
	return errs.New(errs.Refused, "plan.none_for_day", "There is no plan for {day} yet.", "day", day)
}

// PlanOn is the plan of a day. Refused if there is none.
func (s *Service) PlanOn(ctx context.Context, tx *ledger.Tx, day plan.Day) (*plan.Plan, error) {
	return s.plan(ctx, tx, day)
}

func (s *Service) plan(ctx context.Context, tx *ledger.Tx, day plan.Day) (*plan.Plan, error) {
	body, found, err := s.opt.Store.Plan(ctx, tx, day)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, noPlan(day)
	}
	return s.parse(body)
}

// parse parses a stored plan, each distinct text once.
func (s *Service) parse(body []byte) (*plan.Plan, error) {
	if p, known := s.plans.Load(string(body)); known {
		return p.(*plan.Plan), nil
	}
	p, err := plan.Parse(body)
	if err == nil {
		s.plans.Store(string(body), p)
	}
	return p, err
}

// Begin sets the first plan from the beginning, unless there is one.
func (s *Service) Begin(ctx context.Context, tx *ledger.Tx, body []byte, at time.Time) error {
	if _, found, err := s.opt.Store.Plan(ctx, tx, 0); err != nil || found {
		return err
	}
	return s.SetPlan(ctx, tx, body, 0, at)
}

// SetPlan sets a plan from a day on, which must not be closed.
func (s *Service) SetPlan(ctx context.Context, tx *ledger.Tx, body []byte, from plan.Day, at time.Time) error {
	p, err := plan.Parse(body)
	if err != nil {
		return err
	}
	last, closed, err := s.opt.Store.LastDay(ctx, tx)
	if err != nil {
		return err
	}
	if closed && from <= last {
		return errs.New(errs.Refused, "plan.day_closed", "A plan must take effect on a later day: {day} is closed.", "day", last)
	}
	return s.opt.Store.AddPlan(ctx, tx, p.Version, from, body, at)
}
