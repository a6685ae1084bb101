package engine

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Migrations are SQL files, forward only, never changed once released. Of a version
// the files NNNNN_x.sql run on both engines, and then NNNNN_x.sqlite.sql or
// NNNNN_x.postgres.sql on one. A database that a newer program has migrated is refused.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrationWords replace the placeholders of migrations: {{bigkey}} is a 64-bit primary
// key, which SQLite makes the table's own key only in this spelling, and {{nobytes}} is
// no bytes.
var migrationWords = map[string]*strings.Replacer{
	SQLite:   strings.NewReplacer("{{bigkey}}", "INTEGER PRIMARY KEY", "{{nobytes}}", "x''"),
	Postgres: strings.NewReplacer("{{bigkey}}", "BIGINT PRIMARY KEY", "{{nobytes}}", "''::bytea"),
}

// migrations gives the SQL of each version for one engine.
func migrations(engine string) (map[int64]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	all := map[int64]string{}
	for _, part := range []string{"", "." + engine} {
		for _, name := range names {
			base := strings.TrimSuffix(path.Base(name), ".sql")
			if path.Ext(base) != part {
				continue
			}
			number, _, _ := strings.Cut(base, "_")
			version, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("migration %s: %w", name, err)
			}
			raw, err := fs.ReadFile(migrationFiles, name)
			if err != nil {
				return nil, err
			}
			all[version] += migrationWords[engine].Replace(string(raw))
		}
	}
	return all, nil
}

// provider runs each version in one transaction with the note that it was run: an
// interrupted migration leaves nothing.
func (db *DB) provider(conns *sql.DB) (p *goose.Provider, newest int64, err error) {
	all, err := migrations(db.engine)
	if err != nil {
		return nil, 0, err
	}
	var steps []*goose.Migration
	for version, text := range all {
		steps = append(steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, text)
			return err
		}}, nil))
		newest = max(newest, version)
	}
	opts := []goose.ProviderOption{goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true)}
	dialect := goose.DialectSQLite3
	if db.engine == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120), lock.WithUnlockTimeout(1, 60)) // two processes starting at once
		if err != nil {
			return nil, 0, err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	p, err = goose.NewProvider(dialect, conns, nil, opts...)
	return p, newest, err
}

// Schema tells which version the database has and which the program knows.
func (db *DB) Schema(ctx context.Context) (has, knows int64, err error) {
	p, knows, err := db.provider(db.Write)
	if err != nil {
		return 0, 0, err
	}
	has, err = p.GetDBVersion(ctx)
	return has, knows, err
}

// Migrate brings the database to this program's schema and returns the number of steps. Refused if the database is newer than the program.
func (db *DB) Migrate(ctx context.Context) (int, error) {
	if db.engine == SQLite { // on PostgreSQL the provider itself locks
		unlock, err := lockFile(db.path + ".migrate")
		if err != nil {
			return 0, errs.Wrap(errs.Unavailable, err, "database.not_locked", "Cannot lock the database for its migration")
		}
		defer unlock()
	}
	owner, done := db.asOwner()
	defer done()
	p, knows, err := db.provider(owner)
	if err != nil {
		return 0, fmt.Errorf("migrations: %w", err)
	}
	has, err := p.GetDBVersion(ctx)
	if err != nil {
		return 0, errs.Wrap(errs.Unavailable, err, "database.version_unreadable", "Cannot read the schema version")
	}
	if has > knows {
		return 0, newerSchema(has, knows)
	}
	steps, err := p.Up(ctx)
	if err != nil {
		return len(steps), errs.Wrap(errs.Unavailable, Classify(err), "database.not_migrated", "Cannot migrate the database")
	}
	if err := createHead(ctx, owner); err != nil {
		return len(steps), errs.Wrap(errs.Unavailable, err, "database.ledger_not_started", "Cannot start the ledger")
	}
	if db.engine == Postgres {
		if err := prepareRole(ctx, owner); err != nil {
			return len(steps), errs.Wrap(errs.Unavailable, err, "database.role_not_prepared", "Cannot prepare the server's database role")
		}
	}
	return len(steps), nil
}

// asOwner returns connections that may change the schema. done replaces the connections of
// the server's pool, because they were made before the role was granted.
func (db *DB) asOwner() (owner *sql.DB, done func()) {
	if db.engine == SQLite {
		return db.Write, func() {}
	}
	owner = stdlib.OpenDB(*db.pg)
	owner.SetMaxOpenConns(3)
	return owner, func() {
		_ = owner.Close()
		db.Write.SetMaxIdleConns(0)
		db.Write.SetMaxIdleConns(idlePostgres)
	}
}

// CheckSchema refuses a database that this program cannot work on.
func (db *DB) CheckSchema(ctx context.Context) error {
	has, knows, err := db.Schema(ctx)
	switch {
	case err != nil:
		return errs.Wrap(errs.Unavailable, err, "database.version_unreadable", "Cannot read the schema version")
	case has > knows:
		return newerSchema(has, knows)
	case has == 0:
		return errs.New(errs.Refused, "database.empty", "The database is empty: 'bifolia init' begins an installation in it; or name another one with --db or --data-dir.")
	case has < knows:
		return errs.New(errs.Refused, "database.schema_old", "The database has schema {schema} and this program needs {needed}: run 'bifolia migrate' first.", "schema", has, "needed", knows)
	}
	return nil
}

