package engine

import (
	"context"
	"database/sql"
	"errors"
)

// snapshot runs f on what is committed at one moment.
func (db *DB) Snapshot(ctx context.Context, f func(Querier) error) (err error) {
	level := sql.LevelDefault
	if db.Engine() == Postgres {
		level = sql.LevelRepeatableRead
	}
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{Isolation: level, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	return f(inTx{tx})
}

type inTx struct{ tx *sql.Tx }

func (t inTx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.tx.QueryContext(ctx, query, args...)
}
