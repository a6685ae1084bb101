package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// leaseLock is the advisory lock of a database's sequencer.
const leaseLock = 0x6269666f6c6961 // "bifolia"

// idlePostgres is as many as may be open: opening a connection takes ten times
// as long as a query, and under load those above a lower bound would be closed
// and opened all the time. Connections that are idle for a while are closed anyway.
const (
	maxPostgres  = 24
	idlePostgres = maxPostgres
)

func openPostgres(ctx context.Context, dsn string) (*DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errs.New(errs.Invalid, "database.address_wrong", "The database address is wrong: {reason}", "reason", redact(oneLine(err), dsn))
	}
	if !guardedTransport(cfg) {
		return nil, errs.New(errs.Invalid, "database.address_insecure", "The database is on another machine: add sslmode=verify-full (or verify-ca, require) to its address, or passwords and all rows cross the network readable.")
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "bifolia"
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	cfg.OnNotice = noteAlone
	pool := stdlib.OpenDB(*cfg, stdlib.OptionAfterConnect(prepareConn))
	pool.SetMaxOpenConns(maxPostgres)
	pool.SetMaxIdleConns(idlePostgres)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db := &DB{engine: Postgres, pg: cfg, Write: pool, read: pool}
	db.Rows.pool = pool
	if err := db.Ping(ctx); err != nil {
		_ = pool.Close()
		where := fmt.Sprintf("%s at %s:%d", cfg.Database, cfg.Host, cfg.Port)
		return nil, unreachable(where, errors.New(redact(oneLine(err), dsn)))
	}
	return db, nil
}

// guardedTransport tells whether every way to the server that may be tried is
// encrypted or stays on this machine: whatever the address, the environment and a
// service file have come to together.
func guardedTransport(cfg *pgx.ConnConfig) bool {
	here := func(host string) bool {
		ip, err := netip.ParseAddr(host)
		return host == "localhost" || strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || err == nil && ip.Unmap().IsLoopback()
	}
	guarded := cfg.TLSConfig != nil || here(cfg.Host)
	for _, other := range cfg.Fallbacks {
		guarded = guarded && (other.TLSConfig != nil || here(other.Host))
	}
	return guarded
}

// poolSettings: a statement is planned once and not for each member who asks. Of
// one who has a large share of a table PostgreSQL knows it, and would walk
// everybody's rows to find theirs, or compile what it then takes for dear.
const poolSettings = "SET plan_cache_mode = force_generic_plan; SET jit = off"

// prepareConn runs on every new connection of the server's pool.
func prepareConn(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, poolSettings); err != nil {
		return err
	}
	return assumeRole(ctx, conn)
}

// writerSettings: every statement of a group aims at rows by key. The planner,
// which cannot know how long the arrays are, would now and then read a whole
// table instead.
const writerSettings = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off"

// commitPostgres sends the whole group in one round trip; a group so large that
// COPY is faster takes some more. If no transaction is open, all that one sync
// ends is one. Whatever goes wrong before that is an error to the server, which
// then commits nothing.
func (g *Group) commitPostgres(ctx context.Context, group *ledger.Group) error {
	asked := false // whether the server may have been told to commit
	err := g.w.conn.Raw(func(driver any) error {
		conn := driver.(*stdlib.Conn).Conn()
		all, err := g.whole(ctx, conn, group)
		if err != nil {
			return err
		}
		asked = true
		return sendAll(ctx, conn, all)
	})
	switch {
	case err == nil:
		g.ended = true
		return nil
	case isConnectionError(err):
		g.ended = true
		g.DB.dropWriter(g.w)
		if !asked {
			return Classify(err)
		}
		return errors.Join(ledger.ErrUnknown, err)
	case isFence(err):
		return fmt.Errorf("%w: %w", ledger.ErrFenced, err)
	}
	return Classify(err)
}

// sendAll runs a batch whose one sync ends it. Only nil means that the server did
// everything and committed.
func sendAll(ctx context.Context, conn *pgx.Conn, all *pgx.Batch) error {
	if err := conn.SendBatch(ctx, all).Close(); err != nil {
		if pgCode(err) == "" {
			return errors.Join(err, errBadConn) // how much of it arrived is not known
		}
		return err
	}
	if status := conn.PgConn().TxStatus(); status != 'I' {
		return fmt.Errorf("the transaction did not end (%c): %w", status, errBadConn)
	}
	if unreplicated(conn.PgConn()) {
		return errors.Join(errAlone, errBadConn)
	}
	return nil
}

// whole is everything that is to be sent for the group. The rows of a large group
// go ahead, by COPY.
func (g *Group) whole(ctx context.Context, conn *pgx.Conn, group *ledger.Group) (*pgx.Batch, error) {
	added := groupRows(group)
	if len(group.Entries) > copyAbove {
		if !g.begun {
			if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
				return nil, err
			}
			g.begun = true
		}
		for _, b := range added {
			if b.n == 0 {
				continue
			}
			if err := copyRows(ctx, conn, b); err != nil {
				return nil, err
			}
		}
		added = nil
	}
	all := &pgx.Batch{}
	for rows := range slices.Chunk(g.noted(), 10_000) {
		all.Queue(noteMany, rows, group.Batch.No)
	}
	queueGroup(all, added, group)
	if g.begun {
		all.Queue("COMMIT")
	}
	return all, nil
}

