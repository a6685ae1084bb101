package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/store/engine"
)

type newsletterStore struct{ db *engine.DB }

// Newsletter is the store of the newsletter's addresses.
func Newsletter(db *engine.DB) newsletter.Store { return newsletterStore{db} }

const subscriptionColumns = `id, email, state, token, token_until, asked_at, mailed_at, confirmed_at, ended_at`

func scanSubscription(rows *sql.Rows) (s newsletter.Subscription, err error) {
	var until, asked, mailed, confirmed, ended int64
	err = rows.Scan(&s.ID, &s.Email, &s.State, &s.Token, &until, &asked, &mailed, &confirmed, &ended)
	s.TokenUntil, s.Asked, s.Mailed, s.Confirmed, s.Ended = engine.Instant(until), engine.Instant(asked), engine.Instant(mailed), engine.Instant(confirmed), engine.Instant(ended)
	return s, err
}

func (newsletterStore) ByEmail(ctx context.Context, tx *ledger.Tx, email string) (newsletter.Subscription, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE email = $1`, email)
}

func (newsletterStore) ByToken(ctx context.Context, tx *ledger.Tx, hash []byte) (newsletter.Subscription, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE token = $1`, hash)
}

func (newsletterStore) ByID(ctx context.Context, tx *ledger.Tx, id int64) (newsletter.Subscription, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE id = $1`, id)
}

func (newsletterStore) Put(ctx context.Context, tx *ledger.Tx, s newsletter.Subscription) (int64, error) {
	if s.ID == 0 {
		last, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT COALESCE(MAX(id), 0) FROM newsletter`)
		if err != nil {
			return 0, err
		}
		s.ID = last + 1
	}
	n, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO newsletter (`+subscriptionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (id) DO UPDATE SET state = excluded.state, token = excluded.token, token_until = excluded.token_until, asked_at = excluded.asked_at,
		mailed_at = excluded.mailed_at, confirmed_at = excluded.confirmed_at, ended_at = excluded.ended_at`,
		s.ID, s.Email, string(s.State), s.Token, engine.Micros(s.TokenUntil), engine.Micros(s.Asked), engine.Micros(s.Mailed), engine.Micros(s.Confirmed), engine.Micros(s.Ended))
	if err != nil {
		return 0, err
	}
	return s.ID, engine.ExpectOne(n, "newsletter")
}

func (newsletterStore) Forget(ctx context.Context, tx *ledger.Tx, before time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, `DELETE FROM newsletter WHERE state = 'asked' AND token_until < $1`, engine.Micros(before))
	return err
}

func (s newsletterStore) List(ctx context.Context, state newsletter.State, offset, limit int64) ([]newsletter.Subscription, int64, error) {
	t, err := s.db.ListSum(ctx, engine.ListKey{List: "newsletter", State: string(state)})
	if err != nil || offset >= t.Count {
		return nil, t.Count, err
	}
	var w engine.Conditions
	w.Add("state =", string(state))
	found, err := engine.Paged(ctx, s.db.Committed(), scanSubscription, subscriptionColumns, "newsletter", w, false, t.Count, limit, offset)
	return found, t.Count, err
}
