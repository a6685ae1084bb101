package people

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// Second factors of operators and members.

const (
	factorColumns = "kind, owner, secret, set_at, pending, pending_at, step, tries, locked"
	authFactor    = "SELECT " + factorColumns + " FROM factor WHERE kind = $1 AND owner = $2"
)

var factorSigned = evidence.NewSignedTable("factor", factorColumns+", recovery, passkeys", evidence.SignedOptions{Keys: 2, Checked: true, Remembered: true})

func factorKey(o auth.Owner) []any { return []any{string(o.Kind), o.ID} }

func scanFactor(r *sql.Rows) (f auth.FactorRow, err error) {
	err = r.Scan(&f.Kind, &f.ID, &f.Secret, authTime{&f.Set}, &f.Pending, authTime{&f.PendingAt}, &f.Step, &f.Tries, authTime{&f.Locked})
	return f, err
}

func (s authStore) Factor(ctx context.Context, tx *ledger.Tx, o auth.Owner) (auth.FactorRow, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanFactor, authFactor, factorKey(o)...)
}

// VerifyFactor also compares the owner's passkeys and recovery codes with the row.
func (s authStore) VerifyFactor(ctx context.Context, tx *ledger.Tx, o auth.Owner) error {
	if err := evidence.VerifierIn(engine.GroupOf(tx)).RequireRow(ctx, factorSigned, factorKey(o)...); err != nil {
		return err
	}
	if err := recoveryCodes.verify(ctx, engine.GroupOf(tx), o); err != nil {
		return err
	}
	return passkeyRows.verify(ctx, engine.GroupOf(tx), o)
}

// PutFactor verifies the row first. An operator's row must also exist if the chain has a
// line of it. A member's deleted row is noticed by the credential, so that the chain is not
// searched for members who never had a factor.
func (s authStore) PutFactor(ctx context.Context, tx *ledger.Tx, f auth.FactorRow) error {
	v := evidence.VerifierIn(engine.GroupOf(tx))
	verify := v.Row
	if f.Kind == auth.KindOperator {
		verify = v.RequireRow
	}
	if err := verify(ctx, factorSigned, factorKey(f.Owner)...); err != nil {
		return err
	}
	if err := engine.ExecOne(ctx, engine.GroupOf(tx), "second factor", "INSERT INTO factor ("+factorColumns+", recovery, passkeys) VALUES "+engine.Placeholders(1, 11)+`
		ON CONFLICT (kind, owner) DO UPDATE SET secret = excluded.secret, set_at = excluded.set_at, pending = excluded.pending,
		pending_at = excluded.pending_at, step = excluded.step, tries = excluded.tries, locked = excluded.locked`,
		string(f.Kind), f.ID, filled(f.Secret), authMicros(f.Set), filled(f.Pending), authMicros(f.PendingAt), f.Step, f.Tries, authMicros(f.Locked), []byte{}, []byte{}); err != nil {
		return err
	}
	return evidence.SignStored(ctx, engine.GroupOf(tx), factorSigned, factorKey(f.Owner)...)
}

// filled is b as a column that is never NULL takes it.
func filled(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (s authStore) SetRecovery(ctx context.Context, tx *ledger.Tx, o auth.Owner, hashes [][]byte) error {
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM factor_recovery WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID); err != nil {
		return err
	}
	for _, h := range hashes {
		if err := engine.ExecOne(ctx, engine.GroupOf(tx), "recovery code", "INSERT INTO factor_recovery (kind, owner, hash, used_at) VALUES ($1, $2, $3, 0)", string(o.Kind), o.ID, h); err != nil {
			return err
		}
	}
	_, err := recoveryCodes.sign(ctx, engine.GroupOf(tx), o)
	return err
}

// UseRecovery verifies all recovery codes of the owner first, so that a used code that was
// restored in the database is refused.
func (s authStore) UseRecovery(ctx context.Context, tx *ledger.Tx, o auth.Owner, hash []byte, at time.Time, may bool) (bool, error) {
	if err := recoveryCodes.verify(ctx, engine.GroupOf(tx), o); err != nil {
		if !may && errors.As(err, new(*ledger.TamperedError)) {
			err = nil // without the password the caller learns nothing
		}
		return false, err
	}
	n, err := engine.GroupOf(tx).Exec(ctx, "UPDATE factor_recovery SET used_at = $4 WHERE kind = $1 AND owner = $2 AND hash = $3 AND used_at = 0 AND $5 = 1",
		string(o.Kind), o.ID, hash, at.UnixMicro(), engine.BoolInt(may))
	if err != nil || n != 1 {
		return false, err
	}
	_, err = recoveryCodes.sign(ctx, engine.GroupOf(tx), o)
	return true, err
}

