package store

import (
	"context"
	"strings"
)

// SchemaLines are what schemaFiles say of a database that the migrations have just made.
func (db *DB) SchemaLines(ctx context.Context) (lines []string, err error) {
	found, err := schemaOf(ctx, &db.rows, db.engine, "")
	for _, o := range found {
		if !strings.HasPrefix(o.table, "goose_") && !strings.HasPrefix(o.table, "sqlite_") {
			lines = append(lines, o.line)
		}
	}
	return lines, err
}
