package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Failed sign-ins.

func scanTry(r *sql.Rows) (y auth.TryRow, err error) {
	err = r.Scan(&y.Slot, &y.Who, authTime{&y.Full})
	return y, err
}

func (s authStore) Try(ctx context.Context, tx *ledger.Tx, slot int64) (auth.TryRow, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanTry, "SELECT slot, who, full_at FROM login_try WHERE slot = $1", slot)
}

func (s authStore) Tries(ctx context.Context, tx *ledger.Tx, begin, end int64) ([]auth.TryRow, error) {
	return engine.List(ctx, s.db.From(tx), scanTry, "SELECT slot, who, full_at FROM login_try WHERE slot >= $1 AND slot < $2", begin, end)
}

func (s authStore) PutTry(ctx context.Context, tx *ledger.Tx, y auth.TryRow) error {
	return engine.ExecOne(ctx, engine.GroupOf(tx), "wrong sign-in", `INSERT INTO login_try (slot, who, full_at) VALUES ($1, $2, $3)
		ON CONFLICT (slot) DO UPDATE SET who = excluded.who, full_at = excluded.full_at`, y.Slot, y.Who, authMicros(y.Full))
}

func (s authStore) DropTry(ctx context.Context, tx *ledger.Tx, y auth.TryRow) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM login_try WHERE slot = $1 AND who = $2", y.Slot, y.Who)
	return err
}

func (s authStore) DropTries(ctx context.Context, tx *ledger.Tx, at time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM login_try WHERE full_at <= $1", authMicros(at))
	return err
}

// Places that accounts were signed in from.

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
