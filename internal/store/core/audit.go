package core

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Audit gives fn a reader whose every answer is of one and the same moment,
// whatever is written meanwhile.
func Audit(ctx context.Context, db *engine.DB, fn func(audit.Reader) error) error {
	opts := &sql.TxOptions{ReadOnly: true} // on SQLite: deferred, a snapshot from its first read on
	if db.Engine() == engine.Postgres {
		opts.Isolation = sql.LevelRepeatableRead
	}
	tx, err := db.Reader().BeginTx(ctx, opts)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // it wrote nothing
	return fn(auditReader{tx})
}

type auditReader struct{ tx *sql.Tx }

// auditStrict refuses a value of another type than its column's. SQLite would store a text
// in a number's place, and a query for a text does not find a key stored as bytes.
type auditStrict[T int64 | string | []byte] struct{ to *T }

type auditTypeError struct{ got, want any }

func (e *auditTypeError) Error() string {
	return fmt.Sprintf("holds %s, not %s", auditTypeName(e.got), auditTypeName(e.want))
}

func auditTypeName(v any) string {
	switch v.(type) {
	case nil:
		return "nothing"
	case int64:
		return "a whole number"
	case string:
		return "a text"
	case []byte:
		return "bytes"
	}
	return fmt.Sprintf("a %T", v)
}

func (s auditStrict[T]) Scan(value any) error {
	v, ok := value.(T)
	if !ok {
		return &auditTypeError{value, *new(T)}
	}
	if b, raw := any(v).([]byte); raw {
		v = any(bytes.Clone(b)).(T)
	}
	*s.to = v
	return nil
}

// auditInto makes scan targets that are strict about their types.
func auditInto(targets ...any) []any {
	for i, target := range targets {
		switch t := target.(type) {
		case *int64:
			targets[i] = auditStrict[int64]{t}
		case *string:
			targets[i] = auditStrict[string]{t}
		case *[]byte:
			targets[i] = auditStrict[[]byte]{t}
		}
	}
	return targets
}

// auditList reads rows of a table. A value of a wrong type is a finding, not a
// failure of the database; row says in which row, by what was read of it.
func auditList[T any](ctx context.Context, r auditReader, table string, row func(*T) string, targets func(*T) []any, query string, args ...any) ([]T, error) {
	rows, err := r.tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("audit: %s: %w", table, err)
	}
	defer func() { _ = rows.Close() }()
	var out []T
	var one T
	to := targets(&one)
	for rows.Next() {
		one = *new(T)
		err := rows.Scan(to...)
		var foreign *auditTypeError
		if errors.As(err, &foreign) {
			_, column, _ := strings.Cut(err.Error(), ", name ") // database/sql puts the column there
			return nil, &audit.Finding{Table: table, Row: row(&one), Problem: column}
		}
		if err != nil {
			return nil, fmt.Errorf("audit: %s: %w", table, err)
		}
		out = append(out, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("audit: %s: %w", table, err)
	}
	return out, nil
}

// auditFirst is auditList for a query that gives at most one row of interest.
func auditFirst[T any](ctx context.Context, r auditReader, table string, row func(*T) string, targets func(*T) []any, query string, args ...any) (T, bool, error) {
	rows, err := auditList(ctx, r, table, row, targets, query, args...)
	if err != nil || len(rows) == 0 {
		return *new(T), false, err
	}
	return rows[0], true, nil
}

func (r auditReader) Head(ctx context.Context) (audit.Head, bool, error) {
	return auditFirst(ctx, r, "head", func(*audit.Head) string { return "head" },
		func(h *audit.Head) []any {
			return auditInto(&h.Epoch, &h.Seq, &h.Batch, &h.Accounts, &h.Holds, &h.Entries, &h.Recorded, &h.Hash, &h.Genesis)
		},
		"SELECT epoch, seq, batch, accounts, holds, entries, recorded_at, hash, genesis FROM head WHERE id = 1")
}

