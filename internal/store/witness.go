package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
)

// Rows that say whose money is whose, where it goes and why are in no account,
// so the chain does not vouch for them by itself. Every write of such a row adds
// a line to the group: which row, and the fingerprint of what it says now. The
// ledger signs the lines with the group, and 'bifolia verify' holds the tables
// against the last line of each row.

// witnessed is a table whose rows are vouched for.
type witnessed struct {
	name    string // in lines; its number counts the ways of making the fingerprint
	table   string
	keys    int      // how many of the columns name a row
	columns []string // what is vouched for
	read    string   // one row, by its key
	found   bool     // where its last line is can be looked up: see newFound
}

// witnessedTables are all of them; verify reads each.
var witnessedTables []*witnessed

func newWitnessed(table string, keys int, columns string) *witnessed {
	w := &witnessed{name: table + "/1", table: table, keys: keys}
	for c := range strings.SplitSeq(columns, ",") {
		w.columns = append(w.columns, strings.TrimSpace(c))
	}
	where := make([]string, keys)
	for i := range where {
		where[i] = fmt.Sprintf("%s = $%d", w.columns[i], i+1)
	}
	w.read = "SELECT " + strings.Join(w.columns, ", ") + " FROM " + table + " WHERE " + strings.Join(where, " AND ")
	witnessedTables = append(witnessedTables, w)
	return w
}

// newFound is newWitnessed for rows by which money comes or leaves, or one operator
// could do what takes two: each is held against its line before it is changed, so that
// no change vouches for what somebody has put there, and before money leaves by it.
func newFound(table string, keys int, columns string) *witnessed {
	w := newWitnessed(table, keys, columns)
	w.found = true
	return w
}

// What the ledger's own rules say of a row is left out, such as a sale's state:
// closes change it a hundred thousand at a time.
var (
	eventWitness         = newWitnessed("day_event", 1, "id, day, at, recorded_at, body")
	refusalWitness       = newWitnessed("refusal", 1, "id, day, at, reason")
	saleWitness          = newFound("sale", 1, "id, no, payer, package, topup, amount, volume, day, at")
	positionWitness      = newFound("invest_position", 1, "id, line, no, payer, package, topup, principal, day, term, at")
	claimWitness         = newFound("claim", 1, claimColumns)
	batchWitness         = newFound("roi_batch", 1, "id, line, n, day, fee, roi, released_day, fee_day")
	bookingWitness       = newFound("booking", 1, "id, kind, line, sale, amount, reference, evidence, operator, day, at, refused, closed")
	proposedWitness      = newFound("booking_proposal", 1, bookingProposalColumns)
	factWitness          = newFound("booking_fact", 1, "proposal, body")
	actWitness           = newWitnessed("operator_act", 1, "id, kind, subject, amount, reference, operator, name, at")
	planWitness          = newFound("plan_version", 1, "version, no, first_day, body, created_at, cancelled_at")
	planProposalWitness  = newFound("plan_proposal", 1, planProposalColumns)
	dayWitness           = newWitnessed("close_day", 1, "day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at")
	closeProposalWitness = newFound("close_proposal", 1, proposalColumns)
	requestWitness       = newFound("fund_request", 1, requestColumns)
	addressWitness       = newFound("deposit_address", 3, addressColumns)
	intentWitness        = newFound("deposit_intent", 1, intentColumns)
	cursorWitness        = newFound("deposit_cursor", 1, "token, block, at")
	unmatchedWitness     = newWitnessed("unmatched_payment", 1, unmatchedColumns)
	withdrawalWitness    = newFound("withdrawal", 1, withdrawalColumns)
	partWitness          = newWitnessed("withdrawal_part", 2, "withdrawal, n, account, amount, hold")
	payoutBatchWitness   = newFound("payout_batch", 1, batchColumns)
	payoutWitness        = newFound("payout", 2, payoutColumns)
	transactionWitness   = newWitnessed("payout_tx", 1, transactionColumns)
	hotWalletWitness     = newFound("payout_wallet", 1, "sender, chain, next, by_name, at")
	payoutHoldWitness    = newFound("payout_hold", 1, holdColumns)
	payoutFoundWitness   = newFound("payout_found", 2, foundColumns)
	settingWitness       = newFound("setting_proposal", 1, settingFacts+", was, body, revision")
	operatorWitness      = newFound("operator", 1, "id, email, role, password, ended_at")
	roleWitness          = newFound("operator_proposal", 1, proposedColumns)
	heldWitness          = newFound("fund_held", 3, heldColumns)
	// Of passwords, secrets and codes the row has hashes or sealed bytes, and a line
	// a hash of these: nothing can be guessed by it.
	credentialWitness   = newFound("credential", 1, credentialFacts)
	factorWitness       = newFound("factor", 2, factorColumns+", recovery, passkeys")
	transparencyWitness = newWitnessed("transparency", 1, "day, body, made_at")
	flagWitness         = newFound("member_flag", 1, flagColumns)
	correctionWitness   = newFound("correction", 1, correctionColumns)
	ticketWitness       = newFound("support_ticket", 1, ticketColumns+", due_at, waits, (SELECT m.salt FROM member m WHERE m.uid = support_ticket.uid)")
	ticketActWitness    = newFound("support_act", 2, ticketActColumns+", (SELECT m.salt FROM member m JOIN support_ticket t ON t.uid = m.uid WHERE t.id = support_act.ticket)")
	noteWitness         = newWitnessed("member_note", 1, noteColumns+", (SELECT m.salt FROM member m WHERE m.uid = member_note.uid)")
	evidenceWitness     = newWitnessed("evidence", 1, "hash, name, size, operator, by_name, at") // the hash vouches for the file
	internalWitness     = newWitnessed("setting", 1, "name, value")
	trailWitness        = newWitnessed("trail", 1, "no, hash") // the hash is of the entry and of those before it
	// Codes, invitations and tickets are held against the chain when they are used up,
	// tried or replaced.
	invitationWitness     = newFound("operator_invitation", 1, "operator, token, until")
	visitWitness          = newFound("visit_ticket", 1, visitColumns)
	mailedCodeWitness     = newFound("password_code", 1, mailedCodeColumns)
	withdrawalCodeWitness = newFound("withdrawal_code", 1, withdrawalCodeColumns)
	// A fingerprint stays in the chain for ever, but it is of a person's salt too,
	// which erasure takes away: then nothing can be guessed by it.
	memberWitness = newFound("member", 1, memberColumns+", "+moreColumns)
)

