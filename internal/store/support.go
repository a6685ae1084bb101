package store

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/support"
)

type supportStore struct{ db *DB }

// Support is the store of the help desk.
func (db *DB) Support() support.Store { return supportStore{db} }

const ticketColumns = `id, uid, query, reply, status, operator, created_at, replied_at`

func scanTicket(rows *sql.Rows) (t support.Ticket, err error) {
	var created, replied int64
	err = rows.Scan(&t.ID, &t.UID, &t.Query, &t.Reply, &t.Status, &t.Operator, &created, &replied)
	t.CreatedAt, t.RepliedAt = instant(created), instant(replied)
	return t, err
}

func scanCount(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func (supportStore) Last(ctx context.Context, rows ledger.Rows) (int64, error) {
	n, _, err := first(ctx, in(rows), scanCount, `SELECT COALESCE(MAX(id), 0) FROM support_ticket`)
	return n, err
}

func (supportStore) CountOpen(ctx context.Context, rows ledger.Rows, uid int64) (int64, error) {
	n, _, err := first(ctx, in(rows), scanCount, `SELECT COUNT(*) FROM support_ticket WHERE uid = $1 AND status = 'open'`, uid)
	return n, err
}

func (supportStore) Get(ctx context.Context, rows ledger.Rows, id int64) (support.Ticket, bool, error) {
	return first(ctx, in(rows), scanTicket, `SELECT `+ticketColumns+` FROM support_ticket WHERE id = $1`, id)
}

func (supportStore) Add(ctx context.Context, rows ledger.Rows, t support.Ticket) error {
	n, err := in(rows).Exec(ctx, `INSERT INTO support_ticket (`+ticketColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		t.ID, t.UID, t.Query, t.Reply, string(t.Status), t.Operator, micros(t.CreatedAt), micros(t.RepliedAt))
	if err != nil {
		return err
	}
	return mustHit(n, "add ticket")
}

func (supportStore) SaveReply(ctx context.Context, rows ledger.Rows, t support.Ticket) error {
	n, err := in(rows).Exec(ctx, `UPDATE support_ticket SET reply = $2, status = $3, operator = $4, replied_at = $5 WHERE id = $1 AND status = 'open'`,
		t.ID, t.Reply, string(t.Status), t.Operator, micros(t.RepliedAt))
	if err != nil {
		return err
	}
	return mustHit(n, "reply to ticket")
}

func (s supportStore) History(ctx context.Context, uid, offset, limit int64) ([]support.Ticket, int64, error) {
	total, _, err := first(ctx, &s.db.rows, scanCount, `SELECT COUNT(*) FROM support_ticket WHERE uid = $1`, uid)
	if err != nil || offset >= total {
		return nil, total, err
	}
	tickets, err := list(ctx, &s.db.rows, scanTicket,
		`SELECT `+ticketColumns+` FROM support_ticket WHERE uid = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`, uid, limit, offset)
	return tickets, total, err
}

func (s supportStore) Before(ctx context.Context, uid, id, limit int64) ([]support.Ticket, error) {
	return list(ctx, &s.db.rows, scanTicket, `SELECT `+ticketColumns+` FROM support_ticket WHERE uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3`, uid, id, limit)
}
