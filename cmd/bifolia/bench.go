package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/httpapi"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/bench"
)

var benchCommand = command{
	name:    "bench",
	summary: "measure: 'bench ledger' beside the raw database, 'bench funds' beside the ledger, 'bench tree' and 'bench close' with a million members, 'bench export' with a million rows, 'bench console' with ten million entries",
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

func benchmark(ctx context.Context, e env) int {
	name := ""
	if len(e.args) > 0 {
		name, e.args = e.args[0], e.args[1:]
	}
	switch name {
	case "ledger":
		return benchLedger(ctx, e, "ledger", []string{"spread", "hot", "bulk", "memory"}, bench.Ledger)
	case "funds":
		return benchLedger(ctx, e, "funds", []string{"transfer", "fund_request"}, bench.Funds)
	case "tree":
		return benchTree(ctx, e)
	case "close":
		return benchClose(ctx, e)
	case "export":
		return benchExport(ctx, e)
	case "console":
		return benchConsole(ctx, e)
	case "target":
		return benchTarget(ctx, e)
	case "--help", "-h":
		_, _ = fmt.Fprint(e.stdout, benchHelp)
		return exitOK
	}
	return e.usage("Say what to measure: \"bifolia bench ledger\", \"bifolia bench funds\", \"bifolia bench tree\", \"bifolia bench close\", \"bifolia bench export\" or \"bifolia bench console\".")
}

// benchLedger prints one JSON line per case of the ledger, or of what members do
// with it. With --check it fails when a case falls short of its target.
func benchLedger(ctx context.Context, e env, name string, cases []string, measure func(context.Context, bench.Options) ([]string, error)) int {
	var seconds int
	var check bool
	var only, clients string
	rest, err := config.ParseFlags("bench "+name, e.args, func(f *flag.FlagSet) {
		f.IntVar(&seconds, "seconds", 5, "how long each case runs")
		f.BoolVar(&check, "check", false, "fail when a case falls short of its target")
		f.StringVar(&only, "only", "", "cases to run, with commas between: "+strings.Join(cases, ", "))
		f.StringVar(&clients, "clients", "", "numbers of clients, with commas between")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("bench " + name + " takes flags only.")
	}
	if seconds < 1 || seconds > 600 {
		return e.usage("--seconds takes 1 to 600.")
	}
	o := bench.Options{Seconds: seconds, Out: e.stdout, Log: e.stderr}
	if err := chosen([]choice{{"--only", only, cases, &o.Only}}); err != nil {
		return e.usage(err.Error() + ".")
	}
	for n := range strings.FieldsFuncSeq(clients, func(r rune) bool { return r == ',' }) {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 || count > 1000 {
			return e.usage("--clients takes numbers from 1 to 1000 with commas between.")
		}
		o.Clients = append(o.Clients, count)
	}
	o.Program, err = os.Executable()
	if err != nil {
		return e.fail(err)
	}
	missed, err := measure(ctx, o)
	if err != nil {
		return e.fail(err)
	}
	return e.measured(missed, check)
}

// benchTarget is the program under measurement: the whole App on a loopback
// port nobody knows, with the ledger's private routes behind a random token.
// Its one line on stdout says where and with what.
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
	private := func(a *app.App, o *httpapi.Options) {
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
