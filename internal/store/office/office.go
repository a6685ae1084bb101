// Package office has the stores of staff and settings.
package office

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// officeStore reads what operators look up about members, and keeps their notes.
type officeStore struct{ db *engine.DB }

var noteSigned = evidence.NewSignedTable("member_note", noteColumns+", (SELECT m.salt FROM member m WHERE m.uid = member_note.uid)", evidence.SignedOptions{})

// Staff is the store of the back office.
func Staff(db *engine.DB) staff.Store { return officeStore{db} }

// searched is the indexed expression of each field, and the condition of its index.
var searched = map[staff.Field][2]string{
	staff.ByName:     {"lower(name)", ""},
	staff.ByLastName: {"lower(last_name)", " AND last_name <> ''"},
	staff.ByEmail:    {"lower(email)", ""},
	staff.ByMobile:   {"mobile", ""},
	staff.ByWallet:   {"lower(wallet)", " AND wallet <> ''"},
	staff.ByWord2:    afterSpace(1),
	staff.ByWord3:    afterSpace(2),
	staff.ByWord4:    afterSpace(3),
}

// afterSpace is the name after its n-th space, in SQLite's words: as the indexes
// say it.
func afterSpace(n int) [2]string {
	rest, has := "name", ""
	for range n {
		has = " AND instr(" + rest + ", ' ') > 0"
		rest = "substr(" + rest + ", instr(" + rest + ", ' ') + 1)"
	}
	return [2]string{"lower(" + rest + ")", has}
}

// inEngine is an expression of searched in the words of the engine.
func inEngine(db *engine.DB, expression string) string {
	if db.Engine() == engine.Postgres {
		return strings.ReplaceAll(expression, "instr(", "strpos(")
	}
	return expression
}

// bytewise is an expression that compares by bytes on either engine.
func bytewise(db *engine.DB, expression string) string {
	if db.Engine() == engine.Postgres {
		return "(" + expression + `) COLLATE "C"`
	}
	return expression
}

func (s officeStore) Begins(ctx context.Context, field staff.Field, text string, limit int) ([]int64, error) {
	by, known := searched[field]
	if !known {
		return nil, fmt.Errorf("members are not looked up by %q", field)
	}
	key := bytewise(s.db, inEngine(s.db, by[0]))
	// Values that begin with text are between text and text with the last character.
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT uid FROM member WHERE "+key+" >= lower($1) AND "+key+" < lower($1) || $2"+inEngine(s.db, by[1])+" ORDER BY "+key+", uid LIMIT $3",
		text, string(utf8.MaxRune), int64(limit))
}

func (s officeStore) Calls(ctx context.Context, countries []int64, text string, limit int) ([]int64, error) {
	key := bytewise(s.db, "mobile")
	args := []any{text, string(utf8.MaxRune), int64(limit)}
	for _, c := range countries {
		args = append(args, c)
	}
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT uid FROM member WHERE "+key+" >= $1 AND "+key+" < $1 || $2 AND country IN "+engine.Placeholders(4, len(countries))+" ORDER BY "+key+", uid LIMIT $3", args...)
}

// fewCalled limits the members with a last name among whom one is looked for.
const fewCalled = 2000

func (s officeStore) Called(ctx context.Context, first, last string, limit int) ([]int64, error) {
	key, name := bytewise(s.db, "lower(last_name)"), bytewise(s.db, "lower(name)")
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT uid FROM (SELECT uid, name FROM member WHERE "+key+" >= lower($1) AND "+key+" < lower($1) || $2 AND last_name <> '' ORDER BY "+key+" LIMIT $3) AS called WHERE "+
		name+" >= lower($4) AND "+name+" < lower($4) || $2 ORDER BY uid LIMIT $5", last, string(utf8.MaxRune), int64(fewCalled), first, int64(limit))
}

func (s officeStore) Paid(ctx context.Context, begin string, limit int) ([]int64, error) {
	number, hash, sent := bytewise(s.db, "number"), bytewise(s.db, "hash"), bytewise(s.db, "t.hash")
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT uid FROM (SELECT uid FROM fund_request WHERE "+number+" >= $1 AND "+number+" < $1 || $2 ORDER BY "+number+" LIMIT $3) AS asked"+
		" UNION SELECT uid FROM (SELECT uid FROM withdrawal WHERE "+hash+" >= $1 AND "+hash+" < $1 || $2 AND hash <> '' ORDER BY "+hash+" LIMIT $3) AS paid"+
		" UNION SELECT uid FROM (SELECT w.uid FROM payout_tx t JOIN withdrawal w ON w.id = t.withdrawal WHERE "+sent+" >= $1 AND "+sent+" < $1 || $2 ORDER BY "+sent+" LIMIT $3) AS sent ORDER BY 1 LIMIT $3", begin, string(utf8.MaxRune), int64(limit))
}

