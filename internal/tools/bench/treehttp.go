package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/brand"
)

// served is the server in a separate process.
type served struct {
	cmd  *exec.Cmd
	addr string
	took time.Duration // from the start of the process until it was ready
}

func (b *treeBench) serve(ctx context.Context, g *installation) (*served, error) {
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(g.dir, "log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	house := filepath.Join(g.dir, "brand.json") // with accounts that members can send to
	if err := os.WriteFile(house, brand.DemoBody(), 0o600); err != nil {
		return nil, err
	}
	s := &served{cmd: exec.CommandContext(ctx, b.Program, "serve", "--addr", "127.0.0.1:0", "--db", g.dsn, "--data-dir", g.dir, "--key-file", g.keyFile(), "--brand-file", house)}
	s.cmd.Stderr = log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		s.addr = strings.TrimPrefix(strings.TrimSpace(line), "Bifolia is at http://")
		err = s.ready(ctx)
	}
	s.took = time.Since(started)
	if err != nil {
		s.stop()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("the server did not start: %w: %s", err, tail(text))
	}
	return s, nil
}

// ready waits until the server reports that it is ready.
func (s *served) ready(ctx context.Context) error {
	for {
		res, err := http.Get("http://" + s.addr + "/readyz")
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
}

func (s *served) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
}

// start measures the time until the server is ready.
func (b *treeBench) start(ctx context.Context, g *installation) error {
	b.say("%s: starting with a %s", g.engine, g.shape)
	var all, cpu []float64
	for range b.Starts {
		s, err := b.serve(ctx, g)
		if err != nil {
			return err
		}
		s.stop()
		all, cpu = append(all, s.took.Seconds()), append(cpu, (s.cmd.ProcessState.UserTime()+s.cmd.ProcessState.SystemTime()).Seconds())
	}
	slices.Sort(all)
	slices.Sort(cpu)
	took := all[len(all)/2]
	b.print(g, TreeLine{Case: "start", Value: took, Unit: "s", Ratio: took / needStart, CPU: cpu[len(cpu)/2], Must: "at most 5 s"}, took <= needStart)
	return nil
}

// caller is a signed-in member.
type caller struct {
	uid   int64
	large bool // its team is among the largest; the others' are of about a hundred
	team  []int64
	token string
}