func (r auditReader) Batches(ctx context.Context, no int64, limit int) ([]audit.Batch, error) {
	return auditList(ctx, r, "batch", func(b *audit.Batch) string { return fmt.Sprintf("batch %d", b.No) },
		func(b *audit.Batch) []any {
			return auditInto(&b.No, &b.Epoch, &b.First, &b.Last, &b.Commands, &b.Recorded, &b.Prev, &b.Root, &b.Hash, &b.KeyID, &b.Signature)
		},
		`SELECT no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature
		FROM batch WHERE no >= $1 ORDER BY no LIMIT $2`, no, limit)
}

func (r auditReader) Transfers(ctx context.Context, from, to int64) ([]audit.Transfer, error) {
	return auditList(ctx, r, "transfer", func(t *audit.Transfer) string { return fmt.Sprintf("transfer %d", t.Seq) },
		func(t *audit.Transfer) []any {
			return auditInto(&t.Seq, &t.ID, &t.Batch, &t.Actor, &t.Key, &t.Kind, &t.Reason, &t.Reference,
				&t.Effective, &t.Recorded, &t.Reverses, &t.Legs, &t.Leaf)
		},
		`SELECT seq, id, batch, actor, command_key, kind, reason, reference, effective_at, recorded_at, reverses, legs, leaf
		FROM transfer WHERE seq BETWEEN $1 AND $2 ORDER BY seq`, from, to)
}

// auditEntry reads an entry's LEFT JOIN with its account.
type auditEntry struct {
	audit.Entry
	known int64
}

func (r auditReader) Entries(ctx context.Context, from, to int64) ([]audit.Entry, error) {
	rows, err := auditList(ctx, r, "entry",
		func(e *auditEntry) string { return fmt.Sprintf("account id %d version %d", e.Account, e.Version) },
		func(e *auditEntry) []any {
			return auditInto(&e.Account, &e.Version, &e.Seq, &e.Leg, &e.Kind, &e.Owner, &e.Beneficiary,
				&e.Delta, &e.HeldDelta, &e.BalanceAfter, &e.HeldAfter, &e.Hold, &e.Code, &e.known)
		},
		`SELECT e.account, e.version, e.seq, e.leg, e.kind, e.owner, e.beneficiary, e.delta, e.held_delta,
			e.balance_after, e.held_after, e.hold, COALESCE(a.code, ''), CASE WHEN a.id IS NULL THEN 0 ELSE 1 END
		FROM entry e LEFT JOIN account a ON a.id = e.account
		WHERE e.seq BETWEEN $1 AND $2 ORDER BY e.seq, e.leg, e.account, e.version`, from, to)
	if err != nil {
		return nil, err
	}
	entries := make([]audit.Entry, len(rows))
	for i := range rows {
		entries[i] = rows[i].Entry
		entries[i].Known = rows[i].known == 1
	}
	return entries, nil
}

func (r auditReader) Commands(ctx context.Context, from, to int64) ([]audit.Command, error) {
	return auditList(ctx, r, "command",
		func(c *audit.Command) string { return fmt.Sprintf("command %d of batch %d", c.N, c.Batch) },
		func(c *audit.Command) []any {
			return auditInto(&c.Batch, &c.N, &c.Actor, &c.Key, &c.Request, &c.Response, &c.First, &c.Last, &c.Recorded, &c.Leaf)
		},
		`SELECT batch, n, actor, command_key, request, response, first_seq, last_seq, recorded_at, leaf
		FROM command WHERE batch BETWEEN $1 AND $2 ORDER BY batch, n, actor, command_key`, from, to)
}

func auditAccountName(a *audit.Account) string { return fmt.Sprintf("account id %d", a.ID) }
func auditHoldName(h *audit.Hold) string       { return fmt.Sprintf("hold %d", h.ID) }

func auditAccountFields(a *audit.Account) []any {
	return []any{&a.ID, &a.Code, &a.Kind, &a.Owner, &a.Posted, &a.Held, &a.Floor, &a.Version}
}

func auditHoldFields(h *audit.Hold) []any {
	return []any{&h.ID, &h.Account, &h.Amount, &h.State, &h.Expires, &h.Placed, &h.Resolved}
}

