package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

var benchCommand = command{
	name:    "bench",
	summary: "measure performance: 'bench ledger' against the raw database, 'bench funds' against the ledger, 'bench tree' and 'bench close' with a million members, 'bench export' with a million rows, 'bench console' with ten million entries",
	run:     benchmark,
}

const benchHelp = `Usage: bifolia bench ledger [--seconds N] [--only CASES] [--clients NUMBERS] [--check]
       bifolia bench funds [--seconds N] [--only CASES] [--clients NUMBERS] [--check]
       bifolia bench tree [--only CASES] [--members N] [--shapes LIST] [--engines LIST] [--joins N] [--seconds N] [--check]
       bifolia bench close [--members N] [--sales N] [--positions N] [--branch N] [--engines LIST] [--growth=BOOL] [--rounds N] [--verify] [--check]
       bifolia bench export [--only CASES] [--engines LIST] [--rows N] [--check]
       bifolia bench console [--only CASES] [--engines LIST] [--members N] [--entries N] [--seconds N] [--check]

ledger measures transfers over HTTP on SQLite and PostgreSQL at 1, 8 and 32 clients beside
pgbench on the same machine, bulk posting, and memory at rest. funds measures what members do
with money, transfers and fund requests, beside the ledger alone and pgbench. tree measures
joining, reading and starting with a million members in left chains, zigzags and random trees.
close measures the close of a day beside a bare load of the rows that it writes. export
measures whole files over HTTP and the server's memory. console measures the operators' lists
and reports over HTTP. One JSON line each.
They start a private PostgreSQL of their own and leave nothing behind.
`

// benches are the available benchmarks.
var benches = map[string]func(context.Context, env) int{
	"ledger": func(ctx context.Context, e env) int {
		return benchLedger(ctx, e, "ledger", []string{"spread", "hot", "bulk", "memory"}, bench.Ledger)
	},
	"funds": func(ctx context.Context, e env) int {
		return benchLedger(ctx, e, "funds", []string{"transfer", "fund_request"}, bench.Funds)
	},
	"tree": benchTree, "close": benchClose, "export": benchExport, "console": benchConsole, "target": benchTarget,
}

func benchmark(ctx context.Context, e env) int {
	name := ""
	if len(e.args) > 0 {
		name, e.args = e.args[0], e.args[1:]
	}
	if run := benches[name]; run != nil {
		return run(ctx, e)
	}
	if name == "--help" || name == "-h" {
		_, _ = fmt.Fprint(e.stdout, benchHelp)
		return exitOK
	}
	return e.usage("Name a benchmark: \"bifolia bench ledger\", \"bifolia bench funds\", \"bifolia bench tree\", \"bifolia bench close\", \"bifolia bench export\" or \"bifolia bench console\".")
}

// benchRun is a benchmark of the command line. It prints one JSON line per case. With
// --check it fails if a case misses its target.
type benchRun struct {
	name, part string // part is the help's word for a line
	lists      []choice
	flags      func(*flag.FlagSet)
	wrong      func() string // a message about flags out of range; "" if there is none
	measure    func(program string) (missed []string, err error)
}

// choice is a flag that takes some of a set of names.
type choice struct {
	flag, help string
	known      []string
	into       *[]string
	text       string
}

// usageError is a message about a wrong call of the command.
type usageError string

func (u usageError) Error() string { return string(u) }

