// Package store keeps everything in SQL: SQLite by default, PostgreSQL in
// production. SQL is written once, in the subset both share; what differs
// stands in dialect.go, sqlite.go and postgres.go. It implements the Store
// interfaces that the packages above declare, and only app imports it.
package store

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	engineSQLite   = "sqlite"
	enginePostgres = "postgres"
)

// DB is an open database. The ledger's groups go through one dedicated writer
// connection; everything else reads.
type DB struct {
	engine string
	path   string          // SQLite's file
	pg     *pgx.ConnConfig // PostgreSQL's address
	write  *sql.DB         // SQLite: one connection; PostgreSQL: the pool
	read   *sql.DB         // SQLite: readers that cannot write; PostgreSQL: the pool

	mu     sync.Mutex // guards writer
	writer *writer

	side *checkpointer // SQLite only

	mended []string // SQLite's files that others could read

	rows  readers     // what nouns read through
	leads atomic.Bool // this process has taken over and not lost the lease

	moved countedMoves // how many entries of funds are moves

	trusted     atomic.Pointer[map[string]ed25519.PublicKey]
	sealed      atomic.Pointer[sealer]
	operators   vouchedOperators
	credentials *cache.Cache[int64, [witnessedBytes]byte] // fingerprints that the chain vouches for
	sound       soundRows
	latest      latestLines
	ended       endedSessions
}

// Open connects to dsn (sqlite:PATH or postgres://…) and checks that it
// answers. It changes nothing; Migrate does. The error is one sentence that
// never shows a password.
func Open(ctx context.Context, dsn string) (*DB, error) {
	switch {
	case strings.HasPrefix(dsn, "sqlite:"):
		return openSQLite(ctx, strings.TrimPrefix(dsn, "sqlite:"))
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		return openPostgres(ctx, dsn)
	}
	return nil, errs.New(errs.Invalid, "database.address_unknown", "The database address is neither sqlite:PATH nor postgres://…")
}

// Engine is "sqlite" or "postgres".
func (db *DB) Engine() string { return db.engine }

func (db *DB) reader() *sql.DB { return db.read }

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return db.read.QueryRowContext(ctx, "SELECT 1").Scan(&one)
}

// Close ends all connections. Groups must have ended before.
func (db *DB) Close() error {
	db.leads.Store(false)
	if db.side != nil {
		db.side.stop()
	}
	db.mu.Lock()
	if db.writer != nil {
		db.writer.close()
		db.writer = nil
	}
	db.mu.Unlock()
	err := db.read.Close()
	if db.write != db.read {
		if werr := db.write.Close(); err == nil {
			err = werr
		}
	}
	return err
}

// redact hides the password of a DSN in text that quotes it.
func redact(text, dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return strings.ReplaceAll(text, dsn, "(address hidden)")
	}
	if pw, ok := u.User.Password(); ok && pw != "" {
		text = strings.ReplaceAll(text, pw, "xxxxx")
		text = strings.ReplaceAll(text, url.QueryEscape(pw), "xxxxx")
	}
	return text
}

func unreachable(where string, cause error) error {
	return errs.Wrap(errs.Unavailable, cause, "database.not_opened", "Cannot open the database {database}", "database", where)
}

// writer is the one connection that groups are written through. Statements
// are prepared once on it.
type writer struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

// close ends the connection itself: its settings must not reach the pool.
func (w *writer) close() {
	_ = w.conn.Raw(func(any) error { return errBadConn })
	_ = w.conn.Close()
}

// stmt prepares query once.
func (w *writer) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := w.stmts[query]; ok {
		return s, nil
	}
	s, err := w.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	w.stmts[query] = s
	return s, nil
}

func (w *writer) exec(ctx context.Context, query string, args ...any) (int64, error) {
	s, err := w.stmt(ctx, query) //nolint:sqlclosecheck // lives as long as the connection
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// takeWriter gives the writer connection, opening it when there is none.
func (db *DB) takeWriter(ctx context.Context) (*writer, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.writer == nil {
		conn, err := db.write.Conn(ctx)
		if err != nil {
			return nil, fmt.Errorf("writer connection: %w", err)
		}
		if db.engine == enginePostgres {
			if _, err := conn.ExecContext(ctx, writerSettings); err != nil {
				_ = conn.Close()
				return nil, fmt.Errorf("writer connection: %w", err)
			}
		}
		db.writer = &writer{conn: conn, stmts: map[string]*sql.Stmt{}}
	}
	return db.writer, nil
}

// dropWriter closes a writer connection that can no longer be trusted.
func (db *DB) dropWriter(w *writer) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.writer == w {
		w.close()
		db.writer = nil
	}
}

// Pools are the connections by use, for tests that look at each of them.
func (db *DB) Pools() map[string]*sql.DB {
	return map[string]*sql.DB{"write": db.write, "read": db.read}
}
