package engine

import (
	"context"
	"database/sql"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// groupTx is one group's transaction on the writer connection. It begins with
// the first statement that needs it, so that a group that lives in memory only
// costs one round trip to write.
//
// On PostgreSQL only a write needs it. Nobody but the sequencer writes what
// commands read, so nothing can come between a read and the group's commit,
// and whoever took over meanwhile is met by the fence. A read that fails
// outside a transaction harms nobody; within one it would end the transaction
// for the whole group, and is fenced by the command's savepoint.
type Group struct {
	DB    *DB
	w     *writer
	begun bool
	ended bool
	room  int // KiB for many rows; 0 as usual

	bounded bool // a command runs that must be undone alone
	pointed bool // its savepoint is set
	first   bool // all that the transaction holds is its own
	written bool // the transaction holds what commands before it wrote

	lines groupLines
}

func (g *Group) begin(ctx context.Context) error {
	if g.begun {
		return nil
	}
	text := "BEGIN"
	if g.DB.engine == SQLite {
		// Immediate: a transaction that reads first and writes later would
		// fail at once when another connection wrote in between.
		text = "BEGIN IMMEDIATE"
	}
	if err := g.plain(ctx, text); err != nil {
		return err
	}
	g.begun = true
	return nil
}

// beginWrite begins, and sets the savepoint of the command that is to write. The
// first that writes needs none, being undone with the transaction: SQLite keeps a
// copy of every page that changes behind a savepoint, and a close changes all.
func (g *Group) beginWrite(ctx context.Context) error {
	if err := g.begin(ctx); err != nil || g.pointed || g.first {
		return err
	}
	if !g.bounded {
		g.written = true
		return nil
	}
	if !g.written {
		g.first = true
		return nil
	}
	if err := g.plain(ctx, "SAVEPOINT command"); err != nil {
		return err
	}
	g.pointed = true
	return nil
}

// beginQuery does for a query what it needs: those that change rows and give
// them back are writes.
func (g *Group) beginQuery(ctx context.Context, query string) error {
	switch {
	case !reads(query):
		return g.beginWrite(ctx)
	case g.DB.engine == Postgres:
		return nil
	}
	return g.begin(ctx)
}

func reads(query string) bool { return strings.HasPrefix(strings.TrimSpace(query), "SELECT") }

// lost classifies an error; after one of the connection, the writer is not
// used again.
func (g *Group) lost(err error) error {
	if isConnectionError(err) {
		g.ended = true
		g.DB.dropWriter(g.w)
	}
	return Classify(err)
}

// GroupRows marks *groupTx as ledger.Rows.
func (g *Group) GroupRows() {}

func (g *Group) Rows() ledger.Rows { return g }

// Query and Exec are for stores of other nouns, within this group.
func (g *Group) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := g.beginQuery(ctx, query); err != nil {
		return nil, err
	}
	s, err := g.w.stmt(ctx, query) //nolint:sqlclosecheck // lives as long as the connection
	if err != nil {
		return nil, g.lost(err)
	}
	found, err := s.QueryContext(ctx, args...)
	if err != nil {
		return nil, g.lost(err)
	}
	return found, nil
}

func (g *Group) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := g.beginWrite(ctx); err != nil {
		return 0, err
	}
	n, err := g.w.exec(ctx, query, args...)
	if err != nil {
		return 0, g.lost(err)
	}
	return n, nil
}

// Savepoint bounds a command. It costs nothing until the command writes: one
// that only reads and posts has nothing to undo here.
func (g *Group) Savepoint(ctx context.Context) error {
	g.bounded = true
	if g.begun && g.DB.engine == Postgres {
		return g.beginWrite(ctx) // even a read that fails would end the transaction
	}
	return nil
}

func (g *Group) Release(ctx context.Context) error {
	g.lines.confirmed = len(g.lines.all)
	pointed := g.unbound()
	g.written = g.written || g.first
	g.first = false
	if !pointed {
		return nil
	}
	return g.plain(ctx, "RELEASE SAVEPOINT command")
}

func (g *Group) RollbackTo(ctx context.Context) error {
	g.lines.rollback()
	pointed := g.unbound()
	first := g.first
	g.first = false
	switch {
	case first:
		g.begun = false // and begins anew when the next needs it
		return g.plain(ctx, "ROLLBACK")
	case pointed:
		return g.plain(ctx, "ROLLBACK TO SAVEPOINT command; RELEASE SAVEPOINT command")
	}
	return nil
}

// unbound ends what Savepoint began.
func (g *Group) unbound() (pointed bool) {
	pointed = g.pointed
	g.bounded, g.pointed = false, false
	return pointed
}

func (g *Group) plain(ctx context.Context, text string) error {
	if _, err := g.w.conn.ExecContext(ctx, text); err != nil {
		return g.lost(err)
	}
	return nil
}

func (g *Group) Commit(ctx context.Context, group *ledger.Group) error {
	commit := g.commitSQLite
	if g.DB.engine == Postgres {
		commit = g.commitPostgres
	}
	err := commit(ctx, group)
	if err == nil {
		if g.DB.hook != nil {
			g.DB.hook(g.lines.all[:g.lines.confirmed], group.Batch.No)
		}
	}
	return err
}

func (g *Group) Rollback() {
	if g.ended || !g.begun {
		g.ended = true
		return
	}
	g.ended = true
	if _, err := g.w.conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		g.DB.dropWriter(g.w)
		return
	}
	g.narrow()
}
