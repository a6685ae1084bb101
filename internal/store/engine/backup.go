package engine

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Engine functions for backups: a consistent copy while a server writes, and an empty
// database to restore into.

// Standing is the state of a database, which a copy of it must have too.
type Standing struct {
	Schema     int64
	Seq, Batch int64
	Hash       string // of the last batch, in hex
	Key        string // that signed it; "" before the first
}

// queryer is a connection or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// standing reads all of it through one snapshot. Migrations go forward only, so
// the highest is the schema.
func standing(ctx context.Context, q queryer) (s Standing, err error) {
	var hash []byte
	if err := q.QueryRowContext(ctx, "SELECT seq, batch, hash FROM head WHERE id = 1").Scan(&s.Seq, &s.Batch, &hash); err != nil {
		return s, err
	}
	s.Hash = hex.EncodeToString(hash)
	if err := q.QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version").Scan(&s.Schema); err != nil {
		return s, err
	}
	err = q.QueryRowContext(ctx, "SELECT key_id FROM batch ORDER BY no DESC LIMIT 1").Scan(&s.Key)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return s, err
}

// KnownSchema is the schema that this program works on.
func KnownSchema() (newest int64, err error) {
	all, err := migrations(SQLite)
	for version := range all {
		newest = max(newest, version)
	}
	return newest, err
}

// pagesAtOnce are copied between two reports of progress: some megabytes.
const pagesAtOnce = 2048

// CopyTo copies an SQLite database as it is at one moment to a new file. A server
// that writes meanwhile does not wait: the copy reads a snapshot of the log. This needs
// the transaction around it; without it each step would see another state, and start
// again after each write.
func (db *DB) CopyTo(ctx context.Context, path string, progress func(done, total int64)) (err error) {
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() { _, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK") }() // it wrote nothing
	if _, err := standing(ctx, conn); err != nil {                                     // the first read fixes the moment
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return conn.Raw(func(driver any) error {
		source, ok := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("backup: %T cannot copy", driver)
		}
		// A copy that does not come to its end is thrown away: it needs no journal.
		b, err := source.NewBackup(fileURI(path) + "?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
		if err != nil {
			return err
		}
		err = copyPages(ctx, b, progress)
		ended := b.Finish() // says again what went wrong
		switch {
		case sqliteCode(err)&0xff == sqlite3.SQLITE_FULL:
			return errors.New("there is no space left on its disk")
		case err == nil:
			return ended
		}
		return err
	})
}

func copyPages(ctx context.Context, b *sqlite.Backup, progress func(done, total int64)) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		var err error
		if more, err = b.Step(pagesAtOnce); err != nil {
			return err
		}
		if total := int64(b.PageCount()); progress != nil {
			progress((total-int64(b.Remaining()))*pageSize, total*pageSize)
		}
	}
	return nil
}

func fileURI(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

// InspectSQLite checks a copy that nobody writes to, page by page, and returns its
// state. It leaves no other file beside it. Refused if it is damaged.
func InspectSQLite(ctx context.Context, path string) (s Standing, err error) {
	copied, err := sql.Open("sqlite", fileURI(path)+"?mode=ro&immutable=1&_pragma=trusted_schema(OFF)")
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	copied.SetMaxOpenConns(1)
	var result string
	if err := copied.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&result); err != nil || result != "ok" {
		if ctx.Err() != nil {
			return s, ctx.Err()
		}
		if err != nil {
			result = oneLine(err)
		}
		return s, errs.New(errs.Refused, "backup.database_damaged", "The database in it is damaged: {finding}.", "finding", result)
	}
	if s, err = standing(ctx, copied); err != nil {
		return s, errs.Wrap(errs.Refused, err, "backup.other_database", "The database in it is not one of Bifolia's")
	}
	return s, nil
}

// Replaced is what ReplaceSQLite did with the database that was there.
type Replaced struct{ Kept string }

