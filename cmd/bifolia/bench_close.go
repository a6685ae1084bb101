package main

import (
	"context"
	"flag"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

// benchClose prints one JSON line per phase. With --check it fails when one
// falls short of its target.
func benchClose(ctx context.Context, e env) int {
	var check bool
	var engines string
	o := bench.CloseOptions{Out: e.stdout, Log: e.stderr}
	rest, err := config.ParseFlags("bench close", e.args, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "fail when a phase falls short of its target")
		f.StringVar(&engines, "engines", "", "databases, with commas between: "+strings.Join(bench.TreeEngines, ", "))
		f.IntVar(&o.Members, "members", 1_000_000, "members in the tree")
		f.IntVar(&o.Sales, "sales", 0, "sales that become final; a tenth of the members unless given")
		f.IntVar(&o.Positions, "positions", 0, "positions on both lines together; a fifth of the members unless given")
		f.IntVar(&o.Branch, "branch", 5_000, "members of a branch, in which everybody may invite; 0 for one tree in which anybody may")
		f.BoolVar(&o.Growth, "growth", true, "close a tenth of everything before and after, and compare")
		f.IntVar(&o.Rounds, "rounds", 1, "how often all of it is closed; the median of their growth counts")
		f.BoolVar(&o.Verify, "verify", false, "replay the ledger and recount the tree after each close")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench close takes flags only.")
	}
	if o.Members < 1000 || o.Members > 20_000_000 || o.Rounds < 1 || o.Rounds > 100 || o.Sales < 0 || o.Positions < 0 || o.Branch < 0 {
		return e.usage("--members takes 1000 to 20000000 and --rounds 1 to 100; --sales, --positions and --branch are not negative.")
	}
	if err := chosen([]choice{{"--engines", engines, bench.TreeEngines, &o.Engines}}); err != nil {
		return e.usage(err.Error() + ".")
	}
	missed, err := bench.Close(ctx, o)
	if err != nil {
		return e.fail(err)
	}
	return e.measured(missed, check)
}
