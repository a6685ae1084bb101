package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/invest"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/sale"
)

// What a replay of a close reads: nothing of it changes any more.

// Past is what a replay reads.
func (db *DB) Past() closing.Past { return closingStore{db} }

func (s closingStore) Weigh(ctx context.Context, until plan.Day) (w closing.Weight, err error) {
	for _, c := range []struct {
		into  *int64
		query string
	}{
		{&w.Members, "SELECT COALESCE(MAX(no), 0) FROM place WHERE $1 >= 0"},
		{&w.Sales, "SELECT COUNT(*) FROM sale WHERE day <= $1"},
		{&w.Positions, "SELECT COUNT(*) FROM invest_position WHERE day <= $1"},
		{&w.Rows, "SELECT COALESCE(MAX(rows_last - rows_first + 1), 0) FROM close_day WHERE day <= $1"},
	} {
		if *c.into, _, err = first(ctx, &s.db.rows, scanID, c.query, int64(until)); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (s closingStore) ClosedDays(ctx context.Context, until plan.Day) ([]closing.Closed, error) {
	scan := func(r *sql.Rows) (c closing.Closed, err error) {
		var at int64
		err = r.Scan(&c.Day, &c.Plan, &c.Digest, &c.FirstRow, &c.LastRow, &at)
		c.At = instant(at)
		return c, err
	}
	return list(ctx, &s.db.rows, scan, "SELECT day, plan, digest, rows_first, rows_last, committed_at FROM close_day WHERE day <= $1 ORDER BY day", int64(until))
}

func (s closingStore) SalesUntil(ctx context.Context, until plan.Day, yield func(sale.Sale) error) error {
	return each(ctx, &s.db.rows, scanSale, yield, "SELECT "+saleColumns+" FROM sale WHERE state <> 'refunded' AND day <= $1", int64(until))
}

func (s closingStore) PositionsUntil(ctx context.Context, until plan.Day, yield func(invest.Position) error) error {
	return each(ctx, &s.db.rows, scanPosition, yield, "SELECT "+positionColumns+" FROM invest_position WHERE day <= $1", int64(until))
}

// BookingsDone leaves out those that were taken back before their close: they
// have a refusal of their own.
func (s closingStore) BookingsDone(ctx context.Context, until plan.Day) ([]closing.Booking, error) {
	all, err := list(ctx, &s.db.rows, scanBooking, "SELECT "+bookingColumns+` FROM booking WHERE closed = 1 AND day <= $1
		AND NOT EXISTS (SELECT 1 FROM refusal f WHERE f.id = booking.id)`, int64(until))
	slices.SortFunc(all, func(a, b closing.Booking) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

// turn is a turn with the event that it was.
type turn struct {
	closing.Turn
	id string
}

// Turns takes reviews and claims from the events, and those that earlier
// versions did not write down whole from what they left.
func (s closingStore) Turns(ctx context.Context) ([]closing.Turn, error) {
	all, known, err := s.turnEvents(ctx)
	if err != nil {
		return nil, err
	}
	acts := func(r *sql.Rows) (t turn, err error) {
		var at int64
		err = r.Scan(&t.id, &t.Kind, &t.No, &at)
		t.At = instant(at)
		return t, err
	}
	more, err := list(ctx, &s.db.rows, acts, `SELECT a.id, a.kind, p.no, a.at FROM operator_act a JOIN place p ON CAST(p.uid AS TEXT) = a.subject
		WHERE a.kind IN ('block', 'unblock')`)
	if err != nil {
		return nil, err
	}
	claims := func(r *sql.Rows) (t turn, err error) {
		err = r.Scan(&t.Claim, &t.Day)
		t.Kind, t.id, t.At = "claim", "claim "+t.Claim, instant(math.MaxInt64)
		return t, err
	}
	paid, err := list(ctx, &s.db.rows, claims, "SELECT id, claim_day FROM claim WHERE state = 'Claimed'")
	if err != nil {
		return nil, err
	}
	for _, t := range append(more, paid...) {
		if !known[t.id] {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b turn) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.id, b.id)) })
	out := make([]closing.Turn, len(all))
	for i := range all {
		out[i] = all[i].Turn
	}
	return out, nil
}

// turnEvents are those whose events were written down whole, by the event's id
// and, of claims, by the claim.
func (s closingStore) turnEvents(ctx context.Context) (all []turn, known map[string]bool, err error) {
	known = map[string]bool{}
	scan := func(r *sql.Rows) (struct{}, error) {
		var t turn
		var at, no int64
		var body string
		if err := r.Scan(&t.id, &t.Day, &at, &body); err != nil {
			return struct{}{}, err
		}
		var what struct{ Kind, UID, Claim string }
		if err := json.Unmarshal([]byte(body), &what); err != nil {
			return struct{}{}, fmt.Errorf("event %s: %w", t.id, err)
		}
		if !slices.Contains([]string{"block", "unblock", "claim"}, what.Kind) {
			return struct{}{}, nil
		}
		if what.Kind != "claim" {
			var err error
			if no, err = strconv.ParseInt(what.UID, 10, 64); err != nil {
				return struct{}{}, fmt.Errorf("event %s: %w", t.id, err)
			}
		}
		t.Kind, t.No, t.Claim, t.At = what.Kind, no, what.Claim, instant(at)
		known[t.id], known["claim "+what.Claim] = true, true
		all = append(all, t)
		return struct{}{}, nil
	}
	if _, err := list(ctx, &s.db.rows, scan, `SELECT e.id, e.day, CASE WHEN e.recorded_at = 0 THEN e.at ELSE e.recorded_at END, e.body FROM day_event e
		WHERE (e.body LIKE '%"kind":"block"%' OR e.body LIKE '%"kind":"unblock"%' OR e.body LIKE '%"kind":"claim"%')
		AND NOT EXISTS (SELECT 1 FROM refusal f WHERE f.id = e.id)`); err != nil {
		return nil, nil, err
	}
	for i := range all { // by user id until here
		if all[i].Kind == "claim" {
			continue
		}
		if all[i].No, _, err = first(ctx, &s.db.rows, scanID, "SELECT no FROM place WHERE uid = $1", all[i].No); err != nil {
			return nil, nil, err
		}
	}
	return all, known, nil
}

// Before finds the first transfer of the close by its id.
func (s closingStore) Before(ctx context.Context, day plan.Day, code string) (int64, error) {
	seq, found, err := first(ctx, &s.db.rows, scanID, "SELECT seq FROM transfer WHERE id = $1", fmt.Sprintf("close/%s/%06d", day, 1))
	if err != nil || !found {
		return 0, err
	}
	n, _, err := first(ctx, &s.db.rows, scanID, `SELECT e.balance_after - e.held_after FROM entry e JOIN account a ON a.id = e.account
		WHERE a.code = $1 AND e.seq < $2 ORDER BY e.version DESC LIMIT 1`, code, seq)
	return n, err
}

func (s closingStore) RowsOf(ctx context.Context, day plan.Day, yield func(closing.Income) error) error {
	return each(ctx, &s.db.rows, scanIncome, yield, "SELECT "+incomeColumns+" FROM income WHERE row_no >= (SELECT rows_first FROM close_day WHERE day = $1)"+
		" AND row_no <= (SELECT rows_last FROM close_day WHERE day = $1) ORDER BY row_no", int64(day))
}

func (s closingStore) FinalOn(ctx context.Context, day plan.Day) ([]string, error) {
	return list(ctx, &s.db.rows, scanText, "SELECT id FROM sale WHERE final_day = $1 AND state IN ('final', 'reversed')", int64(day))
}
