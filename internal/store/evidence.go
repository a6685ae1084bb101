package store

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/operate"
)

// operateStore keeps the files that bookings rest on.
type operateStore struct{ db *DB }

// Operate is the database as package operate needs it.
func (db *DB) Operate() operate.Store { return operateStore{db} }

func (operateStore) AddEvidence(ctx context.Context, rows ledger.Rows, e operate.Evidence) error {
	_, err := in(rows).Exec(ctx, `INSERT INTO evidence (hash, name, size, body, operator, by_name, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (hash) DO NOTHING`, e.Hash, e.Name, int64(len(e.Body)), e.Body, e.Operator, e.By, micros(e.At))
	return err
}

func (operateStore) HasEvidence(ctx context.Context, rows ledger.Rows, hash string) (bool, error) {
	n, _, err := first(ctx, in(rows), scanCount, "SELECT COUNT(*) FROM evidence WHERE hash = $1", hash)
	return n > 0, err
}

func (s operateStore) Evidence(ctx context.Context, hash string) (operate.Evidence, bool, error) {
	scan := func(r *sql.Rows) (e operate.Evidence, err error) {
		var at int64
		err = r.Scan(&e.Hash, &e.Name, &e.Body, &e.Operator, &e.By, &at)
		e.At = instant(at)
		return e, err
	}
	return first(ctx, &s.db.rows, scan, "SELECT hash, name, body, operator, by_name, at FROM evidence WHERE hash = $1", hash)
}