// Incomes are vouched for by the day: a close makes millions. Whether one left
// Hold since is a line of its own.
const (
	incomeWitness  = "income/1"
	releaseOfHold  = "income_release/1"
	witnessActor   = "witness"
	witnessedBytes = 16 // of a fingerprint
)

// fingerprint is of values in an order.
type fingerprint struct {
	sum hash.Hash
	buf []byte
}

func newFingerprint() *fingerprint { return &fingerprint{sum: sha256.New()} }

// add takes values as databases give them: whole numbers, texts and bytes. No
// two lists of values have the same bytes.
func (f *fingerprint) add(vals ...any) {
	for _, v := range vals {
		switch x := v.(type) {
		case int64:
			f.buf = binary.AppendVarint(append(f.buf, 'i'), x)
		case int:
			f.buf = binary.AppendVarint(append(f.buf, 'i'), int64(x))
		case string:
			f.buf = append(binary.AppendUvarint(append(f.buf, 't'), uint64(len(x))), x...)
		case []byte:
			f.buf = append(binary.AppendUvarint(append(f.buf, 'b'), uint64(len(x))), x...)
		default: // verify meets nulls and numbers of other kinds where somebody has put them
			text := fmt.Sprintf("%T %v", x, x)
			f.buf = append(binary.AppendUvarint(append(f.buf, '?'), uint64(len(text))), text...)
		}
	}
	if len(f.buf) > 32<<10 {
		f.flush()
	}
}

func (f *fingerprint) flush() {
	_, _ = f.sum.Write(f.buf) // a hash takes everything
	f.buf = f.buf[:0]
}

func (f *fingerprint) bytes() (out [witnessedBytes]byte) {
	f.flush()
	copy(out[:], f.sum.Sum(nil))
	return out
}

