package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

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

var TreeCases = []string{"start", "binary_tree", "dashboard", "downline", "memory", "join_depth", "join_size"}

var TreeEngines = []string{"sqlite", "postgres"}

// TreeLine is one result. The ratio of joins is that of the medians of both arms, the ratio of
// pages that of p50 of large to small teams; start is in seconds, memory in bytes per member.
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

// The targets of the tree.
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
	environment
}

func newTreeBench(o TreeOptions) *treeBench {
	b := &treeBench{o, environment{out: o.Out, log: o.Log}}
	if len(b.Only) == 0 {
		b.Only = TreeCases
	}
	if len(b.Shapes) == 0 {
		b.Shapes = TreeShapes
	}
	if len(b.Engines) == 0 {
		b.Engines = TreeEngines
	}
	return b
}

// Tree measures joining, reading and starting with large trees of several shapes on both
// engines. missed lists the missed targets.
func Tree(ctx context.Context, o TreeOptions) (missed []string, err error) {
	b := newTreeBench(o)
	return b.open(ctx, "", b.Engines, func() error {
		for _, shape := range b.Shapes {
			for _, engine := range b.Engines {
				if err := b.shape(ctx, engine, shape); err != nil {
					return fmt.Errorf("%s, %s: %w", engine, shape, err)
				}
			}
		}
		return nil
	})
}

func (b *treeBench) wants(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(b.Only, name) })
}

// shape measures all cases on one large tree, and removes it.
func (b *treeBench) shape(ctx context.Context, engine, shape string) error {
	large, err := b.build(ctx, engine, shape, b.Members)
	if err != nil {
		return err
	}
	defer large.remove()
	if b.wants("start") {
		if err := b.start(ctx, large); err != nil {
			return err
		}
	}
	// For pages a zigzag is like a chain.
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

// installation is a database with a tree in it.
type installation struct {
	engine, shape, dsn, dir string
	members                 int
	remove                  func()
}

// build loads a tree of a shape into a fresh database.
func (b *treeBench) build(ctx context.Context, engine, shape string, members int) (*installation, error) {
	name := fmt.Sprintf("%s_%d", shape, members)
	g, err := b.plot(ctx, engine, shape, name)
	if err != nil {
		return nil, err
	}
	g.members = members
	started := time.Now()
	if err = g.fill(ctx, password); err == nil {
		err = b.vacuum(ctx, engine, name)
	}
	if err != nil {
		g.remove()
		return nil, err
	}
	b.say("%s: %s of %d members loaded in %.1f s", engine, shape, members, time.Since(started).Seconds())
	return g, nil
}

// print writes a line; ok means that it reached its target.
func (b *treeBench) print(g *installation, l TreeLine, ok bool) {
	l.Bench, l.Engine, l.Shape, l.Members = "tree", g.engine, g.shape, g.members
	for _, v := range []*float64{&l.Value, &l.Ratio, &l.Base, &l.CPU} {
		*v = math.Round(*v*1000) / 1000
	}
	l.PerSecond = math.Round(l.PerSecond)
	missed := ""
	if !ok {
		missed = fmt.Sprintf("%s: %v %s, ratio %v, needed %s",
			strings.Join(strings.Fields(fmt.Sprintln(l.Engine, l.Case, l.Shape, l.Load, l.Filter)), " "), l.Value, l.Unit, l.Ratio, l.Must)
	}
	b.line(l, missed)
}
