package trade

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// The history of events in a database, read without changing it.

// history collects events; one that is recorded is not derived again.
type history struct {
	q     engine.Querier
	out   []closing.Recorded
	known map[string]bool // events by id, and "kind subject" of those that were done
}

// History reads the recorded events, and derives the others from the tree and the
// ledger: joins, deposits and withdrawals are recorded there only.
func History(ctx context.Context, db *engine.DB) (h closing.History, err error) {
	scan := func(r *sql.Rows) (struct{}, error) {
		var version string
		err := r.Scan(&h.Last, &version)
		if h.First == 0 {
			h.First = h.Last
		}
		if n := len(h.Plans); n == 0 || h.Plans[n-1] != version {
			h.Plans = append(h.Plans, version)
		}
		return struct{}{}, err
	}
	if _, err := engine.List(ctx, db.Committed(), scan, "SELECT day, plan FROM close_day ORDER BY day"); err != nil {
		return h, err
	}
	if h.Body, _, err = (closingStore{db}).Plan(ctx, nil, h.Last); err != nil {
		return h, err
	}
	c := &history{q: db.Committed(), known: map[string]bool{}}
	for _, read := range []func(context.Context) error{c.recorded, c.joins, c.ledger} {
		if err := read(ctx); err != nil {
			return h, err
		}
	}
	h.Events = c.out
	return h, nil
}

// recorded reads the events of the days.
func (c *history) recorded(ctx context.Context) error {
	scan := func(r *sql.Rows) (struct{}, error) {
		var e closing.Recorded
		var at, rec int64
		var body, refused string
		if err := r.Scan(&e.ID, &e.Day, &at, &rec, &body, &refused); err != nil {
			return struct{}{}, err
		}
		e.At, e.Rec, e.Body = engine.Instant(at), engine.Instant(rec), []byte(body)
		var what struct{ Kind, UID string }
		if err := json.Unmarshal(e.Body, &what); err != nil {
			return struct{}{}, fmt.Errorf("event %s: %w", e.ID, err)
		}
		c.known[e.ID] = true
		if refused == "" {
			c.known[what.Kind+" "+what.UID] = true
		}
		c.out = append(c.out, e)
		return struct{}{}, nil
	}
	_, err := engine.List(ctx, c.q, scan, "SELECT e.id, e.day, e.at, e.recorded_at, e.body, COALESCE(f.reason, '') FROM day_event e LEFT JOIN refusal f ON f.id = e.id")
	return err
}

// derive adds an event that is only known by its effect. Its id begins so that
// at one moment people join before they pay, and pay in before they buy.
func (c *history) derive(e closing.Recorded, kind string, fields map[string]any) {
	ev := closing.Event{ID: e.ID, At: e.At, Recorded: e.Rec}.Is(kind, fields)
	e.Body, e.Derived = ev.Body, true
	c.out = append(c.out, e)
}

func (c *history) joins(ctx context.Context) error {
	scan := func(r *sql.Rows) (struct{}, error) {
		var no, uid, sponsor, parent, side, at int64
		if err := r.Scan(&no, &uid, &sponsor, &parent, &side, &at); err != nil {
			return struct{}{}, err
		}
		who := strconv.FormatInt(uid, 10)
		if c.known["register "+who] || c.known["customer "+who] {
			return struct{}{}, nil
		}
		kind, fields := "register", map[string]any{"uid": who}
		if sponsor != 0 {
			fields["sponsor"], fields["side"] = strconv.FormatInt(sponsor, 10), [...]string{"", "Left", "Right"}[side]
		}
		if sponsor != 0 && parent == 0 {
			kind = "customer"
		}
		c.derive(closing.Recorded{ID: fmt.Sprintf("!0-%012d", no), At: engine.Instant(at), Rec: engine.Instant(at)}, kind, fields)
		return struct{}{}, nil
	}
	_, err := engine.List(ctx, c.q, scan, "SELECT p.no, p.uid, COALESCE(s.uid, 0), p.parent, p.side, p.joined_at FROM place p LEFT JOIN place s ON s.no = p.sponsor ORDER BY p.no")
	return err
}

// moved are the legs of one transfer that identify its kind.
type moved struct {
	seq, at         int64
	kind, reference string
	from, to        string // accounts of members
	amount          int64
}

