package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// TreeOptions of 'bench tree'.
type TreeOptions struct {
	Out     io.Writer     // one JSON line per case
	Log     io.Writer     // progress, for people
	Program string        // the bifolia binary, started as the server
	Only    []string      // TreeCases to run; all when empty
	Shapes  []string      // TreeShapes to build; all when empty
	Engines []string      // sqlite, postgres; both when empty
	Members int           // of the large trees
	Joins   int           // of each arm of join_depth and join_size
	Starts  int           // whose median start is
	For     time.Duration // how long each case over HTTP runs
}

// TreeCases are what can be measured.
var TreeCases = []string{"start", "binary_tree", "dashboard", "downline", "memory", "join_depth", "join_size"}

// TreeEngines are what it can be measured on.
var TreeEngines = []string{"sqlite", "postgres"}

// TreeLine is one result. What value and ratio are is told in
// docs/performance.md, by case.
type TreeLine struct {
	Bench   string  `json:"bench"`
	Engine  string  `json:"engine"`
	Case    string  `json:"case"`
	Shape   string  `json:"shape"`
	Members int     `json:"members"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Ratio   float64 `json:"ratio"`

	Must      string  `json:"must_reach"`
	Load      string  `json:"load,omitempty"`
	Filter    string  `json:"filter,omitempty"`
	Seat      string  `json:"seat,omitempty"`
	Depth     int     `json:"depth,omitempty"`
	BaseDepth int     `json:"base_depth,omitempty"`
	Base      float64 `json:"base,omitempty"` // what ratio compares value, or p50, with
	Clients   int     `json:"clients,omitempty"`
	PerSecond float64 `json:"per_s,omitempty"`
	CPU       float64 `json:"cpu_s,omitempty"` // of the process: what a busy machine does not change
	P50       float64 `json:"p50_ms,omitempty"`
	P99       float64 `json:"p99_ms,omitempty"`
}

// What the tree must reach.
const (
	needDepth    = 1.3 // a join at depth 100,000 over one at depth 10
	needSize     = 1.5 // a join among a million over one among 10,000
	needPage     = 10  // ms, p99 at 32 clients: binary_tree, dashboard
	needDownline = 30  // ms, p99 at 32 clients
	needStart    = 5   // seconds
	needBytes    = 200 // per member

	smallTree   = 10_000
	shallow     = 10
	deep        = 100_000
	treeClients = 32
)

type treeBench struct {
	TreeOptions
	dir    string
	server *pgserver.Server
	missed []string
}

// Tree measures joining, reading and starting with large trees of several
// shapes on both engines. missed lists what fell short of its target.
func Tree(ctx context.Context, o TreeOptions) (missed []string, err error) {
	b := &treeBench{TreeOptions: o}
	b.defaults()
	if b.dir, err = os.MkdirTemp("", "bifolia-bench-"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(b.dir) }()
	if slices.Contains(b.Engines, "postgres") {
		if b.server, err = pgserver.Start(ctx, pgserver.Options{}); err != nil {
			return nil, err
		}
		defer func() { _ = b.server.Stop() }()
	}
	for _, shape := range b.Shapes {
		for _, engine := range b.Engines {
			if err := b.shape(ctx, engine, shape); err != nil {
				return b.missed, fmt.Errorf("%s, %s: %w", engine, shape, err)
			}
		}
	}
	return b.missed, nil
}

func (b *treeBench) defaults() {
	if len(b.Only) == 0 {
		b.Only = TreeCases
	}
	if len(b.Shapes) == 0 {
		b.Shapes = TreeShapes
	}
	if len(b.Engines) == 0 {
		b.Engines = TreeEngines
	}
}

func (b *treeBench) wants(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(b.Only, name) })
}

func (b *treeBench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.Log, format+"\n", args...) }

// shape measures everything on one large tree, and removes it.
func (b *treeBench) shape(ctx context.Context, engine, shape string) error {
	large, err := b.plant(ctx, engine, shape, b.Members)
	if err != nil {
		return err
	}
	defer large.remove()
	if b.wants("start") {
		if err := b.start(ctx, large); err != nil {
			return err
		}
	}
	// A zigzag is to pages what a chain is.
	if b.wants("binary_tree", "dashboard", "downline") && shape != "zigzag" {
		if err := b.pages(ctx, large); err != nil {
			return err
		}
	}
	if !b.wants("memory", "join_depth", "join_size") {
		return nil
	}
	return b.joins(ctx, large)
}

// garden is a database with a tree in it.
type garden struct {
	engine, shape, dsn, dir string
	members                 int
	remove                  func()
}

// mark says where an SQLite garden is.
func (b *treeBench) mark(engine, shape string, members int) *garden {
	g := &garden{engine: engine, shape: shape, members: members, dir: filepath.Join(b.dir, fmt.Sprintf("%s_%s_%d", engine, shape, members))}
	g.dsn = "sqlite:" + filepath.Join(g.dir, "bifolia.db")
	g.remove = func() { _ = os.RemoveAll(g.dir) }
	return g
}

// plant loads a tree of a shape into a fresh database.
func (b *treeBench) plant(ctx context.Context, engine, shape string, members int) (*garden, error) {
	name, g := fmt.Sprintf("%s_%d", shape, members), b.mark(engine, shape, members)
	if engine == "postgres" {
		if err := b.server.CreateDB(ctx, name, ""); err != nil {
			return nil, err
		}
		g.dsn = b.server.DSN(name)
		g.remove = func() {
			_ = b.server.DropDB(context.WithoutCancel(ctx), name)
			_ = os.RemoveAll(g.dir)
		}
	}
	started := time.Now()
	if err := g.fill(ctx, password); err != nil {
		g.remove()
		return nil, err
	}
	if engine == "postgres" { // what its own housekeeping would do in the middle of a measurement
		if _, err := b.server.Query(ctx, name, "VACUUM ANALYZE"); err != nil {
			g.remove()
			return nil, err
		}
	}
	b.say("%s: %s of %d members loaded in %.1f s", engine, shape, members, time.Since(started).Seconds())
	return g, nil
}

// print writes a line; ok is whether it reached its target.
func (b *treeBench) print(g *garden, l TreeLine, ok bool) {
	l.Bench, l.Engine, l.Shape, l.Members = "tree", g.engine, g.shape, g.members
	for _, v := range []*float64{&l.Value, &l.Ratio, &l.Base, &l.CPU} {
		*v = math.Round(*v*1000) / 1000
	}
	l.PerSecond = math.Round(l.PerSecond)
	raw, err := json.Marshal(l)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(b.Out, "%s\n", raw)
	if !ok {
		b.missed = append(b.missed, fmt.Sprintf("%s: %v %s, ratio %v, needed %s",
			strings.Join(strings.Fields(fmt.Sprintln(l.Engine, l.Case, l.Shape, l.Load, l.Filter)), " "), l.Value, l.Unit, l.Ratio, l.Must))
	}
}
