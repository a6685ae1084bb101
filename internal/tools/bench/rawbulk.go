package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the engine, bare
)

// rawBulk returns the engine's rate of durable rows per second, in groups as large as a bulk
// command's: COPY on PostgreSQL, several rows per insert on SQLite.
func rawBulk(ctx context.Context, engine, dir, dsn string) (float64, error) {
	const rows, groups = 2 * bulkSize, 5
	load := rawPostgres
	if engine == "sqlite" {
		load, dsn = rawSQLite, filepath.Join(dir, "raw.db")
	}
	took, err := load(ctx, dsn, rows, groups)
	if err != nil {
		return 0, fmt.Errorf("raw bulk on %s: %w", engine, err)
	}
	return rows * groups / took.Seconds(), nil
}

const rawBulkTable = "CREATE TABLE raw_bulk (account BIGINT NOT NULL, version BIGINT NOT NULL, seq BIGINT NOT NULL, delta BIGINT NOT NULL, balance_after BIGINT NOT NULL, PRIMARY KEY (account, version))"

func rawPostgres(ctx context.Context, dsn string, rows, groups int) (time.Duration, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "DROP TABLE IF EXISTS raw_bulk; "+rawBulkTable); err != nil {
		return 0, err
	}
	started := time.Now()
	for g := range groups {
		src := pgx.CopyFromSlice(rows, func(i int) ([]any, error) {
			return []any{int64(i), int64(g), int64(g*rows + i), int64(1), int64(2)}, nil
		})
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"raw_bulk"}, []string{"account", "version", "seq", "delta", "balance_after"}, src); err != nil {
			return 0, err
		}
	}
	return time.Since(started), nil
}

func rawSQLite(ctx context.Context, path string, rows, groups int) (took time.Duration, err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=fullfsync(ON)")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, rawBulkTable); err != nil {
		return 0, err
	}
	const chunk = 100
	text := "INSERT INTO raw_bulk VALUES (?, ?, ?, ?, ?)" + strings.Repeat(", (?, ?, ?, ?, ?)", chunk-1)
	started := time.Now()
	for g := range groups {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return 0, err
		}
		for from := 0; from < rows; from += chunk {
			args := make([]any, 0, 5*chunk)
			for i := from; i < from+chunk; i++ {
				args = append(args, i, g, g*rows+i, 1, 2)
			}
			if _, err := tx.ExecContext(ctx, text, args...); err != nil {
				return 0, errors.Join(err, tx.Rollback())
			}
		}
		if err := tx.Commit(); err != nil {
			return 0, err
		}
	}
	return time.Since(started), nil
}