// ledger derives what only the ledger tells: money in, between funds, and out.
func (c *history) ledger(ctx context.Context) error {
	var all []*moved
	scan := func(r *sql.Rows) (struct{}, error) {
		var m moved
		var code string
		var delta int64
		if err := r.Scan(&m.seq, &m.at, &m.kind, &m.reference, &code, &delta); err != nil {
			return struct{}{}, err
		}
		if n := len(all); n == 0 || all[n-1].seq != m.seq {
			all = append(all, &m)
		}
		last := all[len(all)-1]
		switch {
		case strings.HasPrefix(code, "A:"):
			last.amount = max(last.amount, delta, -delta)
		case delta < 0:
			last.from, last.amount = code, max(last.amount, -delta)
		case strings.HasPrefix(code, "L:"):
			last.to, last.amount = code, max(last.amount, delta)
		}
		return struct{}{}, nil
	}
	if _, err := engine.List(ctx, c.q, scan, `SELECT t.seq, t.effective_at, t.kind, t.reference, a.code, e.delta FROM transfer t JOIN entry e ON e.seq = t.seq JOIN account a ON a.id = e.account
		WHERE t.kind IN ('deposit', 'transfer', 'withdraw', 'correction') ORDER BY t.seq, e.leg`); err != nil {
		return err
	}
	for _, m := range all {
		c.moved(m)
	}
	return nil
}

func (c *history) moved(m *moved) {
	if c.known[m.reference] {
		return
	}
	e := closing.Recorded{ID: fmt.Sprintf("!2-%012d", m.seq), At: engine.Instant(m.at), Rec: engine.Instant(m.at)}
	amount := money.Micro(m.amount).String()
	part := func(code string, n int) string { // L:FUND:FUNDS:100001
		if parts := strings.Split(code, ":"); len(parts) > n {
			return parts[n]
		}
		return ""
	}
	switch m.kind {
	case "deposit":
		e.ID = fmt.Sprintf("!1-%012d", m.seq)
		c.derive(e, m.kind, map[string]any{"uid": part(m.to, 3), "fund": part(m.to, 2), "amount": amount})
	case "correction":
		// Money in a fund can have been spent; corrections that take back or move money
		// change no income.
		if m.from == "E:COMPANY" || m.from == "" {
			c.derive(e, "deposit", map[string]any{"uid": part(m.to, 3), "fund": part(m.to, 2), "amount": amount})
		}
	case "transfer":
		c.derive(e, m.kind, map[string]any{"from": part(m.from, 3), "to": part(m.to, 3), "fund": part(m.from, 2), "amount": amount})
	case "withdraw":
		c.derive(e, m.kind, map[string]any{"uid": part(m.from, 3), "type": part(m.from, 2), "amount": amount})
	}
}

// Totals sums what the closed days paid, and which events were refused.
func Totals(ctx context.Context, db *engine.DB) (t closing.Totals, err error) {
	t.Paid, t.Refused = map[closing.Earned]int64{}, map[string]string{}
	paid := func(r *sql.Rows) (struct{}, error) {
		var e closing.Earned
		var sum int64
		err := r.Scan(&e.UID, &e.Kind, &e.Line, &sum)
		t.Paid[e] = sum
		return struct{}{}, err
	}
	sales := func(r *sql.Rows) (struct{}, error) { return struct{}{}, r.Scan(&t.Gross, &t.Reversed) }
	refused := func(r *sql.Rows) (struct{}, error) {
		var id, why string
		err := r.Scan(&id, &why)
		t.Refused[id] = why
		return struct{}{}, err
	}
	_, err = engine.List(ctx, db.Committed(), paid, "SELECT p.uid, i.kind, i.line, CAST(SUM(i.paid) AS BIGINT) FROM income i JOIN place p ON p.no = i.earner GROUP BY p.uid, i.kind, i.line")
	_, serr := engine.List(ctx, db.Committed(), sales, `SELECT COALESCE(CAST(SUM(amount) AS BIGINT), 0), COALESCE(CAST(SUM(CASE WHEN state = 'reversed' THEN amount ELSE 0 END) AS BIGINT), 0)
		FROM sale WHERE state IN ('final', 'reversed')`)
	_, rerr := engine.List(ctx, db.Committed(), refused, "SELECT id, reason FROM refusal UNION ALL SELECT id, refused FROM booking WHERE refused <> ''")
	return t, errors.Join(err, serr, rerr)
}
