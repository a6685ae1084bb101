package store

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

// fundStore keeps fund requests.
type fundStore struct{ db *DB }

// Fund is the store of fund requests.
func (db *DB) Fund() fund.Store { return fundStore{db} }

// within is the group of a command, or without one what is committed.
func (db *DB) within(rows ledger.Rows) querier {
	if rows == nil {
		return &db.rows
	}
	return in(rows)
}

const requestColumns = `id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch,
	state, remark, verdict, verdict_at, requested_at, needs_two, first_by, first_name, first_at, decided_by, decided_name, decided_at`

func scanRequest(r *sql.Rows) (x fund.Request, err error) {
	var amount, verdict, requested, two, first, decided int64
	err = r.Scan(&x.ID, &x.UID, &x.Fund, &amount, &x.Number, &x.Way, &x.Bank.ID, &x.Bank.Name, &x.Bank.Holder, &x.Bank.Account, &x.Bank.IFSC, &x.Bank.Branch,
		&x.State, &x.Remark, &x.Verdict, &verdict, &requested, &two, &x.First.Operator, &x.First.Name, &first, &x.DecidedBy, &x.DecidedName, &decided)
	x.Amount, x.VerdictAt, x.RequestedAt, x.DecidedAt = money.Micro(amount), instant(verdict), instant(requested), instant(decided)
	x.NeedsTwo, x.FirstAt = two == 1, instant(first)
	return x, err
}

// claimKey is how the claim of the number $n stands in fund_number that could be
// made now, by how often the number was released.
func claimKey(n string) string {
	number := "CAST(" + n + " AS TEXT)"
	released := "(SELECT COUNT(*) FROM fund_release WHERE number = " + number + ")"
	return "CASE WHEN " + released + " = 0 THEN " + number + " ELSE " + number + " || ' #' || CAST(" + released + " + 1 AS TEXT) END"
}

// Ahead asks three things at once: a command waits for every statement.
func (s fundStore) Ahead(ctx context.Context, rows ledger.Rows, uid int64, number string) (last, pending int64, taken bool, err error) {
	g := in(rows)
	if g.hopeful() {
		pending, counted := g.db.kept.waiting.get(uid)
		c, known := g.db.kept.claims.get(number)
		if counted && known {
			next, err := g.next(ctx, fundRequestTable)
			return next - 1, pending, c.taken, err
		}
	}
	return s.ahead(ctx, g, uid, number)
}

// lookRequests keeps, for a group's commands, what Ahead will ask for.
func (g *groupTx) lookRequests(ctx context.Context, asked []fund.Look) error {
	k := &g.db.kept
	counted, known := k.waiting.mark(), k.claims.mark()
	asked = slices.DeleteFunc(asked, func(a fund.Look) bool {
		_, counted := k.waiting.get(a.UID)
		_, known := k.claims.get(a.Number)
		return counted && known
	})
	for len(asked) > 0 {
		some := asked[:min(len(asked), maxLooks)]
		asked = asked[len(some):]
		waiting, taken, released := map[int64]int64{}, map[string]bool{}, map[string]bool{}
		query, args := requestQuery(some)
		found, err := list(ctx, g, scanAheadRow, query, args...)
		if err != nil {
			return err
		}
		for _, l := range found {
			switch l.what {
			case aheadWaiting:
				waiting[l.uid] = l.count
			case aheadTaken:
				taken[l.number] = true
			case aheadReleased:
				released[l.number] = true
			}
		}
		for _, a := range some {
			k.waiting.put(a.UID, waiting[a.UID], counted)
			if !released[a.Number] { // else how it stands is left to Ahead, which costs more
				k.claims.put(a.Number, claim{a.Number, taken[a.Number]}, known)
			}
		}
	}
	return nil
}

const (
	aheadWaiting = iota
	aheadTaken
	aheadReleased
)

type aheadRow struct {
	what, uid, count int64
	number           string
}

func scanAheadRow(r *sql.Rows) (l aheadRow, err error) {
	err = r.Scan(&l.what, &l.uid, &l.count, &l.number)
	return l, err
}

// maxLooks is a power of two, see listSize.
const maxLooks = 256

// requestQuery asks how many requests of each member wait, as waitingOf does, and
// which numbers are taken or were released. The last one fills the lists up.
func requestQuery(asked []fund.Look) (query string, args []any) {
	size := listSize(len(asked))
	for i := range size {
		args = append(args, asked[min(i, len(asked)-1)].UID)
	}
	for i := range size {
		args = append(args, asked[min(i, len(asked)-1)].Number)
	}
	uids, numbers := placeholders(1, size), placeholders(size+1, size)
	return "SELECT 0, uid, COUNT(CASE WHEN state = 'Pending' THEN 1 END), '' FROM fund_request WHERE uid IN " + uids + ` GROUP BY uid
		UNION ALL SELECT 1, 0, 0, number FROM fund_number WHERE number IN ` + numbers + `
		UNION ALL SELECT 2, 0, 0, number FROM fund_release WHERE number IN ` + numbers, args
}

