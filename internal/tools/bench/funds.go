package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// FundsLine is one result of 'bench funds'. Ledger is the rate of the ledger alone in the same
// minute; of_ledger is the ratio to it.
type FundsLine struct {
	Line
	Ledger   float64 `json:"ledger_per_s"`
	OfLedger float64 `json:"of_ledger"`
}

const (
	fundsMembers = 10_000
	waitingLimit = 10 // fund requests of one member that may wait
	// fundsPassword is both passwords of all members: a transaction password has at most
	// ten characters.
	fundsPassword = "leaf42leaf"
)

// counter is a server with signed-in members.
type counter struct {
	engine string
	ledger *Target
	shop   *served
	uids   []int64 // of all members
	all    []caller
	used   int // of all: callers whose fund requests have been spent
}

// Funds measures members' transfers and fund requests over HTTP, and in the same minute the
// ledger alone and pgbench. missed lists the missed targets, which are those of the ledger.
func Funds(ctx context.Context, o Options) (missed []string, err error) {
	if o.Members == 0 {
		o.Members = fundsMembers
	}
	return o.bench(ctx, func(b *bencher) error {
		var all []*counter
		for _, engine := range TreeEngines {
			c, err := b.openCounter(ctx, engine)
			defer c.close()
			if err != nil {
				return err
			}
			all = append(all, c)
		}
		for _, clients := range b.Clients {
			if err := b.funds(ctx, all, clients); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *counter) close() {
	if c.shop != nil {
		c.shop.stop()
	}
	if c.ledger != nil {
		c.ledger.Stop()
	}
}

// openCounter starts a ledger and a server on separate databases. The counter contains them
// also after an error.
func (b *bencher) openCounter(ctx context.Context, engine string) (c *counter, err error) {
	b.say("%s: %d members, %d of them signed in …", engine, b.Members, b.callers())
	dsn := func(name string) (string, error) {
		if engine == "sqlite" {
			return "sqlite:" + filepath.Join(b.dir, name+".db"), nil
		}
		return b.server.DSN(name), b.server.CreateDB(ctx, name, "")
	}
	c = &counter{engine: engine}
	alone, err := dsn("ledger_" + engine)
	if err != nil {
		return c, err
	}
	if c.ledger, err = StartTarget(ctx, b.Program, engine, alone, filepath.Join(b.dir, "ledger-"+engine)); err != nil {
		return c, err
	}
	if err := c.ledger.fund(); err != nil {
		return c, err
	}
	g := &installation{engine: engine, shape: "random", members: b.Members, dir: filepath.Join(b.dir, "shop-"+engine)}
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

// endow gives every member money, and returns their ids.
func (g *installation) endow(ctx context.Context) (uids []int64, err error) {
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
	return uids, do(ctx, w.seq, func(_ context.Context, tx *ledger.Tx) error {
		for _, uid := range uids {
			if err := fund.Deposit(tx, uid, fund.Robot, money.MustParse("1000000"), "bench"); err != nil {
				return err
			}
		}
		return nil
	})
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

// callers is the number of signed-in members; each sends a part of the calls.
func (b *bencher) callers() int { return b.Members * 3 / 10 }

// share is the number of callers for one turn of one number of clients.
func (b *bencher) share() int { return b.callers() / len(b.Clients) / b.Seconds }

func (b *bencher) printFunds(l FundsLine, raw float64) {
	l.Ratio, l.OfLedger = round(l.PerSecond/raw), round(l.PerSecond/l.Ledger)
	l.PerSecond, l.Raw, l.Ledger = float64(int(l.PerSecond+0.5)), float64(int(raw+0.5)), float64(int(l.Ledger+0.5))
	b.line(l, "")
	b.compare(l.Line)
}

// measure runs n clients for a turn, or until all callers of this share have the maximum
// number of pending fund requests. No two clients are the same member.
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