func (b benchRun) run(e env) int {
	var check bool
	rest, err := config.ParseFlags("bench "+b.name, e.args, func(f *flag.FlagSet) {
		f.BoolVar(&check, "check", false, "fail when a "+b.part+" misses its target")
		for i, l := range b.lists {
			f.StringVar(&b.lists[i].text, l.flag, "", l.help+", with commas between: "+strings.Join(l.known, ", "))
		}
		b.flags(f)
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench " + b.name + " takes flags only.")
	}
	if sentence := b.wrong(); sentence != "" {
		return e.usage(sentence)
	}
	for _, l := range b.lists {
		for name := range strings.FieldsFuncSeq(l.text, isComma) {
			if !slices.Contains(l.known, name) {
				return e.usage(fmt.Sprintf("--%s takes %s with commas between, not %q.", l.flag, strings.Join(l.known, ", "), name))
			}
			*l.into = append(*l.into, name)
		}
	}
	program, err := os.Executable()
	if err != nil {
		return e.fail(err)
	}
	missed, err := b.measure(program)
	if usage := usageError(""); errors.As(err, &usage) {
		return e.usage(string(usage))
	}
	if err != nil {
		return e.fail(err)
	}
	if len(missed) == 0 {
		return exitOK
	}
	_, _ = fmt.Fprintf(e.stderr, "Targets missed:\n  %s\n", strings.Join(missed, "\n  "))
	if check {
		return exitFailed
	}
	return exitOK
}

func isComma(r rune) bool { return r == ',' }

// benchLedger measures the ledger, or actions of members.
func benchLedger(ctx context.Context, e env, name string, cases []string, measure func(context.Context, bench.Options) ([]string, error)) int {
	o := bench.Options{Out: e.stdout, Log: e.stderr}
	var clients string
	return benchRun{
		name: name, part: "case",
		lists: []choice{{"only", "cases to run", cases, &o.Only, ""}},
		flags: func(f *flag.FlagSet) {
			f.IntVar(&o.Seconds, "seconds", 5, "how long each case runs")
			f.StringVar(&clients, "clients", "", "numbers of clients, with commas between")
		},
		wrong: func() string { return unless(o.Seconds >= 1 && o.Seconds <= 600, "--seconds takes 1 to 600.") },
		measure: func(program string) ([]string, error) {
			for n := range strings.FieldsFuncSeq(clients, isComma) {
				count, err := strconv.Atoi(n)
				if err != nil || count < 1 || count > 1000 {
					return nil, usageError("--clients takes numbers from 1 to 1000 with commas between.")
				}
				o.Clients = append(o.Clients, count)
			}
			o.Program = program
			return measure(ctx, o)
		},
	}.run(e)
}

func unless(right bool, sentence string) string {
	if right {
		return ""
	}
	return sentence
}

func benchTree(ctx context.Context, e env) int {
	var seconds int
	o := bench.TreeOptions{Out: e.stdout, Log: e.stderr, Starts: 3}
	return benchRun{
		name: "tree", part: "case",
		lists: []choice{
			{"only", "cases to run", bench.TreeCases, &o.Only, ""},
			{"shapes", "shapes of the tree", bench.TreeShapes, &o.Shapes, ""},
			{"engines", "databases", bench.TreeEngines, &o.Engines, ""},
		},
		flags: func(f *flag.FlagSet) {
			f.IntVar(&o.Members, "members", 1_000_000, "members of the large trees")
			f.IntVar(&o.Joins, "joins", 300, "joins per figure; the figure is their median")
			f.IntVar(&seconds, "seconds", 5, "how long each case over HTTP runs")
		},
		wrong: func() string {
			return unless(o.Members >= 200 && o.Members <= 10_000_000 && o.Joins >= 1 && o.Joins <= 100_000 && seconds >= 1 && seconds <= 600,
				"--members takes 200 to 10000000, --joins 1 to 100000, --seconds 1 to 600.")
		},
		measure: func(program string) ([]string, error) {
			o.Program, o.For = program, time.Duration(seconds)*time.Second
			return bench.Tree(ctx, o)
		},
	}.run(e)
}

func benchClose(ctx context.Context, e env) int {
	o := bench.CloseOptions{Out: e.stdout, Log: e.stderr}
	return benchRun{
		name: "close", part: "phase",
		lists: []choice{{"engines", "databases", bench.TreeEngines, &o.Engines, ""}},
		flags: func(f *flag.FlagSet) {
			f.IntVar(&o.Members, "members", 1_000_000, "members in the tree")
			f.IntVar(&o.Sales, "sales", 0, "sales that become final; default: a tenth of the members")
			f.IntVar(&o.Positions, "positions", 0, "positions on both lines together; default: a fifth of the members")
			f.IntVar(&o.Branch, "branch", 5_000, "members of a branch, within which sponsors are chosen; 0 for one tree")
			f.BoolVar(&o.Growth, "growth", true, "close a tenth of everything before and after, and compare")
			f.IntVar(&o.Rounds, "rounds", 1, "the number of runs; the median growth counts")
			f.BoolVar(&o.Verify, "verify", false, "replay the ledger and recount the tree after each close")
		},
		wrong: func() string {
			return unless(o.Members >= 1000 && o.Members <= 20_000_000 && o.Rounds >= 1 && o.Rounds <= 100 && o.Sales >= 0 && o.Positions >= 0 && o.Branch >= 0,
				"--members takes 1000 to 20000000 and --rounds 1 to 100; --sales, --positions and --branch are not negative.")
		},
		measure: func(string) ([]string, error) { return bench.Close(ctx, o) },
	}.run(e)
}

func benchExport(ctx context.Context, e env) int {
	o := bench.ExportOptions{Out: e.stdout, Log: e.stderr}
	return benchRun{
		name: "export", part: "case",
		lists: []choice{
			{"only", "cases to run", bench.ExportCases, &o.Only, ""},
			{"engines", "databases", bench.TreeEngines, &o.Engines, ""},
		},
		flags: func(f *flag.FlagSet) { f.IntVar(&o.Rows, "rows", 1_000_000, "rows of each file") },
		wrong: func() string { return unless(o.Rows >= 1 && o.Rows <= 1_000_000, "--rows takes 1 to 1000000.") },
		measure: func(program string) ([]string, error) {
			o.Program = program
			return bench.Export(ctx, o)
		},
	}.run(e)
}

func benchConsole(ctx context.Context, e env) int {
	var seconds int
	o := bench.ConsoleOptions{Out: e.stdout, Log: e.stderr}
	return benchRun{
		name: "console", part: "case",
		lists: []choice{
			{"only", "cases to run", bench.ConsoleCases, &o.Only, ""},
			{"engines", "databases", bench.TreeEngines, &o.Engines, ""},
		},
		flags: func(f *flag.FlagSet) {
			f.IntVar(&o.Members, "members", 1_000_000, "members in the tree")
			f.IntVar(&o.Entries, "entries", 0, "entries in the ledger; default: ten for each member")
			f.StringVar(&o.Keep, "keep", "", "a folder to keep the databases in; later runs read them instead of loading")
			f.BoolVar(&o.Load, "load", false, "load only, for a later measurement (with --keep)")
			f.IntVar(&seconds, "seconds", 5, "how long each case runs")
		},
		wrong: func() string {
			if o.Members < 1000 || o.Members > 10_000_000 || o.Entries < 0 || seconds < 1 || seconds > 600 {
				return "--members takes 1000 to 10000000, --seconds 1 to 600; --entries is not negative."
			}
			return unless(!o.Load || o.Keep != "", "--load takes --keep.")
		},
		measure: func(program string) ([]string, error) {
			o.Program, o.For = program, time.Duration(seconds)*time.Second
			return bench.Console(ctx, o)
		},
	}.run(e)
}

// benchTarget is the program under measurement: the whole App on a random loopback port,
// with the ledger's private routes behind a random token. It prints address and token as
// one line on stdout.
func benchTarget(ctx context.Context, e env) int {
	cfg, rest, err := config.Load("bench target", e.args, e.environ, nil)
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench target takes flags only.")
	}
	cfg.Addr = "127.0.0.1:0"
	cfg.AdvertiseURL = config.BaseURL(cfg.Addr)
	token := rand.Text()
	private := func(a *app.App, o *httpx.Options) {
		o.Routes = append(o.Routes, bench.Routes(a.Ledger()))
		o.Session = func(_ context.Context, given string) (s auth.Session, renewed string, err error) {
			if subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
				return s, "", errs.New(errs.Unauthenticated, "bench.wrong_token", "wrong token")
			}
			return auth.Session{Kind: auth.KindMember}, "", nil
		}
	}
	a, err := app.New(ctx, cfg, cfg.Logger(e.stderr), private)
	if err != nil {
		return e.fail(err)
	}
	addr, err := a.Listen()
	if err != nil {
		return e.fail(err)
	}
	_ = json.NewEncoder(e.stdout).Encode(map[string]string{"addr": addr.String(), "token": token})
	if err := a.Run(ctx); err != nil {
		return e.fail(err)
	}
	return exitOK
}
