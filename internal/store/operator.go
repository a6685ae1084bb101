package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/ledger"
)

// Operators.

const authOperator = "SELECT id, email, name, role, password, password_at, created_at, ended_at FROM operator "

func scanOperatorRow(r *sql.Rows) (o auth.OperatorRow, err error) {
	err = r.Scan(&o.ID, &o.Email, &o.Name, &o.Role, &o.Password, authTime{&o.PasswordAt}, authTime{&o.Created}, authTime{&o.Ended})
	return o, err
}

func scanOperator(r *sql.Rows) (auth.Operator, error) {
	o, err := scanOperatorRow(r)
	return o.Operator, err
}

func (s authStore) OperatorByEmail(ctx context.Context, email string) (auth.OperatorRow, bool, error) {
	return first(ctx, &s.db.rows, scanOperatorRow, authOperator+"WHERE email = $1", email)
}

func (s authStore) OperatorIn(ctx context.Context, rows ledger.Rows, id int64) (auth.OperatorRow, bool, error) {
	return first(ctx, in(rows), scanOperatorRow, authOperator+"WHERE id = $1", id)
}

func (s authStore) Operators(ctx context.Context) ([]auth.Operator, error) {
	return list(ctx, &s.db.rows, scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) OperatorsIn(ctx context.Context, rows ledger.Rows) ([]auth.Operator, error) {
	return list(ctx, in(rows), scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) AddOperator(ctx context.Context, rows ledger.Rows, o auth.OperatorRow) (int64, error) {
	id, _, err := first(ctx, in(rows), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator")
	if err != nil {
		return 0, err
	}
	return id, s.one(ctx, rows, "operator", `INSERT INTO operator (id, email, name, role, password, password_at, created_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`,
		id, o.Email, o.Name, string(o.Role), o.Password, authMicros(o.PasswordAt), authMicros(o.Created))
}

func (s authStore) EndOperator(ctx context.Context, rows ledger.Rows, id int64, at time.Time) error {
	return s.one(ctx, rows, "operator", "UPDATE operator SET ended_at = $2 WHERE id = $1 AND ended_at = 0", id, at.UnixMicro())
}

func (s authStore) Enrolled(ctx context.Context, rows ledger.Rows, operator int64, session string) error {
	_, err := in(rows).Exec(ctx, "UPDATE session SET must_change = 0 WHERE id = $1 AND owner = $2 AND kind = 'operator' AND ended_at = 0", session, operator)
	return err
}

// Second factors.

const authFactor = "SELECT operator, secret, set_at, pending, pending_at, step, tries, locked FROM operator_factor WHERE operator = $1"

func scanFactor(r *sql.Rows) (f auth.FactorRow, err error) {
	err = r.Scan(&f.Operator, &f.Secret, authTime{&f.Set}, &f.Pending, authTime{&f.PendingAt}, &f.Step, &f.Tries, authTime{&f.Locked})
	return f, err
}

func (s authStore) Factor(ctx context.Context, operator int64) (auth.FactorRow, bool, error) {
	return first(ctx, &s.db.rows, scanFactor, authFactor, operator)
}

func (s authStore) FactorIn(ctx context.Context, rows ledger.Rows, operator int64) (auth.FactorRow, bool, error) {
	return first(ctx, in(rows), scanFactor, authFactor, operator)
}

func (s authStore) PutFactor(ctx context.Context, rows ledger.Rows, f auth.FactorRow) error {
	return s.one(ctx, rows, "second factor", `INSERT INTO operator_factor (operator, secret, set_at, pending, pending_at, step, tries, locked)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (operator) DO UPDATE SET secret = excluded.secret, set_at = excluded.set_at, pending = excluded.pending,
		pending_at = excluded.pending_at, step = excluded.step, tries = excluded.tries, locked = excluded.locked`,
		f.Operator, filled(f.Secret), authMicros(f.Set), filled(f.Pending), authMicros(f.PendingAt), f.Step, f.Tries, authMicros(f.Locked))
}

// filled is b as a column that is never NULL takes it.
func filled(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (s authStore) SetRecovery(ctx context.Context, rows ledger.Rows, operator int64, hashes [][]byte) error {
	if _, err := in(rows).Exec(ctx, "DELETE FROM operator_recovery WHERE operator = $1", operator); err != nil {
		return err
	}
	for _, h := range hashes {
		if err := s.one(ctx, rows, "recovery code", "INSERT INTO operator_recovery (operator, hash, used_at) VALUES ($1, $2, 0)", operator, h); err != nil {
			return err
		}
	}
	return nil
}

func (s authStore) UseRecovery(ctx context.Context, rows ledger.Rows, operator int64, hash []byte, at time.Time, may bool) (bool, error) {
	n, err := in(rows).Exec(ctx, "UPDATE operator_recovery SET used_at = $3 WHERE operator = $1 AND hash = $2 AND used_at = 0 AND $4 = 1",
		operator, hash, at.UnixMicro(), flag(may))
	return n == 1, err
}

func (s authStore) RecoveryLeft(ctx context.Context, operator int64) (int, error) {
	n, _, err := first(ctx, &s.db.rows, scanID, "SELECT COUNT(*) FROM operator_recovery WHERE operator = $1 AND used_at = 0", operator)
	return int(n), err
}

func (authStore) Decoy(ctx context.Context, rows ledger.Rows) error {
	value := make([]byte, 32)
	_, _ = rand.Read(value) // never fails
	return enrolStore{}.Decoy(ctx, rows, value)
}
