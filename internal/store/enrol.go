package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/enrol"
	"github.com/bifolia/bifolia/internal/ledger"
)

// enrolStore remembers registrations.
type enrolStore struct{}

// Enrol is the store of registrations.
func (db *DB) Enrol() enrol.Store { return enrolStore{} }

func (enrolStore) Enrolled(ctx context.Context, rows ledger.Rows, request []byte) (int64, time.Time, error) {
	var at int64
	scan := func(r *sql.Rows) (uid int64, err error) {
		err = r.Scan(&uid, &at)
		return uid, err
	}
	uid, _, err := first(ctx, in(rows), scan, "SELECT uid, at FROM enrolment WHERE request = $1", request)
	return uid, time.UnixMicro(at).UTC(), err
}

func (enrolStore) Enrol(ctx context.Context, rows ledger.Rows, request []byte, uid int64, at time.Time) error {
	_, err := in(rows).Exec(ctx, `INSERT INTO enrolment (request, uid, at) VALUES ($1, $2, $3)
		ON CONFLICT (request) DO UPDATE SET uid = excluded.uid, at = excluded.at`, request, uid, at.UnixMicro())
	return err
}

func (enrolStore) Decoy(ctx context.Context, rows ledger.Rows, value []byte) error {
	_, err := in(rows).Exec(ctx, `INSERT INTO setting (name, value) VALUES ('decoy', $1)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, value)
	return err
}
