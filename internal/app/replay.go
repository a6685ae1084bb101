package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/clock"
	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/httpapi"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/store"
)

// replay makes past closes again beside the books, which it only reads. One at a
// time, for its memory too. What came of the last one stays until the next.
type replay struct {
	dsn     string
	clock   clock.Clock
	log     *slog.Logger
	ctx     context.Context // ends with the App
	running sync.WaitGroup

	mu    sync.Mutex
	state httpapi.ReplayState
}

func (a *App) openReplay(context.Context, *prometheus.Registry) error {
	ctx, cancel := context.WithCancel(context.Background())
	r := &replay{dsn: a.cfg.DB, clock: a.clock, log: a.log, ctx: ctx}
	a.people.calls.Replay = r
	a.onClose("replay", func(limit context.Context) error {
		cancel()
		return closeWithin(limit, r.running.Wait)
	})
	return nil
}

// State is how far it has come.
func (r *replay) State() httpapi.ReplayState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Start begins with a day. Conflict while another one is made.
func (r *replay) Start(day plan.Day) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state.Running {
		return errs.New(errs.Conflict, "The close of %s is being replayed: wait for it.", r.state.Day)
	}
	r.state = httpapi.ReplayState{Running: true, Day: day, Started: r.clock.Now()}
	r.running.Go(func() { r.run(day) })
	return nil
}

func (r *replay) run(day plan.Day) {
	result, err := r.make(day)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Running, r.state.Ended = false, r.clock.Now()
	if err != nil {
		r.state.Failed = errs.MessageOf(err)
		r.log.Warn("a replay came to nothing", "day", day.String(), "err", err)
		return
	}
	if r.state.Result = &result; !result.Equal() {
		r.log.Error("a close comes out otherwise than it was committed", "day", day.String(), "digest", result.Digest, "again", result.Again)
	}
}

func (r *replay) make(day plan.Day) (out closing.Replayed, err error) {
	db, err := store.OpenToRead(r.ctx, r.dsn)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return closing.Replay(r.ctx, db.Closing(), db.Past(), day, func(done, total int64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.state.Done, r.state.Total = done, total
	})
}
