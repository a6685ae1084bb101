package store

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"
)

func (memberStore) AddEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	n, err := groupOf(tx).Exec(ctx, "INSERT INTO email_link (uid, mark, purpose, email, made_at, until_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		l.UID, l.Mark, string(l.Purpose), l.Email, micros(l.Made), micros(l.Until), micros(l.Used))
	if err != nil {
		return err
	}
	return mustHit(n, "e-mail link")
}

func (s memberStore) EmailLinks(ctx context.Context, tx *ledger.Tx, uid int64) ([]member.EmailLink, error) {
	scan := func(r *sql.Rows) (l member.EmailLink, err error) {
		var made, until, used int64
		err = r.Scan(&l.UID, &l.Mark, &l.Purpose, &l.Email, &made, &until, &used)
		l.Made, l.Until, l.Used = instant(made), instant(until), instant(used)
		return l, err
	}
	q := querier(&s.db.rows)
	if tx != nil {
		q = groupOf(tx)
	}
	return list(ctx, q, scan, "SELECT uid, mark, purpose, email, made_at, until_at, used_at FROM email_link WHERE uid = $1 ORDER BY made_at DESC, mark", uid)
}

func (memberStore) DropEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	_, err := groupOf(tx).Exec(ctx, "DELETE FROM email_link WHERE uid = $1 AND mark = $2", l.UID, l.Mark)
	return err
}
