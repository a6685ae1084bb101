package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// A session's row is bound to its facts by a keyed hash, so that nobody who writes the
// database opens a session, makes one last longer or gives it to somebody else.

// sealSession is the mark of a session's facts. What may change of it is not in it:
// when it was used last, which a token outlives by nothing, and where from.
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

// scanSession reads a session. One that was changed past the product, or that the
// chain says has ended, has ended.
func (s authStore) scanSession(r *sql.Rows) (n auth.Session, err error) {
	var must int64
	var seal string
	err = r.Scan(&n.ID, &n.Kind, &n.Owner, &n.Operator, &n.Role, &n.Reason, &must, &n.Peer, &n.ClaimedIP, &n.Agent,
		authTime{&n.Created}, authTime{&n.Seen}, authTime{&n.Expires}, authTime{&n.Ended}, &seal)
	n.MustChange = must != 0
	if b, berr := evidence.Box(s.db); n.Ended.IsZero() && (berr != nil || !b.Marked(seal, sessionFacts(n)...) || evidence.HasEnded(s.db, n.ID)) {
		n.Ended = time.Unix(0, 0)
	}
	return n, err
}

// checkSessions finds a session that was made or changed past the product.
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
