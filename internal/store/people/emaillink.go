package people

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/member"

	"github.com/bifolia/bifolia/internal/store/engine"
)

func (memberStore) AddEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	return engine.ExecOne(ctx, engine.GroupOf(tx), "e-mail link", "INSERT INTO email_link (uid, mark, purpose, email, made_at, until_at, used_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		l.UID, l.Mark, string(l.Purpose), l.Email, engine.Micros(l.Made), engine.Micros(l.Until), engine.Micros(l.Used))
}

func (s memberStore) EmailLinks(ctx context.Context, tx *ledger.Tx, uid int64) ([]member.EmailLink, error) {
	scan := func(r *sql.Rows) (l member.EmailLink, err error) {
		var made, until, used int64
		err = r.Scan(&l.UID, &l.Mark, &l.Purpose, &l.Email, &made, &until, &used)
		l.Made, l.Until, l.Used = engine.Instant(made), engine.Instant(until), engine.Instant(used)
		return l, err
	}
	q := s.db.Committed()
	if tx != nil {
		q = engine.GroupOf(tx)
	}
	return engine.List(ctx, q, scan, "SELECT uid, mark, purpose, email, made_at, until_at, used_at FROM email_link WHERE uid = $1 ORDER BY made_at DESC, mark", uid)
}

func (memberStore) DropEmailLink(ctx context.Context, tx *ledger.Tx, l member.EmailLink) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM email_link WHERE uid = $1 AND mark = $2", l.UID, l.Mark)
	return err
}
