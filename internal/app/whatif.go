package app

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/httpapi"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// whatIf lives the closed days again under a draft of the plan, on a database of
// its own beside the real one.
type whatIf struct {
	*study[httpapi.WhatIfResult]
	dsn, dir string // the real database; where the other one goes
}

func (a *App) openWhatIf(context.Context, *prometheus.Registry) error {
	a.people.calls.WhatIf = &whatIf{newStudy[httpapi.WhatIfResult](a, "what-if"), a.cfg.DB, a.cfg.DataDir}
	return nil
}

// Start begins with a draft. Invalid if it is wrong; Conflict while one runs.
func (w *whatIf) Start(body []byte) error {
	p, err := plan.Parse(body)
	if err != nil {
		return err
	}
	return w.begin(p.Version, func(ctx context.Context, tell func(done, total int64)) (httpapi.WhatIfResult, error) {
		return w.compare(ctx, body, tell)
	})
}

func (w *whatIf) compare(ctx context.Context, body []byte, tell func(done, total int64)) (out httpapi.WhatIfResult, err error) {
	dir, err := os.MkdirTemp(w.dir, "whatif-")
	if err != nil {
		return out, errs.New(errs.Refused, "simulate.no_room", "There is no room for a what-if: {reason}.", "reason", reason(err))
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c, err := simulate.WhatIfWith(ctx, w.dsn, "sqlite:"+filepath.Join(dir, "whatif.db"), body, tell)
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
