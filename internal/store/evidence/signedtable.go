// Package evidence signs rows and verifies them: every write of a row about money adds a line to
// the signed batch, and a row is compared with its last line before it is acted on.
package evidence

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// Rows with the owner, destination and purpose of money are in no account, so the ledger's
// chain does not sign them by itself. Every write of such a row adds a line to the group:
// the row's key and the hash of its values. The ledger signs the lines with the
// group, and 'bifolia verify' compares the tables with the last line of each row.

// SignedTable is a table whose rows have lines.
type SignedTable struct {
	SignedOptions

	name    string // in lines; its number counts the ways of computing the hash
	Table   string
	Columns []string // those that are hashed; the first ones name a row
	read    string   // one row, by its key
	insert  string   // one row, of these columns
}

// SignedOptions say how the rows of a table are signed.
type SignedOptions struct {
	Keys int // how many of the columns name a row; one if it is 0

	// Checked rows bring money in, let it leave, or let one operator do what takes two.
	// Each is verified before a change, so that no change signs a row that was altered in
	// the database, and before money leaves by it.
	Checked bool

	// Remembered rows are of operators, and few. The process remembers where it has seen
	// the last line of each: witness_at is not signed, and a row could be put back
	// together with its entry there.
	Remembered bool
}

var tablesByName = map[string]*SignedTable{}

// NewSignedTable registers a table with the columns that are hashed.
func NewSignedTable(table, columns string, o SignedOptions) *SignedTable {
	if !slices.Contains(signedOrder, table) {
		panic("store: verify does not read " + table)
	}
	o.Keys = max(o.Keys, 1)
	t := &SignedTable{SignedOptions: o, name: table + "/1", Table: table}
	for c := range strings.SplitSeq(columns, ",") {
		t.Columns = append(t.Columns, strings.TrimSpace(c))
	}
	where := make([]string, o.Keys)
	for i := range where {
		where[i] = fmt.Sprintf("%s = $%d", t.Columns[i], i+1)
	}
	t.read = "SELECT " + strings.Join(t.Columns, ", ") + " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	t.insert = "INSERT INTO " + table + " (" + strings.Join(t.Columns, ", ") + ") VALUES " + engine.Placeholders(1, len(t.Columns))
	tablesByName[t.name] = t
	return t
}

// signedTables are those of signedOrder.
func signedTables() (all []*SignedTable) {
	for _, table := range signedOrder {
		all = append(all, tablesByName[table+"/1"])
	}
	return all
}

// signedOrder are all of them, in the order in which verify reads them. Columns that the
// ledger's own rules determine are not hashed, such as a sale's state: a close changes a
// hundred thousand of them.
var signedOrder = []string{
	"day_event", "refusal", "sale", "invest_position", "claim", "roi_batch", "booking", "booking_proposal",
	"booking_fact", "operator_act", "plan_version", "plan_proposal", "close_day", "close_proposal",
	"fund_request", "deposit_address", "deposit_intent", "deposit_cursor", "unmatched_payment", "withdrawal",
	"withdrawal_part", "payout_batch", "payout", "payout_tx", "payout_wallet", "payout_hold", "payout_found",
	"setting_proposal", "operator", "operator_proposal", "fund_held", "credential", "factor", "transparency",
	"member_flag", "correction", "support_ticket", "support_act", "member_note", "evidence", "setting", "trail",
	"operator_invitation", "visit_ticket", "password_code", "withdrawal_code", "member",
}

// Incomes have a line for each day, since a close writes millions. Another line says that
// an income has left Hold.
const (
	IncomeLine  = "income/1"
	ReleaseLine = "income_release/1"
	linesActor  = "witness" // of the commands whose answers are lines
)

// hash is the hash of a row, and its name in lines.
func (t *SignedTable) hash(vals []any) (id string, sum RowHash) {
	h := NewRowHasher()
	h.Add(t.name)
	h.Add(vals...)
	return t.ID(vals), h.Sum()
}

// ID is the key of a row as lines have it.
func (t *SignedTable) ID(key []any) string {
	id := fmt.Sprint(key[0])
	for _, more := range key[1:t.Keys] {
		id += "/" + fmt.Sprint(more)
	}
	if strings.Contains(id, "\n") { // it would end the line, and begin another
		return strconv.Quote(id)
	}
	return id
}