// claim is how a transaction number stands in fund_number.
type claim struct {
	key   string // that a new claim would have
	taken bool
}

func (s fundStore) ahead(ctx context.Context, q querier, uid int64, number string) (last, pending int64, taken bool, err error) {
	type ahead struct {
		last, pending, taken int64
		key                  string
	}
	scan := func(r *sql.Rows) (a ahead, err error) {
		err = r.Scan(&a.last, &a.pending, &a.taken, &a.key)
		return a, err
	}
	k := &s.db.kept
	counted, known := k.waiting.mark(), k.claims.mark()
	a, _, err := first(ctx, q, scan, "SELECT COALESCE((SELECT MAX(id) FROM fund_request), 0), "+waitingOf+`,
		(SELECT COUNT(*) FROM fund_number WHERE number = `+claimKey("$2")+"), "+claimKey("$2"), uid, number)
	if err == nil {
		k.waiting.put(uid, a.pending, counted)
		k.claims.put(number, claim{a.key, a.taken > 0}, known)
	}
	return a.last, a.pending, a.taken > 0, err
}

// waitingOf counts the requests of $1 that wait. State is no condition:
// PostgreSQL, planning while the table is small, would walk the index of all
// that wait for the few of one member.
const waitingOf = "(SELECT COUNT(CASE WHEN state = 'Pending' THEN 1 END) FROM fund_request WHERE uid = $1)"

func (fundStore) Add(ctx context.Context, rows ledger.Rows, r fund.Request) error {
	g := in(rows)
	vals := []any{
		r.ID, r.UID, string(r.Fund), r.Amount.Micros(), r.Number, string(r.Way), r.Bank.ID, r.Bank.Name, r.Bank.Holder, r.Bank.Account, r.Bank.IFSC, r.Bank.Branch,
		string(r.State), r.Remark, r.Verdict, micros(r.VerdictAt), micros(r.RequestedAt), flag(r.NeedsTwo), r.First.Operator, r.First.Name, micros(r.FirstAt), r.DecidedBy, r.DecidedName, micros(r.DecidedAt),
	}
	g.witness(requestWitness, vals...)
	if c, known := g.db.kept.claims.get(r.Number); known && g.hopeful() {
		g.spoil(&g.db.kept.claims, r.Number)
		g.spoil(&g.db.kept.waiting, r.UID)
		g.witness(numberWitness, c.key, r.ID, r.UID, micros(r.RequestedAt))
		g.later(fundNumberTable, c.key, r.ID, r.UID, micros(r.RequestedAt))
		g.later(fundRequestTable, vals...)
		return nil
	}
	key, _, err := first(ctx, g, scanText, "INSERT INTO fund_number (number, request_id, uid, at) VALUES ("+claimKey("$1")+", $2, $3, $4) RETURNING number", r.Number, r.ID, r.UID, micros(r.RequestedAt))
	if err != nil {
		return err
	}
	g.witness(numberWitness, key, r.ID, r.UID, micros(r.RequestedAt))
	n, err := g.Exec(ctx, "INSERT INTO fund_request ("+requestColumns+") VALUES "+placeholders(1, 24), vals...)
	if err != nil {
		return err
	}
	return mustHit(n, "fund request")
}

func (s fundStore) Get(ctx context.Context, rows ledger.Rows, id int64) (fund.Request, bool, error) {
	return first(ctx, s.db.within(rows), scanRequest, "SELECT "+requestColumns+" FROM fund_request WHERE id = $1", id)
}

func (fundStore) Vouched(ctx context.Context, rows ledger.Rows, id int64) error {
	return newLooker(in(rows)).row(ctx, requestWitness, id)
}

func (s fundStore) Credited(ctx context.Context, rows ledger.Rows, number string) (bool, error) {
	_, found, err := first(ctx, in(rows), scanCount, "SELECT 1 FROM transfer WHERE kind = 'deposit' AND reference = $1 LIMIT 1", number)
	return found, err
}

func (fundStore) Decide(ctx context.Context, rows ledger.Rows, r fund.Request) error {
	n, err := in(rows).changeOne(ctx, requestWitness, []any{r.ID}, `UPDATE fund_request SET state = $1, remark = $2, decided_by = $3, decided_name = $4, decided_at = $5
		WHERE id = $6 AND state = 'Pending'`, string(r.State), r.Remark, r.DecidedBy, r.DecidedName, micros(r.DecidedAt), r.ID)
	if err != nil {
		return err
	}
	return mustHit(n, "decide fund request")
}

func (fundStore) First(ctx context.Context, rows ledger.Rows, r fund.Request) error {
	n, err := in(rows).changeOne(ctx, requestWitness, []any{r.ID}, "UPDATE fund_request SET first_by = $1, first_name = $2, first_at = $3 WHERE id = $4 AND state = 'Pending' AND first_by = 0",
		r.First.Operator, r.First.Name, micros(r.FirstAt), r.ID)
	if err != nil {
		return err
	}
	return mustHit(n, "first approval of a fund request")
}

