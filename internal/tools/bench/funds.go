package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// FundsLine is one result of 'bench funds'. Ledger is what the ledger alone did
// in the same minute; of_ledger is how much of that is left.
type FundsLine struct {
	Line
	Ledger   float64 `json:"ledger_per_s"`
	OfLedger float64 `json:"of_ledger"`
}

const (
	fundsMembers = 10_000
	waitingLimit = 10 // fund requests of one member that may wait
	// fundsPassword is everybody's, for both purposes: a transaction password
	// has ten characters at most.
	fundsPassword = "leaf42leaf"
)

// counter is a server with members who are signed in.
type counter struct {
	engine string
	ledger *Target
	shop   *served
	uids   []int64 // of all members
	all    []caller
	used   int // of all: callers whose fund requests have been spent
}

// Funds measures what members do with money (transfers to each other, fund
// requests) over HTTP beside the ledger alone and pgbench. missed lists what
// falls short of the ledger's own targets.
func Funds(ctx context.Context, o Options) (missed []string, err error) {
	dir, err := os.MkdirTemp("", "bifolia-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server, err := pgserver.Start(ctx, pgserver.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = server.Stop() }()
	b := &bencher{Options: o}
	if b.Members == 0 {
		b.Members = fundsMembers
	}
	if len(b.Clients) == 0 {
		b.Clients = []int{1, 8, 32}
	}
	if b.raw, err = newPgbench(ctx, server, dir); err != nil {
		return nil, err
	}
	var all []*counter
	defer func() {
		for _, c := range all {
			c.close()
		}
	}()
	for _, engine := range TreeEngines {
		c, err := b.openCounter(ctx, server, engine, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for _, clients := range b.Clients {
		if err := b.funds(ctx, all, clients); err != nil {
			return b.missed, err
		}
	}
	return b.missed, nil
}

func (c *counter) close() {
	if c.shop != nil {
		c.shop.stop()
	}
	if c.ledger != nil {
		c.ledger.Stop()
	}
}

// openCounter starts a ledger and a server on databases of their own.
func (b *bencher) openCounter(ctx context.Context, server *pgserver.Server, engine, dir string) (c *counter, err error) {
	_, _ = fmt.Fprintf(b.Log, "%s: %d members, %d of them signed in …\n", engine, b.Members, b.callers())
	dsn := func(name string) (string, error) {
		if engine == "sqlite" {
			return "sqlite:" + filepath.Join(dir, name+".db"), nil
		}
		return server.DSN(name), server.CreateDB(ctx, name, "")
	}
	c = &counter{engine: engine}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	alone, err := dsn("ledger_" + engine)
	if err != nil {
		return c, err
	}
	if c.ledger, err = StartTarget(ctx, b.Program, engine, alone, filepath.Join(dir, "ledger-"+engine)); err != nil {
		return c, err
	}
	if err := c.ledger.fund(); err != nil {
		return c, err
	}
	g := &garden{engine: engine, shape: "random", members: b.Members, dir: filepath.Join(dir, "shop-"+engine)}
	if g.dsn, err = dsn("shop_" + engine); err != nil {
		return c, err
	}
	if err := g.fill(ctx, fundsPassword); err != nil {
		return c, err
	}
	if c.uids, err = g.endow(ctx); err != nil {
		return c, err
	}
	shop := &treeBench{TreeOptions: TreeOptions{Program: b.Program}}
	if c.shop, err = shop.serve(ctx, g); err != nil {
		return c, err
	}
	for _, uid := range c.uids[:b.callers()] {
		c.all = append(c.all, caller{uid: uid})
	}
	return c, c.shop.signIn(c.all, fundsPassword)
}

// endow gives every member money, and tells their ids.
func (g *garden) endow(ctx context.Context) (uids []int64, err error) {
	w, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer w.leave()
	if err := w.tree.Load(ctx); err != nil {
		return nil, err
	}
	for no := 1; no <= g.members; no++ {
		uids = append(uids, w.uid(tree.No(no)))
	}
	_, err = w.seq.Do(ctx, ledger.Command{Actor: "bench", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		for _, uid := range uids {
			if err := fund.Deposit(tx, uid, fund.Robot, money.MustParse("1000000"), "bench"); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}})
	return uids, err
}

// funds measures both cases at one number of clients.
func (b *bencher) funds(ctx context.Context, all []*counter, clients int) error {
	_, _ = fmt.Fprintf(b.Log, "%d clients …\n", clients)
	arms := []func() (sample, error){func() (sample, error) { return b.raw.run(ctx, clients, false) }}
	type shown struct {
		line        FundsLine
		alone, full int // its arms: the ledger, and the whole call
	}
	var lines []shown
	for _, c := range all {
		alone := len(arms)
		arms = append(arms, func() (sample, error) { return run(c.ledger.Addr, c.ledger.Token, clients, false) })
		for _, name := range []string{"transfer", "fund_request"} {
			if !b.wants(name) {
				continue
			}
			lines = append(lines, shown{FundsLine{Line: Line{Bench: "funds", Engine: c.engine, Case: name, Clients: clients}}, alone, len(arms)})
			arms = append(arms, func() (sample, error) { return c.measure(name, clients, b.share()) })
		}
	}
	results, err := inTurns(b.Seconds, arms)
	if err != nil {
		return err
	}
	for _, s := range lines {
		l, f := s.line, results[s.full]
		l.PerSecond, l.P50, l.P99, l.Ledger = f.PerSecond, millis(f.P50), millis(f.P99), results[s.alone].PerSecond
		b.printFunds(l, results[0].PerSecond)
	}
	return nil
}

// callers is how many members are signed in; each sends a part of the calls.
func (b *bencher) callers() int { return b.Members * 3 / 10 }

// share is how many callers one turn of one number of clients may use up.
func (b *bencher) share() int { return b.callers() / len(b.Clients) / b.Seconds }

func (b *bencher) printFunds(l FundsLine, raw float64) {
	l.Ratio, l.OfLedger = round(l.PerSecond/raw), round(l.PerSecond/l.Ledger)
	l.PerSecond, l.Raw, l.Ledger = float64(int(l.PerSecond+0.5)), float64(int(raw+0.5)), float64(int(l.Ledger+0.5))
	b.line(l)
	at := fmt.Sprintf("%s %s at %d clients", l.Engine, l.Case, l.Clients)
	if want := need["spread"][l.Clients]; l.Ratio < want {
		b.missed = append(b.missed, fmt.Sprintf("%s: ratio %.2f, needed %.2f", at, l.Ratio, want))
	}
	if l.Clients == 32 && l.P99 > needP99 {
		b.missed = append(b.missed, fmt.Sprintf("%s: p99 %.1f ms, needed %d", at, l.P99, needP99))
	}
}

// measure lets n clients call for a turn, or until all of this share's callers
// have as many fund requests waiting as they may. No two clients are one member.
func (c *counter) measure(name string, n, share int) (sample, error) {
	who := c.all[:share]
	if name == "fund_request" {
		who = c.all[c.used : c.used+share]
		c.used += share
	}
	label := time.Now().UnixNano()
	return together(c.shop.addr, "", n, func(cl *client, i int, until time.Time) ([]time.Duration, error) {
		return c.calls(cl, name, who[i*len(who)/n:(i+1)*len(who)/n], fmt.Sprintf("%d-%d", label, i), until)
	})
}

func (c *counter) calls(client *client, name string, who []caller, label string, until time.Time) (took []time.Duration, err error) {
	rnd := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	path, body := "/api/FundTransferToUser", c.transfer
	if name == "fund_request" {
		path, body = "/api/FundRequest", request
	}
	for i := 0; name != "fund_request" || i < len(who)*waitingLimit; i++ {
		start := time.Now()
		if start.After(until) {
			break
		}
		as := &who[i%len(who)]
		client.token = as.token
		status, answer, err := client.post(path, fmt.Sprintf("%s-%s-%d", name, label, i), body(as, rnd))
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK || !strings.Contains(string(answer), `"success"`) {
			return nil, fmt.Errorf("bench: %s answered %d: %s", path, status, answer)
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}

func (c *counter) transfer(as *caller, rnd *rand.Rand) []byte {
	to := as.uid
	for to == as.uid {
		to = c.uids[rnd.IntN(len(c.uids))]
	}
	return fmt.Appendf(nil, `{"referby":"%d","user_id":"%d","amount":"1","wallettype":"FUNDS","ctrans_password":%q}`, as.uid, to, fundsPassword)
}

func request(as *caller, rnd *rand.Rand) []byte {
	raw, err := json.Marshal(map[string]any{
		"uid": fmt.Sprint(as.uid), "bankid": 2, "amount": "100", "usertype": "USDT (BEP-20)", "Fundtype": "FUNDS",
		"utrno": fmt.Sprintf("0x%016x%016x%016x%016x", rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64()),
	})
	if err != nil {
		return nil // it is made of text and numbers
	}
	return raw
}
