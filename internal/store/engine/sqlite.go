package engine

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// pragmas hold on every connection, because they are part of its address: one
// set by a statement would hold on one pooled connection only. FULL makes each
// commit durable before it is answered; on macOS that takes fullfsync too, because
// a plain fsync there leaves it in the disk's own memory. Checkpoints are left to
// the side connection, so that no commit waits for one. Deleted data is
// overwritten, such as sent mails with a password and erased members.
var pragmas = []string{
	"journal_mode(WAL)", "synchronous(FULL)", "fullfsync(ON)", "foreign_keys(ON)",
	"wal_autocheckpoint(0)", "trusted_schema(OFF)", "temp_store(MEMORY)", "secure_delete(ON)",
}

// pageSize is small, because a transfer touches a few bytes on several pages
// and each touched page is written to the log whole.
const pageSize = 2048

// setPageSize must come before anything else is said to a new database: it is
// fixed with the first page. On an old one it changes nothing.
func setPageSize(ctx context.Context, path string) (err error) {
	plain, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	plain.SetMaxOpenConns(1)
	for _, pragma := range []string{"busy_timeout = 10000", fmt.Sprintf("page_size = %d", pageSize), "journal_mode = WAL"} {
		if _, err := plain.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long a connection waits for another's lock. That of checkpoints
// is short: to restart the log they block writers while they wait for
// readers, and a backup or an export reads for minutes.
const (
	patience           = "busy_timeout(10000)"
	checkpointPatience = "busy_timeout(100)"
)

func sqliteDSN(path string, more ...string) string { return sqliteAddress(path, patience, more...) }

func sqliteAddress(path, patience string, more ...string) string {
	q := url.Values{"_pragma": append(append([]string{patience}, pragmas...), more...)}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// maxReaders is how many read at once on SQLite.
const maxReaders = 8

func openSQLite(ctx context.Context, path string) (*DB, error) {
	if path == "" || path == ":memory:" {
		return nil, errs.New(errs.Invalid, "database.sqlite_path", "sqlite: needs the path of a file")
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreachable(path, err)
	}
	if err := databaseOrNew(abs); err != nil {
		return nil, unreachable(path, err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, unreachable(path, err)
	}
	// Two processes that make one database at once would find it locked while
	// it is switched to its log. Where the lock cannot be had, nothing can be
	// made either.
	if unlock, err := lockFile(abs + ".migrate"); err == nil {
		defer unlock()
	}
	restricted, err := private(abs)
	if err != nil {
		return nil, unreachable(path, err)
	}
	if err := setPageSize(ctx, abs); err != nil {
		return nil, unreachable(path, err)
	}
	db := &DB{engine: SQLite, path: abs, restricted: restricted}
	if db.Write, err = sql.Open("sqlite", sqliteDSN(abs, "cache_size(-8000)")); err != nil {
		return nil, unreachable(path, err)
	}
	db.Write.SetMaxOpenConns(2) // the writer, and one that takes over while it is idle
	db.Write.SetMaxIdleConns(2)
	if db.read, err = sql.Open("sqlite", sqliteDSN(abs, "query_only(ON)", "cache_size(-4000)")); err != nil {
		_ = db.Write.Close()
		return nil, unreachable(path, err)
	}
	db.Rows.pool = db.read
	// Opening a connection reads and parses the schema: connections of a
	// busy moment stay until they are idle for a while.
	db.read.SetMaxOpenConns(maxReaders)
	db.read.SetMaxIdleConns(maxReaders)
	db.read.SetConnMaxIdleTime(time.Minute)
	// Touch the write side first: it creates the file and switches it to WAL.
	var mode string
	if err := db.Write.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		_ = db.Close()
		return nil, unreachable(path, err)
	}
	if err := db.Ping(ctx); err != nil {
		_ = db.Close()
		return nil, unreachable(path, err)
	}
	db.Checkpointer = startCheckpointer(abs)
	return db, nil
}

// databaseOrNew refuses a folder, and a file that is none of ours before anything is
// put beside it.
func databaseOrNew(path string) error {
	info, err := os.Stat(path)
	if err != nil { // it is made, or opening it says why not
		return nil
	}
	if info.IsDir() {
		return errors.New("it is a folder")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	const begins = "SQLite format 3\x00"
	head := make([]byte, len(begins))
	if n, err := io.ReadFull(f, head); n > 0 && (err != nil || string(head) != begins) {
		return errors.New("it is a file, but not a database of SQLite")
	}
	return nil
}

// commitSQLite writes the group with several rows per statement and commits.
func (g *Group) commitSQLite(ctx context.Context, group *ledger.Group) error {
	if err := g.writeSQLite(ctx, group); err != nil {
		return err
	}
	if _, err := g.w.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return g.commitFailed(ctx, group, err)
	}
	g.ended = true
	g.shrinkCache()
	g.DB.Checkpointer.poke()
	return nil
}

func (g *Group) writeSQLite(ctx context.Context, group *ledger.Group) error {
	if err := g.begin(ctx); err != nil {
		return err
	}
	for _, b := range groupRows(group) {
		if err := g.insertChunks(ctx, b); err != nil {
			return g.classify(err)
		}
	}
	for _, row := range g.noted() {
		if _, err := g.w.exec(ctx, NoteLine, row, group.Batch.No); err != nil {
			return g.classify(err)
		}
	}
	if err := g.updateAccounts(ctx, group); err != nil {
		return err
	}
	for i := range group.Holds {
		if h := &group.Holds[i]; !h.New {
			if err := g.hitOne(ctx, fmt.Sprintf("hold %d", h.ID), "UPDATE hold SET state = $1, resolved = $2 WHERE id = $3 AND state = 'open'",
				string(h.State), h.Resolved, h.ID); err != nil {
				return err
			}
		}
	}
	if _, err := g.w.exec(ctx, batchInsert, batchArgs(&group.Batch)...); err != nil {
		return g.classify(err)
	}
	return g.hitOne(ctx, "head", fenceUpdate, fenceArgs(group)...)
}

// updateAccounts changes the accounts that were there before.
func (g *Group) updateAccounts(ctx context.Context, group *ledger.Group) error {
	var old []*ledger.AccountRow
	for i := range group.Accounts {
		if a := &group.Accounts[i]; a.Was > 0 {
			old = append(old, a)
		}
	}
	if len(old) > manyAccounts {
		err := g.Change(ctx, "accounts", "id, posted, held, version, was, was_posted, was_held", slices.Repeat([]string{"BIGINT"}, 7), len(old), func(i int) []any {
			a := old[i]
			return []any{a.ID, a.Posted, a.Held, a.Version, a.Was, a.WasPosted, a.WasHeld}
		}, `account SET posted = v.posted, held = v.held, version = v.version FROM v
			WHERE account.id = v.id AND account.version = v.was AND account.posted = v.was_posted AND account.held = v.was_held`)
		var missed *MissedError
		if errors.As(err, &missed) {
			return fmt.Errorf("%w: %w", ledger.ErrFenced, err)
		}
		return err
	}
	for _, a := range old {
		if err := g.hitOne(ctx, "account "+a.Code, "UPDATE account SET posted = $1, held = $2, version = $3 WHERE id = $4 AND version = $5 AND posted = $6 AND held = $7",
			a.Posted, a.Held, a.Version, a.ID, a.Was, a.WasPosted, a.WasHeld); err != nil {
			return err
		}
	}
	return nil
}

// manyAccounts is from how many on several are changed by one statement.
const manyAccounts = 100

// hitOne runs a guarded write, which must hit its one row.
func (g *Group) hitOne(ctx context.Context, what, query string, args ...any) error {
	n, err := g.w.exec(ctx, query, args...)
	switch {
	case err != nil:
		return g.classify(err)
	case n != 1:
		return fmt.Errorf("%w: %s", ledger.ErrFenced, what)
	}
	return nil
}

// commitFailed: the database is in this process, so after a rollback the truth
// can be read at once.
func (g *Group) commitFailed(ctx context.Context, group *ledger.Group, cause error) error {
	g.Rollback()
	g.DB.dropWriter(g.w) // whatever the connection cached is not trusted
	var hash []byte
	err := g.DB.Write.QueryRowContext(ctx, "SELECT hash FROM head WHERE id = 1").Scan(&hash)
	switch {
	case err != nil:
		return errors.Join(ledger.ErrUnknown, cause, err)
	case bytes.Equal(hash, group.Head.Hash[:]):
		return nil
	}
	return fmt.Errorf("commit: %w", Classify(cause))
}

// chunkSizes are the row counts for which an insert is prepared.
var chunkSizes = []int{RowsPerStatement, 64, 32, 16, 8, 4, 2, 1}

// A group of many rows touches indexes in no order. With a server's page cache
// each of their pages would be written to the log over and over, so the cache grows
// to hold all of its rows, up to a bound. SQLite allocates only the pages in use.
const (
	usualCache   = 8_000 // KiB
	wideCache    = 400_000
	largestCache = 1_600_000
	manyRows     = 10_000
	rowsPerKiB   = 2 // rows of one KiB, with their places in indexes
)

// GrowCache grows the page cache of the connection for n rows, until the group ends.
func (g *Group) GrowCache(ctx context.Context, n int) error {
	if n < manyRows || g.DB.engine != SQLite {
		return nil
	}
	kib := min(max(wideCache, n/rowsPerKiB), largestCache)
	if kib <= g.cacheKiB {
		return nil
	}
	g.cacheKiB = kib
	return g.w.setCacheSize(ctx, kib)
}

// setCacheSize sets how many KiB of pages SQLite keeps in memory for this connection.
func (w *writer) setCacheSize(ctx context.Context, kib int) error {
	_, err := w.conn.ExecContext(ctx, "PRAGMA cache_size = -"+strconv.Itoa(kib))
	return err
}

// shrinkCache gives the page cache its usual size.
func (g *Group) shrinkCache() {
	if g.cacheKiB > 0 {
		g.cacheKiB = 0
		if err := g.w.setCacheSize(context.Background(), usualCache); err != nil {
			g.DB.dropWriter(g.w)
		}
	}
}

// leadSQLite takes the lease as a lock on a file beside the database, which the system
// releases when the process ends.
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

// lockFile waits until no other process holds the lock at path.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
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

// private makes an SQLite file, or the one that is there, readable by its owner
// only, with its log beside it, and tells which of them were not. SQLite gives its
// log the database's own mode.
func private(path string) (restricted []string, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return nil, f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(name, info.Mode().Perm()&0o700); err != nil {
			return nil, errors.New("others may read " + filepath.Base(name) + ", and its mode cannot be changed: run chmod 600 on it as its owner")
		}
		restricted = append(restricted, name)
	}
	return restricted, nil
}

// Restricted are the files of the database that others could read until it was opened.
func (db *DB) Restricted() []string { return db.restricted }
