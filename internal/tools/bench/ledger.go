// Package bench measures Bifolia and the raw database on the same machine in the same minute,
// because only ratios are comparable on a shared machine.
package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// Options of a measurement.
type Options struct {
	Seconds int       // how long each case runs, in turns of one
	Out     io.Writer // one JSON line per case
	Log     io.Writer // progress, for people
	Program string    // the bifolia binary, started as the target
	Only    []string  // cases to run: spread, hot, bulk, memory; all when empty
	Clients []int     // how many at a time; 1, 8 and 32 when empty
	Members int       // of 'bench funds'; 10,000 when 0
}

func (o *Options) wants(name string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, name) }

// Line is one result of 'bench ledger'.
type Line struct {
	Bench     string  `json:"bench"`
	Engine    string  `json:"engine"`
	Case      string  `json:"case"`
	Clients   int     `json:"clients"`
	PerSecond float64 `json:"per_s"`
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Raw       float64 `json:"raw_per_s"`
	Ratio     float64 `json:"ratio"`
}

// need is each case's required ratio to raw, by number of clients.
var need = map[string]map[int]float64{
	"spread": {1: 0.35, 8: 0.8, 32: 0.9},
	"hot":    {1: 0.3, 8: 2, 32: 4},
}

const (
	needBulk   = 20_000 // postings a second
	needP99    = 20     // milliseconds, at 32 clients
	needMemory = 60     // MB at rest
	bulkSize   = 5_000
)

type bencher struct {
	Options
	environment
	raw     *pgbench
	targets []*Target
}

// bench opens a environment with both engines and pgbench in it.
func (o Options) bench(ctx context.Context, work func(*bencher) error) (missed []string, err error) {
	b := &bencher{Options: o, environment: environment{out: o.Out, log: o.Log}}
	if len(b.Clients) == 0 {
		b.Clients = []int{1, 8, 32}
	}
	return b.open(ctx, "", TreeEngines, func() (err error) {
		if b.raw, err = newPgbench(ctx, b.server, b.dir); err != nil {
			return err
		}
		return work(b)
	})
}

// Ledger measures transfers over HTTP on both engines beside pgbench, bulk
// posting beside bare loading, and the server's memory at rest. missed lists
// what fell short of what the ledger must reach.
func Ledger(ctx context.Context, o Options) (missed []string, err error) {
	return o.bench(ctx, func(b *bencher) error {
		if err := b.server.CreateDB(ctx, "bifolia", ""); err != nil {
			return err
		}
		dsns := map[string]string{"sqlite": "sqlite:" + b.dir + "/bench.db", "postgres": b.server.DSN("bifolia")}
		for _, engine := range TreeEngines {
			t, err := StartTarget(ctx, o.Program, engine, dsns[engine], b.dir+"/"+engine)
			if err != nil {
				return err
			}
			defer t.Stop()
			if err := t.fund(); err != nil {
				return err
			}
			b.targets = append(b.targets, t)
		}
		return b.all(ctx)
	})
}

func (b *bencher) all(ctx context.Context) error {
	if b.wants("memory") {
		if err := b.memory(); err != nil {
			return err
		}
	}
	for _, name := range []string{"spread", "hot"} {
		for _, clients := range b.Clients {
			if !b.wants(name) {
				continue
			}
			if err := b.transfers(ctx, name, clients); err != nil {
				return err
			}
		}
	}
	for _, t := range b.targets {
		if !b.wants("bulk") {
			continue
		}
		raw, err := rawBulk(ctx, t.Engine, b.dir, b.server.DSN("raw"))
		if err != nil {
			return err
		}
		if err := b.bulk(t, raw); err != nil {
			return err
		}
	}
	return nil
}

// transfers measures a case on raw PostgreSQL and on both engines.
func (b *bencher) transfers(ctx context.Context, name string, clients int) error {
	b.say("%s, %d clients …", name, clients)
	hot := name == "hot"
	arms := []func() (sample, error){func() (sample, error) { return b.raw.run(ctx, clients, hot) }}
	for _, t := range b.targets {
		arms = append(arms, func() (sample, error) { return run(t.Addr, t.Token, clients, hot) })
	}
	results, err := inTurns(b.Seconds, arms)
	if err != nil {
		return err
	}
	raw := results[0].PerSecond
	for i, t := range b.targets {
		f := results[i+1]
		b.print(Line{
			Engine: t.Engine, Case: name, Clients: clients, PerSecond: f.PerSecond, Raw: raw,
			P50: millis(f.P50), P99: millis(f.P99), Ratio: f.PerSecond / raw,
		})
	}
	return nil
}

func millis(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e3 }

func (b *bencher) print(l Line) {
	l.Bench = "ledger"
	l.PerSecond, l.Raw, l.Ratio = math.Round(l.PerSecond), math.Round(l.Raw), math.Round(l.Ratio*100)/100
	b.line(l, "")
	b.compare(l)
	if l.Case == "bulk" && l.PerSecond < needBulk {
		b.missed = append(b.missed, fmt.Sprintf("%s %s at %d clients: %.0f postings/s, needed %d", l.Engine, l.Case, l.Clients, l.PerSecond, needBulk))
	}
}

// compare records a line that misses its case's ratio or, at 32 clients, the time limit. Calls
// of members must reach the ratio of the spread case.
func (b *bencher) compare(l Line) {
	at, needed := fmt.Sprintf("%s %s at %d clients", l.Engine, l.Case, l.Clients), need[l.Case]
	if l.Bench == "funds" {
		needed = need["spread"]
	}
	if want := needed[l.Clients]; l.Ratio < want {
		b.missed = append(b.missed, fmt.Sprintf("%s: ratio %.2f, needed %.2f", at, l.Ratio, want))
	}
	if l.Clients == 32 && l.P99 > needP99 {
		b.missed = append(b.missed, fmt.Sprintf("%s: p99 %.1f ms, needed %d", at, l.P99, needP99))
	}
}

// bulk measures commands that post thousands of transfers each, as a daily run
// does; per_s counts postings (legs), of which each transfer has two.
func (b *bencher) bulk(t *Target, raw float64) error {
	b.say("bulk on %s …", t.Engine)
	c := newClient(t.Addr, t.Token)
	defer c.close()
	var took []time.Duration
	started := time.Now()
	until := started.Add(time.Duration(b.Seconds) * time.Second)
	for i := 0; i < 3 || time.Now().Before(until); i++ {
		start := time.Now()
		name := fmt.Sprintf("run-%d-%d", started.UnixNano(), i)
		if err := t.call(c, "bulk", name, bulkBody{Run: name, Count: bulkSize}); err != nil {
			return err
		}
		took = append(took, time.Since(start))
	}
	f := summarise(took, time.Since(started))
	perSecond := f.PerSecond * 2 * bulkSize
	b.print(Line{Engine: t.Engine, Case: "bulk", Clients: 1, PerSecond: perSecond, P50: millis(f.P50), P99: millis(f.P99), Raw: raw, Ratio: perSecond / raw})
	return nil
}

// memoryLine is the server's memory at rest.
type memoryLine struct {
	Bench  string  `json:"bench"`
	Engine string  `json:"engine"`
	Case   string  `json:"case"`
	MB     float64 `json:"rss_mb"`
}

// memory measures the idle server on an empty database.
func (b *bencher) memory() error {
	mb, err := atRest(b.Program)
	if err != nil {
		return err
	}
	missed := ""
	if mb > needMemory {
		missed = fmt.Sprintf("memory at rest: %.1f MB, needed %d", mb, needMemory)
	}
	b.line(memoryLine{"memory", "sqlite", "at_rest", mb}, missed)
	return nil
}
