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

// Options of a build: the parts of an App on a clock that the history moves.
type Options struct {
	Mark        Mark
	Do          *ledger.Sequencer
	Clock       *clock.Fake
	Hands       simulate.Hands
	Enrol       *enrol.Service
	Auth        *auth.Service
	Operate     *booking.Service
	Support     *support.Service
	AuditLog    *auditlog.Service
	Funds       *fund.Service
	Withdrawals *withdrawal.Service
	Brand       *brand.Brand // knows where money is sent
	// Remember notes something under a new name, within a command.
	Remember func(ctx context.Context, tx *ledger.Tx, name string, value []byte) error
	// Progress is told how far the build has come; may be nil.
	Progress func(percent int64, words string)
}

// The names under which a database remembers its history: that it was begun,
// which, and that it is whole.
const (
	Begun = "demo"
	Built = "demo built"
)

type builder struct {
	Options
	story   *story
	plan    *plan.Plan
	by      actor.By
	secrets map[int64]auth.Credential // of those who sign in; nobody else can
	drawn   map[string]int64          // withdrawals by the step that asked for them; 0 for one that took nothing
}

// Build lives the history, or the rest of it. The database has nothing else in
// it. Mails are not queued: what they would say is long past.
func Build(ctx context.Context, opt Options) error {
	s, err := tell(opt.Mark)
	if err != nil {
		return err
	}
	b := &builder{Options: opt, story: s, plan: s.after, by: actor.By{Operator: 1, Name: operatorName}, secrets: map[int64]auth.Credential{}, drawn: map[string]int64{}}
	if err := b.begin(ctx); err != nil {
		return err
	}
	next, err := b.Hands.Closing.Next(ctx)
	if err != nil {
		return err
	}
	for day := range s.days {
		on := s.first() + plan.Day(day)
		if on < next.Day { // an earlier build came further
			if err := b.remind(ctx, s.days[day]); err != nil {
				return err
			}
			continue
		}
		if b.Progress != nil {
			b.Progress(int64(100*day/s.Days), fmt.Sprintf("day %d of %d", day+1, s.Days))
		}
		if err := b.live(ctx, s.days[day]); err != nil {
			return err
		}
		if err := b.close(ctx, on); err != nil {
			return err
		}
	}
	return b.remember(ctx, Built, []byte("whole"))
}

// begin makes what a history begins with: the key of ids, the first member, the
// operator, and the credentials of those who sign in.
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
	if no, _ := b.Hands.Tree.State(); no > 0 {
		return nil
	}
	root := b.story.people[0].form()
	root.Password = rand.Text()[:20] // told to nobody
	f, err := enrol.ParseFirst(root, who.Operator.Email, operatorName, who.Operator.Password)
	if err != nil {
		return err
	}
	f.OperatorSecret = who.Operator.TOTPSecret
	_, err = b.Enrol.Begin(ctx, f)
	return err
}

// remember notes something once, in the ledger's own order.
func (b *builder) remember(ctx context.Context, name string, value []byte) error {
	_, err := b.Do.Do(ctx, ledger.Command{Actor: "demo", Key: name, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if name == Begun {
			if err := b.Hands.Members.SetIDKey(ctx, tx, idKey); err != nil {
				return nil, err
			}
		}
		return nil, b.Remember(ctx, tx, name, value)
	}})
	return err
}

// live sends a day's steps in a row, so that they share commits, each at its
// own time.
func (b *builder) live(ctx context.Context, steps []step) error {
	type sent struct {
		step
		wait func() (ledger.Result, error)
	}
	var under []sent
	for _, x := range steps {
		cmd, err := x.deed.command(b, x)
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
			err = b.keep(x.step, done.Response)
		}
		if err != nil {
			return errs.Wrap(errs.KindOf(err), err, "demo.stopped", "The demo stopped at {at} ({deed} {id}): run it again to go on", "at", x.at.Format(time.RFC3339), "deed", fmt.Sprintf("%T", x.deed), "id", x.id)
		}
	}
	return nil
}

// keep remembers the number that a withdrawal was given.
func (b *builder) keep(x step, response []byte) (err error) {
	if _, ok := x.deed.(withdraw); ok {
		b.drawn[x.id], err = strconv.ParseInt(string(response), 10, 64)
	}
	return err
}

// remind asks again for what a past day's withdrawals were answered: under
// their keys they are not done twice.
func (b *builder) remind(ctx context.Context, steps []step) error {
	return b.live(ctx, slices.DeleteFunc(slices.Clone(steps), func(x step) bool {
		_, ok := x.deed.(withdraw)
		return !ok
	}))
}

// close lets the day pass and closes it as the schedule does.
func (b *builder) close(ctx context.Context, day plan.Day) error {
	b.Clock.SetWall(instant(day+1, time.Duration(b.plan.GraceMinutes)*time.Minute))
	if err := b.Hands.Closing.CatchUp(ctx, true); err != nil {
		return err
	}
	next, err := b.Hands.Closing.Next(ctx)
	if err == nil && next.Day != day+1 {
		err = errs.New(errs.Unavailable, "demo.stopped_before_close", "The demo stopped before the close of {day}: run it again to go on.", "day", day)
	}
	return err
}
