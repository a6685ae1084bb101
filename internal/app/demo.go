package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/demo"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// ErrNoDemo means that the database holds something other than a demo's history.
var ErrNoDemo = errs.New(errs.Refused, "demo.database_in_use", "This database is in use and is no demo: a demo needs an empty one. Choose another with --db or --data-dir.")

// BuildDemo builds the demo's history in an empty database, or completes an interrupted
// one; a complete one is left alone. It returns ErrNoDemo if the database holds something
// else, and Unavailable if another process writes to it.
func BuildDemo(ctx context.Context, cfg config.Config, log *slog.Logger, size demo.Size, progress func(percent int64, words string)) error {
	return buildDemo(ctx, cfg, log, demo.Mark{Size: size, Last: demo.Last(clock.Ahead(cfg.DemoAhead).Now())}, progress)
}

// buildDemo is BuildDemo with a given last day.
func buildDemo(ctx context.Context, cfg config.Config, log *slog.Logger, wish demo.Mark, progress func(percent int64, words string)) (err error) {
	mark, whole, err := demoMark(ctx, cfg, wish)
	if err != nil || whole {
		return err
	}
	cfg.Demo, cfg.Addr, cfg.MetricsAddr = true, "127.0.0.1:0", "" // nothing is served
	cfg.AdvertiseURL = config.BaseURL(cfg.Addr)
	body, err := demo.LaunchPlan()
	if err != nil {
		return err
	}
	past := clock.NewFake(mark.Starts())
	a, err := build(ctx, &App{cfg: cfg, log: log, clock: past, desk: true, building: true, firstPlan: body})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if a.ledger.Ready() != nil {
		return errs.New(errs.Unavailable, "server.other_process", "Another Bifolia process writes to this database: stop it first.")
	}
	c := &a.services
	return demo.Build(ctx, demo.Options{
		Mark: mark, Do: a.ledger, Clock: past,
		Events: simulate.EventRunner{Tree: c.Tree, Members: c.Members, Closing: a.closing, Market: c.Market},
		Enrol:  c.Enrol, Auth: c.Auth, Operate: c.Bookings, Support: c.Support, AuditLog: c.AuditLog,
		Funds: fund.New(fund.Options{Store: a.db.Fund()}), Withdrawals: withdrawal.New(withdrawal.Options{Store: a.db.Withdrawal()}), Brand: c.Settings.Current(),
		Remember: a.db.Member().AddSetting, Progress: progress,
	})
}

// requireWholeDemo refuses to open an incomplete history of a demo, except to complete it.
func (a *App) requireWholeDemo(ctx context.Context) error {
	if a.building {
		return nil
	}
	_, begun, err := a.db.Setting(ctx, demo.Begun)
	if err != nil || !begun {
		return err
	}
	_, whole, err := a.db.Setting(ctx, demo.Built)
	if err == nil && !whole {
		err = errs.New(errs.Refused, "demo.half_built", "This database has half of a demo's history: 'bifolia demo' builds the rest, or choose another database with --db.")
	}
	return err
}

// CheckAddress returns Conflict if the configured address is in use, before a history is
// built.
func CheckAddress(cfg config.Config) error {
	a := &App{cfg: cfg}
	if _, err := a.Listen(); err != nil {
		return err
	}
	return a.listener.Close()
}

// demoMark returns the history that the database has begun, or else wish, and whether it
// is complete.
func demoMark(ctx context.Context, cfg config.Config, wish demo.Mark) (mark demo.Mark, whole bool, err error) {
	if err := wish.Check(); err != nil {
		return mark, false, err
	}
	if err := makeDataDir(cfg); err != nil {
		return mark, false, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return mark, false, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if id, err := db.Identity(ctx); err == nil && id.Kind == ledger.Real {
		return mark, false, ErrNoDemo
	}
	cfg.Demo = true
	if err := checkDatabase(ctx, cfg, db, false); err != nil {
		return mark, false, err
	}
	if _, err := db.Migrate(ctx); err != nil {
		return mark, false, sentence(err)
	}
	raw, begun, err := db.Setting(ctx, demo.Begun)
	if err != nil {
		return mark, false, sentence(err)
	}
	if begun {
		if _, whole, err = db.Setting(ctx, demo.Built); err != nil {
			return mark, false, sentence(err)
		}
		mark, err = demo.ParseMark(raw)
		return mark, whole, err
	}
	if used, err := usedForOther(ctx, db); err != nil || used {
		return mark, false, cmp.Or(err, error(ErrNoDemo))
	}
	return wish, false, nil
}

// usedForOther tells whether a demo's database without a history holds anything but the
// plan, which a history writes just before it records its start.
func usedForOther(ctx context.Context, db *store.DB) (bool, error) {
	head, err := db.Ledger().Head(ctx)
	if err != nil || head.Batch == 0 {
		return false, err
	}
	launch, err := demo.LaunchPlan()
	if err != nil {
		return false, err
	}
	body, planned, err := db.Closing().Plan(ctx, nil, 0)
	return planned && !bytes.Equal(body, launch), err
}
