package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

var simulateCommand = command{
	name:    "simulate",
	summary: "run a scenario through the real services and print what it pays",
	run:     simulateScenario,
}

// maxScenario bounds the scenario file.
const maxScenario = 256 << 20

// simulateScenario reads a scenario, runs it on a separate database, verifies that
// database and prints the days and the end.
func simulateScenario(ctx context.Context, e env) int {
	var dsn, other string
	var asJSON bool
	rest, err := config.ParseFlags("simulate", e.args, func(f *flag.FlagSet) {
		f.StringVar(&dsn, "db", "", "an empty database to use and keep, without its signing key; default: a temporary one. With --plan: the database whose history is replayed; it is only read")
		f.StringVar(&other, "plan", "", "the `file` of another plan: compute what it would have paid for the closed days of --db")
		f.BoolVar(&asJSON, "json", false, "with --plan: print the comparison as JSON")
	})
	if err != nil {
		return e.fail(err)
	}
	if other != "" {
		if len(rest) != 0 || dsn == "" {
			return e.usage("simulate --plan takes --db with the database to examine, and no scenario.")
		}
		return whatIf(ctx, e, dsn, other, asJSON)
	}
	if len(rest) != 1 {
		return e.usage("simulate takes one file, after its flags: a scenario as JSON, or - for stdin.")
	}
	raw, err := readInput(e, "scenario", rest[0])
	if err != nil {
		return e.fail(err)
	}
	s, err := simulate.Parse(raw)
	if err != nil {
		return e.fail(err)
	}
	var out simulate.Outcome
	if err := onDatabase(ctx, dsn, func(dsn string) (err error) {
		out, err = simulate.Run(ctx, dsn, s)
		return err
	}); err != nil {
		return e.fail(err)
	}
	for _, note := range out.Notes {
		_, _ = fmt.Fprintln(e.stderr, "Note: "+note)
	}
	enc := json.NewEncoder(e.stdout)
	enc.SetIndent("", " ")
	if err := enc.Encode(out); err != nil {
		return e.fail(err)
	}
	return exitOK
}

// onDatabase runs f on the given database or on a temporary one, which is removed before
// anything is printed: a closed pipe ends the program at once.
func onDatabase(ctx context.Context, dsn string, f func(dsn string) error) error {
	if dsn == "" {
		dir, err := os.MkdirTemp("", "bifolia-simulate-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		dsn = "sqlite:" + filepath.Join(dir, "simulate.db")
	}
	err := f(dsn)
	if err != nil && ctx.Err() != nil {
		return errs.New(errs.Unavailable, "simulate.interrupted", "Interrupted before the end.")
	}
	return err
}

// readInput reads a file, or standard input for "-"; what names it in errors.
func readInput(e env, what, path string) ([]byte, error) {
	in := e.stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("the %s cannot be read: %w", what, err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxScenario+1))
	if err == nil && len(raw) > maxScenario {
		err = fmt.Errorf("the %s is larger than %d bytes", what, maxScenario)
	}
	return raw, err
}
