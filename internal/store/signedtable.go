package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rows that say whose money is whose, where it goes and why are in no account, so the
// ledger's chain does not sign them by itself. Every write of such a row adds a line to
// the group: which row, and the hash of its values. The ledger signs the lines with the
// group, and 'bifolia verify' compares the tables with the last line of each row.

// signedTable is a table whose rows have lines.
type signedTable struct {
	signedOptions

	name    string // in lines; its number counts the ways of computing the hash
	table   string
	columns []string // those that are hashed; the first ones name a row
	read    string   // one row, by its key
	insert  string   // one row, of these columns
}

type signedOptions struct {
	keys int // how many of the columns name a row; one if it is 0

	// checked rows bring money in, let it leave, or let one operator do what takes two.
	// Each is verified before it is changed, so that no change signs what somebody has
	// put there, and before money leaves by it.
	checked bool

	// remembered rows are of operators, and few. The process remembers where it has seen
	// the last line of each: witness_at is not signed, and a row could be put back
	// together with its entry there.
	remembered bool
}

// tablesByName are the tables by their names in lines.
var tablesByName = map[string]*signedTable{}

func newSignedTable(table, columns string, o signedOptions) *signedTable {
	if !slices.Contains(signedOrder, table) {
		panic("store: verify does not read " + table)
	}
	o.keys = max(o.keys, 1)
	t := &signedTable{signedOptions: o, name: table + "/1", table: table}
	for c := range strings.SplitSeq(columns, ",") {
		t.columns = append(t.columns, strings.TrimSpace(c))
	}
	where := make([]string, o.keys)
	for i := range where {
		where[i] = fmt.Sprintf("%s = $%d", t.columns[i], i+1)
	}
	t.read = "SELECT " + strings.Join(t.columns, ", ") + " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	t.insert = "INSERT INTO " + table + " (" + strings.Join(t.columns, ", ") + ") VALUES " + placeholders(1, len(t.columns))
	tablesByName[t.name] = t
	return t
}

// signedTables are those of signedOrder.
func signedTables() (all []*signedTable) {
	for _, table := range signedOrder {
		all = append(all, tablesByName[table+"/1"])
	}
	return all
}

// signedOrder are all of them, in the order in which verify reads them. What the ledger's
// own rules say of a row is not hashed, such as a sale's state: closes change it a hundred
// thousand at a time.
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
	incomeLine  = "income/1"
	releaseLine = "income_release/1"
	linesActor  = "witness" // of the commands whose answers are lines
)

// hash is the hash of a row, and its name in lines.
func (t *signedTable) hash(vals []any) (id string, sum rowHash) {
	h := newRowHasher()
	h.add(t.name)
	h.add(vals...)
	return t.id(vals), h.sum()
}

func (t *signedTable) id(key []any) string {
	id := fmt.Sprint(key[0])
	for _, more := range key[1:t.keys] {
		id += "/" + fmt.Sprint(more)
	}
	if strings.Contains(id, "\n") { // it would end the line, and begin another
		return strconv.Quote(id)
	}
	return id
}

// differs tells whether a change needs a line: tries and codes are counted without.
func (t *signedTable) differs(was, is []any) bool {
	_, before := t.hash(was[:len(t.columns)])
	_, after := t.hash(is[:len(t.columns)])
	return before != after
}

// releasedOn is the hash of when an income left Hold.
func releasedOn(row, day int64) rowHash {
	h := newRowHasher()
	h.add(releaseLine, row, day)
	return h.sum()
}

// addLine adds the line of a row to the group. Where the lines of checked rows are is
// noted, since they are looked up.
func addLine(g *groupTx, name, id string, sum rowHash) {
	t := tablesByName[name]
	g.AddLine(Line{Row: name + " " + id, Hash: sum.String(), Noted: t != nil && t.checked})
}

// signRow adds the line of a row by its values, in the order of its columns.
func signRow(g *groupTx, t *signedTable, vals ...any) {
	id, sum := t.hash(vals)
	addLine(g, t.name, id, sum)
}

// insertRow adds a row whose columns are all hashed, with its line.
func insertRow(ctx context.Context, g *groupTx, t *signedTable, vals ...any) error {
	signRow(g, t, vals...)
	return execOne(ctx, g, t.table, t.insert, vals...)
}

// signStored adds the line of a row as it is stored after a change. A
// *ledger.TamperedError if the table has a trigger that could have changed it too.
func signStored(ctx context.Context, g *groupTx, t *signedTable, key ...any) error {
	if err := checkTriggers(ctx, g, t.table); err != nil {
		return err
	}
	vals, found, err := first(ctx, g, scanAny(len(t.columns)), t.read, key...)
	if err != nil {
		return err
	}
	if !found {
		return &missedError{t.table, 0, 1}
	}
	signRow(g, t, vals...)
	return nil
}

// signAll is signStored for the rows whose keys a query reads.
func signAll(ctx context.Context, g *groupTx, t *signedTable, query string, args ...any) error {
	keys, err := list(ctx, g, scanAny(t.keys), query, args...)
	for _, key := range keys {
		if err == nil {
			err = signStored(ctx, g, t, key...)
		}
	}
	return err
}

// deleteOne deletes a row by its key, if there is one, and adds a line that says so.
func deleteOne(ctx context.Context, g *groupTx, t *signedTable, key any) error {
	n, err := g.Exec(ctx, "DELETE FROM "+t.table+" WHERE "+t.columns[0]+" = $1", key)
	if n > 0 {
		addLine(g, t.name, t.id([]any{key}), deletedHash)
	}
	return err
}

// changeOne runs a statement that changes one row at most, and signs the row as it is
// then. A *ledger.TamperedError if the row is verified before a change, and somebody else
// has changed it.
func changeOne(ctx context.Context, g *groupTx, t *signedTable, key []any, query string, args ...any) (int64, error) {
	if t.checked {
		if err := verifierIn(g).row(ctx, t, key...); err != nil {
			return 0, err
		}
	}
	n, err := g.Exec(ctx, query, args...)
	if err == nil && n == 1 {
		err = signStored(ctx, g, t, key...)
	}
	return n, err
}

// changeRow is changeOne for a row that must be there.
func changeRow(ctx context.Context, g *groupTx, t *signedTable, key []any, query string, args ...any) error {
	n, err := changeOne(ctx, g, t, key, query, args...)
	if err != nil {
		return err
	}
	return mustHit(n, t.table+" "+t.id(key))
}

// scanAny reads a row as the database gives it.
func scanAny(n int) func(*sql.Rows) ([]any, error) {
	return func(r *sql.Rows) ([]any, error) {
		vals, to := make([]any, n), make([]any, n)
		for i := range vals {
			to[i] = &vals[i]
		}
		err := r.Scan(to...)
		return vals, err
	}
}
