package trade

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Rows that a replay of a close reads. They do not change any more.

// Past is what a replay reads.
func Past(db *engine.DB) closing.Past { return closingStore{db} }

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
		if *c.into, _, err = engine.First(ctx, s.db.Committed(), engine.ScanID, c.query, int64(until)); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (s closingStore) ClosedDays(ctx context.Context, until plan.Day) ([]closing.Closed, error) {
	scan := func(r *sql.Rows) (c closing.Closed, err error) {
		var at int64
		err = r.Scan(&c.Day, &c.Plan, &c.Digest, &c.FirstRow, &c.LastRow, &at)
		c.At = engine.Instant(at)
		return c, err
	}
	return engine.List(ctx, s.db.Committed(), scan, "SELECT day, plan, digest, rows_first, rows_last, committed_at FROM close_day WHERE day <= $1 ORDER BY day", int64(until))
}

func (s closingStore) SalesUntil(ctx context.Context, until plan.Day, yield func(sale.Sale) error) error {
	return engine.Each(ctx, s.db.Committed(), scanSale, yield, "SELECT "+saleColumns+" FROM sale WHERE state <> 'refunded' AND day <= $1", int64(until))
}

func (s closingStore) PositionsUntil(ctx context.Context, until plan.Day, yield func(invest.Position) error) error {
	return engine.Each(ctx, s.db.Committed(), scanPosition, yield, "SELECT "+positionColumns+" FROM invest_position WHERE day <= $1", int64(until))
}

// BookingsDone leaves out those that were taken back before their close: they
// have a refusal of their own.
func (s closingStore) BookingsDone(ctx context.Context, until plan.Day) ([]closing.Booking, error) {
	all, err := engine.List(ctx, s.db.Committed(), scanBooking, "SELECT "+bookingColumns+` FROM booking WHERE closed = 1 AND day <= $1
		AND NOT EXISTS (SELECT 1 FROM refusal f WHERE f.id = booking.id)`, int64(until))
	slices.SortFunc(all, func(a, b closing.Booking) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

// Turns takes reviews and claims from the events.
func (s closingStore) Turns(ctx context.Context) ([]closing.Turn, error) {
	scan := func(r *sql.Rows) (t closing.Turn, err error) {
		var at int64
		var id, body string
		if err := r.Scan(&id, &t.Day, &at, &body); err != nil {
			return t, err
		}
		var what struct{ Kind, UID, Claim string }
		if err = json.Unmarshal([]byte(body), &what); err == nil && what.UID != "" && what.Kind != "claim" {
			t.No, err = strconv.ParseInt(what.UID, 10, 64) // the number of the place follows
		}
		if err != nil {
			return t, fmt.Errorf("event %s: %w", id, err)
		}
		t.Kind, t.Claim, t.At = what.Kind, what.Claim, engine.Instant(at)
		return t, nil
	}
	all, err := engine.List(ctx, s.db.Committed(), scan, `SELECT e.id, e.day, e.recorded_at, e.body FROM day_event e
		WHERE (e.body LIKE '%"kind":"block"%' OR e.body LIKE '%"kind":"unblock"%' OR e.body LIKE '%"kind":"claim"%')
		AND NOT EXISTS (SELECT 1 FROM refusal f WHERE f.id = e.id) ORDER BY e.recorded_at, e.id`)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t closing.Turn) bool { return !slices.Contains([]string{"block", "unblock", "claim"}, t.Kind) })
	for i := range all {
		if all[i].Kind == "claim" {
			continue
		}
		if all[i].No, _, err = engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT no FROM place WHERE uid = $1", all[i].No); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Before finds the first transfer of the close by its id.
func (s closingStore) Before(ctx context.Context, day plan.Day, code string) (int64, error) {
	seq, found, err := engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT seq FROM transfer WHERE id = $1", fmt.Sprintf("close/%s/%06d", day, 1))
	if err != nil || !found {
		return 0, err
	}
	return engine.Value(ctx, s.db.Committed(), engine.ScanID, `SELECT e.balance_after - e.held_after FROM entry e JOIN account a ON a.id = e.account
		WHERE a.code = $1 AND e.seq < $2 ORDER BY e.version DESC LIMIT 1`, code, seq)
}

func (s closingStore) RowsOf(ctx context.Context, day plan.Day, yield func(closing.Income) error) error {
	return engine.Each(ctx, s.db.Committed(), scanIncome, yield, "SELECT "+incomeColumns+" FROM income WHERE row_no >= (SELECT rows_first FROM close_day WHERE day = $1)"+
		" AND row_no <= (SELECT rows_last FROM close_day WHERE day = $1) ORDER BY row_no", int64(day))
}

func (s closingStore) FinalOn(ctx context.Context, day plan.Day) ([]string, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanText, "SELECT id FROM sale WHERE final_day = $1 AND state IN ('final', 'reversed')", int64(day))
}