// numbered are the tables of records with a number, identified those of records with an id.
var (
	numbered   = map[staff.Field]string{staff.ByRequest: "fund_request", staff.ByWithdrawal: "withdrawal", staff.ByTicket: "support_ticket"}
	identified = map[staff.Field]string{staff.ByClaim: "claim", staff.BySale: "sale"}
)

func (s officeStore) Owner(ctx context.Context, of staff.Field, number int64) ([]int64, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT uid FROM "+numbered[of]+" WHERE id = $1", number)
}

func (s officeStore) OwnerOf(ctx context.Context, of staff.Field, id string) ([]int64, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT p.uid FROM "+identified[of]+" r JOIN place p ON p.no = r.no WHERE r.id = $1", id)
}

func (s officeStore) InTransfer(ctx context.Context, id string) ([]int64, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanID, "SELECT DISTINCT e.owner FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.id = $1 AND e.owner > 0 ORDER BY e.owner LIMIT 50", id)
}

func (s officeStore) Newest(ctx context.Context, before int64, limit int) ([]staff.Joined, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	scan := func(r *sql.Rows) (j staff.Joined, err error) {
		err = r.Scan(&j.No, &j.UID)
		return j, err
	}
	return engine.List(ctx, s.db.Committed(), scan, "SELECT no, uid FROM place WHERE no < $1 ORDER BY no DESC LIMIT $2", before, int64(limit))
}

func (s officeStore) Accounts(ctx context.Context, uid int64) ([]staff.AccountLine, error) {
	scan := func(r *sql.Rows) (a staff.AccountLine, err error) {
		var posted, held int64
		err = r.Scan(&a.Code, &posted, &held, &a.Version)
		a.Posted, a.Held, a.Available = money.Micro(posted), money.Micro(held), money.Micro(posted-held)
		return a, err
	}
	return engine.List(ctx, s.db.Committed(), scan, "SELECT code, posted, held, version FROM account WHERE owner = $1 ORDER BY code", uid)
}

func (s officeStore) Entries(ctx context.Context, uid int64, code string, before int64, limit int) ([]staff.EntryLine, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	scan := func(r *sql.Rows) (e staff.EntryLine, err error) {
		var delta, held, after, heldAfter, at, effective int64
		err = r.Scan(&e.Version, &e.Transfer, &e.Kind, &e.Reason, &e.Ref, &delta, &held, &after, &heldAfter, &at, &effective)
		e.Delta, e.Held, e.After, e.HeldAfter = money.Micro(delta), money.Micro(held), money.Micro(after), money.Micro(heldAfter)
		e.At, e.Effective = engine.Instant(at), engine.Instant(effective)
		return e, err
	}
	return engine.List(ctx, s.db.Committed(), scan, `SELECT e.version, t.id, t.kind, t.reason, t.reference, e.delta, e.held_delta, e.balance_after, e.held_after, t.recorded_at, t.effective_at
		FROM (SELECT * FROM entry WHERE account = (SELECT a.id FROM account a WHERE a.code = $1 AND a.owner = $2) AND version < $3 ORDER BY version DESC LIMIT $4) e
		JOIN transfer t ON t.seq = e.seq ORDER BY e.version DESC`, code, uid, before, int64(limit))
}

func (s officeStore) Counts(ctx context.Context, uid, no int64) (staff.Counts, error) {
	scan := func(r *sql.Rows) (c staff.Counts, err error) {
		err = r.Scan(&c.Sales, &c.Positions, &c.Claims, &c.Tickets, &c.OpenTickets, &c.Notes)
		return c, err
	}
	return engine.Value(ctx, s.db.Committed(), scan, `SELECT (SELECT COUNT(*) FROM sale WHERE no = $2), (SELECT COUNT(*) FROM invest_position WHERE no = $2),
		(SELECT COUNT(*) FROM claim WHERE no = $2), (SELECT COUNT(*) FROM support_ticket WHERE uid = $1),
		(SELECT COUNT(*) FROM support_ticket WHERE uid = $1 AND status = 'open'), (SELECT COUNT(*) FROM member_note WHERE uid = $1)`, uid, no)
}

const noteColumns = "id, uid, operator, name, text, at"

func (officeStore) AddNote(ctx context.Context, tx *ledger.Tx, n staff.Note) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM member_note")
	if err != nil {
		return 0, err
	}
	return id, evidence.ChangeRow(ctx, engine.GroupOf(tx), noteSigned, []any{id}, "INSERT INTO member_note ("+noteColumns+") VALUES ($1, $2, $3, $4, $5, $6)", id, n.UID, n.Operator, n.Name, n.Text, engine.Micros(n.At))
}

func (s officeStore) Notes(ctx context.Context, uid, before int64, limit int) ([]staff.Note, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	scan := func(r *sql.Rows) (n staff.Note, err error) {
		var at int64
		err = r.Scan(&n.ID, &n.UID, &n.Operator, &n.Name, &n.Text, &at)
		n.At = engine.Instant(at)
		return n, err
	}
	return engine.List(ctx, s.db.Committed(), scan, "SELECT "+noteColumns+" FROM member_note WHERE uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3", uid, before, int64(limit))
}
