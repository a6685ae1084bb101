package main

import (
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var serveCommand = command{
	name:    "serve",
	summary: "run the API and the web app",
	run:     serve,
}

// serve runs until ctx is done. It prints the address on stdout once it listens, and in a
// demo the address of the outbox; everything else is logged on stderr.
func serve(ctx context.Context, e env) int {
	cfg, rest, err := config.Load("serve", e.args, e.environ, nil)
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("serve takes flags only; \"bifolia help serve\" lists them.")
	}
	if err := app.CheckPlace(ctx, cfg); err != nil {
		return e.fail(err)
	}
	if cfg.Demo && cfg.DemoHistory {
		if err := e.demoFirst(ctx, cfg); err != nil {
			return e.fail(err)
		}
	}
	log := cfg.Logger(e.stderr)
	build := readBuild()
	a, err := app.Open(ctx, cfg, log, app.WithVersion(build.Version))
	if err != nil {
		return e.fail(err)
	}
	defer func() { _ = a.Close() }() // Run returns the errors of closing
	if _, err := a.Listen(); err != nil {
		return e.fail(err)
	}
	cfg.AdvertiseURL = a.AdvertiseURL() // with the actual port
	log.Info("listening", "url", a.URL(), "version", build.Version, "config", cfg)
	if err := a.BeginDemo(ctx, e.stderr); err != nil {
		return e.fail(err)
	}
	_, _ = fmt.Fprintln(e.stdout, "Bifolia is at "+a.URL())
	if outbox := a.OutboxURL(); outbox != "" {
		_, _ = fmt.Fprintln(e.stdout, "Its mails are at "+outbox)
	}
	if err := a.Run(ctx); err != nil {
		return e.fail(err)
	}
	log.Info("stopped")
	return exitOK
}
