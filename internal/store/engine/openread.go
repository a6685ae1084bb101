package engine

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

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
