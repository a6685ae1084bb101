package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

type CloseOptions struct {
	Out       io.Writer // one JSON line per phase
	Log       io.Writer // progress, for people
	Engines   []string  // sqlite, postgres; both when empty
	Members   int
	Sales     int  // that become final; a tenth of the members when 0
	Positions int  // on both lines together; a fifth of the members when 0
	Branch    int  // members of whom each is invited by one of the same branch; 0 if by anybody
	Growth    bool // close a tenth of everything before and after, and compare
	Rounds    int  // how often all of that; 1 when 0
	Verify    bool // replay the ledger and recount the tree after the close
}

// ClosePhases are the measured phases of a close. Persist is everything after compute:
// posting, writing, the report and its digest, and the commit.
var ClosePhases = []string{"load", "compute", "persist", "whole"}

// CloseLine is one result. Rows is the number of rows that the close writes, and raw the time
// of the bare engine for the same rows in tables of the same layout.
type CloseLine struct {
	Bench       string  `json:"bench"`
	Engine      string  `json:"engine"`
	Members     int     `json:"members"`
	Phase       string  `json:"phase"`
	Seconds     float64 `json:"seconds"`
	Rows        int64   `json:"rows"`
	RowsPerS    float64 `json:"rows_per_s"`
	RawRowsPerS float64 `json:"raw_rows_per_s"`
	Ratio       float64 `json:"ratio"`
	Bytes       float64 `json:"bytes_per_member"`

	Incomes    int64              `json:"incomes,omitempty"`
	Parts      map[string]float64 `json:"parts,omitempty"`  // seconds of what persist consists of
	CPU        float64            `json:"cpu_s,omitempty"`  // of the process; PostgreSQL's own is not in it
	Growth     float64            `json:"growth,omitempty"` // time over that of a tenth of the members: the median of Growths
	Growths    []float64          `json:"growths,omitempty"`
	AccountsPS float64            `json:"accounts_per_s,omitempty"`
	Must       string             `json:"must_reach"`
}

// The targets of a close.
const (
	needCompute   = 3 // seconds for a million members
	needCloseByte = 400
	needHalf      = 0.5
	needGrowth    = 12
	needAccounts  = 10_000_000 / 90.0 // ten times what a vendor publishes: 10 million accounts in 15 minutes
)

type closeBench struct {
	CloseOptions
	environment
}

// Close measures the close of a day through the server's services on both engines. missed
// lists the missed targets.
func Close(ctx context.Context, o CloseOptions) (missed []string, err error) {
	b := &closeBench{CloseOptions: o, environment: environment{out: o.Out, log: o.Log}}
	if len(b.Engines) == 0 {
		b.Engines = TreeEngines
	}
	if b.Sales == 0 {
		b.Sales = b.Members / 10
	}
	if b.Positions == 0 {
		b.Positions = b.Members / 5
	}
	return b.each(ctx, "", b.Engines, func(engine string) error { return b.engine(ctx, engine) })
}

// engine closes the whole installation between two closes of a tenth, in each round. The
// machine's speed changes by a factor of two within minutes, so the median growth of several
// rounds counts.
func (b *closeBench) engine(ctx context.Context, engine string) error {
	var growths []float64
	for range max(b.Rounds, 1) {
		all, tenth, err := b.round(ctx, engine)
		if err != nil {
			return err
		}
		if b.Growth {
			growths = append(growths, thousandth(all.meter.whole()/tenth))
		}
		b.tell(all, growths)
	}
	return nil
}

// round closes the whole installation, and returns the mean seconds of the tenths.
func (b *closeBench) round(ctx context.Context, engine string) (all closed, tenth float64, err error) {
	small := func() error {
		if !b.Growth {
			return nil
		}
		c, err := b.one(ctx, engine, 10)
		if err == nil {
			tenth += c.meter.whole() / 2
			b.tell(c, nil)
		}
		return err
	}
	if err = small(); err != nil {
		return all, 0, err
	}
	if all, err = b.one(ctx, engine, 1); err != nil {
		return all, 0, err
	}
	return all, tenth, small()
}

