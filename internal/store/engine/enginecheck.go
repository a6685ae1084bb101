package engine

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
)

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
