// Package engine runs SQL on SQLite and PostgreSQL: the connections, the groups that the
// ledger commits, batches of inserts, migrations, and the reading of rows. SQL is written
// once, in the subset that both share; dialect.go, sqlite.go and postgres.go have what
// differs. It knows no table but the ledger's.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// DB is an open database. The ledger's groups go through one dedicated writer
// connection; everything else reads.
type DB struct {
	engine string
	path   string          // SQLite's file
	pg     *pgx.ConnConfig // PostgreSQL's address
	Write  *sql.DB         // SQLite: one connection; PostgreSQL: the pool
	read   *sql.DB         // SQLite: readers that cannot write; PostgreSQL: the pool

	mu     sync.Mutex // guards writer
	writer *writer

	Checkpointer *checkpointer // SQLite only

	restricted []string // SQLite's files that others could read

	Rows  readers      // what stores read through
	Epoch atomic.Int64 // of the lease under which this process writes; 0 without one

	hook  func(lines []Line, batch int64) // see OnCommit
	state sync.Map                        // see StateOf
}

// Open connects to dsn (sqlite:PATH or postgres://…) and checks that it
// answers. It changes nothing; Migrate does. The error is one sentence that
// never shows a password.
func Open(ctx context.Context, dsn string) (db *DB, err error) {
	switch {
	case strings.HasPrefix(dsn, "sqlite:"):
		db, err = openSQLite(ctx, strings.TrimPrefix(dsn, "sqlite:"))
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		db, err = openPostgres(ctx, dsn)
	default:
		return nil, errs.New(errs.Invalid, "database.address_unknown", "The database address is neither sqlite:PATH nor postgres://…")
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

// Engine is "sqlite" or "postgres".
func (db *DB) Engine() string { return db.engine }

// StateOf is what a package remembers of a database while it is open: one value of
// each type.
func StateOf[T any](db *DB) *T {
	key := reflect.TypeFor[T]()
	v, found := db.state.Load(key)
	if !found {
		v, _ = db.state.LoadOrStore(key, new(T))
	}
	return v.(*T)
}

// Committed reads what is committed.
func (db *DB) Committed() Querier { return &db.Rows }

// Reader is the pool of connections that only read.
func (db *DB) Reader() *sql.DB { return db.read }

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return db.read.QueryRowContext(ctx, "SELECT 1").Scan(&one)
}

// Close ends all connections. Groups must have ended before.
func (db *DB) Close() error {
	db.Epoch.Store(0)
	if db.Checkpointer != nil {
		db.Checkpointer.stop()
	}
	db.mu.Lock()
	if db.writer != nil {
		db.writer.close()
		db.writer = nil
	}
	db.mu.Unlock()
	err := db.read.Close()
	if db.Write != db.read {
		if werr := db.Write.Close(); err == nil {
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
		conn, err := db.Write.Conn(ctx)
		if err != nil {
			return nil, fmt.Errorf("writer connection: %w", err)
		}
		if db.engine == Postgres {
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
	return map[string]*sql.DB{"write": db.Write, "read": db.read}
}

// OpenToRead connects to a database that must be there, and cannot change it.
func OpenToRead(ctx context.Context, dsn string) (*DB, error) {
	path, ok := strings.CutPrefix(dsn, "sqlite:")
	if !ok {
		u, err := url.Parse(dsn)
		if err != nil {
			return nil, errs.New(errs.Invalid, "database.address_unknown", "The database address is neither sqlite:PATH nor postgres://…")
		}
		q := u.Query()
		q.Set("default_transaction_read_only", "on")
		u.RawQuery = q.Encode()
		return Open(ctx, u.String())
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreachable(path, err)
	}
	if _, err := os.Stat(abs); err != nil {
		return nil, errs.New(errs.NotFound, "database.file_not_found", "There is no database at {path}.", "path", path)
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "query_only(ON)", "temp_store(MEMORY)"}}
	pool, err := sql.Open("sqlite", "file:"+(&url.URL{Path: abs}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, unreachable(path, err)
	}
	db := &DB{engine: SQLite, path: abs, Write: pool, read: pool}
	db.Rows.pool = pool
	if err := db.Ping(ctx); err != nil {
		_ = db.Close()
		return nil, unreachable(path, err)
	}
	return db, nil
}

// Snapshot runs f on what is committed at one moment.
func (db *DB) Snapshot(ctx context.Context, f func(Querier) error) (err error) {
	level := sql.LevelDefault
	if db.Engine() == Postgres {
		level = sql.LevelRepeatableRead
	}
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{Isolation: level, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	return f(inTx{tx})
}

type inTx struct{ tx *sql.Tx }

func (t inTx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.tx.QueryContext(ctx, query, args...)
}
