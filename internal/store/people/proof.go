package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// Proofs of presence within sessions. They are good for minutes: those that are
// over go with the next one.

func (s authStore) PutProof(ctx context.Context, tx *ledger.Tx, p auth.ProofRow, over time.Time) error {
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM session_proof WHERE at < $1", authMicros(over)); err != nil {
		return err
	}
	return engine.ExecOne(ctx, engine.GroupOf(tx), "proof", `INSERT INTO session_proof (session, at, mac) VALUES ($1, $2, $3)
		ON CONFLICT (session) DO UPDATE SET at = excluded.at, mac = excluded.mac`, p.Session, authMicros(p.At), p.MAC)
}

func (s authStore) Proof(ctx context.Context, session string) (auth.ProofRow, bool, error) {
	scan := func(r *sql.Rows) (p auth.ProofRow, err error) {
		err = r.Scan(&p.Session, authTime{&p.At}, &p.MAC)
		return p, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT session, at, mac FROM session_proof WHERE session = $1", session)
}