// ReplaceSQLite puts a database at path that fill writes to a new file. It returns
// Conflict if there is a database, unless force is set; then it renames the old one with
// its log, because a new database must never use an old log. Unavailable if a process
// writes to it.
func ReplaceSQLite(path string, force bool, kept string, fill func(temp string) error) (Replaced, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return Replaced{}, unreachable(path, err)
	}
	_, release, err := leadSQLite(&DB{path: path})
	if errors.Is(err, ledger.ErrLeased) {
		return Replaced{}, errWritten
	}
	if err != nil {
		return Replaced{}, unreachable(path, err)
	}
	defer release()
	info, err := os.Stat(path)
	used := err == nil && info.Size() > 0
	if used && !force {
		return Replaced{}, errs.New(errs.Conflict, "backup.database_exists", "There is a database at {path} already: restore to another place, or replace it with --force.", "path", path)
	}
	temp := path + ".restoring"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Replaced{}, unreachable(temp, err)
	}
	defer func() { _ = os.Remove(temp) }() // it is gone when all went well
	if err := fill(temp); err != nil {
		return Replaced{}, err
	}
	var done Replaced
	if used {
		done.Kept = path + kept
		if err := keep(path, done.Kept); err != nil {
			return Replaced{}, unreachable(done.Kept, err)
		}
	}
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, unreachable(path+end, err)
		}
	}
	return done, os.Rename(temp, path)
}

// keep gives a database and its log second names. Both are there before the first
// name of either goes: one without the other would be a broken database.
func keep(path, kept string) error {
	for _, end := range []string{"-wal", ""} {
		if err := os.Link(path+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

var errWritten = errs.New(errs.Unavailable, "database.in_use", "A Bifolia process writes to this database: stop it first.")

// Exported gives f a snapshot of a PostgreSQL database that other connections can
// read by its name while f runs, and its state.
func (db *DB) Exported(ctx context.Context, f func(snapshot string, s Standing) error) error {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it wrote nothing
	var name string
	if err := tx.QueryRowContext(ctx, "SELECT pg_export_snapshot()").Scan(&name); err != nil {
		return err
	}
	s, err := standing(ctx, tx)
	if err != nil {
		return err
	}
	return f(name, s)
}

// Server is the major version of the PostgreSQL server, and the password that
// its programs need.
func (db *DB) Server(ctx context.Context) (major int, password string, err error) {
	var number int
	err = db.read.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&number)
	return number / 10_000, db.pg.Password, err
}

// Refill empties a PostgreSQL database, lets fill put a backup there and returns its new
// state. Conflict if the database is not empty, unless force is set.
// Unavailable if a process writes to it. Until it is migrated, which grants the
// server's role its rights, only its owner can read it.
func (db *DB) Refill(ctx context.Context, force bool, fill func() error) (s Standing, err error) {
	_, release, err := db.Ledger().Lead(ctx)
	if errors.Is(err, ledger.ErrLeased) {
		return s, errWritten
	}
	if err != nil {
		return s, err
	}
	defer release()
	owner, done := db.asOwner()
	defer done()
	conn, err := owner.Conn(ctx)
	if err != nil {
		return s, err
	}
	defer func() { _ = conn.Close() }() // the pool is closed with it
	tables, err := publicTables(ctx, conn)
	switch {
	case err != nil:
		return s, err
	case len(tables) > 0 && !force:
		return s, errs.New(errs.Conflict, "backup.database_not_empty", "The database is not empty: restore into an empty one, or replace what is there with --force.")
	}
	for i, t := range tables {
		tables[i] = pgx.Identifier{"public", t}.Sanitize()
	}
	if len(tables) > 0 {
		if _, err := conn.ExecContext(ctx, "DROP TABLE "+strings.Join(tables, ", ")+" CASCADE; "+dropFunctions); err != nil {
			return s, errs.Wrap(errs.Unavailable, err, "backup.not_removed", "What is in the database cannot be removed")
		}
	}
	if err := fill(); err != nil && len(tables) > 0 {
		return s, errs.New(errs.Unavailable, "backup.database_gone", "{reason}. What was in the database is gone: restore again.", "reason", strings.TrimRight(err.Error(), "."))
	} else if err != nil {
		return s, err
	}
	return standing(ctx, conn)
}

// dropFunctions removes what triggers call; extensions keep theirs.
const dropFunctions = `DO $$ DECLARE f regprocedure; BEGIN
	FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
		AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
	LOOP EXECUTE 'DROP FUNCTION ' || f; END LOOP;
END $$`

// Path is SQLite's file; "" on PostgreSQL.
func (db *DB) Path() string { return db.path }

// Size is how many bytes the database takes, its log included.
func (db *DB) Size(ctx context.Context) (size int64, err error) {
	if db.engine == Postgres {
		err = db.read.QueryRowContext(ctx, "SELECT pg_database_size(current_database())").Scan(&size)
		return size, err
	}
	for _, end := range []string{"", "-wal"} {
		info, err := os.Stat(db.path + end)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		size += info.Size()
	}
	return size, nil
}

// Standing returns the state of the database.
func (db *DB) Standing(ctx context.Context) (Standing, error) { return standing(ctx, db.read) }
