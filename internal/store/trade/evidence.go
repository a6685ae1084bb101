package trade

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/booking"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
)

// operateStore keeps the files that bookings rest on.
type operateStore struct{ db *engine.DB }

var evidenceSigned = evidence.NewSignedTable("evidence", "hash, name, size, operator, by_name, at", evidence.SignedOptions{}) // the hash is of the file

// Booking is the database as package operate needs it.
func Booking(db *engine.DB) booking.Store { return operateStore{db} }

func (operateStore) AddEvidence(ctx context.Context, tx *ledger.Tx, e booking.Evidence) error {
	_, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), evidenceSigned, []any{e.Hash}, `INSERT INTO evidence (hash, name, size, body, operator, by_name, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (hash) DO NOTHING`, e.Hash, e.Name, int64(len(e.Body)), e.Body, e.Operator, e.By, engine.Micros(e.At))
	return err
}

func (operateStore) HasEvidence(ctx context.Context, tx *ledger.Tx, hash string) (bool, error) {
	n, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COUNT(*) FROM evidence WHERE hash = $1", hash)
	return n > 0, err
}

func (s operateStore) Evidence(ctx context.Context, hash string) (booking.Evidence, bool, error) {
	scan := func(r *sql.Rows) (e booking.Evidence, err error) {
		var at int64
		err = r.Scan(&e.Hash, &e.Name, &e.Body, &e.Operator, &e.By, &at)
		e.At = engine.Instant(at)
		return e, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT hash, name, body, operator, by_name, at FROM evidence WHERE hash = $1", hash)
}

// CheckEvidence hashes every file again. The error is a *closing.Broken for the first
// that is not the one of its hash.
func CheckEvidence(ctx context.Context, db *engine.DB) error {
	type file struct{ hash, is string }
	scan := func(r *sql.Rows) (f file, err error) {
		var body []byte
		err = r.Scan(&f.hash, &body)
		sum := sha256.Sum256(body)
		f.is = hex.EncodeToString(sum[:])
		return f, err
	}
	b, err := evidence.Caught(engine.Each(ctx, db.Committed(), scan, func(f file) error {
		if f.hash == f.is {
			return nil
		}
		return evidence.WrongRow("a file of evidence has its own SHA-256", "evidence "+f.hash, f.is, f.hash)
	}, "SELECT hash, body FROM evidence ORDER BY hash"))
	return errors.Join(err, people.AsBroken(b))
}