// callers picks 64 members: 32 with the largest teams, the root first, and 32 with teams of
// about a hundred, or the nearest sizes.
func (g *installation) callers(ctx context.Context) ([]caller, error) {
	w, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer w.leave()
	if err := w.tree.Load(ctx); err != nil {
		return nil, err
	}
	team := make([]int, g.members+1)
	nos := make([]tree.No, 0, g.members)
	for no := tree.No(1); int(no) <= g.members; no++ {
		left, right := w.tree.Legs(no)
		team[no] = int(left.Members + right.Members)
		nos = append(nos, no)
	}
	const each = treeClients
	far := func(no tree.No) int { return max(team[no]-100, 100-team[no]) }
	slices.SortStableFunc(nos, func(a, b tree.No) int { return team[b] - team[a] })
	chosen := slices.Clone(nos[:each])
	slices.SortStableFunc(nos, func(a, b tree.No) int { return far(a) - far(b) })
	chosen = append(chosen, nos[:each]...)
	var out []caller
	r := rand.New(rand.NewPCG(5, 6))
	for i, no := range chosen {
		c := caller{uid: w.uid(no), large: i < each}
		for range 20 {
			rows, _ := w.tree.Team(tree.List{Of: no, Offset: r.IntN(max(team[no], 1)), Limit: 1})
			for _, row := range rows {
				c.team = append(c.team, row.UID)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// signIn signs all callers in over HTTP.
func (s *served) signIn(all []caller, password string) error {
	c := newClient(s.addr, "")
	defer c.close()
	for i := range all {
		status, answer, err := c.post("/api/login", "", fmt.Appendf(nil, `{"uid":"%d","password":%q}`, all[i].uid, password))
		if err != nil {
			return err
		}
		var in struct {
			Token string `json:"token"`
		}
		if err := json.Unmarshal(answer, &in); err != nil || in.Token == "" {
			return fmt.Errorf("bench: no token for %d: %d %s", all[i].uid, status, answer)
		}
		all[i].token = in.Token
	}
	return nil
}

// pages measures members' pages over HTTP.
func (b *treeBench) pages(ctx context.Context, g *installation) error {
	all, err := g.callers(ctx)
	if err != nil {
		return err
	}
	s, err := b.serve(ctx, g)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.signIn(all, password); err != nil {
		return err
	}
	screens := []struct {
		name, path string
		body       func(c *caller, r *rand.Rand) []byte
	}{
		{"binary_tree", "/api/binaryTree", treeBody},
		{"dashboard", "/api/userDashboard", func(c *caller, _ *rand.Rand) []byte { return fmt.Appendf(nil, `{"uid":"%d"}`, c.uid) }},
	}
	for _, sc := range screens {
		if !b.wants(sc.name) {
			continue
		}
		b.say("%s: %s in a %s", g.engine, sc.name, g.shape)
		for _, load := range loads {
			got, err := b.ask(s, sc.path, load.pace, all, sc.body)
			if err != nil {
				return err
			}
			f := got.all()
			large, little := millis(summarise(got.large, got.took).P50), millis(summarise(got.little, got.took).P50)
			l := TreeLine{
				Case: sc.name, Load: load.name, Value: millis(f.P99), Unit: "ms", Ratio: large / little, Base: little, Clients: treeClients,
				PerSecond: f.PerSecond, P50: millis(f.P50), P99: millis(f.P99), Must: "p99 at most 10 ms",
			}
			b.print(g, l, l.P99 <= needPage)
		}
	}
	if b.wants("downline") {
		return b.downline(s, g, all)
	}
	return nil
}

// treeBody requests the caller's own tree, and every third time that of a member in it.
func treeBody(c *caller, r *rand.Rand) []byte {
	if len(c.team) > 0 && r.IntN(3) == 0 {
		return fmt.Appendf(nil, `{"loginId":"%d","searchId":"%d"}`, c.uid, c.team[r.IntN(len(c.team))])
	}
	return fmt.Appendf(nil, `{"loginId":"%d"}`, c.uid)
}

// downline measures the first page of the whole tree and of teams of a hundred, with several
// filters.
func (b *treeBench) downline(s *served, g *installation, all []caller) error {
	b.say("%s: downline in a %s", g.engine, g.shape)
	day := func(ago int) string { return time.Now().AddDate(0, 0, -ago).Format(time.DateOnly) }
	filters := []struct{ name, text string }{
		{"none", ``},
		{"active", `,"status":"1"`},
		{"left", `,"position":"1"`},
		{"dates", fmt.Sprintf(`,"fdate":%q,"tdate":%q`, day(200), day(100))},
		{"all three", fmt.Sprintf(`,"status":"1","position":"1","fdate":%q,"tdate":%q`, day(200), day(100))},
	}
	for _, filter := range filters {
		body := func(c *caller, _ *rand.Rand) []byte {
			return fmt.Appendf(nil, `{"uid":"%d","page":"1","size":"25"%s}`, c.uid, filter.text)
		}
		for _, load := range loads {
			large, err := b.ask(s, "/api/DownlineReport", load.pace, all[:1], body)
			if err != nil {
				return err
			}
			little, err := b.ask(s, "/api/DownlineReport", load.pace, all[treeClients:], body)
			if err != nil {
				return err
			}
			f, base := large.all(), millis(little.all().P50)
			l := TreeLine{
				Case: "downline", Load: load.name, Filter: filter.name, Value: millis(f.P99), Unit: "ms", Ratio: millis(f.P50) / base, Base: base,
				Clients: treeClients, PerSecond: f.PerSecond, P50: millis(f.P50), P99: millis(f.P99), Must: "p99 at most 30 ms",
			}
			b.print(g, l, l.P99 <= needDownline)
		}
	}
	return nil
}

// answers are the durations of calls, by the size of the caller's team.
type answers struct {
	large, little []time.Duration
	took          time.Duration
}

func (a *answers) add(o answers) {
	a.large, a.little, a.took = append(a.large, o.large...), append(a.little, o.little...), a.took+o.took
}

func (a *answers) all() figures { return summarise(slices.Concat(a.large, a.little), a.took) }

// loads are the call patterns of 32 clients: without pauses, which shares the machine's cores
// among all of them, or each ten times a second, which shows the time of a single call.
var loads = []struct {
	name string
	pace time.Duration
}{{"flat out", 0}, {"paced", 100 * time.Millisecond}}

// ask runs 32 clients for some seconds, each call as a member of who. The first moments are not
// counted.
func (b *treeBench) ask(s *served, path string, pace time.Duration, who []caller, body func(*caller, *rand.Rand) []byte) (answers, error) {
	var mu sync.Mutex
	var out answers
	var failed error
	var wg sync.WaitGroup
	from := time.Now().Add(b.For / 8)
	until := from.Add(b.For)
	for range treeClients {
		wg.Go(func() {
			mine, err := s.callUntil(path, min(pace, b.For/2), who, body, from, until)
			mu.Lock()
			defer mu.Unlock()
			out.add(mine)
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	out.took = time.Since(from)
	return out, failed
}

func (s *served) callUntil(path string, pace time.Duration, who []caller, body func(*caller, *rand.Rand) []byte, from, until time.Time) (out answers, err error) {
	c := newClient(s.addr, "")
	defer c.close()
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	if pace > 0 { // not all at the same moment
		time.Sleep(rand.N(pace))
	}
	for {
		as := &who[r.IntN(len(who))]
		c.token = as.token
		text := body(as, r)
		started := time.Now()
		if started.After(until) && len(out.large)+len(out.little) > 0 { // one at least, however short it runs
			return out, nil
		}
		status, answer, err := c.post(path, "", text)
		if err != nil {
			return out, err
		}
		if status != http.StatusOK {
			return out, fmt.Errorf("bench: %s answered %d: %s", path, status, answer)
		}
		took := time.Since(started)
		switch {
		case started.Before(from):
		case as.large:
			out.large = append(out.large, took)
		default:
			out.little = append(out.little, took)
		}
		time.Sleep(pace - took)
	}
}
