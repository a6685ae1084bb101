package app

import (
	"context"
	"log/slog"
	"sync"

	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// runner runs a long computation that does not write to the books. Only one runs at a time,
// because it takes a CPU and memory. The last result is kept until the next run.
type runner[R any] struct {
	name    string
	clock   clock.Clock
	log     *slog.Logger
	ctx     context.Context // ends with the App
	running sync.WaitGroup

	mu    sync.Mutex
	state operatorapi.RunState[R]
}

func newRunner[R any](a *App, name string) *runner[R] {
	ctx, cancel := context.WithCancel(context.Background())
	s := &runner[R]{name: name, clock: a.clock, log: a.log, ctx: ctx}
	a.onClose(name, func(limit context.Context) error {
		cancel()
		return closeWithin(limit, s.running.Wait)
	})
	return s
}

// State returns the progress and the result.
func (s *runner[R]) State() operatorapi.RunState[R] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// begin starts a run. It returns Conflict while another one is running.
func (s *runner[R]) begin(of string, work func(ctx context.Context, tell func(done, total int64)) (R, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Running {
		return errs.New(errs.Conflict, "study.under_way", "Another {study}, of {of}, is under way: wait for it.", "study", s.name, "of", s.state.Of)
	}
	s.state = operatorapi.RunState[R]{Running: true, Of: of, Started: s.clock.Now()}
	s.running.Go(func() {
		result, err := work(s.ctx, s.tell)
		s.end(result, err)
	})
	return nil
}

func (s *runner[R]) tell(done, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Done, s.state.Total = done, total
}

func (s *runner[R]) end(result R, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Running, s.state.Ended = false, s.clock.Now()
	if err != nil {
		s.state.Failed = errs.MessageOf(err)
		s.log.Warn("a "+s.name+" came to nothing", "of", s.state.Of, "err", err)
		return
	}
	s.state.Result = &result
}
