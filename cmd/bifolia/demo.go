package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/demo"
)

var demoCommand = command{
	name:    "demo",
	summary: "build a believable history in an empty database and print three sign-ins",
	run:     buildDemo,
}

// buildDemo builds the demo's history, or the rest of it, and tells how to sign
// in. On a database that has it whole it only tells.
func buildDemo(ctx context.Context, e env) int {
	var asJSON bool
	size := demo.Full
	cfg, rest, err := config.Load("demo", e.args, e.environ, func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "print the sign-ins as JSON")
		f.IntVar(&size.Members, "members", size.Members, "how many `people` have joined by the end")
		f.IntVar(&size.Days, "days", size.Days, "how many `days` the history has; it ends yesterday")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("demo takes flags only; \"bifolia help demo\" lists them.")
	}
	if err := e.makeDemo(ctx, cfg, size, newBar(e.stderr)); err != nil {
		return e.fail(err)
	}
	who, err := demo.Who()
	if err != nil {
		return e.fail(err)
	}
	if asJSON {
		return e.print(who)
	}
	tellSignIns(e.stdout, who)
	return exitOK
}

// makeDemo builds the history with a bar on the terminal.
func (e env) makeDemo(ctx context.Context, cfg config.Config, size demo.Size, bar *bar) error {
	quiet := cfg
	quiet.LogLevel = max(cfg.LogLevel, slog.LevelWarn) // a hundred closes are no news here
	defer bar.clear()
	return app.BuildDemo(ctx, cfg, quiet.Logger(e.stderr), size, bar.tell)
}

// demoFirst gives a demo that is to be served its history. A database that has
// something else in it is served as it is.
func (e env) demoFirst(ctx context.Context, cfg config.Config) error {
	if err := app.CheckAddress(cfg); err != nil {
		return err
	}
	bar := newBar(e.stderr)
	bar.lines = e.stderr // where there is no terminal a server would look dead for a minute
	err := e.makeDemo(ctx, cfg, demo.Full, bar)
	if errors.Is(err, app.ErrNoDemo) {
		return nil
	}
	if err != nil {
		return err
	}
	who, err := demo.Who()
	if err == nil {
		tellSignIns(e.stderr, who)
	}
	return err
}

// tellSignIns is the same for every demo.
func tellSignIns(w io.Writer, who demo.SignIns) {
	_, _ = fmt.Fprintf(w, `Sign in to the demo as
  a leader            %s, password %s, transaction password %s
  an ordinary member  %s, password %s, transaction password %s
  an operator         %s, password %s, authenticator secret %s
`, who.Leader.UID, who.Leader.Password, who.Leader.TransactionPassword,
		who.Member.UID, who.Member.Password, who.Member.TransactionPassword, who.Operator.Email, who.Operator.Password, who.Operator.TOTPSecret)
}
