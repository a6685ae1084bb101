package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
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
type groupTx struct {
	db    *DB
	w     *writer
	begun bool
	ended bool
	room  int // KiB for many rows; 0 as usual

	bounded bool // a command runs that must be undone alone
	pointed bool // its savepoint is set
	first   bool // all that the transaction holds is its own
	written bool // the transaction holds what commands before it wrote

	sound   map[string]bool // tables whose triggers were looked at; locked since
	lines   []string        // what is vouched for
	vouched int             // of lines: by commands that have succeeded
}

func (g *groupTx) begin(ctx context.Context) error {
	if g.begun {
		return nil
	}
	text := "BEGIN"
	if g.db.engine == engineSQLite {
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
func (g *groupTx) beginWrite(ctx context.Context) error {
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
func (g *groupTx) beginQuery(ctx context.Context, query string) error {
	switch {
	case !reads(query):
		return g.beginWrite(ctx)
	case g.db.engine == enginePostgres:
		return nil
	}
	return g.begin(ctx)
}

func reads(query string) bool { return strings.HasPrefix(strings.TrimSpace(query), "SELECT") }

// lost classifies an error; after one of the connection, the writer is not
// used again.
func (g *groupTx) lost(err error) error {
	if isConnectionError(err) {
		g.ended = true
		g.db.dropWriter(g.w)
	}
	return classify(err)
}

// GroupRows marks *groupTx as ledger.Rows.
func (g *groupTx) GroupRows() {}

func (g *groupTx) Rows() ledger.Rows { return g }

// Query and Exec are for stores of other nouns, within this group.
func (g *groupTx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
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

func (g *groupTx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
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
func (g *groupTx) Savepoint(ctx context.Context) error {
	g.bounded = true
	if g.begun && g.db.engine == enginePostgres {
		return g.beginWrite(ctx) // even a read that fails would end the transaction
	}
	return nil
}

func (g *groupTx) Release(ctx context.Context) error {
	g.vouched = len(g.lines)
	pointed := g.unbound()
	g.written = g.written || g.first
	g.first = false
	if !pointed {
		return nil
	}
	return g.plain(ctx, "RELEASE SAVEPOINT command")
}

func (g *groupTx) RollbackTo(ctx context.Context) error {
	g.lines = g.lines[:g.vouched]
	g.sound = nil // their locks go
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
func (g *groupTx) unbound() (pointed bool) {
	pointed = g.pointed
	g.bounded, g.pointed = false, false
	return pointed
}

func (g *groupTx) plain(ctx context.Context, text string) error {
	if _, err := g.w.conn.ExecContext(ctx, text); err != nil {
		return g.lost(err)
	}
	return nil
}

func (g *groupTx) Commit(ctx context.Context, group *ledger.Group) error {
	commit := g.commitSQLite
	if g.db.engine == enginePostgres {
		commit = g.commitPostgres
	}
	err := commit(ctx, group)
	if err == nil {
		g.db.latest.put(g.places(), group.Batch.No)
		if ids := endedIn(g.lines[:g.vouched]); len(ids) > 0 {
			g.db.ended.put(clock.System().Now(), ids...)
		}
	}
	return err
}

func (g *groupTx) Rollback() {
	if g.ended || !g.begun {
		g.ended = true
		return
	}
	g.ended = true
	if _, err := g.w.conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		g.db.dropWriter(g.w)
		return
	}
	g.narrow()
}
