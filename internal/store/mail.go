package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
)

// mailStore keeps the outbox.
type mailStore struct{ db *DB }

// Mail is the outbox.
func (db *DB) Mail() mail.Store { return mailStore{db} }

const messageColumns = "id, recipient, subject, created_at, due_at, tries, state, error, sent_at, letter"

// sealedLetter is a message as it is read: forged if its letter was not sealed for
// this row, this recipient and this subject.
type sealedLetter = mail.Message

// letterOf is what is sealed of a message.
type letterOf struct{ Text, Letter string }

func (s mailStore) Add(ctx context.Context, tx *ledger.Tx, m mail.Message) error {
	g := groupOf(tx)
	last, _, err := first(ctx, g, scanCount, "SELECT COALESCE(MAX(id), 0) FROM outbox") // the id is sealed with the letter
	if err != nil {
		return err
	}
	id := last + 1
	box, err := s.db.box()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(letterOf{m.Text, m.Letter})
	if err != nil {
		return err
	}
	letter := box.Seal(string(raw), "outbox", id, m.To, m.Subject, micros(m.CreatedAt))
	vals := []any{id, m.To, m.Subject, "", "", micros(m.CreatedAt), micros(m.DueAt), int64(0), string(mail.Waiting), "", int64(0), letter, m.About}
	n, err := g.Exec(ctx, "INSERT INTO outbox (id, recipient, subject, text, html, created_at, due_at, tries, state, error, sent_at, letter, uid) VALUES "+placeholders(1, len(vals)), vals...)
	if err != nil {
		return err
	}
	return mustHit(n, "outbox")
}

func (s mailStore) Mark(ctx context.Context, tx *ledger.Tx, o mail.Outcome) error {
	_, err := groupOf(tx).Exec(ctx, `UPDATE outbox SET state = $1, tries = $2, due_at = $3, error = $4, sent_at = $5,
		letter = CASE WHEN $6 = 1 THEN '' ELSE letter END
		WHERE id = $7 AND state = 'waiting'`,
		string(o.State), o.Tries, micros(o.DueAt), o.Error, micros(o.SentAt), flag(o.Empty), o.ID)
	return err
}

func (s mailStore) Due(ctx context.Context, t time.Time, limit int) ([]mail.Message, error) {
	return list(ctx, &s.db.rows, s.db.scanLetter, "SELECT "+messageColumns+` FROM outbox
		WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id LIMIT $2`, micros(t), limit)
}

func (s mailStore) Recent(ctx context.Context, limit int) ([]mail.Message, error) {
	return list(ctx, &s.db.rows, s.db.scanLetter, "SELECT "+messageColumns+" FROM outbox ORDER BY id DESC LIMIT $1", limit)
}

func (s mailStore) Forged(ctx context.Context) (int, error) {
	n, _, err := first(ctx, &s.db.rows, scanCount, "SELECT COUNT(*) FROM outbox WHERE state = 'failed' AND error = $1", mail.TextForged)
	return int(n), err
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

func (db *DB) scanLetter(r *sql.Rows) (m sealedLetter, err error) {
	var created, due, sent int64
	var letter string
	err = r.Scan(&m.ID, &m.To, &m.Subject, &created, &due, &m.Tries, &m.State, &m.Error, &sent, &letter)
	m.CreatedAt, m.DueAt, m.SentAt = instant(created), instant(due), instant(sent)
	text, ok := db.unseal(letter, "outbox", m.ID, m.To, m.Subject, created)
	if m.Forged = !ok || (letter == "" && m.State == mail.Waiting); err != nil || m.Forged || letter == "" {
		return m, err
	}
	var l letterOf
	err = json.Unmarshal([]byte(text), &l)
	m.Text, m.Letter = l.Text, l.Letter
	return m, err
}
