package evidence

import (
	"context"
	"strings"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// SchemaLines are what schemaFiles say of a database that the migrations have just made.
func SchemaLines(ctx context.Context, db *engine.DB) (lines []string, err error) {
	found, err := schemaOf(ctx, db.Committed(), db.Engine(), "")
	for _, o := range found {
		if !strings.HasPrefix(o.table, "goose_") && !strings.HasPrefix(o.table, "sqlite_") {
			lines = append(lines, o.line)
		}
	}
	return lines, err
}
