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

// Places that accounts were signed in from, and sessions that are over.

func (s authStore) Place(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, place []byte) (time.Time, bool, error) {
	return engine.First(ctx, s.db.From(tx), func(r *sql.Rows) (at time.Time, err error) {
		err = r.Scan(authTime{&at})
		return at, err
	}, "SELECT used_at FROM sign_in_place WHERE kind = $1 AND owner = $2 AND place = $3", string(kind), owner, place)
}

func (s authStore) KeepPlace(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, place []byte, at time.Time, most int) (int64, error) {
	before, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COUNT(*) FROM sign_in_place WHERE kind = $1 AND owner = $2", string(kind), owner)
	if err != nil {
		return 0, err
	}
	if err := engine.ExecOne(ctx, engine.GroupOf(tx), "place", `INSERT INTO sign_in_place (kind, owner, place, used_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (kind, owner, place) DO UPDATE SET used_at = excluded.used_at`, string(kind), owner, place, authMicros(at)); err != nil || before < int64(most) {
		return before, err
	}
	_, err = engine.GroupOf(tx).Exec(ctx, `DELETE FROM sign_in_place WHERE kind = $1 AND owner = $2 AND place NOT IN
		(SELECT place FROM sign_in_place WHERE kind = $1 AND owner = $2 ORDER BY used_at DESC, place LIMIT $3)`, string(kind), owner, int64(most))
	return before, err
}

func (s authStore) DropPlaces(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM sign_in_place WHERE kind = $1 AND owner = $2", string(kind), owner)
	return err
}

func (s authStore) SessionsOf(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, limit int) ([]auth.Session, error) {
	return engine.List(ctx, engine.GroupOf(tx), s.scanSession, authSession+"WHERE s.owner = $1 AND s.kind = $2 ORDER BY s.created_at DESC, s.id DESC LIMIT $3", owner, string(kind), int64(limit))
}

func (s authStore) DropSession(ctx context.Context, tx *ledger.Tx, id string) error {
	n, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM session WHERE id = $1", id)
	if n == 1 {
		evidence.NoteEnded(engine.GroupOf(tx), id) // or the row could be put back
	}
	return err
}

func (s authStore) DropSessions(ctx context.Context, tx *ledger.Tx, t time.Time, limit int) (int64, error) {
	return engine.GroupOf(tx).Exec(ctx, `DELETE FROM session WHERE id IN (SELECT s.id FROM session s WHERE s.expires_at < $1 AND (s.kind <> 'operator'
		OR EXISTS (SELECT 1 FROM session n WHERE n.owner = s.owner AND n.kind = s.kind AND n.created_at > s.created_at)) ORDER BY s.expires_at LIMIT $2)`, authMicros(t), int64(limit))
}
