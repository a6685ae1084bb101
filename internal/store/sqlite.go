package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// pragmas hold on every connection, because they are part of its address: one
// set by a statement would hold on one pooled connection only. FULL makes each
// commit durable before it is answered. Checkpoints are left to the side
// connection, so that no commit waits for one.
var pragmas = []string{
	"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
	"wal_autocheckpoint(0)", "trusted_schema(OFF)", "temp_store(MEMORY)",
}

func sqliteDSN(path string, more ...string) string {
	q := url.Values{"_pragma": append(append([]string{}, pragmas...), more...)}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func openSQLite(ctx context.Context, path string) (*DB, error) {
	if path == "" || path == ":memory:" {
		return nil, errs.New(errs.Invalid, "sqlite: needs the path of a file")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreachable(path, err)
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return nil, unreachable(path, errors.New("it is a folder"))
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, unreachable(path, err)
	}
	db := &DB{engine: engineSQLite, path: abs}
	if db.write, err = sql.Open("sqlite", sqliteDSN(abs, "cache_size(-8000)")); err != nil {
		return nil, unreachable(path, err)
	}
	db.write.SetMaxOpenConns(2) // the writer, and one that takes over while it is idle
	db.write.SetMaxIdleConns(2)
	if db.read, err = sql.Open("sqlite", sqliteDSN(abs, "query_only(ON)", "cache_size(-4000)")); err != nil {
		_ = db.write.Close()
		return nil, unreachable(path, err)
	}
	db.read.SetMaxOpenConns(8)
	db.read.SetMaxIdleConns(4)
	// Touch the write side first: it creates the file and switches it to WAL.
	var mode string
	if err := db.write.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		_ = db.Close()
		return nil, unreachable(path, err)
	}
	if err := db.Ping(ctx); err != nil {
		_ = db.Close()
		return nil, unreachable(path, err)
	}
	db.side = startCheckpointer(abs)
	return db, nil
}

// writeSQLite writes the group with several rows per statement.
func (g *groupTx) writeSQLite(ctx context.Context, group *ledger.Group) error {
	if err := g.begin(ctx); err != nil {
		return err
	}
	for _, r := range groupRows(group) {
		if err := g.insertChunks(ctx, r); err != nil {
			return g.lost(err)
		}
	}
	for i := range group.Accounts {
		a := &group.Accounts[i]
		if a.Was == 0 {
			continue
		}
		n, err := g.w.exec(ctx, "UPDATE account SET posted = $1, held = $2, version = $3 WHERE id = $4 AND version = $5", a.Posted, a.Held, a.Version, a.ID, a.Was)
		if err = expectRows(n, 1, err, "account "+a.Code); err != nil {
			return g.lost(err)
		}
	}
	for i := range group.Holds {
		h := &group.Holds[i]
		if h.New {
			continue
		}
		n, err := g.w.exec(ctx, "UPDATE hold SET state = $1, resolved = $2 WHERE id = $3 AND state = 'open'", string(h.State), h.Resolved, h.ID)
		if err = expectRows(n, 1, err, fmt.Sprintf("hold %d", h.ID)); err != nil {
			return g.lost(err)
		}
	}
	if _, err := g.w.exec(ctx, batchInsert, batchArgs(&group.Batch)...); err != nil {
		return g.lost(err)
	}
	n, err := g.w.exec(ctx, fenceUpdate, fenceArgs(group)...)
	if err != nil {
		return g.lost(err)
	}
	if n != 1 {
		return ledger.ErrFenced
	}
	return nil
}

// chunkSizes are the row counts for which an insert is prepared.
var chunkSizes = []int{256, 64, 16, 4, 1}

func (g *groupTx) insertChunks(ctx context.Context, r *rows) error {
	width, vals := len(r.t.cols), r.vals
	for len(vals) > 0 {
		for _, size := range chunkSizes {
			if n := size * width; n <= len(vals) {
				if _, err := g.w.exec(ctx, r.t.chunks[size], vals[:n]...); err != nil {
					return err
				}
				vals = vals[n:]
				break
			}
		}
	}
	return nil
}

// leadSQLite: a lock on a file beside the database, which the system lets go
// of when the process dies.
func leadSQLite(db *DB) (<-chan struct{}, func(), error) {
	f, err := os.OpenFile(db.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, nil, ledger.ErrLeased
		}
		return nil, nil, err
	}
	return make(chan struct{}), func() { _ = f.Close() }, nil
}

// checkpointer moves the write-ahead log into the database on a connection of
// its own: passively after commits, and by truncation when the log has grown
// past a bound because commits never paused.
type checkpointer struct {
	path    string
	db      *sql.DB
	work    chan struct{}
	quit    chan struct{}
	done    chan struct{}
	stopped sync.Once
}

const (
	walPause = 250 * time.Millisecond
	walBound = 64 << 20
	walSmall = 4 << 20
)

func startCheckpointer(path string) *checkpointer {
	db, err := sql.Open("sqlite", sqliteDSN(path))
	if err != nil {
		return nil // Open has just succeeded with the same address
	}
	db.SetMaxOpenConns(1)
	c := &checkpointer{path: path, db: db, work: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	go c.run()
	return c
}

func (c *checkpointer) poke() {
	select {
	case c.work <- struct{}{}:
	default:
	}
}

func (c *checkpointer) run() {
	defer close(c.done)
	for {
		select {
		case <-c.quit:
			return
		case <-c.work:
		}
		switch size := c.walSize(); {
		case size > walBound:
			c.checkpoint("TRUNCATE")
		case size > walSmall:
			c.checkpoint("PASSIVE")
		}
		select {
		case <-c.quit:
			return
		case <-time.After(walPause):
		}
	}
}

func (c *checkpointer) walSize() int64 {
	info, err := os.Stat(c.path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

// checkpoint errors are left: a full disk or a busy log is tried again, and no
// commit depends on it.
func (c *checkpointer) checkpoint(mode string) {
	_, _ = c.db.ExecContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")")
}

func (c *checkpointer) stop() {
	c.stopped.Do(func() {
		close(c.quit)
		<-c.done
		c.checkpoint("PASSIVE")
		_ = c.db.Close()
	})
}

// sqliteCode is SQLite's extended result code in err, or 0.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func sqliteUnique(code int) bool {
	return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || code == sqlite3.SQLITE_CONSTRAINT_ROWID
}
