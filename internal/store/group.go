package store

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/ledger"
)

// groupTx is one group's transaction on the writer connection. It begins with
// the first statement that needs it, so that a group that lives in memory only
// costs one round trip to write.
type groupTx struct {
	db    *DB
	w     *writer
	begun bool
	ended bool
	wide  bool // it has room for many rows
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
	if _, err := g.w.conn.ExecContext(ctx, text); err != nil {
		return g.lost(err)
	}
	g.begun = true
	return nil
}

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
	if err := g.begin(ctx); err != nil {
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
	if err := g.begin(ctx); err != nil {
		return 0, err
	}
	n, err := g.w.exec(ctx, query, args...)
	if err != nil {
		return 0, g.lost(err)
	}
	return n, nil
}

func (g *groupTx) Savepoint(ctx context.Context) error { return g.plain(ctx, "SAVEPOINT command") }
func (g *groupTx) Release(ctx context.Context) error {
	return g.plain(ctx, "RELEASE SAVEPOINT command")
}

func (g *groupTx) RollbackTo(ctx context.Context) error {
	if err := g.plain(ctx, "ROLLBACK TO SAVEPOINT command"); err != nil {
		return err
	}
	return g.plain(ctx, "RELEASE SAVEPOINT command")
}

func (g *groupTx) plain(ctx context.Context, text string) error {
	if err := g.begin(ctx); err != nil {
		return err
	}
	if _, err := g.w.conn.ExecContext(ctx, text); err != nil {
		return g.lost(err)
	}
	return nil
}

func (g *groupTx) Commit(ctx context.Context, group *ledger.Group) error {
	if g.db.engine == enginePostgres {
		return g.commitPostgres(ctx, group)
	}
	return g.commitSQLite(ctx, group)
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
