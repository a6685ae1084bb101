package app

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/clock"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/httpapi"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/simulate"
)

// whatIf lives the closed days again under a draft of the plan, on a database of
// its own beside the real one. One at a time: it takes a core for as long as it
// runs. What came of the last one stays until the next.
type whatIf struct {
	dsn, dir string // the real database; where the other one goes
	clock    clock.Clock
	log      *slog.Logger
	ctx      context.Context // ends with the App
	running  sync.WaitGroup

	mu    sync.Mutex
	state httpapi.WhatIfState
}

func (a *App) openWhatIf(context.Context, *prometheus.Registry) error {
	ctx, cancel := context.WithCancel(context.Background())
	w := &whatIf{dsn: a.cfg.DB, dir: a.cfg.DataDir, clock: a.clock, log: a.log, ctx: ctx}
	a.people.calls.WhatIf = w
	a.onClose("what-if", func(limit context.Context) error {
		cancel()
		return closeWithin(limit, w.running.Wait)
	})
	return nil
}

// State is how far it has come.
func (w *whatIf) State() httpapi.WhatIfState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// Start begins with a draft. Invalid if it is wrong; Conflict while one runs.
func (w *whatIf) Start(body []byte) error {
	p, err := plan.Parse(body)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state.Running {
		return errs.New(errs.Conflict, "Another what-if is under way: wait for it.")
	}
	w.state = httpapi.WhatIfState{Running: true, Version: p.Version, Started: w.clock.Now()}
	w.running.Go(func() { w.run(body) })
	return nil
}

func (w *whatIf) run(body []byte) {
	result, err := w.compare(body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Running, w.state.Ended = false, w.clock.Now()
	if err != nil {
		w.state.Failed = errs.MessageOf(err)
		w.log.Warn("a what-if came to nothing", "version", w.state.Version, "err", err)
		return
	}
	w.state.Result = &result
}

func (w *whatIf) compare(body []byte) (out httpapi.WhatIfResult, err error) {
	dir, err := os.MkdirTemp(w.dir, "whatif-")
	if err != nil {
		return out, errs.New(errs.Refused, "There is no room for a what-if: %v.", reason(err))
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c, err := simulate.WhatIfWith(w.ctx, w.dsn, "sqlite:"+filepath.Join(dir, "whatif.db"), body, func(done, total int64) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.state.Done, w.state.Total = done, total
	})
	if err != nil {
		return out, err
	}
	ppm := func(n int64) string { return strconv.FormatInt(n, 10) }
	out = httpapi.WhatIfResult{
		First: c.First, Last: c.Last, Events: c.Events, Plans: append([]string{}, c.Plans...), Refused: len(c.Refusals),
		Payout:  httpapi.Beside{Name: "payout", Actual: ppm(c.Payout.Actual), WhatIf: ppm(c.Payout.WhatIf), Difference: ppm(c.Payout.WhatIf - c.Payout.Actual)},
		Figures: []httpapi.Beside{}, Members: []httpapi.Beside{},
	}
	for _, b := range append(c.Kinds, c.Paid, c.Network, c.Revenue) {
		out.Figures = append(out.Figures, httpapi.Beside(b))
	}
	for _, b := range c.Members {
		out.Members = append(out.Members, httpapi.Beside(b))
	}
	return out, nil
}