// middle returns the median.
func middle(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// closed is a close that was measured.
type closed struct {
	installation *installation
	meter        *meter
	bare         bareLoad
}

// database makes an empty database with the schema.
func (b *closeBench) database(ctx context.Context, engine, name string) (*installation, error) {
	g, err := b.plot(ctx, engine, "close", name)
	if err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, g.dsn)
	if err == nil {
		_, err = db.Migrate(ctx)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		g.remove()
		return nil, err
	}
	return g, nil
}

// one closes a day of an installation that is smaller by a factor.
func (b *closeBench) one(ctx context.Context, engine string, smaller int) (c closed, err error) {
	members, sales, positions := b.Members/smaller, b.Sales/smaller, b.Positions/smaller
	name := fmt.Sprintf("close_%d", members)
	g, err := b.database(ctx, engine, name)
	if err != nil {
		return c, err
	}
	defer g.remove()
	g.members = members
	started := time.Now()
	s, err := b.ready(ctx, g, sales, positions)
	if err != nil {
		return c, err
	}
	defer s.leave()
	if err := keepCarry(ctx, g); err != nil {
		return c, err
	}
	if err := b.vacuum(ctx, engine, name); err != nil {
		return c, err
	}
	b.say("%s: %d members, %d sales, %d positions loaded in %.1f s", engine, members, sales, positions, time.Since(started).Seconds())
	from := s.seq.State().Head.Seq
	m := &meter{}
	s.closing.Watch(m.hear)
	m.begin()
	if _, err := s.closing.Commit(ctx, s.day, ""); err != nil {
		return c, err
	}
	m.end()
	b.say("%s: closed in %.1f s", engine, m.whole())
	if b.Verify {
		if err := s.verify(ctx); err != nil {
			return c, err
		}
		b.say("%s: the ledger and the tree are right", engine)
	}
	s.leave()
	raw, err := b.bare(ctx, g, from, s.day)
	if err != nil {
		return c, fmt.Errorf("the bare engine: %w", err)
	}
	return closed{g, m, raw}, nil
}

// ready fills the database and opens it as a server that has just started: of few
// members the ledger would remember every account, and of many it cannot.
func (b *closeBench) ready(ctx context.Context, g *installation, sales, positions int) (*shop, error) {
	if err := b.fill(ctx, g, sales, positions); err != nil {
		return nil, err
	}
	s, err := openShop(ctx, g)
	if err != nil {
		return nil, err
	}
	// A server has its tree in memory when it closes.
	if err := s.tree.Load(ctx); err != nil {
		s.leave()
		return nil, err
	}
	return s, nil
}