func newerSchema(has, knows int64) error {
	return errs.New(errs.Refused, "database.schema_new", "The database has schema {schema} and this program knows only {known}: use the newer Bifolia that made it.", "schema", has, "known", knows)
}

// createHead starts the ledger once: a random genesis makes every ledger's
// chain its own.
func createHead(ctx context.Context, owner *sql.DB) error {
	genesis := make([]byte, 32)
	if _, err := rand.Read(genesis); err != nil {
		return err
	}
	_, err := owner.ExecContext(ctx, `INSERT INTO head (id, epoch, holder, seq, batch, accounts, holds, entries, recorded_at, hash, frozen, genesis)
		VALUES (1, 0, '', 0, 0, 0, 0, 0, 0, $1, '', $1) ON CONFLICT (id) DO NOTHING`, genesis)
	return err
}

// The engine's own check reads its pages: it finds damage that no row shows, such as
// an index that lacks an entry.

// CheckEngine runs it. Where it cannot be run, skipped says why and how to enable it.
// The error is an *audit.Damage for the first thing that is damaged.
func (db *DB) CheckEngine(ctx context.Context) (skipped string, err error) {
	if db.engine == SQLite {
		return "", checkSQLite(ctx, db.read)
	}
	owner, done := db.asOwner()
	defer done()
	return checkPostgres(ctx, &readers{pool: owner})
}

// The schema declares no foreign keys, so that there is nothing for SQLite's
// foreign_key_check.
func checkSQLite(ctx context.Context, conns *sql.DB) error {
	var result string
	err := conns.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&result)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		result = oneLine(err)
	case result == "ok":
		return nil
	}
	return &audit.Damage{Check: "SQLite's integrity_check", Problem: result}
}

// amcheck is in which schema PostgreSQL's extension of that name is, and whether this
// user may use it.
const amcheck = `SELECT quote_ident(n.nspname), COALESCE(has_schema_privilege(n.oid, 'USAGE')
	AND has_function_privilege(to_regprocedure(format('%I.bt_index_check(regclass, boolean)', n.nspname)), 'EXECUTE')
	AND has_function_privilege(to_regprocedure(format('%I.verify_heapam(regclass, boolean, boolean, text, bigint, bigint)', n.nspname)), 'EXECUTE'), false)::int
	FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'`

// ownRelations are the tables ('r') or B-tree indexes ('i') of the schema in use.
const ownRelations = `SELECT c.oid::regclass::text FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam LEFT JOIN pg_index i ON i.indexrelid = c.oid
	WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind::text = $1::text AND c.relpersistence = 'p'
	AND ($1::text = 'r' OR (a.amname = 'btree' AND i.indisvalid AND i.indisready)) ORDER BY 1`

// checkPostgres asks for one row per relation: a table that is damaged is a row, and
// an index that is damaged an error of the statement.
func checkPostgres(ctx context.Context, q Querier) (skipped string, err error) {
	type extension struct {
		schema string
		may    int64
	}
	scan := func(r *sql.Rows) (e extension, err error) {
		err = r.Scan(&e.schema, &e.may)
		return e, err
	}
	e, found, err := First(ctx, q, scan, amcheck)
	switch {
	case err != nil:
		return "", err
	case !found:
		return "the extension amcheck is not in this database; a superuser adds it with CREATE EXTENSION amcheck, or runs pg_amcheck", nil
	case e.may == 0:
		return "this user may not use the extension amcheck; a superuser allows it with GRANT EXECUTE ON FUNCTION " + e.schema + ".bt_index_check(regclass, boolean), " + e.schema +
			".verify_heapam(regclass, boolean, boolean, text, bigint, bigint) TO the user, or runs pg_amcheck", nil
	}
	for _, part := range []struct{ kind, query string }{
		{"i", "SELECT '' FROM " + e.schema + ".bt_index_check($1::text::regclass, true)"},
		{"r", "SELECT format('block %s, row %s: %s', blkno, offnum, msg) FROM " + e.schema + ".verify_heapam($1::text::regclass, true, true, 'none', NULL, NULL)"},
	} {
		relations, err := List(ctx, q, ScanText, ownRelations, part.kind)
		if err != nil {
			return "", err
		}
		for _, name := range relations {
			problem, _, err := First(ctx, q, ScanText, part.query, name)
			if code := pgCode(err); code == "XX001" || code == "XX002" { // data or index corrupted
				err, problem = nil, oneLine(err)
			}
			if err == nil && problem != "" {
				err = &audit.Damage{Check: "PostgreSQL's amcheck", Problem: name + ": " + problem}
			}
			if err != nil {
				return "", err
			}
		}
	}
	return "", nil
}
