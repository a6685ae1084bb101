// Package job runs periodic work: it expires holds, reconciles the ledger every
// minute and runs further tasks, such as closing days. Jobs run only in the leading
// process, and runs of the same job do not overlap.
package job

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-co-op/gocron/v2"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Ledger is the part of the sequencer that jobs use.
type Ledger interface {
	ledger.Leader
	State() ledger.State
	Freeze(ctx context.Context, why string) error
}

// Jobs are the running jobs.
type Jobs struct {
	scheduler gocron.Scheduler
	log       *slog.Logger
	ctx       context.Context
	cancel    context.CancelFunc
}

const (
	expireEvery  = time.Second
	expireAtOnce = 500
)

// Task is one more job.
type Task struct {
	Name  string
	Every time.Duration
	Run   func(context.Context) error
}

// Start starts the jobs. reconcile runs every interval.
func Start(l Ledger, reconcile *Reconciler, interval time.Duration, log *slog.Logger, more ...Task) (*Jobs, error) {
	scheduler, err := gocron.NewScheduler()
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &Jobs{scheduler, log, ctx, cancel}
	for _, t := range append([]Task{
		{"expire holds", expireEvery, func(ctx context.Context) error { return expireHolds(ctx, l) }},
		{"reconcile", interval, reconcile.Run},
	}, more...) {
		if err := j.every(t.Name, t.Every, l, t.Run); err != nil {
			cancel()
			return nil, err
		}
	}
	scheduler.Start()
	return j, nil
}

// every runs f at each interval while this process leads.
func (j *Jobs) every(name string, interval time.Duration, l Ledger, f func(context.Context) error) error {
	_, err := j.scheduler.NewJob(gocron.DurationJob(interval), gocron.NewTask(func() {
		if l.Ready() != nil {
			return
		}
		if err := f(j.ctx); err != nil && j.ctx.Err() == nil {
			j.log.Error("job failed", "job", name, "err", err)
		}
	}), gocron.WithSingletonMode(gocron.LimitModeReschedule), gocron.WithName(name))
	if err != nil {
		return fmt.Errorf("job %s: %w", name, err)
	}
	return nil
}

// Close stops the jobs and waits for running ones.
func (j *Jobs) Close() error {
	j.cancel()
	return j.scheduler.Shutdown()
}

// expireHolds expires due holds in small commands, so that other commands run in
// between.
func expireHolds(ctx context.Context, l Ledger) error {
	for {
		expired := 0
		_, err := l.Do(ctx, ledger.Command{Actor: "expire-holds", Run: func(_ context.Context, tx *ledger.Tx) (_ []byte, err error) {
			expired, err = tx.ExpireHolds(expireAtOnce)
			return nil, err
		}})
		if err != nil || expired < expireAtOnce {
			return err
		}
	}
}