func (r auditReader) Accounts(ctx context.Context, after int64, limit int) ([]audit.Account, error) {
	return auditList(ctx, r, "account", auditAccountName, func(a *audit.Account) []any { return auditInto(auditAccountFields(a)...) },
		`SELECT id, code, kind, owner, posted, held, floor, version FROM account WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)
}

func (r auditReader) Holds(ctx context.Context, after int64, limit int) ([]audit.Hold, error) {
	return auditList(ctx, r, "hold", auditHoldName, func(h *audit.Hold) []any { return auditInto(auditHoldFields(h)...) },
		`SELECT id, account, amount, state, expires_at, placed, resolved FROM hold WHERE id > $1 ORDER BY id LIMIT $2`, after, limit)
}

func (r auditReader) Counts(ctx context.Context) (audit.Counts, error) {
	n, _, err := auditFirst(ctx, r, "all", func(*audit.Counts) string { return "counts" },
		func(n *audit.Counts) []any {
			return auditInto(&n.Batches, &n.Transfers, &n.Entries, &n.Accounts, &n.Holds, &n.Commands, &n.Claimed)
		},
		`SELECT (SELECT COUNT(*) FROM batch), (SELECT COUNT(*) FROM transfer), (SELECT COUNT(*) FROM entry),
			(SELECT COUNT(*) FROM account), (SELECT COUNT(*) FROM hold), (SELECT COUNT(*) FROM command),
			(SELECT CAST(COALESCE(SUM(commands), 0) AS BIGINT) FROM batch)`)
	return n, err
}

// auditStrays tells where to look for rows outside the chain: by which number
// a table follows it, and how its rows are named by that and a second number.
var auditStrays = []struct{ table, by, then, name string }{
	{"batch", "no", "no", "batch %[1]d"},
	{"transfer", "seq", "seq", "transfer %[1]d"},
	{"entry", "seq", "leg", "transfer %[1]d leg %[2]d"},
	{"command", "batch", "n", "command %[2]d of batch %[1]d"},
	{"head", "id", "id", "head %[1]d"},
}

type auditPair struct{ a, b int64 }

func (p *auditPair) fields() []any { return auditInto(&p.a, &p.b) }

func (r auditReader) Outside(ctx context.Context, seq, batch int64) (audit.Stray, bool, error) {
	last := map[string]int64{"no": batch, "batch": batch, "seq": seq, "id": 1}
	for _, s := range auditStrays {
		for i, bound := range []int64{1, last[s.by]} {
			p, found, err := auditFirst(ctx, r, s.table, func(*auditPair) string { return "a row outside the ledger" }, (*auditPair).fields,
				"SELECT "+s.by+", "+s.then+" FROM "+s.table+" WHERE "+s.by+[]string{" < ", " > "}[i]+"$1 ORDER BY "+s.by+", "+s.then+" LIMIT 1", bound)
			if err != nil || found {
				return audit.Stray{Table: s.table, Row: fmt.Sprintf(s.name, p.a, p.b)}, found, err
			}
		}
	}
	return audit.Stray{}, false, nil
}

type auditRepeat struct{ value, now, before string }

func (p *auditRepeat) fields() []any { return auditInto(&p.value, &p.now, &p.before) }

type auditRepeatQuery struct{ table, column, query string }

// repeat runs the queries until one finds something. Each gives the value, the
// later row and the earlier one.
func (r auditReader) repeat(ctx context.Context, q auditRepeatQuery, args ...any) (audit.Repeat, bool, error) {
	p, found, err := auditFirst(ctx, r, q.table, func(*auditRepeat) string { return "a repeated value" }, (*auditRepeat).fields, q.query, args...)
	return audit.Repeat{Table: q.table, Row: p.now, Column: q.column, Value: p.value, Other: p.before}, found, err
}

var auditRepeated = []auditRepeatQuery{
	{
		"transfer", "id",
		`SELECT id, 'transfer ' || CAST(MAX(seq) AS TEXT), 'transfer ' || CAST(MIN(seq) AS TEXT)
		FROM transfer GROUP BY id HAVING COUNT(*) > 1 ORDER BY MAX(seq) LIMIT 1`,
	},
	{
		"command", "command_key",
		`SELECT command_key, 'command of batch ' || CAST(MAX(batch) AS TEXT) || ' (actor "' || actor || '")', 'batch ' || CAST(MIN(batch) AS TEXT)
		FROM command GROUP BY actor, command_key HAVING COUNT(*) > 1 ORDER BY MAX(batch) LIMIT 1`,
	},
	{
		"account", "code",
		`SELECT code, 'account id ' || CAST(MAX(id) AS TEXT), 'account id ' || CAST(MIN(id) AS TEXT)
		FROM account GROUP BY code HAVING COUNT(*) > 1 ORDER BY MAX(id) LIMIT 1`,
	},
}

func (r auditReader) Repeated(ctx context.Context) (audit.Repeat, bool, error) {
	for _, q := range auditRepeated {
		if p, found, err := r.repeat(ctx, q); err != nil || found {
			return p, found, err
		}
	}
	return audit.Repeat{}, false, nil
}

// auditRepeatedIn is as auditRepeated, for rows of transfers $1 … $2 or batches
// $1 … $2 against those before them; unique indexes make it cheap.
var auditRepeatedIn = struct{ id, code, key auditRepeatQuery }{
	auditRepeatQuery{
		"transfer", "id",
		`SELECT t.id, 'transfer ' || CAST(t.seq AS TEXT), 'transfer ' || CAST(o.seq AS TEXT)
		FROM transfer t JOIN transfer o ON o.id = t.id AND o.seq < t.seq
		WHERE t.seq BETWEEN $1 AND $2 ORDER BY t.seq LIMIT 1`,
	},
	auditRepeatQuery{
		"account", "code",
		`SELECT a.code, 'account id ' || CAST(a.id AS TEXT), 'account id ' || CAST(o.id AS TEXT)
		FROM account a JOIN account o ON o.code = a.code AND o.id < a.id
		WHERE a.id IN (SELECT account FROM entry WHERE seq BETWEEN $1 AND $2) ORDER BY a.id LIMIT 1`,
	},
	auditRepeatQuery{
		"command", "command_key",
		`SELECT c.command_key, 'command ' || CAST(c.n AS TEXT) || ' of batch ' || CAST(c.batch AS TEXT), 'command ' || CAST(o.n AS TEXT) || ' of batch ' || CAST(o.batch AS TEXT)
		FROM command c JOIN command o ON o.actor = c.actor AND o.command_key = c.command_key AND (o.batch < c.batch OR (o.batch = c.batch AND o.n < c.n))
		WHERE c.batch BETWEEN $1 AND $2 ORDER BY c.batch, c.n LIMIT 1`,
	},
}

func (r auditReader) RepeatedIn(ctx context.Context, from, to, fromBatch, toBatch int64) (audit.Repeat, bool, error) {
	if p, found, err := r.repeat(ctx, auditRepeatedIn.id, from, to); err != nil || found {
		return p, found, err
	}
	if p, found, err := r.repeat(ctx, auditRepeatedIn.code, from, to); err != nil || found {
		return p, found, err
	}
	return r.repeat(ctx, auditRepeatedIn.key, fromBatch, toBatch)
}

// Sides sums whole dollars and the rest apart: one sum of micro-dollars could
// overflow, which SQLite refuses and PostgreSQL answers with another type.
func (r auditReader) Sides(ctx context.Context) (assets, others audit.Total, err error) {
	type sides struct{ assets, others audit.Total }
	s, _, err := auditFirst(ctx, r, "account", func(*sides) string { return "all accounts" },
		func(s *sides) []any {
			return auditInto(&s.assets.Dollars, &s.assets.Micros, &s.others.Dollars, &s.others.Micros)
		},
		`SELECT CAST(COALESCE(SUM(CASE WHEN substr(code, 1, 2) = 'A:' THEN posted / 1000000 END), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN substr(code, 1, 2) = 'A:' THEN posted % 1000000 END), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN substr(code, 1, 2) <> 'A:' THEN posted / 1000000 END), 0) AS BIGINT),
			CAST(COALESCE(SUM(CASE WHEN substr(code, 1, 2) <> 'A:' THEN posted % 1000000 END), 0) AS BIGINT)
		FROM account`)
	return s.assets, s.others, err
}

func (r auditReader) ReversedBy(ctx context.Context, seq int64) (int64, error) {
	n, _, err := auditFirst(ctx, r, "transfer", func(*auditPair) string { return "a reversal" }, (*auditPair).fields,
		"SELECT COALESCE(MIN(seq), 0), 0 FROM transfer WHERE reverses = $1 AND reverses > 0", seq)
	return n.a, err
}

func (r auditReader) Near(ctx context.Context, account, version, reach int64) ([]int64, error) {
	rows, err := auditList(ctx, r, "entry", func(*auditPair) string { return fmt.Sprintf("account id %d", account) }, (*auditPair).fields,
		"SELECT seq, version FROM entry WHERE account = $1 AND version BETWEEN $2 AND $3 AND version <> $4 ORDER BY version",
		account, version-reach, version+reach, version)
	seqs := make([]int64, len(rows))
	for i := range rows {
		seqs[i] = rows[i].a
	}
	return seqs, err
}

func (r auditReader) Befores(ctx context.Context, from, to int64) ([]audit.Before, error) {
	return auditList(ctx, r, "entry", func(b *audit.Before) string { return fmt.Sprintf("account id %d version %d", b.Account, b.Version) },
		func(b *audit.Before) []any { return auditInto(&b.Account, &b.Version, &b.Balance, &b.Held) },
		`SELECT p.account, p.version, p.balance_after, p.held_after
		FROM entry e JOIN entry p ON p.account = e.account AND p.version = e.version - 1
		WHERE e.seq BETWEEN $1 AND $2 AND p.seq < $1 ORDER BY p.account, p.version`, from, to)
}

func (r auditReader) Traces(ctx context.Context, from, to int64) ([]audit.Trace, error) {
	return auditList(ctx, r, "hold", func(t *audit.Trace) string { return auditHoldName(&t.Hold) },
		func(t *audit.Trace) []any {
			return auditInto(append(auditHoldFields(&t.Hold), &t.Place.Account, &t.Place.HeldDelta,
				&t.Release.Account, &t.Release.HeldDelta, &t.Release.Kind, &t.Follows)...)
		},
		`SELECT h.id, h.account, h.amount, h.state, h.expires_at, h.placed, h.resolved, COALESCE(p.account, 0), COALESCE(p.held_delta, 0),
			COALESCE(r.account, 0), COALESCE(r.held_delta, 0), COALESCE(t.kind, ''), COALESCE(b.id, 0)
		FROM hold h
		LEFT JOIN entry p ON p.seq = h.placed AND p.hold = h.id
		LEFT JOIN entry r ON r.seq = h.resolved AND r.hold = h.id
		LEFT JOIN transfer t ON t.seq = h.resolved
		LEFT JOIN hold b ON b.id = h.id - 1
		WHERE h.id IN (SELECT hold FROM entry WHERE seq BETWEEN $1 AND $2 AND hold <> 0) ORDER BY h.id`, from, to)
}

const auditTails = `SELECT a.id, a.code, a.kind, a.owner, a.posted, a.held, a.floor, a.version,
		COALESCE(e.version, 0), COALESCE(e.balance_after, 0), COALESCE(e.held_after, 0)
	FROM account a LEFT JOIN entry e ON e.account = a.id
		AND e.version = (SELECT MAX(m.version) FROM entry m WHERE m.account = a.id)`

func (r auditReader) tails(ctx context.Context, where string, args ...any) ([]audit.Tail, error) {
	return auditList(ctx, r, "account", func(t *audit.Tail) string { return auditAccountName(&t.Account) },
		func(t *audit.Tail) []any {
			return auditInto(append(auditAccountFields(&t.Account), &t.Latest.Version, &t.Latest.Balance, &t.Latest.Held)...)
		}, auditTails+where, args...)
}

func (r auditReader) TailsIn(ctx context.Context, from, to int64) ([]audit.Tail, error) {
	return r.tails(ctx, " WHERE a.id IN (SELECT account FROM entry WHERE seq BETWEEN $1 AND $2) ORDER BY a.id", from, to)
}

func (r auditReader) Tails(ctx context.Context, after int64, limit int) ([]audit.Tail, error) {
	return r.tails(ctx, " WHERE a.id > $1 ORDER BY a.id LIMIT $2", after, limit)
}
