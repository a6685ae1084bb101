package store

import (
	"context"
	"database/sql"
	"fmt"
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

// signedTables are all of them; verify reads each in this order.
var (
	signedTables []*signedTable
	tablesByName = map[string]*signedTable{}
)

func newSignedTable(table, columns string, o signedOptions) *signedTable {
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
	signedTables = append(signedTables, t)
	tablesByName[t.name] = t
	return t
}

// What the ledger's own rules say of a row is left out, such as a sale's state:
// closes change it a hundred thousand at a time.
var (
	eventSigned         = newSignedTable("day_event", "id, day, at, recorded_at, body", signedOptions{})
	refusalSigned       = newSignedTable("refusal", "id, day, at, reason", signedOptions{})
	saleSigned          = newSignedTable("sale", "id, no, payer, package, topup, amount, volume, day, at", signedOptions{checked: true})
	positionSigned      = newSignedTable("invest_position", "id, line, no, payer, package, topup, principal, day, term, at", signedOptions{checked: true})
	claimSigned         = newSignedTable("claim", claimColumns, signedOptions{checked: true})
	batchSigned         = newSignedTable("roi_batch", "id, line, n, day, fee, roi, released_day, fee_day", signedOptions{checked: true})
	bookingSigned       = newSignedTable("booking", "id, kind, line, sale, amount, reference, evidence, operator, day, at, refused, closed", signedOptions{checked: true, remembered: true})
	proposedSigned      = newSignedTable("booking_proposal", bookingProposalColumns, signedOptions{checked: true, remembered: true})
	factSigned          = newSignedTable("booking_fact", "proposal, body", signedOptions{checked: true, remembered: true})
	actSigned           = newSignedTable("operator_act", "id, kind, subject, amount, reference, operator, name, at", signedOptions{})
	planSigned          = newSignedTable("plan_version", "version, no, first_day, body, created_at, cancelled_at", signedOptions{checked: true, remembered: true})
	planProposalSigned  = newSignedTable("plan_proposal", planProposalColumns, signedOptions{checked: true, remembered: true})
	daySigned           = newSignedTable("close_day", "day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at", signedOptions{})
	closeProposalSigned = newSignedTable("close_proposal", proposalColumns, signedOptions{checked: true, remembered: true})
	requestSigned       = newSignedTable("fund_request", requestColumns, signedOptions{checked: true})
	addressSigned       = newSignedTable("deposit_address", addressColumns, signedOptions{keys: 3, checked: true})
	intentSigned        = newSignedTable("deposit_intent", intentColumns, signedOptions{checked: true})
	cursorSigned        = newSignedTable("deposit_cursor", "token, block, at", signedOptions{checked: true})
	unmatchedSigned     = newSignedTable("unmatched_payment", unmatchedColumns, signedOptions{})
	withdrawalSigned    = newSignedTable("withdrawal", withdrawalColumns, signedOptions{checked: true})
	partSigned          = newSignedTable("withdrawal_part", "withdrawal, n, account, amount, hold", signedOptions{keys: 2})
	payoutBatchSigned   = newSignedTable("payout_batch", batchColumns, signedOptions{checked: true})
	payoutSigned        = newSignedTable("payout", payoutColumns, signedOptions{keys: 2, checked: true})
	transactionSigned   = newSignedTable("payout_tx", transactionColumns, signedOptions{})
	hotWalletSigned     = newSignedTable("payout_wallet", "sender, chain, next, by_name, at", signedOptions{checked: true})
	payoutHoldSigned    = newSignedTable("payout_hold", holdColumns, signedOptions{checked: true})
	payoutFoundSigned   = newSignedTable("payout_found", foundColumns, signedOptions{keys: 2, checked: true})
	settingSigned       = newSignedTable("setting_proposal", settingFacts+", was, body, revision", signedOptions{checked: true, remembered: true})
	operatorSigned      = newSignedTable("operator", "id, email, role, password, ended_at", signedOptions{checked: true, remembered: true})
	roleSigned          = newSignedTable("operator_proposal", proposedColumns, signedOptions{checked: true, remembered: true})
	heldSigned          = newSignedTable("fund_held", heldColumns, signedOptions{keys: 3, checked: true})
	// Of passwords, secrets and codes the row has hashes or sealed bytes, and a line
	// a hash of these: nothing can be guessed by it.
	credentialSigned   = newSignedTable("credential", credentialFacts, signedOptions{checked: true})
	factorSigned       = newSignedTable("factor", factorColumns+", recovery, passkeys", signedOptions{keys: 2, checked: true, remembered: true})
	transparencySigned = newSignedTable("transparency", "day, body, made_at", signedOptions{})
	flagSigned         = newSignedTable("member_flag", flagColumns, signedOptions{checked: true})
	correctionSigned   = newSignedTable("correction", correctionColumns, signedOptions{checked: true, remembered: true})
	ticketSigned       = newSignedTable("support_ticket", ticketColumns+", due_at, waits, (SELECT m.salt FROM member m WHERE m.uid = support_ticket.uid)", signedOptions{checked: true})
	ticketActSigned    = newSignedTable("support_act", ticketActColumns+", (SELECT m.salt FROM member m JOIN support_ticket t ON t.uid = m.uid WHERE t.id = support_act.ticket)", signedOptions{keys: 2, checked: true})
	noteSigned         = newSignedTable("member_note", noteColumns+", (SELECT m.salt FROM member m WHERE m.uid = member_note.uid)", signedOptions{})
	evidenceSigned     = newSignedTable("evidence", "hash, name, size, operator, by_name, at", signedOptions{}) // the hash is of the file
	internalSigned     = newSignedTable("setting", "name, value", signedOptions{})
	trailSigned        = newSignedTable("trail", "no, hash", signedOptions{}) // the hash is of the entry and of those before it
	// Codes, invitations and tickets are held against the chain when they are used up,
	// tried or replaced.
	invitationSigned     = newSignedTable("operator_invitation", "operator, token, until", signedOptions{checked: true})
	visitSigned          = newSignedTable("visit_ticket", visitColumns, signedOptions{checked: true})
	mailedCodeSigned     = newSignedTable("password_code", mailedCodeColumns, signedOptions{checked: true})
	withdrawalCodeSigned = newSignedTable("withdrawal_code", withdrawalCodeColumns, signedOptions{checked: true})
	// A hash stays in the chain for ever, but it is of a person's salt too,
	// which erasure takes away: then nothing can be guessed by it.
	memberSigned = newSignedTable("member", memberColumns+", "+moreColumns, signedOptions{checked: true})
)

// Incomes have a line for each day: a close writes millions. That one has left Hold since
// is a line of its own.
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
