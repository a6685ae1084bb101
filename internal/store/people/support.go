package people

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

type supportStore struct{ db *engine.DB }

var (
	TicketSigned    = evidence.NewSignedTable("support_ticket", ticketColumns+", due_at, waits, (SELECT m.salt FROM member m WHERE m.uid = support_ticket.uid)", evidence.SignedOptions{Checked: true})
	TicketActSigned = evidence.NewSignedTable("support_act", ticketActColumns+", (SELECT m.salt FROM member m JOIN support_ticket t ON t.uid = m.uid WHERE t.id = support_act.ticket)", evidence.SignedOptions{Keys: 2, Checked: true})
)

// Support is the store of the help desk.
func Support(db *engine.DB) support.Store { return supportStore{db} }

const ticketColumns = `id, uid, kind, query, reply, status, operator, assignee, assignee_name, created_at, replied_at, answered_at, closed_at, acts`

func scanTicket(rows *sql.Rows) (t support.Ticket, err error) {
	var created, replied, answered, closed int64
	err = rows.Scan(&t.ID, &t.UID, &t.Kind, &t.Query, &t.Reply, &t.Status, &t.Operator, &t.Assignee.Operator, &t.Assignee.Name, &created, &replied, &answered, &closed, &t.Acts)
	t.CreatedAt, t.RepliedAt, t.AnsweredAt, t.ClosedAt = engine.Instant(created), engine.Instant(replied), engine.Instant(answered), engine.Instant(closed)
	return t, err
}

func (supportStore) Last(ctx context.Context, tx *ledger.Tx) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT COALESCE(MAX(id), 0) FROM support_ticket`)
}

func (supportStore) CountOpen(ctx context.Context, tx *ledger.Tx, uid int64) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT COUNT(*) FROM support_ticket WHERE uid = $1 AND status = 'open'`, uid)
}

