package store

import (
	"context"
	"slices"
	"strings"
)

// Rows that commands add are gathered and sent with the group's commit, those
// of a table in one statement: a command that waits for each of its inserts
// keeps everybody behind it waiting too. Nothing of what a command has gathered
// is sent before it has succeeded, so one that fails is undone in memory.
//
// This hopes that the database refuses none of them. When it does, nobody can
// tell for whom, nothing is written, and the sequencer runs each command again,
// alone and carefully: a careful group writes rows as they are added, and a
// refusal reaches the command that it is for.

// gathered are rows of one table, in the order in which they were added.
type gathered struct {
	rows rows
	done int // values of commands that have succeeded
}

func (x *gathered) bulk(from, to int) bulk {
	width := len(x.rows.t.cols)
	vals := x.rows.vals[from:to]
	return bulk{x.rows.t, len(vals) / width, func(i int, r *rows) { r.add(vals[i*width : (i+1)*width]...) }}
}

// Careful makes the group write rows as they are added.
func (g *groupTx) Careful() { g.careful = true }

// hopeful tells whether rows may be gathered.
func (g *groupTx) hopeful() bool { return !g.careful && g.bounded }

// later adds a row to what is sent with the commit.
func (g *groupTx) later(t *table, vals ...any) {
	i := slices.IndexFunc(g.gathered, func(x *gathered) bool { return x.rows.t == t })
	if i < 0 {
		i = len(g.gathered)
		g.gathered = append(g.gathered, &gathered{rows: rows{t: t}})
	}
	g.gathered[i].rows.add(vals...)
}

// succeeded and failed end what a command has gathered.
func (g *groupTx) succeeded() {
	for _, x := range g.gathered {
		x.done = len(x.rows.vals)
	}
	g.vouched = len(g.lines)
}

func (g *groupTx) failed() {
	for _, x := range g.gathered {
		x.rows.vals = x.rows.vals[:x.done]
	}
	g.lines = g.lines[:g.vouched]
}

// flush sends what was gathered, because a statement is to run that may look
// at it: first what others added, then behind the command's savepoint its own.
// If the database refuses what others added, the group is broken.
func (g *groupTx) flush(ctx context.Context) error {
	if g.broken != nil {
		return g.broken
	}
	all := g.gathered
	if len(all) == 0 {
		return nil
	}
	g.gathered = nil
	var others []bulk
	for _, x := range all {
		g.spoil(&g.db.kept.numbers, x.rows.t.name)
		if b := x.bulk(0, x.done); b.n > 0 {
			others = append(others, b)
		}
	}
	if g.broken = g.insertNow(ctx, others); g.broken != nil {
		return g.broken
	}
	for _, x := range all {
		if err := g.insert(ctx, x.bulk(x.done, len(x.rows.vals))); err != nil {
			return err
		}
	}
	return nil
}

// flushFor is flush if the query may look at what was gathered.
func (g *groupTx) flushFor(ctx context.Context, query string) error {
	if g.broken != nil {
		return g.broken
	}
	for _, x := range g.gathered {
		if strings.Contains(query, x.rows.t.name) || strings.Contains(query, "list_sum") {
			return g.flush(ctx)
		}
	}
	return nil
}

// insertNow adds rows of commands that have succeeded: no savepoint of the command
// that runs may undo them. Where one is set already, it is set anew behind them; the
// command has written nothing yet, or it would have flushed before.
func (g *groupTx) insertNow(ctx context.Context, all []bulk) error {
	if len(all) == 0 {
		return nil
	}
	bounded, pointed := g.bounded, g.pointed
	if pointed {
		if err := g.plain(ctx, "RELEASE SAVEPOINT command"); err != nil {
			return err
		}
	}
	g.bounded, g.pointed = false, false
	for _, b := range all {
		if err := g.insert(ctx, b); err != nil {
			g.bounded = bounded
			return err
		}
	}
	g.bounded = bounded
	if pointed {
		return g.beginWrite(ctx)
	}
	return nil
}

// rest is what is still to be sent when the group commits.
func (g *groupTx) rest() []bulk {
	var out []bulk
	for _, x := range g.gathered {
		out = append(out, x.bulk(0, x.done))
	}
	return out
}

// next is the number of a table's next row. The table's first column is its
// number, and rows are only ever added through here, or by statements that
// spoil what is kept.
func (g *groupTx) next(ctx context.Context, t *table) (int64, error) {
	for _, x := range g.gathered {
		if n := len(x.rows.vals); x.rows.t == t && n > 0 {
			return x.rows.vals[n-len(t.cols)].(int64) + 1, nil
		}
	}
	last, _, err := keptFirst(&g.db.kept.numbers, t.name, func() (int64, bool, error) {
		return first(ctx, g, scanCount, "SELECT COALESCE(MAX("+t.cols[0].name+"), 0) FROM "+t.name)
	})
	return last + 1, err
}

// numbered keeps, after a commit, the numbers that it has given.
func (g *groupTx) numbered() {
	for _, x := range g.gathered {
		if n := len(x.rows.vals); n > 0 && slices.Contains(numberedTables, x.rows.t) {
			k := &g.db.kept.numbers
			k.put(x.rows.t.name, x.rows.vals[n-len(x.rows.t.cols)].(int64), k.mark())
		}
	}
	g.gathered = nil
}

var (
	fundRequestTable = newTable("fund_request", []column{
		{"id", ints},
		{"uid", ints},
		{"fund", texts},
		{"amount", ints},
		{"number", texts},
		{"way", texts},
		{"bank_id", ints},
		{"bank_name", texts},
		{"bank_holder", texts},
		{"bank_account", texts},
		{"bank_ifsc", texts},
		{"bank_branch", texts},
		{"state", texts},
		{"remark", texts},
		{"verdict", texts},
		{"verdict_at", ints},
		{"requested_at", ints},
		{"needs_two", ints},
		{"first_by", ints},
		{"first_name", texts},
		{"first_at", ints},
		{"decided_by", ints},
		{"decided_name", texts},
		{"decided_at", ints},
		{"source", texts},
		{"released_at", ints},
	}...)
	outboxTable = newTable("outbox", []column{
		{"id", ints},
		{"recipient", texts},
		{"subject", texts},
		{"text", texts},
		{"html", texts},
		{"created_at", ints},
		{"due_at", ints},
		{"tries", ints},
		{"state", texts},
		{"error", texts},
		{"sent_at", ints},
		{"letter", texts},
		{"uid", ints},
	}...)

	// numberedTables give their rows the numbers 1, 2, 3 …
	numberedTables = []*table{fundRequestTable, outboxTable}
)
