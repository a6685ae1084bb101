package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// A session's row is bound to its facts by a keyed hash, so that a write to the database
// cannot open a session, extend it or change its owner.

// sealSession is the mark of a session's facts. The columns that change are left out: the
// time of the last use and the address.
func (s authStore) sealSession(n auth.Session) (string, error) {
	b, err := evidence.Box(s.db)
	if err != nil {
		return "", err
	}
	return b.Mark(sessionFacts(n)...), nil
}

func sessionFacts(s auth.Session) []any {
	return []any{"session", s.ID, string(s.Kind), s.Owner, s.Operator, s.Reason, engine.BoolInt(s.MustChange), authMicros(s.Created), authMicros(s.Expires)}
}

// scanSession reads a session. A session whose row does not match its mark, or whose end
// the signed chain records, is read as ended.
func (s authStore) scanSession(r *sql.Rows) (n auth.Session, err error) {
	var must int64
	var seal string
	err = r.Scan(&n.ID, &n.Kind, &n.Owner, &n.Operator, &n.Role, &n.Reason, &must, &n.Peer, &n.ClaimedIP, &n.Agent,
		authTime{&n.Created}, authTime{&n.Seen}, authTime{&n.Expires}, authTime{&n.Ended}, &seal)
	n.MustChange = must != 0
	if b, berr := evidence.Box(s.db); n.Ended.IsZero() && (berr != nil || !b.Marked(seal, sessionFacts(n)...) || evidence.SessionEnded(s.db, n.ID)) {
		n.Ended = time.Unix(0, 0)
	}
	return n, err
}

// checkSessions finds a session whose row was inserted or changed directly in the database.
func checkSessions(ctx context.Context, db *engine.DB) error {
	scan := func(r *sql.Rows) (id string, err error) {
		s, err := authStore{db}.scanSession(r)
		if err == nil && s.Ended.Equal(time.Unix(0, 0)) {
			id = s.ID
		}
		return id, err
	}
	return engine.Each(ctx, db.Committed(), scan, func(id string) error {
		if id == "" {
			return nil
		}
		return evidence.WrongRow(sealedRight, "session "+id, "changed", "as it was opened")
	}, authSession)
}

// Sessions. The role is the operator's as of now, and empty once they ended.

const authSession = `SELECT s.id, s.kind, s.owner, s.operator, COALESCE(o.role, ''), s.reason, s.must_change, s.peer, s.claimed_ip, s.agent,
	s.created_at, s.seen_at, s.expires_at, s.ended_at, s.seal
	FROM session s LEFT JOIN operator o ON o.id = s.operator AND o.ended_at = 0 `

func (s authStore) Session(ctx context.Context, id string) (auth.Session, bool, error) {
	if err := evidence.ReadEndedSessions(ctx, s.db); err != nil {
		return auth.Session{}, false, err
	}
	n, found, err := engine.First(ctx, s.db.Committed(), s.scanSession, authSession+"WHERE s.id = $1", id)
	if err == nil && found && n.Operator != 0 { // an operator's role is of another table
		n.Role, err = s.role(ctx, n.Operator)
	}
	return n, found, err
}

func (s authStore) Sessions(ctx context.Context, kind auth.Kind, owner int64, t, seen time.Time, limit int) ([]auth.Session, error) {
	return engine.List(ctx, s.db.Committed(), s.scanSession, authSession+`WHERE s.owner = $1 AND s.kind = $2 AND s.ended_at = 0 AND s.expires_at > $3 AND s.seen_at > $4
		ORDER BY s.created_at DESC, s.id DESC LIMIT $5`, owner, string(kind), t.UnixMicro(), seen.UnixMicro(), limit)
}

func (s authStore) AddSession(ctx context.Context, tx *ledger.Tx, n auth.Session) error {
	seal, err := s.sealSession(n)
	if err != nil {
		return err
	}
	return engine.ExecOne(ctx, engine.GroupOf(tx), "session", `INSERT INTO session
		(id, kind, owner, operator, reason, must_change, peer, claimed_ip, agent, created_at, seen_at, expires_at, ended_at, seal)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13)`,
		n.ID, string(n.Kind), n.Owner, n.Operator, n.Reason, engine.BoolInt(n.MustChange), n.Peer, n.ClaimedIP, n.Agent,
		authMicros(n.Created), authMicros(n.Seen), authMicros(n.Expires), seal)
}