// queueGroup adds the group's rows, changes rows of earlier groups, adds the batch
// and passes the fence. If a row to change is not what the ledger left, or the
// head is not, the head's id becomes 0, which its check refuses: the server
// itself then stops short of the COMMIT that is already on its way.
func queueGroup(all *pgx.Batch, added []bulk, g *ledger.Group) {
	for _, b := range added {
		switch {
		case b.n == 0:
		case b.n <= valuesUpTo:
			all.Queue(b.t.values[b.n], b.all().Vals...)
		default:
			all.Queue(b.t.array, b.all().arrays()...)
		}
	}
	all.Queue(batchInsert, batchArgs(&g.Batch)...)
	accounts, na := changedAccounts(g)
	holds, nh := resolvedHolds(g)
	switch {
	case nh > 0:
		args := append(append(accounts, int64(na)), append(holds, int64(nh))...)
		all.Queue(sealHolds, append(args, fenceArgs(g)...)...)
	case na > 0:
		all.Queue(sealAccounts, append(append(accounts, int64(na)), fenceArgs(g)...)...)
	default:
		all.Queue(sealBare, fenceArgs(g)...)
	}
}

// valuesUpTo is how many rows are written as VALUES. More of them go as one
// array per column, which costs more to begin and less per row.
const valuesUpTo = 6

const (
	accountUpdate = `changed AS (UPDATE account AS a SET posted = v.posted, held = v.held, version = v.version
		FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::bigint[]) AS posted, unnest($3::bigint[]) AS held,
			unnest($4::bigint[]) AS version, unnest($5::bigint[]) AS was,
			unnest($6::bigint[]) AS was_posted, unnest($7::bigint[]) AS was_held) AS v
		WHERE a.id = v.id AND a.version = v.was AND a.posted = v.was_posted AND a.held = v.was_held RETURNING 1)`
	holdUpdate = `resolved AS (UPDATE hold AS h SET state = v.state, resolved = v.resolved
		FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::text[]) AS state, unnest($3::bigint[]) AS resolved) AS v
		WHERE h.id = v.id AND h.state = 'open' RETURNING 1)`
	headUpdate = `UPDATE head SET seq = $1, batch = $2, accounts = $3, holds = $4, entries = $5, recorded_at = $6, hash = $7, frozen = $8,
		id = CASE WHEN epoch = $9 AND seq = $10 AND batch = $11 AND hash = $12 AND frozen = $13`
	headEnd = ` THEN 1 ELSE 0 END WHERE id = 1`
)

// The three ways to seal a group: it changes accounts and holds, accounts only,
// or neither.
var (
	sealBare     = headUpdate + headEnd
	sealAccounts = "WITH " + accountUpdate + "\n" + shift(headUpdate, 8) + " AND (SELECT COUNT(*) FROM changed) = $8::bigint" + headEnd
	sealHolds    = "WITH " + accountUpdate + ",\n" + shift(holdUpdate, 8) + "\n" + shift(headUpdate, 12) +
		" AND (SELECT COUNT(*) FROM changed) = $8::bigint AND (SELECT COUNT(*) FROM resolved) = $12::bigint" + headEnd
)

var placeholder = regexp.MustCompile(`\$(\d+)`)

// shift renumbers the parameters of a statement that becomes part of another.
func shift(text string, by int) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		n, err := strconv.Atoi(p[1:])
		if err != nil {
			return p
		}
		return "$" + strconv.Itoa(n+by)
	})
}

// isFence: the head's own check refused.
func isFence(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.TableName == "head" && e.Code == "23514"
}

// copyAbove is how many entries make COPY worth its round trips.
const copyAbove = 2000

// leadPostgres takes the lease as an advisory lock of a separate session: if the process
// or its connection ends, PostgreSQL releases it.
func leadPostgres(ctx context.Context, db *DB) (<-chan struct{}, func(), error) {
	conn, err := db.Write.Conn(ctx)
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
	expired, quit, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go watchLease(conn, func() { db.Epoch.Store(0); close(expired) }, quit, ended) //nolint:gosec // the lease outlives the call that took it
	release := func() {
		close(quit)
		<-ended
	}
	return expired, release, nil
}

// watchLease pings the session once a second.
func watchLease(conn *sql.Conn, expired func(), quit, ended chan struct{}) {
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
			expired()
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

// A commit on PostgreSQL waits for a synchronous standby, but the wait can be
// ended from outside (pg_cancel_backend, a shutdown): the server then answers as
// if all were well, after a notice that only it has the commit. Such an answer
// must not count as durable.

// errAlone is a commit that no standby has confirmed.
var errAlone = errors.New("the wait for the synchronous standby was cancelled: the commit may be on this server alone")

const aloneMark = "bifolia.unreplicated"

// noteAlone remembers the notice on its connection. The name of the server's
// function is the same in every language; the text is not.
func noteAlone(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		conn.CustomData()[aloneMark] = true
	}
}

// unreplicated tells once whether a commit on this connection was not replicated.
func unreplicated(conn *pgconn.PgConn) bool {
	_, alone := conn.CustomData()[aloneMark]
	delete(conn.CustomData(), aloneMark)
	return alone
}

// replicated runs one statement that commits by itself. nil means that its commit
// is wherever commits have to be.
func (db *DB) replicated(ctx context.Context, run func(q queryer) error) (err error) {
	if db.engine != Postgres {
		return run(db.Write)
	}
	conn, err := db.Write.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := run(conn); err != nil {
		return err
	}
	return conn.Raw(func(driver any) error {
		if unreplicated(driver.(*stdlib.Conn).Conn().PgConn()) {
			return errAlone
		}
		return nil
	})
}
