package demo

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

// Options of a build: the services of an App, on a clock that the build sets.
type Options struct {
	Mark        Mark
	Do          *ledger.Sequencer
	Clock       *clock.Fake
	Events      simulate.EventRunner
	Enrol       *enrol.Service
	Auth        *auth.Service
	Operate     *booking.Service
	Support     *support.Service
	AuditLog    *auditlog.Service
	Funds       *fund.Service
	Withdrawals *withdrawal.Service
	Brand       *brand.Brand // has the addresses and accounts for deposits
	// Remember stores a value under a new name, within a command.
	Remember func(ctx context.Context, tx *ledger.Tx, name string, value []byte) error
	// Progress is called as the build proceeds; may be nil.
	Progress func(percent int64, words string)
}

// The names under which a database stores the Mark of its history and that the history is
// complete.
const (
	Begun = "demo"
	Built = "demo built"
)

type builder struct {
	Options
	history *history
	plan    *plan.Plan
	by      actor.By
	secrets map[int64]auth.Credential // of the members who can sign in
	drawn   map[string]int64          // withdrawals by the step that requested them; 0 if none was made
}

// Build builds the history, or the rest of it, in a database without other data. It queues
// no mails, because they would be about the past.
func Build(ctx context.Context, opt Options) error {
	s, err := newHistory(opt.Mark)
	if err != nil {
		return err
	}
	b := &builder{Options: opt, history: s, plan: s.after, by: actor.By{Operator: 1, Name: operatorName}, secrets: map[int64]auth.Credential{}, drawn: map[string]int64{}}
	if err := b.begin(ctx); err != nil {
		return err
	}
	next, err := b.Events.Closing.Next(ctx)
	if err != nil {
		return err
	}
	for day := range s.days {
		on := s.first() + plan.Day(day)
		if on < next.Day { // closed by an earlier build
			if err := b.reload(ctx, s.days[day]); err != nil {
				return err
			}
			continue
		}
		if b.Progress != nil {
			b.Progress(int64(100*day/s.Days), fmt.Sprintf("day %d of %d", day+1, s.Days))
		}
		if err := b.runDay(ctx, s.days[day]); err != nil {
			return err
		}
		if err := b.close(ctx, on); err != nil {
			return err
		}
	}
	return b.remember(ctx, Built, []byte("whole"))
}

// begin makes the key of ids, the first member, the operator, and the credentials of the
// members who can sign in.
func (b *builder) begin(ctx context.Context) error {
	mark, err := json.Marshal(b.Mark)
	if err != nil {
		return err
	}
	if err := b.remember(ctx, Begun, mark); err != nil {
		return err
	}
	who, err := Who()
	if err != nil {
		return err
	}
	for no, m := range map[int64]Member{leaderNo: who.Leader, ordinaryNo: who.Member} {
		if b.secrets[no], err = b.Auth.Prepare(ctx, m.Password, m.TransactionPassword); err != nil {
			return err
		}
	}
	if no, _ := b.Events.Tree.State(); no > 0 {
		return nil
	}
	root := b.history.people[0].form()
	root.Password = rand.Text()[:20] // nobody gets it
	f, err := enrol.ParseFirst(root, who.Operator.Email, operatorName, who.Operator.Password)
	if err != nil {
		return err
	}
	f.OperatorSecret = who.Operator.TOTPSecret
	_, err = b.Enrol.Begin(ctx, f)
	return err
}

// remember stores a value once, as a command of the ledger.
func (b *builder) remember(ctx context.Context, name string, value []byte) error {
	_, err := b.Do.Do(ctx, ledger.Command{Actor: "demo", Key: name, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if name == Begun {
			if err := b.Events.Members.SetIDKey(ctx, tx, idKey); err != nil {
				return nil, err
			}
		}
		return nil, b.Remember(ctx, tx, name, value)
	}})
	return err
}

// runDay sends a day's steps without waiting in between, so that they share commits. Each
// runs at its own time.
func (b *builder) runDay(ctx context.Context, steps []step) error {
	type sent struct {
		step
		wait func() (ledger.Result, error)
	}
	var under []sent
	for _, x := range steps {
		cmd, err := x.action.command(b, x)
		if err != nil {
			return err
		}
		run := cmd.Run
		cmd.Run = func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			b.Clock.SetWall(x.at)
			return run(ctx, tx)
		}
		wait, err := b.Do.Send(ctx, cmd)
		if err != nil {
			return err
		}
		under = append(under, sent{x, wait})
	}
	for _, x := range under {
		done, err := x.wait()
		if err == nil {
			err = b.keepNumber(x.step, done.Response)
		}
		if err != nil {
			return errs.Wrap(errs.KindOf(err), err, "demo.stopped", "The demo stopped at {at} ({deed} {id}). Run it again to continue", "at", x.at.Format(time.RFC3339), "deed", fmt.Sprintf("%T", x.action), "id", x.id)
		}
	}
	return nil
}

// keepNumber keeps the number of a withdrawal.
func (b *builder) keepNumber(x step, response []byte) (err error) {
	if _, ok := x.action.(withdraw); ok {
		b.drawn[x.id], err = strconv.ParseInt(string(response), 10, 64)
	}
	return err
}

// reload sends the withdrawals of a past day again to get their numbers. Their keys prevent
// a second withdrawal.
func (b *builder) reload(ctx context.Context, steps []step) error {
	return b.runDay(ctx, slices.DeleteFunc(slices.Clone(steps), func(x step) bool {
		_, ok := x.action.(withdraw)
		return !ok
	}))
}

// close sets the clock to the end of the day and closes it as the schedule does.
func (b *builder) close(ctx context.Context, day plan.Day) error {
	b.Clock.SetWall(instant(day+1, time.Duration(b.plan.GraceMinutes)*time.Minute))
	if err := b.Events.Closing.CatchUp(ctx, true); err != nil {
		return err
	}
	next, err := b.Events.Closing.Next(ctx)
	if err == nil && next.Day != day+1 {
		err = errs.New(errs.Unavailable, "demo.stopped_before_close", "The demo stopped before the close of {day}. Run it again to continue.", "day", day)
	}
	return err
}
