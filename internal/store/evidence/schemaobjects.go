package evidence

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// A trigger runs within the server's own statements. One that was added to the database
// could change a row while the server writes it, and the server would sign that; one
// that was dropped no longer keeps history as it is. So what the tables are made of is
// compared with what the migrations make: by the check of every minute and 'bifolia
// verify' as a whole, and for the table at hand before a row that was read back is
// signed. From that moment to the commit the statement's lock keeps others from
// changing the table's triggers.

// schemaFiles list the objects that the migrations create.
// TestTheSchemaMatchesItsFile can regenerate them.
//
//go:embed schema.sqlite schema.postgres
var schemaFiles embed.FS

// schemaObject is a part of the schema: its line is what schemaFiles say of it.
type schemaObject struct{ table, line string }

func newSchemaObject(table, kind, name string, facts ...any) schemaObject {
	h := NewRowHasher()
	h.Add(facts...)
	return schemaObject{table, strings.Join([]string{table, kind, name, h.Sum().String()}, " ")}
}

// expectedSchema is what schemaFiles say, by table.
var expectedSchema = map[string]func() map[string][]string{
	engine.SQLite:   sync.OnceValue(func() map[string][]string { return readSchema("schema." + engine.SQLite) }),
	engine.Postgres: sync.OnceValue(func() map[string][]string { return readSchema("schema." + engine.Postgres) }),
}

func readSchema(name string) map[string][]string {
	raw, err := fs.ReadFile(schemaFiles, name)
	if err != nil {
		panic(err) // it is embedded
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		table, _, _ := strings.Cut(line, " ")
		all[table] = append(all[table], strings.TrimSuffix(line, "\n"))
	}
	return all
}

const (
	triggersSQLite = "SELECT tbl_name, 'trigger', name, sql FROM sqlite_schema WHERE type = 'trigger'"
	tablesSQLite   = "SELECT name, 'table', name, sql FROM sqlite_schema WHERE type = 'table'"

	// A trigger is its definition and the source of its function. Rules rewrite
	// statements as triggers do.
	triggersPostgres = `SELECT c.relname, x.kind, x.name, x.facts FROM pg_class c JOIN (
		SELECT t.tgrelid AS relation, 'trigger' AS kind, t.tgname AS name, t.tgenabled::text || pg_get_triggerdef(t.oid, true) || l.lanname || p.prosecdef::text || COALESCE(p.proconfig::text, '') || p.prosrc AS facts
			FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_language l ON l.oid = p.prolang WHERE NOT t.tgisinternal
		UNION ALL SELECT ev_class, 'rule', rulename, pg_get_ruledef(oid, true) FROM pg_rewrite) x ON x.relation = c.oid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`
	tablesPostgres = `SELECT c.relname, 'table', c.relname, c.relrowsecurity::text || ' ' || (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, a.attgenerated::text, a.attidentity::text, pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attnum)
		FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
		FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`
)

// schemaOf reads what a table is made of, or with "" all of them. Tables that the
// product has not made are left out.
func schemaOf(ctx context.Context, q engine.Querier, on, table string) ([]schemaObject, error) {
	scan := func(r *sql.Rows) (o schemaObject, err error) {
		var of, kind, name, facts string
		err = r.Scan(&of, &kind, &name, &facts)
		return newSchemaObject(of, kind, name, facts), err
	}
	triggers, tables := triggersSQLite, tablesSQLite
	if on == engine.Postgres {
		triggers, tables = triggersPostgres, tablesPostgres
	}
	if table != "" {
		column := " AND tbl_name = $1"
		if on == engine.Postgres {
			column = " AND c.relname = $1"
		}
		return engine.List(ctx, q, scan, triggers+column, table)
	}
	out, err := engine.List(ctx, q, scan, triggers)
	if err != nil {
		return nil, err
	}
	made, err := engine.List(ctx, q, scan, tables)
	return append(out, made...), err
}

// foreign is the first object that is not as the migrations make it, "" if there is
// none, and how it differs.
func foreign(expected []string, found []schemaObject) (object, how string) {
	for _, o := range found {
		switch {
		case slices.Contains(expected, o.line):
		case slices.ContainsFunc(expected, func(line string) bool { return unsummed(line) == unsummed(o.line) }):
			return described(o.line), "it is not what the migrations make"
		default:
			return described(o.line), "the migrations do not make it"
		}
	}
	return "", ""
}

// lacking is the first object that the migrations make and that is not there.
func lacking(expected []string, found []schemaObject) (object string) {
	for _, line := range expected {
		if !slices.ContainsFunc(found, func(o schemaObject) bool { return unsummed(o.line) == unsummed(line) }) {
			return described(line)
		}
	}
	return ""
}

// unsummed is a line without its hash.
func unsummed(line string) string { return line[:strings.LastIndexByte(line, ' ')] }

// described names an object as people know it.
func described(line string) string {
	part := strings.SplitN(unsummed(line), " ", 3)
	if part[1] == "table" {
		return "table " + part[0]
	}
	return fmt.Sprintf("%s %s of table %s", part[1], part[2], part[0])
}

// CheckObjects is an *audit.Finding for the first part of the schema that is not what
// the migrations make.
func CheckObjects(ctx context.Context, db *engine.DB) error {
	found, err := schemaOf(ctx, db.Committed(), db.Engine(), "")
	if err != nil {
		return err
	}
	of := map[string][]schemaObject{}
	for _, o := range found {
		of[o.table] = append(of[o.table], o)
	}
	expected := expectedSchema[db.Engine()]()
	tables := make([]string, 0, len(expected))
	for table := range expected {
		tables = append(tables, table)
	}
	slices.Sort(tables)
	for _, table := range tables {
		object, how := foreign(expected[table], of[table])
		if object == "" {
			object, how = lacking(expected[table], of[table]), "it is missing"
		}
		if object != "" {
			return &audit.Finding{Table: table, Row: object, Problem: how}
		}
	}
	return nil
}

// checkTriggers is a *ledger.TamperedError if a table that the group has just written has
// a trigger that the migrations do not make. It reads them once for each group.
func checkTriggers(ctx context.Context, g *engine.Group, table string) error {
	return g.Once("triggers of "+table, func() error {
		found, err := schemaOf(ctx, g, g.DB.Engine(), table)
		if err != nil {
			return err
		}
		if object, how := foreign(expectedSchema[g.DB.Engine()]()[table], found); object != "" {
			return ledger.Tampered("The "+object, how)
		}
		return nil
	})
}