// ownedRows are rows of a factor's owner, whose hash the factor's row has in a column.
type ownedRows struct {
	table, column, called string
	query                 string
	width                 int // columns of the query
}

var (
	recoveryCodes = ownedRows{"factor_recovery", "recovery", "recovery codes", "SELECT hash, used_at FROM factor_recovery WHERE kind = $1 AND owner = $2 ORDER BY hash", 2}
	passkeyRows   = ownedRows{"passkey", "passkeys", "passkeys", passkeysOf, 12}
)

// hash is empty where there are none.
func (r ownedRows) hash(ctx context.Context, q engine.Querier, o auth.Owner) ([]byte, error) {
	h, some := evidence.NewRowHasher(), false
	if err := engine.Each(ctx, q, evidence.ScanAny(r.width), func(vals []any) error {
		some = true
		h.Add(vals...)
		return nil
	}, r.query, factorKey(o)...); err != nil {
		return nil, err
	}
	if !some {
		return []byte{}, nil
	}
	sum := h.Sum()
	return sum[:], nil
}

// verify is a *ledger.TamperedError if they differ from the hash in the factor's row.
func (r ownedRows) verify(ctx context.Context, q engine.Querier, o auth.Owner) error {
	recorded, _, err := engine.First(ctx, q, engine.ScanBytes, "SELECT "+r.column+" FROM factor WHERE kind = $1 AND owner = $2", factorKey(o)...)
	if err != nil {
		return err
	}
	sum, err := r.hash(ctx, q, o)
	if err == nil && !bytes.Equal(recorded, sum) {
		err = evidence.Tampered(factorSigned, factorSigned.ID(factorKey(o)), "its "+r.called+" are not what the signed chain says of them")
	}
	return err
}

// sign writes the hash into the factor's row, if there is one, and signs that.
func (r ownedRows) sign(ctx context.Context, g *engine.Group, o auth.Owner) (int64, error) {
	sum, err := r.hash(ctx, g, o)
	if err != nil {
		return 0, err
	}
	return evidence.ChangeOne(ctx, g, factorSigned, factorKey(o), "UPDATE factor SET "+r.column+" = $3 WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID, sum)
}

// CheckOwned compares the recovery codes and passkeys with the hashes in their factors, whose
// rows are signed. It also finds rows without a factor.
func CheckOwned(ctx context.Context, c *evidence.RowsCheck) error {
	for _, o := range []ownedRows{recoveryCodes, passkeyRows} {
		type factor struct {
			owner    auth.Owner
			recorded []byte
		}
		factors, err := engine.List(ctx, c.Q, func(r *sql.Rows) (f factor, err error) {
			err = r.Scan(&f.owner.Kind, &f.owner.ID, &f.recorded)
			return f, err
		}, "SELECT kind, owner, "+o.column+" FROM factor UNION SELECT x.kind, x.owner, $1 FROM "+o.table+` x
			WHERE NOT EXISTS (SELECT 1 FROM factor f WHERE f.kind = x.kind AND f.owner = x.owner) ORDER BY kind, owner`, []byte{})
		if err != nil {
			return err
		}
		for _, f := range factors {
			have, err := o.hash(ctx, c.Q, f.owner)
			if err != nil {
				return err
			}
			if !bytes.Equal(have, f.recorded) {
				return evidence.Changed(o.table+" of", fmt.Sprintf("%s %d", f.owner.Kind, f.owner.ID))
			}
		}
	}
	return nil
}

func (s authStore) RecoveryLeft(ctx context.Context, o auth.Owner) (int, error) {
	n, _, err := engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT COUNT(*) FROM factor_recovery WHERE kind = $1 AND owner = $2 AND used_at = 0", string(o.Kind), o.ID)
	return int(n), err
}

// Passkeys and challenges. The row of the owner's factor, which is signed, has one hash of
// all passkeys of the owner.

const passkeyColumns = "id, kind, owner, credential, handle, name, key, flags, uses, transports, created_at, used_at"

func scanPasskey(r *sql.Rows) (p auth.PasskeyRow, err error) {
	var transports string
	err = r.Scan(&p.ID, &p.Kind, &p.Owner.ID, &p.Credential, &p.Handle, &p.Name, &p.Key, &p.Flags, &p.Uses, &transports, authTime{&p.Created}, authTime{&p.Used})
	if transports != "" {
		p.Transports = strings.Split(transports, ",")
	}
	return p, err
}

const passkeysOf = "SELECT " + passkeyColumns + " FROM passkey WHERE kind = $1 AND owner = $2 ORDER BY id"

func (s authStore) Passkeys(ctx context.Context, tx *ledger.Tx, o auth.Owner) ([]auth.PasskeyRow, error) {
	return engine.List(ctx, s.db.From(tx), scanPasskey, passkeysOf, string(o.Kind), o.ID)
}

func (s authStore) Passkey(ctx context.Context, tx *ledger.Tx, credential []byte) (auth.PasskeyRow, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanPasskey, "SELECT "+passkeyColumns+" FROM passkey WHERE credential = $1", filled(credential))
}

