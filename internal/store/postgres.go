package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// leaseLock is the advisory lock that says who is the sequencer of a database.
const leaseLock = 0x6269666f6c6961 // "bifolia"

const idlePostgres = 8

func openPostgres(ctx context.Context, dsn string) (*DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errs.New(errs.Invalid, "The database address is wrong: %s", redact(firstLine(err), dsn))
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "bifolia"
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	pool := stdlib.OpenDB(*cfg, stdlib.OptionAfterConnect(assumeRole))
	pool.SetMaxOpenConns(24)
	pool.SetMaxIdleConns(idlePostgres)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db := &DB{engine: enginePostgres, pg: cfg, write: pool, read: pool}
	if err := db.Ping(ctx); err != nil {
		_ = pool.Close()
		where := fmt.Sprintf("%s at %s:%d", cfg.Database, cfg.Host, cfg.Port)
		return nil, unreachable(where, errors.New(redact(firstLine(err), dsn)))
	}
	return db, nil
}

// writerSettings: every statement of a group aims at rows by key. The planner,
// which cannot know how long the arrays are, would now and then read a whole
// table instead.
const writerSettings = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan"

// writePostgres sends the whole group in one round trip, unless it is so large
// that COPY is faster for the rows it adds.
func (g *groupTx) writePostgres(ctx context.Context, group *ledger.Group) error {
	added := groupRows(group)
	fenced := false
	err := g.w.conn.Raw(func(driver any) error {
		conn := driver.(*stdlib.Conn).Conn()
		var todo []statement
		if !g.begun {
			todo = append(todo, statement{sql: "BEGIN", want: anyCount})
		}
		if len(group.Entries) > copyAbove {
			if err := runStatements(ctx, conn, todo, nil); err != nil {
				return err
			}
			g.begun, todo = true, nil
			if err := copyRows(ctx, conn, added); err != nil {
				return err
			}
		} else {
			for _, r := range added {
				if r.len() > 0 {
					todo = append(todo, statement{sql: r.t.array, args: r.arrays(), want: anyCount})
				}
			}
		}
		todo = append(todo, guardedWrites(group)...)
		g.begun = true // whatever the answer, the server may have begun: Rollback ends it
		return runStatements(ctx, conn, todo, &fenced)
	})
	switch {
	case err != nil:
		return g.lost(err)
	case fenced:
		return ledger.ErrFenced
	}
	return nil
}

// statement is one write and the number of rows it must hit.
type statement struct {
	sql   string
	args  []any
	want  int64
	what  string
	fence bool
}

const anyCount = -1

// guardedWrites change rows of earlier groups, add the batch and pass the fence.
func guardedWrites(group *ledger.Group) []statement {
	var out []statement
	if args, n := changedAccounts(group); n > 0 {
		out = append(out, statement{sql: accountUpdate, args: args, want: int64(n), what: "accounts"})
	}
	if args, n := resolvedHolds(group); n > 0 {
		out = append(out, statement{sql: holdUpdate, args: args, want: int64(n), what: "holds"})
	}
	return append(out,
		statement{sql: batchInsert, args: batchArgs(&group.Batch), want: 1, what: "batch"},
		statement{sql: fenceUpdate, args: fenceArgs(group), want: anyCount, fence: true})
}

// runStatements sends all statements in one round trip.
func runStatements(ctx context.Context, conn *pgx.Conn, todo []statement, fenced *bool) error {
	var b pgx.Batch
	for _, s := range todo {
		b.Queue(s.sql, s.args...)
	}
	results := conn.SendBatch(ctx, &b)
	for _, s := range todo {
		tag, err := results.Exec()
		if err == nil && s.want != anyCount {
			err = expectRows(tag.RowsAffected(), s.want, nil, s.what)
		}
		if err != nil {
			return errors.Join(err, results.Close())
		}
		if s.fence {
			*fenced = tag.RowsAffected() != 1
		}
	}
	return results.Close()
}

// copyAbove is how many entries make COPY worth its round trips.
const copyAbove = 2000

// copyRows adds the rows by COPY.
func copyRows(ctx context.Context, conn *pgx.Conn, added []*rows) error {
	for _, r := range added {
		if r.len() == 0 {
			continue
		}
		width := len(r.t.cols)
		src := pgx.CopyFromSlice(r.len(), func(i int) ([]any, error) { return r.vals[i*width : (i+1)*width], nil })
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{r.t.name}, r.t.names(), src); err != nil {
			return err
		}
	}
	return nil
}

const (
	accountUpdate = `UPDATE account AS a SET posted = v.posted, held = v.held, version = v.version
		FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::bigint[]) AS posted, unnest($3::bigint[]) AS held,
			unnest($4::bigint[]) AS version, unnest($5::bigint[]) AS was) AS v
		WHERE a.id = v.id AND a.version = v.was`
	holdUpdate = `UPDATE hold AS h SET state = v.state, resolved = v.resolved
		FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::text[]) AS state, unnest($3::bigint[]) AS resolved) AS v
		WHERE h.id = v.id AND h.state = 'open'`
)

// leadPostgres takes the lease as an advisory lock of a session of its own: if
// the process or its connection dies, PostgreSQL lets go of it.
func leadPostgres(ctx context.Context, db *DB) (<-chan struct{}, func(), error) {
	conn, err := db.write.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	var got bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", int64(leaseLock)).Scan(&got); err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	if !got {
		_ = conn.Close()
		return nil, nil, ledger.ErrLeased
	}
	lost, quit, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go watchLease(conn, lost, quit, ended)
	release := func() {
		close(quit)
		<-ended
	}
	return lost, release, nil
}

// watchLease asks the session once a second whether it still lives.
func watchLease(conn *sql.Conn, lost, quit, ended chan struct{}) {
	defer close(ended)
	defer func() { _ = conn.Close() }()
	for {
		select {
		case <-quit:
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", int64(leaseLock))
			cancel()
			if err != nil { // a session that may still hold the lock must not go back to the pool
				_ = conn.Raw(func(any) error { return errBadConn })
			}
			return
		case <-time.After(time.Second):
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		_, err := conn.ExecContext(ctx, "SELECT 1")
		cancel()
		if err != nil {
			close(lost)
			<-quit
			return
		}
	}
}

// pgCode is PostgreSQL's error code in err, or "".
func pgCode(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
