package people

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// Passkeys and challenges. What an owner's passkeys are is one hash in the row
// of the owner's factor, which is signed.

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

// changePasskeys runs a write of an owner's passkeys, which must be what the chain
// says of them, and notes what they are then.
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

// DropPasskeys also clears what was put there past the product: nothing of it is
// to be kept.
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
