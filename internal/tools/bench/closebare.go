package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib" // database/sql's way to PostgreSQL

	"github.com/bifolia/bifolia/internal/core/plan"
)

// bareLoad is the time of the bare engine for the rows of a close.
type bareLoad struct {
	rows, incomes int64
	seconds       float64
}

// keepCarry copies the members' carried volume before the close.
func keepCarry(ctx context.Context, g *installation) (err error) {
	driver, dsn := "pgx", g.dsn
	if g.engine == "sqlite" {
		driver, dsn = "sqlite", "file:"+strings.TrimPrefix(g.dsn, "sqlite:")
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "CREATE TABLE carry_before AS SELECT * FROM carry")
	return err
}

// written returns conditions for the rows that a close added or changed, by table.
func written(from int64, day plan.Day) []struct{ table, where string } {
	return []struct{ table, where string }{
		{"income", fmt.Sprintf(" WHERE day = %d", day)},
		{"transfer", fmt.Sprintf(" WHERE seq > %d", from)},
		{"entry", fmt.Sprintf(" WHERE seq > %d", from)},
		{"account", fmt.Sprintf(" WHERE id IN (SELECT account FROM entry WHERE seq > %d)", from)},
		{"carry", " EXCEPT SELECT * FROM carry_before"},
		{"sale", fmt.Sprintf(" WHERE final_day = %d", day)},
		{"activity", fmt.Sprintf(" WHERE day = %d", day)},
	}
}

// bare loads the rows that a close wrote into an empty database of the same schema in the
// engine's fastest way, in one durable transaction: COPY of prepared bytes on PostgreSQL, many
// rows per insert on SQLite. It does not count the time for reading the rows.
func (b *closeBench) bare(ctx context.Context, g *installation, from int64, day plan.Day) (l bareLoad, err error) {
	into, err := b.database(ctx, g.engine, "bare")
	if err != nil {
		return l, err
	}
	defer into.remove()
	if g.engine == "postgres" {
		return barePostgres(ctx, g.dsn, into.dsn, filepath.Join(into.dir, "rows"), from, day)
	}
	return bareSQLite(ctx, strings.TrimPrefix(g.dsn, "sqlite:"), strings.TrimPrefix(into.dsn, "sqlite:"), from, day)
}

func barePostgres(ctx context.Context, from, to, spool string, seq int64, day plan.Day) (l bareLoad, err error) {
	src, err := pgx.Connect(ctx, from)
	if err != nil {
		return l, err
	}
	defer func() { _ = src.Close(ctx) }()
	dst, err := pgx.Connect(ctx, to)
	if err != nil {
		return l, err
	}
	defer func() { _ = dst.Close(ctx) }()
	if err := os.MkdirAll(filepath.Dir(spool), 0o700); err != nil {
		return l, err
	}
	if _, err := dst.Exec(ctx, "BEGIN"); err != nil {
		return l, err
	}
	took := time.Duration(0)
	for _, w := range written(seq, day) {
		n, d, err := copyTable(ctx, src, dst, spool, w.table, w.where)
		if err != nil {
			return l, fmt.Errorf("%s: %w", w.table, err)
		}
		if w.table == "income" {
			l.incomes = n
		}
		l.rows, took = l.rows+n, took+d
	}
	started := time.Now()
	if _, err := dst.Exec(ctx, "COMMIT"); err != nil {
		return l, err
	}
	l.seconds = (took + time.Since(started)).Seconds()
	return l, nil
}

// copyTable copies rows through a file, and returns the time for writing them.
func copyTable(ctx context.Context, src, dst *pgx.Conn, spool, table, where string) (n int64, took time.Duration, err error) {
	f, err := os.Create(spool)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := src.PgConn().CopyTo(ctx, f, "COPY (SELECT * FROM "+table+where+") TO STDOUT (FORMAT binary)"); err != nil {
		return 0, 0, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, 0, err
	}
	started := time.Now()
	tag, err := dst.PgConn().CopyFrom(ctx, f, "COPY "+table+" FROM STDIN (FORMAT binary)")
	return tag.RowsAffected(), time.Since(started), err
}

// bareRows is the number of rows per insert on SQLite.
const bareRows = 500

func bareSQLite(ctx context.Context, from, to string, seq int64, day plan.Day) (l bareLoad, err error) {
	src, err := sql.Open("sqlite", "file:"+from+"?_pragma=query_only(ON)")
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	dst, err := sql.Open("sqlite", "file:"+to+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=fullfsync(ON)&_pragma=wal_autocheckpoint(0)&_pragma=cache_size(-1000000)")
	if err != nil {
		return l, err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	tx, err := dst.BeginTx(ctx, nil)
	if err != nil {
		return l, err
	}
	took := time.Duration(0)
	for _, w := range written(seq, day) {
		n, d, err := insertTable(ctx, src, tx, w.table, w.where)
		if err != nil {
			return l, errors.Join(fmt.Errorf("%s: %w", w.table, err), tx.Rollback())
		}
		if w.table == "income" {
			l.incomes = n
		}
		l.rows, took = l.rows+n, took+d
	}
	started := time.Now()
	err = tx.Commit()
	l.seconds = (took + time.Since(started)).Seconds()
	return l, err
}

func insertTable(ctx context.Context, src *sql.DB, tx *sql.Tx, table, where string) (n int64, took time.Duration, err error) {
	found, err := src.QueryContext(ctx, "SELECT * FROM "+table+where)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	names, err := found.Columns()
	if err != nil {
		return 0, 0, err
	}
	one := ", (?" + strings.Repeat(", ?", len(names)-1) + ")"
	text := func(rows int) string { return "INSERT INTO " + table + " VALUES" + strings.Repeat(one, rows)[1:] }
	stmt, err := tx.PrepareContext(ctx, text(bareRows))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	vals, into := make([]any, bareRows*len(names)), make([]any, len(names))
	for more := true; more; {
		have := 0
		for have < bareRows {
			if more = found.Next(); !more {
				break
			}
			for i := range into {
				into[i] = &vals[have*len(names)+i]
			}
			if err := found.Scan(into...); err != nil {
				return 0, 0, err
			}
			have++
		}
		started := time.Now()
		switch have {
		case 0:
		case bareRows:
			_, err = stmt.ExecContext(ctx, vals...)
		default:
			_, err = tx.ExecContext(ctx, text(have), vals[:have*len(names)]...)
		}
		took += time.Since(started)
		n += int64(have)
		if err != nil {
			return 0, 0, err
		}
	}
	return n, took, found.Err()
}
