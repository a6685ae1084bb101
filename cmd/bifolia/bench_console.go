package main

import (
	"context"
	"flag"
	"os"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

// benchConsole prints one JSON line per case. With --check it fails when a case
// falls short of its target.
func benchConsole(ctx context.Context, e env) int {
	var check bool
	var seconds int
	var only, engines string
	o := bench.ConsoleOptions{Out: e.stdout, Log: e.stderr}
	rest, err := config.ParseFlags("bench console", e.args, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "fail when a case falls short of its target")
		f.StringVar(&only, "only", "", "cases to run, with commas between: "+strings.Join(bench.ConsoleCases, ", "))
		f.StringVar(&engines, "engines", "", "databases, with commas between: "+strings.Join(bench.TreeEngines, ", "))
		f.IntVar(&o.Members, "members", 1_000_000, "members in the tree")
		f.IntVar(&o.Entries, "entries", 0, "entries in the ledger; ten for each member unless given")
		f.StringVar(&o.Keep, "keep", "", "a folder in which the databases stay; a later run reads them there instead of loading")
		f.BoolVar(&o.Load, "load", false, "load only, to be measured later (with --keep)")
		f.IntVar(&seconds, "seconds", 5, "how long each case runs")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench console takes flags only.")
	}
	if o.Members < 1000 || o.Members > 10_000_000 || o.Entries < 0 || seconds < 1 || seconds > 600 {
		return e.usage("--members takes 1000 to 10000000, --seconds 1 to 600; --entries is not negative.")
	}
	if o.Load && o.Keep == "" {
		return e.usage("--load takes --keep.")
	}
	o.For = time.Duration(seconds) * time.Second
	if err := chosen([]choice{
		{"--only", only, bench.ConsoleCases, &o.Only},
		{"--engines", engines, bench.TreeEngines, &o.Engines},
	}); err != nil {
		return e.usage(err.Error() + ".")
	}
	if o.Program, err = os.Executable(); err != nil {
		return e.fail(err)
	}
	missed, err := bench.Console(ctx, o)
	if err != nil {
		return e.fail(err)
	}
	return e.measured(missed, check)
}