// changePasskeys verifies an owner's passkeys, runs a write and signs the result.
func (s authStore) changePasskeys(ctx context.Context, tx *ledger.Tx, o auth.Owner, write func() error) error {
	if err := passkeyRows.verify(ctx, engine.GroupOf(tx), o); err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	n, err := passkeyRows.sign(ctx, engine.GroupOf(tx), o)
	if err != nil {
		return err
	}
	return engine.ExpectOne(n, "second factor")
}

func (s authStore) AddPasskey(ctx context.Context, tx *ledger.Tx, p auth.PasskeyRow) (id int64, err error) {
	return id, s.changePasskeys(ctx, tx, p.Owner, func() error {
		if id, _, err = engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM passkey"); err != nil {
			return err
		}
		return engine.ExecOne(ctx, engine.GroupOf(tx), "passkey", "INSERT INTO passkey ("+passkeyColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)",
			id, string(p.Kind), p.Owner.ID, p.Credential, p.Handle, p.Name, p.Key, p.Flags, p.Uses, strings.Join(p.Transports, ","), authMicros(p.Created))
	})
}

func (s authStore) PutPasskey(ctx context.Context, tx *ledger.Tx, p auth.PasskeyRow) error {
	return s.changePasskeys(ctx, tx, p.Owner, func() error {
		return engine.ExecOne(ctx, engine.GroupOf(tx), "passkey", "UPDATE passkey SET name = $2, uses = $3, used_at = $4 WHERE id = $1", p.ID, p.Name, p.Uses, authMicros(p.Used))
	})
}

func (s authStore) DropPasskey(ctx context.Context, tx *ledger.Tx, p auth.PasskeyRow) error {
	return s.changePasskeys(ctx, tx, p.Owner, func() error {
		return engine.ExecOne(ctx, engine.GroupOf(tx), "passkey", "DELETE FROM passkey WHERE id = $1", p.ID)
	})
}

// DropPasskeys does not verify the passkeys, since all of them are deleted.
func (authStore) DropPasskeys(ctx context.Context, tx *ledger.Tx, o auth.Owner) (int64, error) {
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM factor_challenge WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID); err != nil {
		return 0, err
	}
	n, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM passkey WHERE kind = $1 AND owner = $2", string(o.Kind), o.ID)
	if err != nil {
		return 0, err
	}
	_, err = passkeyRows.sign(ctx, engine.GroupOf(tx), o)
	return n, err
}

const challengeColumns = "id, flow, challenge, kind, owner, session, handle, name, bound, expires_at"

func (s authStore) AddChallenge(ctx context.Context, tx *ledger.Tx, c auth.ChallengeRow, now time.Time) error {
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM factor_challenge WHERE expires_at <= $1", authMicros(now)); err != nil {
		return err
	}
	return engine.ExecOne(ctx, engine.GroupOf(tx), "challenge", "INSERT INTO factor_challenge ("+challengeColumns+") VALUES "+engine.Placeholders(1, 10),
		c.ID, string(c.Flow), c.Challenge, string(c.Kind), c.Owner.ID, c.Session, filled(c.Handle), c.Name, c.Bound, authMicros(c.Expires))
}

func (s authStore) Challenge(ctx context.Context, id string) (auth.ChallengeRow, bool, error) {
	scan := func(r *sql.Rows) (c auth.ChallengeRow, err error) {
		err = r.Scan(&c.ID, &c.Flow, &c.Challenge, &c.Kind, &c.Owner.ID, &c.Session, &c.Handle, &c.Name, &c.Bound, authTime{&c.Expires})
		return c, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT "+challengeColumns+" FROM factor_challenge WHERE id = $1", id)
}

func (authStore) UseChallenge(ctx context.Context, tx *ledger.Tx, id string) (bool, error) {
	n, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM factor_challenge WHERE id = $1", id)
	return n == 1, err
}
