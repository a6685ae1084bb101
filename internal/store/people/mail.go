package people

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// mailStore keeps the outbox.
type mailStore struct{ db *engine.DB }

// Mail is the outbox.
func Mail(db *engine.DB) mail.Store { return mailStore{db} }

const messageColumns = "id, recipient, subject, created_at, due_at, tries, state, error, sent_at, letter"

// sealedLetter is a message as it is read: forged if its letter was not sealed for
// this row, this recipient and this subject.
type sealedLetter = mail.Message

// letterOf is what is sealed of a message.
type letterOf struct{ Text, Letter string }

func (s mailStore) Add(ctx context.Context, tx *ledger.Tx, m mail.Message) error {
	g := engine.GroupOf(tx)
	last, _, err := engine.First(ctx, g, engine.ScanCount, "SELECT COALESCE(MAX(id), 0) FROM outbox") // the id is sealed with the letter
	if err != nil {
		return err
	}
	id := last + 1
	box, err := evidence.Box(s.db)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(letterOf{m.Text, m.Letter})
	if err != nil {
		return err
	}
	letter := box.Seal(string(raw), "outbox", id, m.To, m.Subject, engine.Micros(m.CreatedAt))
	vals := []any{id, m.To, m.Subject, "", "", engine.Micros(m.CreatedAt), engine.Micros(m.DueAt), int64(0), string(mail.Waiting), "", int64(0), letter, m.About}
	return engine.ExecOne(ctx, g, "outbox", "INSERT INTO outbox (id, recipient, subject, text, html, created_at, due_at, tries, state, error, sent_at, letter, uid) VALUES "+engine.Placeholders(1, len(vals)), vals...)
}

func (s mailStore) Mark(ctx context.Context, tx *ledger.Tx, o mail.Outcome) error {
	_, err := engine.GroupOf(tx).Exec(ctx, `UPDATE outbox SET state = $1, tries = $2, due_at = $3, error = $4, sent_at = $5,
		letter = CASE WHEN $6 = 1 THEN '' ELSE letter END
		WHERE id = $7 AND state = 'waiting'`,
		string(o.State), o.Tries, engine.Micros(o.DueAt), o.Error, engine.Micros(o.SentAt), engine.BoolInt(o.Empty), o.ID)
	return err
}

func (s mailStore) Due(ctx context.Context, t time.Time, limit int) ([]mail.Message, error) {
	return engine.List(ctx, s.db.Committed(), s.scanLetter, "SELECT "+messageColumns+` FROM outbox
		WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at, id LIMIT $2`, engine.Micros(t), limit)
}

func (s mailStore) Recent(ctx context.Context, limit int) ([]mail.Message, error) {
	return engine.List(ctx, s.db.Committed(), s.scanLetter, "SELECT "+messageColumns+" FROM outbox ORDER BY id DESC LIMIT $1", limit)
}

func (s mailStore) Forged(ctx context.Context) (int, error) {
	n, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM outbox WHERE state = 'failed' AND error = $1", mail.TextForged)
	return int(n), err
}

func (s mailStore) Waiting(ctx context.Context) (count int, oldest time.Time, err error) {
	n, err := s.count(ctx, mail.Waiting)
	if err != nil {
		return 0, oldest, err
	}
	since, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COALESCE(MIN(created_at), 0) FROM outbox WHERE state = 'waiting'")
	return n, engine.Instant(since), err
}

func (s mailStore) Failed(ctx context.Context) (int, error) { return s.count(ctx, mail.Failed) }

func (s mailStore) count(ctx context.Context, state mail.State) (int, error) {
	t, err := s.db.ListSum(ctx, engine.ListKey{List: "outbox", State: string(state)})
	return int(t.Count), err
}

func (s mailStore) scanLetter(r *sql.Rows) (m sealedLetter, err error) {
	var created, due, sent int64
	var letter string
	err = r.Scan(&m.ID, &m.To, &m.Subject, &created, &due, &m.Tries, &m.State, &m.Error, &sent, &letter)
	m.CreatedAt, m.DueAt, m.SentAt = engine.Instant(created), engine.Instant(due), engine.Instant(sent)
	text, ok := evidence.Unseal(s.db, letter, "outbox", m.ID, m.To, m.Subject, created)
	if m.Forged = !ok || (letter == "" && m.State == mail.Waiting); err != nil || m.Forged || letter == "" {
		return m, err
	}
	var l letterOf
	err = json.Unmarshal([]byte(text), &l)
	m.Text, m.Letter = l.Text, l.Letter
	return m, err
}

// checkLetters finds a letter that was changed, given to another recipient, or taken
// out of the outbox: letters are numbered without gaps.
func checkLetters(ctx context.Context, db *engine.DB) error {
	next := int64(1)
	return engine.Each(ctx, db.Committed(), mailStore{db}.scanLetter, func(m sealedLetter) error {
		if m.ID != next {
			return evidence.WrongRow("letters are numbered without gaps", "outbox "+strconv.FormatInt(next, 10), "missing", "there")
		}
		next++
		if m.Forged {
			return evidence.WrongRow(sealedRight, "outbox "+strconv.FormatInt(m.ID, 10), "changed", "as it was queued")
		}
		return nil
	}, "SELECT "+messageColumns+" FROM outbox ORDER BY id")
}
