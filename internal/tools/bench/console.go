package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/store"
)

type ConsoleOptions struct {
	Out     io.Writer     // one JSON line per case
	Log     io.Writer     // progress, for people
	Program string        // the bifolia binary, started as the server
	Engines []string      // sqlite, postgres; both when empty
	Only    []string      // ConsoleCases; all when empty
	Members int           // in the tree
	Entries int           // in the ledger; ten for each member when 0
	For     time.Duration // how long each case runs
	Keep    string        // a folder in which the databases stay for the next run; "" leaves nothing
	Load    bool          // load only
}

// ConsoleCases are the cases: the operators' lists, and the reports.
var ConsoleCases = func() (names []string) {
	for _, c := range consoleCases {
		names = append(names, c.name)
	}
	return names
}()

// ConsoleLine is one result. First is the first call after the start, with empty caches.
type ConsoleLine struct {
	Bench     string  `json:"bench"`
	Engine    string  `json:"engine"`
	Case      string  `json:"case"`
	Members   int     `json:"members"`
	Entries   int     `json:"entries"`
	Clients   int     `json:"clients"`
	PerSecond float64 `json:"per_s"`
	First     float64 `json:"first_ms"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Must      string  `json:"must_reach"`
}

const (
	needConsole    = 50 // ms, p99
	consoleClients = 4
)

// consoleCase is a page of the operators.
type consoleCase struct {
	name string
	path func(g *consoleData, r *rand.Rand) string
}

// fixed is a path that is the same every time.
func fixed(path string) func(*consoleData, *rand.Rand) string {
	return func(*consoleData, *rand.Rand) string { return path }
}

// yearly is a report of the last year.
func yearly(kind, bucket string) func(*consoleData, *rand.Rand) string {
	return func(g *consoleData, _ *rand.Rand) string {
		return "reports?kind=" + kind + "&bucket=" + bucket + "&from=" + g.first.String() + "&to=" + g.last.String()
	}
}

var consoleCases = []consoleCase{
	{"members_search_name", func(g *consoleData, r *rand.Rand) string {
		return "members?q=" + url.QueryEscape(fmt.Sprintf("member %d", 1+r.IntN(g.members)))
	}},
	{"members_search_mail", func(g *consoleData, r *rand.Rand) string {
		return fmt.Sprintf("members?q=member%d%%40", 1+r.IntN(g.members))
	}},
	{"members_search_payment", func(_ *consoleData, r *rand.Rand) string { return fmt.Sprintf("members?q=0x%064x", r.Uint64()) }},
	{"claims_open", fixed("claims?state=Open&size=25")},
	{"claims_all", fixed("claims?size=25")},
	{"claims_done", fixed("claims?state=Claimed&sort=-day&size=25")},
	{"claims_last_page", func(g *consoleData, _ *rand.Rand) string {
		return fmt.Sprintf("claims?size=25&page=%d", g.members/10/25)
	}},
	{"claims_member", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("claims?uid=%d", g.uid(r)) }},
	{"trading_lines", fixed("trading/lines")},
	{"member_purchases", func(g *consoleData, r *rand.Rand) string {
		return fmt.Sprintf("member/purchases?of=forex&uid=%d", g.uid(r))
	}},
	{"member_incomes", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("member/incomes?uid=%d", g.uid(r)) }},
	{"member_requests", func(g *consoleData, r *rand.Rand) string {
		return fmt.Sprintf("member/requests?kind=forexClaims&uid=%d", g.uid(r))
	}},
	{"members_search_many", fixed("members?q=me&size=50")},
	{"members_search_id", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("members?q=%d", g.uid(r)) }},
	{"member", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("member?uid=%d", g.uid(r)) }},
	{"member_entries", func(g *consoleData, r *rand.Rand) string {
		uid := g.uid(r)
		return fmt.Sprintf("member/entries?uid=%d&account=L:FUND:FUNDS:%d", uid, uid)
	}},
	{"funds_pending", fixed("fundRequests?state=Pending&size=25")},
	{"funds_all", fixed("fundRequests?size=25")},
	{"funds_approved", fixed("fundRequests?state=Approved&size=25")},
	{"funds_member", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("fundRequests?uid=%d", g.uid(r)) }},
	{"withdrawals_pending", fixed("withdrawals?state=Pending&size=25")},
	{"withdrawals_all", fixed("withdrawals?size=25")},
	{"withdrawals_confirmed", fixed("withdrawals?state=Confirmed&size=25")},
	{"withdrawals_member", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("withdrawals?uid=%d", g.uid(r)) }},
	{"funds_last_page", func(g *consoleData, _ *rand.Rand) string {
		return fmt.Sprintf("fundRequests?size=25&page=%d", g.members/10/25)
	}},
	{"withdrawals_last_page", func(g *consoleData, _ *rand.Rand) string {
		return fmt.Sprintf("withdrawals?size=25&page=%d", g.members/10/25)
	}},
	{"funds_bank", fixed("fundRequests?usertype=BANK&state=Approved&size=25")},
	{"tickets_waiting", fixed("tickets?state=waiting&size=25")},
	{"tickets_all", fixed("tickets?size=25")},
	{"tickets_words", fixed("tickets?q=nothing+like+it&size=25")},
	{"tickets_words_one", func(g *consoleData, r *rand.Rand) string {
		return fmt.Sprintf("tickets?q=ticket+%d&size=25", r.IntN(g.members/10))
	}},
	{"tickets_words_some", func(_ *consoleData, r *rand.Rand) string {
		return fmt.Sprintf("tickets?q=my+wallet+%d&size=25", 100+r.IntN(900))
	}},
	{"tickets_words_common", fixed("tickets?q=fund+money+wall&size=25")},
	{"tickets_words_waiting", fixed("tickets?q=money+credited&state=waiting&size=25")},
	{"newsletter", fixed("newsletter?size=25")},
	{"health", fixed("health")},
	{"audit", fixed("audit?size=50")},
	{"audit_act", fixed("audit?size=50&act=block")},
	{"audit_member", func(g *consoleData, r *rand.Rand) string { return fmt.Sprintf("audit?size=50&member=%d", g.uid(r)) }},
	{"close_days", fixed("close/days?size=31")},
	{"reports_revenue", yearly("revenue", "week")},
	{"reports_payouts", yearly("payouts", "week")},
	{"reports_people", yearly("people", "week")},
	{"reports_retention", yearly("retention", "month")},
	{"reports_legs", yearly("legs", "day")},
	{"reports_retail", yearly("retail", "day")},
	{"reports_concentration", yearly("concentration", "day")},
	{"reports_disclosure", yearly("disclosure", "day")},
	{"reports_coverage", yearly("coverage", "week")},
}

// Console measures the operators' pages over HTTP. missed lists the missed targets.
func Console(ctx context.Context, o ConsoleOptions) (missed []string, err error) {
	b := newTreeBench(TreeOptions{Out: o.Out, Log: o.Log, Program: o.Program, Engines: o.Engines, For: o.For})
	if len(o.Only) == 0 {
		o.Only = ConsoleCases
	}
	if o.Entries == 0 {
		o.Entries = 10 * o.Members
	}
	return b.each(ctx, o.Keep, b.Engines, func(engine string) error { return b.console(ctx, engine, o) })
}

func (b *treeBench) console(ctx context.Context, engine string, o ConsoleOptions) error {
	name := fmt.Sprintf("random_%d", o.Members)
	g, err := b.kept(ctx, engine, name, o)
	if err != nil {
		return err
	}
	if o.Keep == "" {
		defer g.remove()
	}
	started := time.Now()
	all, err := g.furnish(ctx, o)
	if err != nil {
		return err
	}
	if err := b.vacuum(ctx, engine, name); err != nil {
		return err
	}
	b.say("%s: %d entries and the rest loaded in %.1f s", engine, o.Entries, time.Since(started).Seconds())
	if o.Load {
		return nil
	}
	s, err := b.serve(ctx, g)
	if err != nil {
		return err
	}
	defer s.stop()
	token, err := all.signIn(s)
	if err != nil {
		return err
	}
	b.say("%s: the server was ready after %.1f s", engine, s.took.Seconds())
	for _, c := range consoleCases {
		if !slices.Contains(o.Only, c.name) {
			continue
		}
		l, err := s.look(all, token, c, o.For)
		if err != nil {
			return err
		}
		l.Bench, l.Engine, l.Members, l.Entries = "console", engine, o.Members, o.Entries
		l.Must = fmt.Sprintf("p99 at most %d ms", needConsole)
		missed := ""
		if l.P99 > needConsole {
			missed = fmt.Sprintf("%s %s: p99 %v ms, needed %s", engine, l.Case, l.P99, l.Must)
		}
		b.line(l, missed)
	}
	return nil
}

// kept is a installation: the one that was kept, its schema brought up to date, or a
// new one.
func (b *treeBench) kept(ctx context.Context, engine, name string, o ConsoleOptions) (*installation, error) {
	var kept bool
	g := &installation{engine: engine, shape: "random", members: o.Members, dir: filepath.Join(b.dir, engine+"_"+name)}
	if engine == "postgres" {
		found, err := b.server.Query(ctx, "postgres", "SELECT 1 FROM pg_database WHERE datname = '"+name+"'")
		if err != nil {
			return nil, err
		}
		kept, g.dsn = len(found) == 1, b.server.DSN(name)
	} else {
		path := filepath.Join(g.dir, "bifolia.db")
		_, err := os.Stat(path)
		kept, g.dsn = err == nil, "sqlite:"+path
	}
	if !kept {
		return b.build(ctx, engine, "random", o.Members)
	}
	db, err := store.Open(ctx, g.dsn)
	if err != nil {
		return nil, err
	}
	_, err = db.Migrate(ctx)
	return g, errors.Join(err, db.Close())
}

// signIn signs the operator in with password and code.
func (g *consoleData) signIn(s *served) (token string, err error) {
	code, err := totp.GenerateCode(consoleSecret, time.Now())
	if err != nil {
		return "", err
	}
	c := newClient(s.addr, "")
	defer c.close()
	status, answer, err := c.post("/api/operator/login", "", fmt.Appendf(nil, `{"email":%q,"password":%q,"code":%q}`, consoleOperator, password, code))
	if err != nil {
		return "", err
	}
	var in struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal(answer, &in); err != nil || in.Token == "" {
		return "", fmt.Errorf("bench: no token for the operator: %d %s", status, answer)
	}
	return in.Token, nil
}

// look runs the clients for some time, each without a pause between calls.
func (s *served) look(g *consoleData, token string, what consoleCase, d time.Duration) (l ConsoleLine, err error) {
	var mu sync.Mutex
	var took []time.Duration
	var wg sync.WaitGroup
	one := func(c *client, r *rand.Rand) (time.Duration, error) {
		path := "/api/operator/" + what.path(g, r)
		started := time.Now()
		status, answer, err := c.get(path)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("bench: %s answered %d: %s", path, status, answer)
		}
		return time.Since(started), err
	}
	c := newClient(s.addr, token)
	first, err := one(c, rand.New(rand.NewPCG(7, 8)))
	c.close()
	if err != nil {
		return l, err
	}
	started := time.Now()
	for i := range consoleClients {
		wg.Go(func() {
			c, r := newClient(s.addr, token), rand.New(rand.NewPCG(9, uint64(i)))
			defer c.close()
			for begun := true; begun || time.Since(started) < d; begun = false { // one at least, however short it runs
				t, failed := one(c, r)
				mu.Lock()
				took, err = append(took, t), errors.Join(err, failed)
				mu.Unlock()
				if failed != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	f := summarise(took, time.Since(started))
	return ConsoleLine{Case: what.name, Clients: consoleClients, PerSecond: round(f.PerSecond), First: millis(first), P50: millis(f.P50), P99: millis(f.P99)}, err
}