// of is the fingerprint of a row and how lines name it.
func (w *witnessed) of(vals []any) (id string, sum [witnessedBytes]byte) {
	f := newFingerprint()
	f.add(w.name)
	f.add(vals...)
	return w.id(vals), f.bytes()
}

func (w *witnessed) id(key []any) string {
	id := fmt.Sprint(key[0])
	for _, more := range key[1:w.keys] {
		id += "/" + fmt.Sprint(more)
	}
	if strings.Contains(id, "\n") { // it would end the line, and begin another
		return strconv.Quote(id)
	}
	return id
}

// line is what is signed of a row.
func line(name, id string, sum [witnessedBytes]byte) string {
	return name + " " + id + " " + hex.EncodeToString(sum[:])
}

// releasedOn is the fingerprint of when an income left Hold.
func releasedOn(row, day int64) [witnessedBytes]byte {
	f := newFingerprint()
	f.add(releaseOfHold, row, day)
	return f.bytes()
}

func (g *groupTx) vouch(name, id string, sum [witnessedBytes]byte) {
	g.lines = append(g.lines, line(name, id, sum))
}

// witness vouches for a row by its values, in the order of its columns.
func (g *groupTx) witness(w *witnessed, vals ...any) {
	id, sum := w.of(vals)
	g.vouch(w.name, id, sum)
}

// goneSum is said of a row that a command has deleted: no row has it.
var goneSum [witnessedBytes]byte

// witnessGone vouches for that a row is not there any more.
func (g *groupTx) witnessGone(w *witnessed, key ...any) { g.vouch(w.name, w.id(key), goneSum) }

// deleteOne deletes a row by its key, if there is one, and vouches for that.
func (g *groupTx) deleteOne(ctx context.Context, w *witnessed, key any) error {
	n, err := g.Exec(ctx, "DELETE FROM "+w.table+" WHERE "+w.columns[0]+" = $1", key)
	if n > 0 {
		g.witnessGone(w, key)
	}
	return err
}

// witnessAll is witnessNow for the rows whose keys a query reads.
func (g *groupTx) witnessAll(ctx context.Context, w *witnessed, query string, args ...any) error {
	keys, err := list(ctx, g, scanAny(w.keys), query, args...)
	for _, key := range keys {
		if err == nil {
			err = g.witnessNow(ctx, w, key...)
		}
	}
	return err
}

// differs tells whether what is vouched for of a row becomes another: tries and
// codes are counted without lines.
func (w *witnessed) differs(was, is []any) bool {
	_, before := w.of(was[:len(w.columns)])
	_, after := w.of(is[:len(w.columns)])
	return before != after
}

// witnessChange vouches for a row that a statement writes whole, if what is
// vouched for differs from what it was.
func (g *groupTx) witnessChange(w *witnessed, was, is []any) {
	if w.differs(was, is) {
		g.witness(w, is[:len(w.columns)]...)
	}
}

// witnessNow vouches for a row as it stands, after it was changed. A
// *ledger.TamperedError if the table has a trigger that could have changed it too.
func (g *groupTx) witnessNow(ctx context.Context, w *witnessed, key ...any) error {
	if err := g.soundTable(ctx, w.table); err != nil {
		return err
	}
	vals, found, err := first(ctx, g, scanAny(len(w.columns)), w.read, key...)
	if err != nil {
		return err
	}
	if !found {
		return &missedError{w.table, 0, 1}
	}
	g.witness(w, vals...)
	return nil
}

// changeOne runs a statement that changes one row, and vouches for what it is
// then. A *ledger.TamperedError if the row is one that is looked up first, and
// somebody has changed it past the product.
func (g *groupTx) changeOne(ctx context.Context, w *witnessed, key []any, query string, args ...any) (int64, error) {
	if w.found {
		if err := newLooker(g).row(ctx, w, key...); err != nil {
			return 0, err
		}
	}
	n, err := g.Exec(ctx, query, args...)
	if err == nil && n == 1 {
		err = g.witnessNow(ctx, w, key...)
	}
	return n, err
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

// Witness is what the group's commands have vouched for.
func (g *groupTx) Witness() []string { return g.lines[:g.vouched] }
