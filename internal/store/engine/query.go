package engine

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Stores read through a Querier: within a command its group, elsewhere the pool of
// readers. They write only within a command.

// Querier runs SQL.
type Querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// GroupOf is the transaction that a command writes in.
func GroupOf(tx *ledger.Tx) *Group { return tx.Rows().(*Group) }

// readers are the pool of connections that only read. Statements are prepared
// once and again on each connection by database/sql.
type readers struct {
	pool  *sql.DB
	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

// maxStatements bounds what is kept prepared: statements whose text depends on
// how many values they carry must not fill the memory.
const maxStatements = 500

func (r *readers) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	r.mu.RLock()
	s, n := r.stmts[query], len(r.stmts)
	r.mu.RUnlock()
	if s == nil && n < maxStatements {
		var err error
		if s, err = r.prepare(ctx, query); err != nil {
			return nil, err
		}
	}
	if s == nil {
		return r.pool.QueryContext(ctx, query, args...)
	}
	return s.QueryContext(ctx, args...)
}

func (r *readers) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.stmts[query]; s != nil {
		return s, nil
	}
	s, err := r.pool.PrepareContext(ctx, query) //nolint:sqlclosecheck // lives as long as the pool
	if err != nil {
		return nil, err
	}
	if r.stmts == nil {
		r.stmts = map[string]*sql.Stmt{}
	}
	r.stmts[query] = s
	return s, nil
}

// From reads within a command, or without one what is committed.
func (db *DB) From(tx *ledger.Tx) Querier {
	if tx == nil {
		return &db.Rows
	}
	return GroupOf(tx)
}

// scanned are the rows of query, one by one. An error ends them.
func scanned[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		found, err := q.Query(ctx, query, args...)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = found.Close() }() // of rows that were read to their end it was done, and Err has its error
		for found.Next() {
			v, err := scan(found)
			if !yield(v, err) || err != nil {
				return
			}
		}
		err = found.Err()
		if g, ok := q.(*Group); ok {
			err = g.classify(err)
		}
		if err != nil {
			yield(none, err)
		}
	}
}

// Each yields the rows of query one by one: a table may be too large to hold.
func Each[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), yield func(T) error, query string, args ...any) error {
	for v, err := range scanned(ctx, q, scan, query, args...) {
		if err == nil {
			err = yield(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func List[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), query string, args ...any) (all []T, err error) {
	for v, err := range scanned(ctx, q, scan, query, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// First is the first row of query, or false when there is none.
func First[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), query string, args ...any) (v T, found bool, err error) {
	for v, err := range scanned(ctx, q, scan, query, args...) {
		return v, err == nil, err
	}
	return v, false, nil
}

// Value is the first row of query, or zero when there is none.
func Value[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), query string, args ...any) (T, error) {
	v, _, err := First(ctx, q, scan, query, args...)
	return v, err
}

// ExecOne runs a write that must hit exactly one row.
func ExecOne(ctx context.Context, g *Group, what, query string, args ...any) error {
	n, err := g.Exec(ctx, query, args...)
	if err != nil {
		return err
	}
	return ExpectOne(n, what)
}

// ExpectOne is the error of a write that did not hit the one row it was for.
func ExpectOne(n int64, what string) error {
	if n != 1 {
		return fmt.Errorf("%s: %d rows written, not 1", what, n)
	}
	return nil
}

// BoolInt is how a bool is stored.
func BoolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// ListSize is how long a list of n is made by repeating its last: a power of two, so
// that there are few statements, however long lists are.
func ListSize(n int) int {
	size := 1
	for size < n {
		size *= 2
	}
	return size
}

// Placeholders is ($1, $2, …) counted from first.
func Placeholders(first, n int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(first+i))
	}
	b.WriteByte(')')
	return b.String()
}

// ScanCount reads a row of one number.
func ScanCount(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func ScanText(r *sql.Rows) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

func ScanBytes(r *sql.Rows) (b []byte, err error) {
	err = r.Scan(&b)
	return b, err
}

// Micros is how an instant is stored; 0 for never.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Instant is a stored instant; the zero time for never.
func Instant(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

type Total struct{ Count, Sum int64 }

// ScanTotal reads a row of a count and a sum.
func ScanTotal(r *sql.Rows) (t Total, err error) {
	err = r.Scan(&t.Count, &t.Sum)
	return t, err
}