// Differs tells whether a change needs a line: tries and codes are counted without.
func (t *SignedTable) Differs(was, is []any) bool {
	_, before := t.hash(was[:len(t.Columns)])
	_, after := t.hash(is[:len(t.Columns)])
	return before != after
}

// ReleasedOn is the hash of when an income left Hold.
func ReleasedOn(row, day int64) RowHash {
	h := NewRowHasher()
	h.Add(ReleaseLine, row, day)
	return h.Sum()
}

// AddLine adds the line of a row to the group. Where the lines of checked rows are is
// noted, since they are looked up.
func AddLine(g *engine.Group, name, id string, sum RowHash) {
	t := tablesByName[name]
	g.AddLine(engine.Line{Row: name + " " + id, Hash: sum.String(), Noted: t != nil && t.Checked})
}

// SignRow adds the line of a row by its values, in the order of its columns.
func SignRow(g *engine.Group, t *SignedTable, vals ...any) {
	id, sum := t.hash(vals)
	AddLine(g, t.name, id, sum)
}

// InsertRow adds a row whose columns are all hashed, with its line.
func InsertRow(ctx context.Context, g *engine.Group, t *SignedTable, vals ...any) error {
	SignRow(g, t, vals...)
	return engine.ExecOne(ctx, g, t.Table, t.insert, vals...)
}

// SignStored adds the line of a row as it is stored after a change. A
// *ledger.TamperedError if the table has a trigger that could have changed it too.
func SignStored(ctx context.Context, g *engine.Group, t *SignedTable, key ...any) error {
	if err := checkTriggers(ctx, g, t.Table); err != nil {
		return err
	}
	vals, found, err := engine.First(ctx, g, ScanAny(len(t.Columns)), t.read, key...)
	if err != nil {
		return err
	}
	if !found {
		return &engine.MissedError{What: t.Table, Want: 1}
	}
	SignRow(g, t, vals...)
	return nil
}

// SignAll is SignStored for the rows whose keys a query reads.
func SignAll(ctx context.Context, g *engine.Group, t *SignedTable, query string, args ...any) error {
	keys, err := engine.List(ctx, g, ScanAny(t.Keys), query, args...)
	for _, key := range keys {
		if err == nil {
			err = SignStored(ctx, g, t, key...)
		}
	}
	return err
}

// DeleteOne deletes a row by its key, if there is one, and adds a line that says so.
func DeleteOne(ctx context.Context, g *engine.Group, t *SignedTable, key any) error {
	n, err := g.Exec(ctx, "DELETE FROM "+t.Table+" WHERE "+t.Columns[0]+" = $1", key)
	if n > 0 {
		AddLine(g, t.name, t.ID([]any{key}), deletedHash)
	}
	return err
}

// ChangeOne runs a statement that changes one row at most, and signs the row as it is
// then. A *ledger.TamperedError if the table is Checked and the row differs from its line.
func ChangeOne(ctx context.Context, g *engine.Group, t *SignedTable, key []any, query string, args ...any) (int64, error) {
	if t.Checked {
		if err := VerifierIn(g).Row(ctx, t, key...); err != nil {
			return 0, err
		}
	}
	n, err := g.Exec(ctx, query, args...)
	if err == nil && n == 1 {
		err = SignStored(ctx, g, t, key...)
	}
	return n, err
}

// ChangeRow is ChangeOne for a row that must exist.
func ChangeRow(ctx context.Context, g *engine.Group, t *SignedTable, key []any, query string, args ...any) error {
	n, err := ChangeOne(ctx, g, t, key, query, args...)
	if err != nil {
		return err
	}
	return engine.ExpectOne(n, t.Table+" "+t.ID(key))
}

// ScanAny reads a row as the database gives it.
func ScanAny(n int) func(*sql.Rows) ([]any, error) {
	return func(r *sql.Rows) ([]any, error) {
		vals, to := make([]any, n), make([]any, n)
		for i := range vals {
			to[i] = &vals[i]
		}
		err := r.Scan(to...)
		return vals, err
	}
}
