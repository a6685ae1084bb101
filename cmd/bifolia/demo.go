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
	summary: "build a realistic history in an empty database and print three sign-ins",
	run:     buildDemo,
}

// buildDemo builds or completes the demo's history and prints the sign-ins. On a complete
// one it only prints.
func buildDemo(ctx context.Context, e env) int {
	var asJSON bool
	size := demo.Full
	cfg, rest, err := config.Load("demo", e.args, e.environ, func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "print the sign-ins as JSON")
		f.IntVar(&size.Members, "members", size.Members, "the number of `members` at the end")
		f.IntVar(&size.Days, "days", size.Days, "the length of the history in `days`; it ends yesterday")
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
	printSignIns(e.stdout, who)
	return exitOK
}

// makeDemo builds the history with a progress bar on a terminal.
func (e env) makeDemo(ctx context.Context, cfg config.Config, size demo.Size, bar *bar) error {
	quiet := cfg
	quiet.LogLevel = max(cfg.LogLevel, slog.LevelWarn) // do not log a hundred closes
	defer bar.clear()
	return app.BuildDemo(ctx, cfg, quiet.Logger(e.stderr), size, bar.tell)
}

// demoFirst builds the history of a demo before it is served. A database that holds
// something else is served unchanged.
func (e env) demoFirst(ctx context.Context, cfg config.Config) error {
	if err := app.CheckAddress(cfg); err != nil {
		return err
	}
	bar := newBar(e.stderr)
	bar.lines = e.stderr // without a terminal the server would seem to hang for a minute
	err := e.makeDemo(ctx, cfg, demo.Full, bar)
	if errors.Is(err, app.ErrNoDemo) {
		return nil
	}
	if err != nil {
		return err
	}
	who, err := demo.Who()
	if err == nil {
		printSignIns(e.stderr, who)
	}
	return err
}

// printSignIns prints the sign-ins, which are the same for every demo.
func printSignIns(w io.Writer, who demo.SignIns) {
	_, _ = fmt.Fprintf(w, `Sign in to the demo as
  a leader            %s, password %s, transaction password %s
  an ordinary member  %s, password %s, transaction password %s
  an operator         %s, password %s, authenticator secret %s
`, who.Leader.UID, who.Leader.Password, who.Leader.TransactionPassword,
		who.Member.UID, who.Member.Password, who.Member.TransactionPassword, who.Operator.Email, who.Operator.Password, who.Operator.TOTPSecret)
}
