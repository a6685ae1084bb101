package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// Second factors of operators and members.

const (
	factorColumns = "kind, owner, secret, set_at, pending, pending_at, step, tries, locked"
	authFactor    = "SELECT " + factorColumns + " FROM factor WHERE kind = $1 AND owner = $2"
)

func factorKey(o auth.Owner) []any { return []any{string(o.Kind), o.ID} }

func scanFactor(r *sql.Rows) (f auth.FactorRow, err error) {
	err = r.Scan(&f.Kind, &f.ID, &f.Secret, authTime{&f.Set}, &f.Pending, authTime{&f.PendingAt}, &f.Step, &f.Tries, authTime{&f.Locked})
	return f, err
}

func (s authStore) Factor(ctx context.Context, tx *ledger.Tx, o auth.Owner) (auth.FactorRow, bool, error) {
	return first(ctx, s.db.from(tx), scanFactor, authFactor, factorKey(o)...)
}

// VouchedFactor also holds the owner's passkeys and recovery codes against the row.
func (s authStore) VouchedFactor(ctx context.Context, tx *ledger.Tx, o auth.Owner) error {
	if err := newLooker(groupOf(tx)).there(ctx, factorWitness, factorKey(o)...); err != nil {
		return err
	}
	if err := saidRecovery(ctx, groupOf(tx), o); err != nil {
		return err
	}
	return saidPasskeys(ctx, groupOf(tx), o)
}

// PutFactor holds the row against the chain first. That of an operator may not have
// been taken away either; that of a member is missed by the credential, and to look
// for one that never was would take reading the whole chain.
func (s authStore) PutFactor(ctx context.Context, tx *ledger.Tx, f auth.FactorRow) error {
	l := newLooker(groupOf(tx))
	look := l.row
	if f.Kind == auth.KindOperator {
		look = l.there
	}
	if err := look(ctx, factorWitness, factorKey(f.Owner)...); err != nil {
		return err
	}
	if err := s.one(ctx, tx, "second factor", "INSERT INTO factor ("+factorColumns+", recovery, passkeys) VALUES "+placeholders(1, 11)+`
		ON CONFLICT (kind, owner) DO UPDATE SET secret = excluded.secret, set_at = excluded.set_at, pending = excluded.pending,
		pending_at = excluded.pending_at, step = excluded.step, tries = excluded.tries, locked = excluded.locked`,
		string(f.Kind), f.ID, filled(f.Secret), authMicros(f.Set), filled(f.Pending), authMicros(f.PendingAt), f.Step, f.Tries, authMicros(f.Locked), []byte{}, []byte{}); err != nil {
		return err
	}
	return groupOf(tx).witnessNow(ctx, factorWitness, factorKey(f.Owner)...)
}

// filled is b as a column that is never NULL takes it.
func filled(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (s authStore) SetRecovery(ctx context.Context, tx *ledger.Tx, o auth.Owner, hashes [][]byte) error {
	if _, err := groupOf(tx).Exec(ctx, "DELETE FROM factor_recovery WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID); err != nil {
		return err
	}
	for _, h := range hashes {
		if err := s.one(ctx, tx, "recovery code", "INSERT INTO factor_recovery (kind, owner, hash, used_at) VALUES ($1, $2, $3, 0)", string(o.Kind), o.ID, h); err != nil {
			return err
		}
	}
	return s.sealRecovery(ctx, tx, o)
}

// UseRecovery takes a code whose row, like all of the owner's, is what the factor
// says of them: a used one that was put back is found.
func (s authStore) UseRecovery(ctx context.Context, tx *ledger.Tx, o auth.Owner, hash []byte, at time.Time, may bool) (bool, error) {
	if err := saidRecovery(ctx, groupOf(tx), o); err != nil {
		if !may && errors.As(err, new(*ledger.TamperedError)) {
			err = nil // who has not proved the password is told nothing
		}
		return false, err
	}
	n, err := groupOf(tx).Exec(ctx, "UPDATE factor_recovery SET used_at = $4 WHERE kind = $1 AND owner = $2 AND hash = $3 AND used_at = 0 AND $5 = 1",
		string(o.Kind), o.ID, hash, at.UnixMicro(), flag(may))
	if err != nil || n != 1 {
		return false, err
	}
	return true, s.sealRecovery(ctx, tx, o)
}

// saidRecovery is a *ledger.TamperedError if an owner's recovery codes are not what
// the factor's row says of them.
func saidRecovery(ctx context.Context, q querier, o auth.Owner) error {
	said, _, err := first(ctx, q, scanBytes, "SELECT recovery FROM factor WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID)
	if err != nil {
		return err
	}
	sum, err := recoverySum(ctx, q, o)
	if err == nil && !bytes.Equal(said, sum) {
		err = tampered(factorWitness, factorWitness.id(factorKey(o)), "its recovery codes are not what the signed chain says of them")
	}
	return err
}

// sealRecovery notes what the recovery codes are now in the factor's row, for which
// the chain vouches.
func (s authStore) sealRecovery(ctx context.Context, tx *ledger.Tx, o auth.Owner) error {
	sum, err := recoverySum(ctx, groupOf(tx), o)
	if err == nil {
		_, err = groupOf(tx).changeOne(ctx, factorWitness, factorKey(o), "UPDATE factor SET recovery = $3 WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID, sum)
	}
	return err
}

func recoverySum(ctx context.Context, q querier, o auth.Owner) ([]byte, error) {
	return ownedSum(ctx, q, 2, "SELECT hash, used_at FROM factor_recovery WHERE kind = $1 AND owner = $2 ORDER BY hash", o)
}

// ownedSum is the fingerprint of an owner's rows, of n columns; empty where there
// are none.
func ownedSum(ctx context.Context, q querier, n int, query string, o auth.Owner) ([]byte, error) {
	f, some := newFingerprint(), false
	if err := each(ctx, q, scanAny(n), func(vals []any) error {
		some = true
		f.add(vals...)
		return nil
	}, query, string(o.Kind), o.ID); err != nil {
		return nil, err
	}
	if !some {
		return []byte{}, nil
	}
	sum := f.bytes()
	return sum[:], nil
}

func (s authStore) RecoveryLeft(ctx context.Context, o auth.Owner) (int, error) {
	n, _, err := first(ctx, &s.db.rows, scanID, "SELECT COUNT(*) FROM factor_recovery WHERE kind = $1 AND owner = $2 AND used_at = 0", string(o.Kind), o.ID)
	return int(n), err
}
