package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/newsletter"
)

type newsletterStore struct{ db *DB }

// Newsletter is the store of the newsletter's addresses.
func (db *DB) Newsletter() newsletter.Store { return newsletterStore{db} }

const subscriptionColumns = `id, email, state, token, token_until, asked_at, mailed_at, confirmed_at, ended_at`

func scanSubscription(rows *sql.Rows) (s newsletter.Subscription, err error) {
	var until, asked, mailed, confirmed, ended int64
	err = rows.Scan(&s.ID, &s.Email, &s.State, &s.Token, &until, &asked, &mailed, &confirmed, &ended)
	s.TokenUntil, s.Asked, s.Mailed, s.Confirmed, s.Ended = instant(until), instant(asked), instant(mailed), instant(confirmed), instant(ended)
	return s, err
}

func (newsletterStore) ByEmail(ctx context.Context, tx *ledger.Tx, email string) (newsletter.Subscription, bool, error) {
	return first(ctx, groupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE email = $1`, email)
}

func (newsletterStore) ByToken(ctx context.Context, tx *ledger.Tx, hash []byte) (newsletter.Subscription, bool, error) {
	return first(ctx, groupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE token = $1`, hash)
}

func (newsletterStore) ByID(ctx context.Context, tx *ledger.Tx, id int64) (newsletter.Subscription, bool, error) {
	return first(ctx, groupOf(tx), scanSubscription, `SELECT `+subscriptionColumns+` FROM newsletter WHERE id = $1`, id)
}

func (newsletterStore) Put(ctx context.Context, tx *ledger.Tx, s newsletter.Subscription) (int64, error) {
	if s.ID == 0 {
		last, _, err := first(ctx, groupOf(tx), scanCount, `SELECT COALESCE(MAX(id), 0) FROM newsletter`)
		if err != nil {
			return 0, err
		}
		s.ID = last + 1
	}
	n, err := groupOf(tx).Exec(ctx, `INSERT INTO newsletter (`+subscriptionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (id) DO UPDATE SET state = excluded.state, token = excluded.token, token_until = excluded.token_until, asked_at = excluded.asked_at,
		mailed_at = excluded.mailed_at, confirmed_at = excluded.confirmed_at, ended_at = excluded.ended_at`,
		s.ID, s.Email, string(s.State), s.Token, micros(s.TokenUntil), micros(s.Asked), micros(s.Mailed), micros(s.Confirmed), micros(s.Ended))
	if err != nil {
		return 0, err
	}
	return s.ID, mustHit(n, "newsletter")
}

func (newsletterStore) Forget(ctx context.Context, tx *ledger.Tx, before time.Time) error {
	_, err := groupOf(tx).Exec(ctx, `DELETE FROM newsletter WHERE state = 'asked' AND token_until < $1`, micros(before))
	return err
}

func (s newsletterStore) List(ctx context.Context, state newsletter.State, offset, limit int64) ([]newsletter.Subscription, int64, error) {
	t, err := s.db.listSum(ctx, summed{list: "newsletter", state: string(state)})
	if err != nil || offset >= t.count {
		return nil, t.count, err
	}
	var w wheres
	w.add("state =", string(state))
	found, err := paged(ctx, &s.db.rows, scanSubscription, subscriptionColumns, "newsletter", w, false, t.count, limit, offset)
	return found, t.count, err
}