// fill inserts the data for the close.
func (b *closeBench) fill(ctx context.Context, g *installation, sales, positions int) error {
	db, err := store.Open(ctx, g.dsn)
	if err != nil {
		return err
	}
	c := population{members: g.members, branch: b.Branch, tenth: max(2, b.Members/10)}
	err = db.LoadTree(ctx, store.TreeLoad{
		Members: c.team(), IDKey: []byte(idKey), Password: "none", Since: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Every: time.Second,
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	s, err := openShop(ctx, g)
	if err != nil {
		return err
	}
	defer s.leave()
	if err := errors.Join(signTree(ctx, s.db, s.seq), s.stock(ctx, c, sales, positions)); err != nil {
		return err
	}
	return s.book(ctx, s.day, positions, map[string]int{"pnl": 10, "settle": 8})
}

// meter records when each phase of a close begins, and its memory.
type meter struct {
	at             map[string]time.Time
	used           map[string]time.Duration // of the processor, until then
	last           string
	heap           int64 // before the close
	book, computed int64 // bytes that the book holds, and that compute allocates
	before         uint64
}

func (m *meter) begin() {
	m.at, m.used = map[string]time.Time{}, map[string]time.Duration{}
	m.heap = heap()
	m.note("start")
}

func (m *meter) note(phase string) {
	if m.at[phase].IsZero() {
		m.at[phase], m.used[phase] = time.Now(), processor()
		m.last = phase
	}
}

// hear is called for every step. Reading the memory stops the world only briefly; the size of
// the book is measured before other memory is allocated.
func (m *meter) hear(p closing.Progress) {
	if p.Phase == m.last || !m.at[p.Phase].IsZero() {
		return
	}
	var now runtime.MemStats
	switch p.Phase {
	case "compute":
		m.note("loaded")
		m.book = heap() - m.heap
		runtime.ReadMemStats(&now)
		m.before = now.TotalAlloc
	case "post":
		runtime.ReadMemStats(&now)
		m.computed = int64(now.TotalAlloc - m.before)
	}
	m.note(p.Phase)
}

func (m *meter) end() { m.note("end") }

func (m *meter) span(from, to string) float64 { return m.at[to].Sub(m.at[from]).Seconds() }

// whole returns the total time without measuring the book.
func (m *meter) whole() float64 { return m.span("start", "end") - m.span("loaded", "compute") }

// cpu returns the processor time of the process, without measuring the book.
func (m *meter) cpu() float64 {
	return (m.used["end"] - m.used["start"] - m.used["compute"] + m.used["loaded"]).Seconds()
}

// processor is the time that this process has had so far, the system's calls included.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tell prints a line per phase. growths are the results of the rounds so far.
func (b *closeBench) tell(c closed, growths []float64) {
	g, m, raw := c.installation, c.meter, c.bare
	rawPS := float64(raw.rows) / raw.seconds
	of := func(phase string, seconds float64) CloseLine {
		ps := float64(raw.rows) / seconds
		return CloseLine{
			Bench: "close", Engine: g.engine, Members: g.members, Phase: phase, Seconds: seconds, Rows: raw.rows, RowsPerS: ps, RawRowsPerS: rawPS, Ratio: ps / rawPS,
			Bytes: float64(m.book) / float64(g.members), Incomes: raw.incomes,
		}
	}
	b.print(of("load", m.span("start", "loaded")), true)
	compute := of("compute", m.span("compute", "post"))
	compute.Bytes = float64(m.book+m.computed) / float64(g.members)
	compute.Must = "at most 3 s and 400 bytes per member, for a million"
	b.print(compute, g.members != 1_000_000 || (compute.Seconds <= needCompute && compute.Bytes <= needCloseByte))
	persist := of("persist", m.span("post", "end"))
	persist.Parts = map[string]float64{
		"post": m.span("post", "persist"), "rows": m.span("persist", "report"), "report": m.span("report", "commit"), "commit": m.span("commit", "end"),
	}
	b.print(persist, true)
	all := of("whole", m.whole())
	all.AccountsPS, all.CPU = float64(g.members)/m.whole(), m.cpu()
	all.Must = fmt.Sprintf("ratio at least 0.5; growth at most 12; %.0f accounts/s of ten million", needAccounts)
	ok := all.Ratio >= needHalf && (g.members < 10_000_000 || all.AccountsPS >= needAccounts)
	if n := len(growths); n > 0 {
		all.Growths, all.Growth = growths, middle(growths)
		ok = ok && (n < b.Rounds || all.Growth <= needGrowth)
	}
	b.print(all, ok)
}

func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }

func (b *closeBench) print(l CloseLine, ok bool) {
	for _, v := range []*float64{&l.Seconds, &l.Ratio, &l.CPU, &l.Growth} {
		*v = thousandth(*v)
	}
	for _, v := range []*float64{&l.RowsPerS, &l.RawRowsPerS, &l.AccountsPS} {
		*v = math.Round(*v)
	}
	l.Bytes = math.Round(l.Bytes*10) / 10
	for k, v := range l.Parts {
		l.Parts[k] = thousandth(v)
	}
	missed := ""
	if !ok {
		missed = fmt.Sprintf("%s %s of %d members: %v s, ratio %v, growth %v, %v bytes per member; needed %s", l.Engine, l.Phase, l.Members, l.Seconds, l.Ratio, l.Growth, l.Bytes, l.Must)
	}
	b.line(l, missed)
}