// Every statement that ends sessions records their ids in the signed chain: the rows
// themselves can be changed.

func (s authStore) EndSession(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, id string, at time.Time) (bool, error) {
	n, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET ended_at = $4 WHERE id = $1 AND kind = $2 AND owner = $3 AND ended_at = 0",
		id, string(kind), owner, at.UnixMicro())
	if n == 1 {
		evidence.RecordEndedSessions(engine.GroupOf(tx), id)
	}
	return n == 1, err
}

func scanSessionID(r *sql.Rows) (id string, err error) {
	err = r.Scan(&id)
	return id, err
}

// endAll runs a statement that ends sessions and gives their ids.
func (s authStore) endAll(ctx context.Context, tx *ledger.Tx, query string, args ...any) ([]string, error) {
	ids, err := engine.List(ctx, engine.GroupOf(tx), scanSessionID, query, args...)
	evidence.RecordEndedSessions(engine.GroupOf(tx), ids...)
	return ids, err
}

func (s authStore) EndSessions(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, keep string, at time.Time) ([]string, error) {
	return s.endAll(ctx, tx, "UPDATE session SET ended_at = $4 WHERE owner = $1 AND kind = $2 AND id <> $3 AND ended_at = 0 RETURNING id",
		owner, string(kind), keep, at.UnixMicro())
}

func (s authStore) EndVisits(ctx context.Context, tx *ledger.Tx, operator int64, at time.Time) ([]string, error) {
	return s.endAll(ctx, tx, "UPDATE session SET ended_at = $2 WHERE operator = $1 AND kind = 'visit' AND expires_at > $2 AND ended_at = 0 RETURNING id",
		operator, at.UnixMicro())
}

func (s authStore) Changed(ctx context.Context, tx *ledger.Tx, uid int64, id string) (bool, error) {
	return s.free(ctx, tx, auth.KindMember, uid, id)
}

// free clears must_change of an open session; false if the owner has no such session.
func (s authStore) free(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, id string) (bool, error) {
	n, found, err := engine.First(ctx, engine.GroupOf(tx), s.scanSession, authSession+"WHERE s.id = $1", id)
	if err != nil || !found || n.Kind != kind || n.Owner != owner || !n.Ended.IsZero() {
		return false, err
	}
	n.MustChange = false
	seal, err := s.sealSession(n)
	if err != nil {
		return false, err
	}
	hit, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET must_change = 0, seal = $2 WHERE id = $1 AND ended_at = 0", id, seal)
	return hit == 1, err
}

func (s authStore) Saw(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET seen_at = $2 WHERE id = $1 AND seen_at < $2 AND ended_at = 0", id, at.UnixMicro())
	return err
}

func (s authStore) SessionsOf(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, limit int) ([]auth.Session, error) {
	return engine.List(ctx, engine.GroupOf(tx), s.scanSession, authSession+"WHERE s.owner = $1 AND s.kind = $2 ORDER BY s.created_at DESC, s.id DESC LIMIT $3", owner, string(kind), int64(limit))
}

func (s authStore) DropSession(ctx context.Context, tx *ledger.Tx, id string) error {
	n, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM session WHERE id = $1", id)
	if n == 1 {
		evidence.RecordEndedSessions(engine.GroupOf(tx), id) // so that the row cannot be restored
	}
	return err
}

func (s authStore) DropSessions(ctx context.Context, tx *ledger.Tx, t time.Time, limit int) (int64, error) {
	return engine.GroupOf(tx).Exec(ctx, `DELETE FROM session WHERE id IN (SELECT s.id FROM session s WHERE s.expires_at < $1 AND (s.kind <> 'operator'
		OR EXISTS (SELECT 1 FROM session n WHERE n.owner = s.owner AND n.kind = s.kind AND n.created_at > s.created_at)) ORDER BY s.expires_at LIMIT $2)`, authMicros(t), int64(limit))
}

// Proofs of presence within sessions. A proof is valid for minutes: the next one deletes
// those that have expired.

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
