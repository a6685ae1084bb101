package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

var closeCommand = command{
	name:    "close",
	summary: "preview the close of a day, or commit it by its digest",
	run:     closeDay,
}

// closeDay previews or commits a day while no server runs.
func closeDay(ctx context.Context, e env) int {
	var on, digest string
	var preview, asJSON bool
	cfg, rest, err := config.Load("close", e.args, e.environ, func(f *flag.FlagSet) {
		f.StringVar(&on, "day", "", "the `day`, as 2026-01-31; default: the next one to close")
		f.BoolVar(&preview, "preview", false, "run the whole close without committing it")
		f.StringVar(&digest, "commit", "", "close the day if its result has this `digest`")
		f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 || preview == (digest != "") {
		return e.usage("close takes either --preview or --commit DIGEST; \"bifolia help close\" lists the flags.")
	}
	var day *plan.Day
	if on != "" {
		given, err := plan.ParseDay(on)
		if err != nil {
			return e.fail(err)
		}
		day = &given
	}
	call := "close/preview"
	if !preview {
		call = "close/commit"
	}
	desk, err := app.OpenDesk(ctx, cfg, cfg.Logger(e.stderr), call)
	if err != nil {
		return e.fail(err)
	}
	bar := newBar(e.stderr)
	desk.Closing.Watch(func(p closing.Progress) {
		bar.tell(p.Percent, fmt.Sprintf("%s %s, %d rows", p.Day, p.Phase, p.Rows))
	})
	report, err := runClose(ctx, desk, day, digest)
	bar.clear()
	if err = errors.Join(err, desk.Close()); err != nil {
		return e.fail(err)
	}
	if asJSON {
		return e.print(report)
	}
	if report.Already {
		return e.say("%s is already closed with digest %s: nothing was done.\n", report.Day, report.Digest)
	}
	s, err := report.Summary()
	if err != nil {
		return e.fail(err)
	}
	verb := "would make"
	if !preview {
		verb = "is closed without a second operator: it made"
	}
	_, _ = fmt.Fprintf(e.stdout, "%s %s %d rows that pay %s, %d sales final, %d events refused. Digest %s\n", s.Day, verb, s.Rows, s.Paid, s.Sales, len(s.Refused), s.Digest)
	for _, warning := range report.Company.Warnings() {
		_, _ = fmt.Fprintln(e.stdout, "Warning: "+warning)
	}
	return exitOK
}

// runClose previews a day, by default the next one, or commits it if a digest is given.
func runClose(ctx context.Context, desk *app.Desk, day *plan.Day, digest string) (*closing.Report, error) {
	if day == nil {
		next, err := desk.Closing.Next(ctx)
		if err != nil {
			return nil, err
		}
		day = &next.Day
	}
	if digest == "" {
		return desk.Closing.Look(ctx, *day)
	}
	return desk.Commit(ctx, *day, strings.TrimSpace(digest))
}

// print writes a result as JSON.
func (e env) print(v any) int {
	if err := json.NewEncoder(e.stdout).Encode(v); err != nil {
		return e.fail(err)
	}
	return exitOK
}

// say writes a result as text.
func (e env) say(format string, args ...any) int {
	_, _ = fmt.Fprintf(e.stdout, format, args...)
	return exitOK
}

// answer writes a result as JSON or text.
func (e env) answer(asJSON bool, v any, format string, args ...any) int {
	if asJSON {
		return e.print(v)
	}
	return e.say(format, args...)
}
