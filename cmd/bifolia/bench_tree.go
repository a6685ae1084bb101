package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

// benchTree prints one JSON line per case. With --check it fails when a case
// falls short of its target.
func benchTree(ctx context.Context, e env) int {
	var check bool
	var seconds int
	var only, shapes, engines string
	o := bench.TreeOptions{Out: e.stdout, Log: e.stderr, Starts: 3}
	rest, err := config.ParseFlags("bench tree", e.args, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "fail when a case falls short of its target")
		f.StringVar(&only, "only", "", "cases to run, with commas between: "+strings.Join(bench.TreeCases, ", "))
		f.StringVar(&shapes, "shapes", "", "shapes of the tree, with commas between: "+strings.Join(bench.TreeShapes, ", "))
		f.StringVar(&engines, "engines", "", "databases, with commas between: "+strings.Join(bench.TreeEngines, ", "))
		f.IntVar(&o.Members, "members", 1_000_000, "members of the large trees")
		f.IntVar(&o.Joins, "joins", 300, "joins that each figure of joining is the median of")
		f.IntVar(&seconds, "seconds", 5, "how long each case over HTTP runs")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench tree takes flags only.")
	}
	if o.Members < 200 || o.Members > 10_000_000 || o.Joins < 1 || o.Joins > 100_000 || seconds < 1 || seconds > 600 {
		return e.usage("--members takes 200 to 10000000, --joins 1 to 100000, --seconds 1 to 600.")
	}
	o.For = time.Duration(seconds) * time.Second
	if err := chosen([]choice{
		{"--only", only, bench.TreeCases, &o.Only},
		{"--shapes", shapes, bench.TreeShapes, &o.Shapes},
		{"--engines", engines, bench.TreeEngines, &o.Engines},
	}); err != nil {
		return e.usage(err.Error() + ".")
	}
	if o.Program, err = os.Executable(); err != nil {
		return e.fail(err)
	}
	missed, err := bench.Tree(ctx, o)
	if err != nil {
		return e.fail(err)
	}
	return e.measured(missed, check)
}

// choice is a flag that takes some of the names that are known.
type choice struct {
	flag, text string
	known      []string
	into       *[]string
}

// chosen reads flags whose names have commas between them.
func chosen(choices []choice) error {
	for _, c := range choices {
		for name := range strings.FieldsFuncSeq(c.text, func(r rune) bool { return r == ',' }) {
			if !slices.Contains(c.known, name) {
				return fmt.Errorf("%s takes %s with commas between, not %q", c.flag, strings.Join(c.known, ", "), name)
			}
			*c.into = append(*c.into, name)
		}
	}
	return nil
}

// measured ends a benchmark.
func (e env) measured(missed []string, check bool) int {
	if len(missed) == 0 {
		return exitOK
	}
	_, _ = fmt.Fprintf(e.stderr, "Short of what it must reach:\n  %s\n", strings.Join(missed, "\n  "))
	if check {
		return exitFailed
	}
	return exitOK
}
