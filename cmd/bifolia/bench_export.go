package main

import (
	"context"
	"flag"
	"os"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

// benchExport prints one JSON line per case. With --check it fails when a case
// falls short of its target.
func benchExport(ctx context.Context, e env) int {
	var check bool
	var only, engines string
	o := bench.ExportOptions{Out: e.stdout, Log: e.stderr}
	rest, err := config.ParseFlags("bench export", e.args, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "fail when a case falls short of its target")
		f.StringVar(&only, "only", "", "cases to run, with commas between: "+strings.Join(bench.ExportCases, ", "))
		f.StringVar(&engines, "engines", "", "databases, with commas between: "+strings.Join(bench.TreeEngines, ", "))
		f.IntVar(&o.Rows, "rows", 1_000_000, "rows of each file")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench export takes flags only.")
	}
	if o.Rows < 1 || o.Rows > 1_000_000 {
		return e.usage("--rows takes 1 to 1000000.")
	}
	if err := chosen([]choice{
		{"--only", only, bench.ExportCases, &o.Only},
		{"--engines", engines, bench.TreeEngines, &o.Engines},
	}); err != nil {
		return e.usage(err.Error() + ".")
	}
	if o.Program, err = os.Executable(); err != nil {
		return e.fail(err)
	}
	missed, err := bench.Export(ctx, o)
	if err != nil {
		return e.fail(err)
	}
	return e.measured(missed, check)
}
