package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/ledger"
)

// Passkeys and their challenges.

const passkeyColumns = "id, operator, credential, handle, name, key, flags, uses, transports, created_at, used_at"

func scanPasskey(r *sql.Rows) (p auth.PasskeyRow, err error) {
	var transports string
	err = r.Scan(&p.ID, &p.Operator, &p.Credential, &p.Handle, &p.Name, &p.Key, &p.Flags, &p.Uses, &transports, authTime{&p.Created}, authTime{&p.Used})
	if transports != "" {
		p.Transports = strings.Split(transports, ",")
	}
	return p, err
}

func (s authStore) Passkeys(ctx context.Context, rows ledger.Rows, operator int64) ([]auth.PasskeyRow, error) {
	return list(ctx, s.from(rows), scanPasskey, "SELECT "+passkeyColumns+" FROM passkey WHERE operator = $1 ORDER BY id", operator)
}

func (s authStore) Passkey(ctx context.Context, rows ledger.Rows, credential []byte) (auth.PasskeyRow, bool, error) {
	return first(ctx, s.from(rows), scanPasskey, "SELECT "+passkeyColumns+" FROM passkey WHERE credential = $1", filled(credential))
}

func (s authStore) AddPasskey(ctx context.Context, rows ledger.Rows, p auth.PasskeyRow) (int64, error) {
	id, _, err := first(ctx, in(rows), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM passkey")
	if err != nil {
		return 0, err
	}
	return id, s.one(ctx, rows, "passkey", "INSERT INTO passkey ("+passkeyColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)",
		id, p.Operator, p.Credential, p.Handle, p.Name, p.Key, p.Flags, p.Uses, strings.Join(p.Transports, ","), authMicros(p.Created))
}

func (s authStore) UsedPasskey(ctx context.Context, rows ledger.Rows, id, uses int64, at time.Time) error {
	return s.one(ctx, rows, "passkey", "UPDATE passkey SET uses = $2, used_at = $3 WHERE id = $1", id, uses, authMicros(at))
}

func (s authStore) DropPasskey(ctx context.Context, rows ledger.Rows, id int64) error {
	return s.one(ctx, rows, "passkey", "DELETE FROM passkey WHERE id = $1", id)
}

func (authStore) DropPasskeys(ctx context.Context, rows ledger.Rows, operator int64) (int64, error) {
	if _, err := in(rows).Exec(ctx, "DELETE FROM passkey_challenge WHERE operator = $1", operator); err != nil {
		return 0, err
	}
	return in(rows).Exec(ctx, "DELETE FROM passkey WHERE operator = $1", operator)
}

func (s authStore) AddChallenge(ctx context.Context, rows ledger.Rows, c auth.ChallengeRow, now time.Time) error {
	if _, err := in(rows).Exec(ctx, "DELETE FROM passkey_challenge WHERE expires_at <= $1", authMicros(now)); err != nil {
		return err
	}
	return s.one(ctx, rows, "challenge", `INSERT INTO passkey_challenge (id, flow, challenge, operator, session, handle, name, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		c.ID, string(c.Flow), c.Challenge, c.Operator, c.Session, filled(c.Handle), c.Name, authMicros(c.Expires))
}

func (s authStore) Challenge(ctx context.Context, id string) (auth.ChallengeRow, bool, error) {
	scan := func(r *sql.Rows) (c auth.ChallengeRow, err error) {
		err = r.Scan(&c.ID, &c.Flow, &c.Challenge, &c.Operator, &c.Session, &c.Handle, &c.Name, authTime{&c.Expires})
		return c, err
	}
	return first(ctx, &s.db.rows, scan, "SELECT id, flow, challenge, operator, session, handle, name, expires_at FROM passkey_challenge WHERE id = $1", id)
}

func (authStore) UseChallenge(ctx context.Context, rows ledger.Rows, id string) (bool, error) {
	n, err := in(rows).Exec(ctx, "DELETE FROM passkey_challenge WHERE id = $1", id)
	return n == 1, err
}
