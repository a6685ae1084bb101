package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// enrolStore remembers registrations.
type enrolStore struct{ db *engine.DB }

// Enrol is the store of registrations.
func Enrol(db *engine.DB) enrol.Store { return enrolStore{db} }

func (enrolStore) Enrolled(ctx context.Context, tx *ledger.Tx, request []byte) (int64, time.Time, error) {
	var at int64
	scan := func(r *sql.Rows) (uid int64, err error) {
		err = r.Scan(&uid, &at)
		return uid, err
	}
	uid, _, err := engine.First(ctx, engine.GroupOf(tx), scan, "SELECT uid, at FROM enrolment WHERE request = $1", request)
	return uid, time.UnixMicro(at).UTC(), err
}

func (enrolStore) Enrol(ctx context.Context, tx *ledger.Tx, request []byte, uid int64, at time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO enrolment (request, uid, at) VALUES ($1, $2, $3)
		ON CONFLICT (request) DO UPDATE SET uid = excluded.uid, at = excluded.at`, request, uid, at.UnixMicro())
	return err
}

func (enrolStore) Decoy(ctx context.Context, tx *ledger.Tx, value []byte) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), internalSigned, []any{"decoy"}, `INSERT INTO setting (name, value) VALUES ('decoy', $1)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, value)
}

// Registered finds a registration's answer by the number in it: answers are
// read once, because the chain is not indexed by what was answered. Operators
// enter customers under their own name, among all else that they do.
func (s enrolStore) Registered(ctx context.Context, yield func(enrol.Registered) error) error {
	answers := map[int64][]byte{}
	if err := engine.Each(ctx, s.db.Committed(), func(r *sql.Rows) (raw []byte, err error) {
		err = r.Scan(&raw)
		return raw, err
	}, func(raw []byte) error {
		if uid, ok := enrol.Answered(raw); ok && answers[uid] == nil {
			answers[uid] = raw
		}
		return nil
	}, "SELECT response FROM command WHERE actor = $1 OR actor LIKE $2 ORDER BY batch, n", enrol.Actor, actor.OperatorPrefix+"%"); err != nil {
		return err
	}
	scan := func(r *sql.Rows) (x enrol.Registered, err error) {
		var person, credential int64
		err = r.Scan(&x.UID, &x.No, &x.Sponsor, &x.Parent, &x.Side, &x.JoinedAt, &x.PersonAt, &person, &credential)
		x.Person, x.Credential, x.Answer = person != 0, credential != 0, answers[x.UID]
		return x, err
	}
	return engine.Each(ctx, s.db.Committed(), scan, yield, `SELECT p.uid, p.no, p.sponsor, p.parent, p.side, p.joined_at,
		COALESCE(m.joined_at, 0), COALESCE(m.uid, 0), COALESCE(c.uid, 0)
		FROM place p LEFT JOIN member m ON m.uid = p.uid LEFT JOIN credential c ON c.uid = p.uid ORDER BY p.no`)
}

func (s enrolStore) Strays(ctx context.Context) (int64, error) {
	return engine.Value(ctx, s.db.Committed(), engine.ScanID, `SELECT
		(SELECT COUNT(*) FROM member WHERE NOT EXISTS (SELECT 1 FROM place WHERE place.uid = member.uid)) +
		(SELECT COUNT(*) FROM credential WHERE NOT EXISTS (SELECT 1 FROM place WHERE place.uid = credential.uid))`)
}
