package app

import (
	"context"
	"log/slog"
	"os/user"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Desk runs operators' actions from the command line, without a server. They are recorded
// as operator 0 with the name of the system user.
type Desk struct {
	Closing *closing.Service
	app     *App
}

// OpenDesk opens the parts without serving. call is the operator call to use while another
// process writes; the Unavailable error names it.
func OpenDesk(ctx context.Context, cfg config.Config, log *slog.Logger, call string) (*Desk, error) {
	d, err := OpenReading(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	if d.app.ledger.Ready() != nil {
		_ = d.Close() // nothing was done
		return nil, errs.New(errs.Unavailable, "server.other_process_call", "Another Bifolia process writes to this database: stop it first, or let an operator call POST /api/operator/{call} there.", "call", call)
	}
	return d, nil
}

// OpenReading is OpenDesk for reading only; another process may write meanwhile.
func OpenReading(ctx context.Context, cfg config.Config, log *slog.Logger) (*Desk, error) {
	cfg.Addr = "127.0.0.1:0" // nothing is served
	cfg.AdvertiseURL = config.BaseURL(cfg.Addr)
	a, err := newDesk(ctx, cfg, log)
	if err != nil {
		return nil, err
	}
	return &Desk{Closing: a.closing, app: a}, nil
}

// newDesk is New without scheduled closes.
func newDesk(ctx context.Context, cfg config.Config, log *slog.Logger) (*App, error) {
	return build(ctx, &App{cfg: cfg, log: log, desk: true, existing: true})
}

func (d *Desk) Close() error { return d.app.Close() }

// Do runs an operator's action. It needs no second operator, which the audit log records.
func (d *Desk) Do(ctx context.Context, a booking.Act) (booking.Done, error) {
	by := actor.CommandLine(systemUser())
	if !a.Kind.TakesTwo() {
		return d.app.services.Bookings.Do(ctx, by, "", a)
	}
	p, err := d.app.services.Bookings.Alone(ctx, by, a)
	return booking.Done{ID: p.Event, Day: p.Day.String()}, err
}

// Propose proposes a booking, which an operator approves in the console.
func (d *Desk) Propose(ctx context.Context, a booking.Act) (booking.Proposal, error) {
	return d.app.services.Bookings.Propose(ctx, actor.CommandLine(systemUser()), "", a)
}

// Commit closes a day by the digest of its preview. It needs no second operator, which the
// audit log records.
func (d *Desk) Commit(ctx context.Context, day plan.Day, digest string) (*closing.Report, error) {
	return d.Closing.Approve(ctx, actor.CommandLine(systemUser()), day, digest)
}

// SchedulePlan schedules a plan from a day on. It needs no second operator, which the
// audit log records.
func (d *Desk) SchedulePlan(ctx context.Context, body []byte, from plan.Day, reason string) (closing.PlanProposal, error) {
	by := actor.CommandLine(systemUser())
	p, err := d.Closing.ProposePlan(ctx, by, "", body, from, reason)
	if err != nil {
		return p, err
	}
	return d.Closing.ApprovePlan(ctx, by, "", p.Name, p.Digest(), reason)
}

// CancelPlan cancels a plan that is not yet in force.
func (d *Desk) CancelPlan(ctx context.Context, version, reason string) (closing.PlanProposal, error) {
	return d.Closing.CancelPlan(ctx, actor.CommandLine(systemUser()), "", version, reason)
}

// ResetFactor resets an operator's second factor. It returns NotFound for an unknown
// e-mail address.
func (d *Desk) ResetFactor(ctx context.Context, email, reason string) error {
	all, err := d.app.services.Auth.Operators(ctx)
	if err != nil {
		return err
	}
	for _, o := range all {
		if strings.EqualFold(o.Email, strings.TrimSpace(email)) {
			return d.app.services.Staff.ResetFactor(ctx, actor.CommandLine(systemUser()), "", o.ID, reason)
		}
	}
	return errs.New(errs.NotFound, "operator.unknown_email", "There is no operator with this e-mail.")
}

// systemUser is the user at the command line.
func systemUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username + " at the command line"
	}
	return "somebody at the command line"
}