func (s fundStore) ApprovedSince(ctx context.Context, rows ledger.Rows, uids []int64, since time.Time) (map[int64]money.Amount, error) {
	return approvedOf(ctx, s.db.within(rows), `SELECT uid, CAST(SUM(amount) AS BIGINT) FROM fund_request
		WHERE state || '' = 'Approved' AND decided_by > 0 AND decided_at > $1 AND uid IN `, uids, since)
}

func (fundStore) NeedTwo(ctx context.Context, rows ledger.Rows, id int64) error {
	n, err := in(rows).changeOne(ctx, requestWitness, []any{id}, "UPDATE fund_request SET needs_two = 1 WHERE id = $1 AND state = 'Pending'", id)
	if err != nil {
		return err
	}
	return mustHit(n, "fund request")
}

func (fundStore) Release(ctx context.Context, rows ledger.Rows, r fund.Request, who fund.Decider, reason string, at time.Time) (bool, error) {
	n, err := in(rows).changeOne(ctx, releaseWitness, []any{r.ID}, `INSERT INTO fund_release (request_id, number, operator, name, reason, at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (request_id) DO NOTHING`, r.ID, r.Number, who.Operator, who.Name, reason, micros(at))
	return n == 1, err
}

func (fundStore) SetVerdict(ctx context.Context, rows ledger.Rows, id int64, text string, at time.Time) (bool, error) {
	n, err := in(rows).changeOne(ctx, requestWitness, []any{id}, "UPDATE fund_request SET verdict = $1, verdict_at = $2 WHERE id = $3 AND state = 'Pending'", text, micros(at), id)
	return n == 1, err
}

// wheres joins conditions on values, in the order of their numbers.
type wheres struct {
	parts []string
	args  []any
}

// add takes a condition that ends where its value goes.
func (w *wheres) add(condition string, value any) {
	w.args = append(w.args, value)
	w.parts = append(w.parts, condition+" $"+strconv.Itoa(len(w.args)))
}

// during keeps a column within times; what is zero is open.
func (w *wheres) during(column string, from, before time.Time) {
	if !from.IsZero() {
		w.add(column+" >=", micros(from))
	}
	if !before.IsZero() {
		w.add(column+" <", micros(before))
	}
}

func (w *wheres) text() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.parts, " AND ")
}

// and are the conditions after others.
func (w *wheres) and() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.parts, " AND ")
}

// ofOne hides a column of a list that is one member's: SQLite would take an index
// that begins with it, and that has everybody's rows.
func ofOne(uid int64, column string) string {
	if uid == 0 {
		return column
	}
	return column + " || ''"
}

// page is LIMIT and OFFSET after the conditions.
func (w *wheres) page(limit, offset int64) (string, []any) {
	n := len(w.args)
	return " LIMIT $" + strconv.Itoa(n+1) + " OFFSET $" + strconv.Itoa(n+2), append(w.args[:n:n], limit, offset)
}

// requestOrders are the columns of orders that no index has: one member's
// requests are few.
var requestOrders = map[fund.Order]string{fund.ByAmount: "amount", fund.ByState: "state || ''", fund.ByNumber: "number", fund.ByDecision: "decided_at"}

// ordered sorts by columns, all of them down or up.
func ordered(down bool, columns ...string) string {
	if down {
		return " ORDER BY " + strings.Join(columns, " DESC, ") + " DESC"
	}
	return " ORDER BY " + strings.Join(columns, ", ")
}

func (s fundStore) List(ctx context.Context, f fund.Filter) ([]fund.Request, int64, error) {
	var w wheres
	if f.UID != 0 {
		w.add("uid =", f.UID)
	}
	if f.Way != "" {
		w.add("way =", string(f.Way))
	}
	if f.State != "" {
		w.add(ofOne(f.UID, "state")+" =", string(f.State))
	}
	w.during("requested_at", f.From, f.Before)
	if f.Upto != 0 {
		w.add("id <=", f.Upto)
	}
	count, err := s.count(ctx, f, w)
	if err != nil || f.Offset >= count {
		return nil, count, err
	}
	if column := requestOrders[f.Order]; column != "" && f.UID != 0 {
		page, args := w.page(f.Limit, f.Offset)
		all, err := list(ctx, &s.db.rows, scanRequest, "SELECT "+requestColumns+" FROM fund_request"+w.text()+ordered(!f.Oldest, column, "id")+page, args...)
		return all, count, err
	}
	all, err := paged(ctx, &s.db.rows, scanRequest, requestColumns, "fund_request", w, !f.Oldest, count, f.Limit, f.Offset)
	return all, count, err
}

// count is kept unless it is of one member or of some time.
func (s fundStore) count(ctx context.Context, f fund.Filter, w wheres) (int64, error) {
	if f.UID == 0 && f.From.IsZero() && f.Before.IsZero() && f.Upto == 0 {
		t, err := s.db.listSum(ctx, summed{list: "fund_request", state: string(f.State), kind: string(f.Way)})
		return t.count, err
	}
	count, _, err := first(ctx, &s.db.rows, scanCount, "SELECT COUNT(*) FROM fund_request"+w.text(), w.args...)
	return count, err
}
