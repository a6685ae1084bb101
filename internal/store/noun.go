package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/bifolia/bifolia/internal/ledger"
)

// Stores of nouns read through a querier: within a command that is its group,
// elsewhere the readers. They write only within a command.

// querier runs SQL.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// groupOf is the transaction that a command writes in.
func groupOf(tx *ledger.Tx) *groupTx { return tx.Rows().(*groupTx) }

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

// list runs query and scans each row.
func list[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) (out []T, err error) {
	found, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, found.Err()
}

// first is the first row of query, or false when there is none.
func first[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) (v T, found bool, err error) {
	all, err := list(ctx, q, scan, query, args...)
	if err != nil || len(all) == 0 {
		return v, false, err
	}
	return all[0], true, nil
}

// mustHit is the error of a write that did not hit the one row it was for.
func mustHit(n int64, what string) error {
	if n != 1 {
		return fmt.Errorf("%s: %d rows written, not 1", what, n)
	}
	return nil
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