func (supportStore) CountActs(ctx context.Context, tx *ledger.Tx, id int64, kind support.ActKind) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT COUNT(*) FROM support_act WHERE ticket = $1 AND kind = $2`, id, string(kind))
}

func (supportStore) Get(ctx context.Context, tx *ledger.Tx, id int64) (support.Ticket, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanTicket, `SELECT `+ticketColumns+` FROM support_ticket WHERE id = $1`, id)
}

func (supportStore) Add(ctx context.Context, tx *ledger.Tx, t support.Ticket) error {
	n, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO support_ticket (`+ticketColumns+`, due_at, waits) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		t.ID, t.UID, string(t.Kind), t.Query, t.Reply, string(t.Status), t.Operator, t.Assignee.Operator, t.Assignee.Name,
		engine.Micros(t.CreatedAt), engine.Micros(t.RepliedAt), engine.Micros(t.AnsweredAt), engine.Micros(t.ClosedAt), t.Acts, engine.Micros(t.Due()), engine.BoolInt(t.Waits()))
	if err != nil {
		return err
	}
	if err := engine.ExpectOne(n, "add ticket"); err != nil {
		return err
	}
	if err := evidence.SignStored(ctx, engine.GroupOf(tx), TicketSigned, t.ID); err != nil {
		return err
	}
	return addWords(ctx, tx, t)
}

func (supportStore) Save(ctx context.Context, tx *ledger.Tx, t support.Ticket, a support.Act) error {
	n, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), TicketSigned, []any{t.ID}, `UPDATE support_ticket SET kind = $2, reply = $3, status = $4, operator = $5, assignee = $6, assignee_name = $7,
		replied_at = $8, answered_at = $9, closed_at = $10, acts = $11, due_at = $12, waits = $13 WHERE id = $1 AND acts = $14`,
		t.ID, string(t.Kind), t.Reply, string(t.Status), t.Operator, t.Assignee.Operator, t.Assignee.Name,
		engine.Micros(t.RepliedAt), engine.Micros(t.AnsweredAt), engine.Micros(t.ClosedAt), t.Acts, engine.Micros(t.Due()), engine.BoolInt(t.Waits()), t.Acts-1)
	if err != nil {
		return err
	}
	if err := engine.ExpectOne(n, "save ticket"); err != nil {
		return err
	}
	n, err = evidence.ChangeOne(ctx, engine.GroupOf(tx), TicketActSigned, []any{a.Ticket, a.No}, `INSERT INTO support_act (`+ticketActColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		a.Ticket, a.No, string(a.Kind), a.Operator, a.Name, a.Text, engine.Micros(a.At))
	if err != nil {
		return err
	}
	if err := engine.ExpectOne(n, "act of a ticket"); err != nil || a.Kind != support.ActAnswer {
		return err
	}
	return addWords(ctx, tx, t)
}

func (s supportStore) History(ctx context.Context, uid, offset, limit int64) ([]support.Ticket, int64, error) {
	total, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, `SELECT COUNT(*) FROM support_ticket WHERE uid = $1`, uid)
	if err != nil || offset >= total {
		return nil, total, err
	}
	tickets, err := engine.List(ctx, s.db.Committed(), scanTicket,
		`SELECT `+ticketColumns+` FROM support_ticket WHERE uid = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`, uid, limit, offset)
	return tickets, total, err
}

// conditions are a filter without the words of its search as SQL, with one text
// for each set of filters.
func conditions(f support.Filter) (where string, args []any) {
	all := []string{"id > 0"}
	and := func(condition string, values ...any) {
		for _, v := range values {
			args = append(args, v)
			condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(args)), 1)
		}
		all = append(all, condition)
	}
	if f.Waiting {
		and("waits = 1")
	}
	number, numbered := f.Number()
	if f.Status != "" {
		and(engine.Unindexed(number, "status")+" = ?", string(f.Status))
	}
	if f.Kind != "" {
		and(engine.Unindexed(number, "kind")+" = ?", string(f.Kind))
	}
	if !f.Overdue.IsZero() {
		and("waits = 1 AND due_at > 0 AND due_at < ?", engine.Micros(f.Overdue))
	}
	if numbered {
		and("(id = ? OR uid = ?)", number, number)
	}
	return strings.Join(all, " AND "), args
}

func (s supportStore) Find(ctx context.Context, f support.Filter) (out support.Found, err error) {
	if _, numbered := f.Number(); f.Search != "" && !numbered {
		return s.search(ctx, f)
	}
	where, args := conditions(f)
	if out.Total, err = s.count(ctx, f, where, args); err != nil || f.Offset >= out.Total {
		return out, err
	}
	out.Tickets, err = engine.List(ctx, s.db.Committed(), scanTicket, fmt.Sprintf("SELECT %s FROM support_ticket WHERE %s ORDER BY %s LIMIT $%d OFFSET $%d", ticketColumns, where, orderOf(f), len(args)+1, len(args)+2),
		append(args, f.Limit, f.Offset)...)
	return out, err
}

func orderOf(f support.Filter) string {
	if f.DueFirst() {
		return "CASE WHEN due_at = 0 THEN 1 ELSE 0 END, due_at, id"
	}
	return "id DESC"
}

// count is kept unless it is of a search or of deadlines.
func (s supportStore) count(ctx context.Context, f support.Filter, where string, args []any) (int64, error) {
	if f.Search == "" && f.Overdue.IsZero() {
		t, err := s.db.ListSum(ctx, engine.ListKey{List: "support_ticket", State: string(f.Status), Kind: string(f.Kind), Waiting: f.Waiting})
		return t.Count, err
	}
	return engine.Value(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM support_ticket WHERE "+where, args...)
}

const ticketActColumns = "ticket, no, kind, operator, name, text, at"

func (s supportStore) Thread(ctx context.Context, id int64) (t support.Ticket, acts []support.Act, found bool, err error) {
	t, found, err = engine.First(ctx, s.db.Committed(), scanTicket, `SELECT `+ticketColumns+` FROM support_ticket WHERE id = $1`, id)
	if err != nil || !found {
		return t, nil, found, err
	}
	scan := func(r *sql.Rows) (a support.Act, err error) {
		var at int64
		err = r.Scan(&a.Ticket, &a.No, &a.Kind, &a.Operator, &a.Name, &a.Text, &at)
		a.At = engine.Instant(at)
		return a, err
	}
	// Acts are only ever added: what the ticket does not count came after it was read.
	acts, err = engine.List(ctx, s.db.Committed(), scan, `SELECT `+ticketActColumns+` FROM support_act WHERE ticket = $1 AND no <= $2 ORDER BY no`, id, t.Acts)
	return t, acts, true, err
}

func (s supportStore) Before(ctx context.Context, uid, id, limit int64) ([]support.Ticket, error) {
	return engine.List(ctx, s.db.Committed(), scanTicket, `SELECT `+ticketColumns+` FROM support_ticket WHERE uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3`, uid, id, limit)
}
