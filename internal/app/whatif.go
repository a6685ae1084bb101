package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// whatIf replays the closed days under a draft plan, on a separate database.
type whatIf struct {
	*runner[operatorapi.WhatIfResult]
	dsn, dir string // the real database; the folder of the separate one
}

func (a *App) openWhatIf(context.Context, *prometheus.Registry) error {
	a.services.WhatIf = &whatIf{newRunner[operatorapi.WhatIfResult](a, "what-if"), a.cfg.DB, a.cfg.DataDir}
	return nil
}

// Start starts a replay under a draft. It returns Invalid for an invalid draft and
// Conflict while a replay runs.
func (w *whatIf) Start(body []byte) error {
	p, err := plan.Parse(body)
	if err != nil {
		return err
	}
	return w.begin(p.Version, func(ctx context.Context, tell func(done, total int64)) (operatorapi.WhatIfResult, error) {
		return w.compare(ctx, body, tell)
	})
}

func (w *whatIf) compare(ctx context.Context, body []byte, tell func(done, total int64)) (out operatorapi.WhatIfResult, err error) {
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
	out = operatorapi.WhatIfResult{
		First: c.First, Last: c.Last, Events: c.Events, Plans: append([]string{}, c.Plans...), Refused: len(c.Refusals),
		Payout:  operatorapi.Beside{Name: "payout", Actual: ppm(c.Payout.Actual), WhatIf: ppm(c.Payout.WhatIf), Difference: ppm(c.Payout.WhatIf - c.Payout.Actual)},
		Figures: []operatorapi.Beside{}, Members: []operatorapi.Beside{},
	}
	for _, b := range append(c.Kinds, c.Paid, c.Network, c.Revenue) {
		out.Figures = append(out.Figures, operatorapi.Beside(b))
	}
	for _, b := range c.Members {
		out.Members = append(out.Members, operatorapi.Beside(b))
	}
	return out, nil
}

// replay replays past closes; it only reads the books.
type replay struct {
	*runner[closing.Replayed]
	dsn string
}

func (a *App) openReplay(context.Context, *prometheus.Registry) error {
	a.services.Replay = &replay{newRunner[closing.Replayed](a, "replay"), a.cfg.DB}
	return nil
}

// Start starts replaying a day. It returns Conflict while another one is replayed.
func (r *replay) Start(day plan.Day) error {
	return r.begin(day.String(), func(ctx context.Context, tell func(done, total int64)) (out closing.Replayed, err error) {
		db, err := store.OpenToRead(ctx, r.dsn)
		if err != nil {
			return out, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		out, err = closing.Replay(ctx, db.Closing(), db.Past(), day, tell)
		if err == nil && !out.Equal() {
			r.log.Error("the replay of a close differs from the committed one", "day", day.String(), "digest", out.Digest, "again", out.Again)
		}
		return out, err
	})
}
