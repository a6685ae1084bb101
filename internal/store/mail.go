package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/mail"
)

// mailStore keeps the outbox.
type mailStore struct{ db *DB }

// Mail is the outbox.
func (db *DB) Mail() mail.Store { return mailStore{db} }

const messageColumns = "id, recipient, subject, text, html, created_at, due_at, tries, state, error, sent_at, letter"

func (s mailStore) Add(ctx context.Context, rows ledger.Rows, m mail.Message) error {
	if g := in(rows); g.hopeful() {
		id, err := g.next(ctx, outboxTable)
		if err == nil {
			g.later(outboxTable, id, m.To, m.Subject, m.Text, m.HTML, micros(m.CreatedAt), micros(m.DueAt), int64(0), string(mail.Waiting), "", int64(0), m.Letter)
		}
		return err
	}
	n, err := in(rows).Exec(ctx, `INSERT INTO outbox (`+messageColumns+`)
		SELECT COALESCE(MAX(id), 0) + 1, $1, $2, $3, $4, $5, $6, 0, 'waiting', '', 0, $7 FROM outbox`,
		m.To, m.Subject, m.Text, m.HTML, micros(m.CreatedAt), micros(m.DueAt), m.Letter)
	if err != nil {
		return err
	}
	return mustHit(n, "outbox")
}

func (s mailStore) Mark(ctx context.Context, rows ledger.Rows, o mail.Outcome) error {
	_, err := in(rows).Exec(ctx, `UPDATE outbox SET state = $1, tries = $2, due_at = $3, error = $4, sent_at = $5,
		text = CASE WHEN $6 = 1 THEN '' ELSE text END, html = CASE WHEN $6 = 1 THEN '' ELSE html END,
		letter = CASE WHEN $6 = 1 THEN '' ELSE letter END
		WHERE id = $7 AND state = 'waiting'`,
		string(o.State), o.Tries, micros(o.DueAt), o.Error, micros(o.SentAt), flag(o.Empty), o.ID)
	return err
}

func (s mailStore) Due(ctx context.Context, t time.Time, limit int) ([]mail.Message, error) {
	return list(ctx, &s.db.rows, scanMessage, "SELECT "+messageColumns+` FROM outbox
		WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id LIMIT $2`, micros(t), limit)
}

func (s mailStore) Recent(ctx context.Context, limit int) ([]mail.Message, error) {
	return list(ctx, &s.db.rows, scanMessage, "SELECT "+messageColumns+" FROM outbox ORDER BY id DESC LIMIT $1", limit)
}

func (s mailStore) Waiting(ctx context.Context) (count int, oldest time.Time, err error) {
	n, err := s.count(ctx, mail.Waiting)
	if err != nil {
		return 0, oldest, err
	}
	since, _, err := first(ctx, &s.db.rows, scanCount, "SELECT COALESCE(MIN(created_at), 0) FROM outbox WHERE state = 'waiting'")
	return n, instant(since), err
}

func (s mailStore) Failed(ctx context.Context) (int, error) { return s.count(ctx, mail.Failed) }

func (s mailStore) count(ctx context.Context, state mail.State) (int, error) {
	t, err := s.db.listSum(ctx, summed{list: "outbox", state: string(state)})
	return int(t.count), err
}

func scanMessage(r *sql.Rows) (m mail.Message, err error) {
	var created, due, sent int64
	err = r.Scan(&m.ID, &m.To, &m.Subject, &m.Text, &m.HTML, &created, &due, &m.Tries, &m.State, &m.Error, &sent, &m.Letter)
	m.CreatedAt, m.DueAt, m.SentAt = instant(created), instant(due), instant(sent)
	return m, err
}
