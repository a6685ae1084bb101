package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/plan"
)

// closingStore keeps plans, days, bookings and what members carry.
type closingStore struct{ db *DB }

// Closing is the store of the close.
func (db *DB) Closing() closing.Store { return closingStore{db} }

func scanText(r *sql.Rows) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

// from reads within a command, or with no rows what is committed.
func (s closingStore) from(rows ledger.Rows) querier {
	if rows == nil {
		return &s.db.rows
	}
	return in(rows)
}

func (s closingStore) LastDay(ctx context.Context, rows ledger.Rows) (plan.Day, bool, error) {
	day, found, err := first(ctx, s.from(rows), scanID, "SELECT day FROM close_day ORDER BY day DESC LIMIT 1")
	return plan.Day(day), found, err
}

func (closingStore) AddDay(ctx context.Context, rows ledger.Rows, d closing.Closed) error {
	_, err := in(rows).Exec(ctx, "INSERT INTO close_day (day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		int64(d.Day), d.Plan, d.Digest, d.FirstRow, d.LastRow, d.Proposed, d.Approved, micros(d.At))
	return err
}

func (closingStore) Note(ctx context.Context, rows ledger.Rows, e closing.Noted) error {
	if _, err := in(rows).Exec(ctx, "INSERT INTO day_event (id, day, at, recorded_at, body) VALUES ($1, $2, $3, $4, $5)",
		e.ID, int64(e.Day), micros(e.At), micros(e.Recorded), string(e.Body)); err != nil || e.Refused == "" {
		return err
	}
	_, err := in(rows).Exec(ctx, "INSERT INTO refusal (id, day, at, reason) VALUES ($1, $2, $3, $4)", e.ID, int64(e.Day), micros(e.At), e.Refused)
	return err
}

func (closingStore) Events(ctx context.Context, rows ledger.Rows, day plan.Day) ([]closing.Noted, error) {
	scan := func(r *sql.Rows) (e closing.Noted, err error) {
		var at int64
		err = r.Scan(&e.ID, &e.Day, &at, &e.Refused)
		e.At = instant(at)
		return e, err
	}
	all, err := list(ctx, in(rows), scan, "SELECT e.id, e.day, e.at, COALESCE(f.reason, '') FROM day_event e LEFT JOIN refusal f ON f.id = e.id WHERE e.day = $1", int64(day))
	slices.SortFunc(all, func(a, b closing.Noted) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) AddBooking(ctx context.Context, rows ledger.Rows, b closing.Booking) error {
	_, err := in(rows).Exec(ctx, "INSERT INTO booking (id, kind, line, sale, amount, reference, operator, day, at, refused, closed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', 0)",
		b.ID, b.Kind, b.Line, b.Sale, b.Amount.Micros(), b.Reference, b.Operator, int64(b.Day), micros(b.At))
	return err
}

func (closingStore) Bookings(ctx context.Context, rows ledger.Rows, day plan.Day) ([]closing.Booking, error) {
	all, err := list(ctx, in(rows), scanBooking, "SELECT "+bookingColumns+" FROM booking WHERE closed = 0 AND day = $1", int64(day))
	slices.SortFunc(all, func(a, b closing.Booking) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) CloseBooking(ctx context.Context, rows ledger.Rows, id, refused string) error {
	n, err := in(rows).Exec(ctx, "UPDATE booking SET closed = 1, refused = $1 WHERE id = $2 AND closed = 0", refused, id)
	if err != nil {
		return err
	}
	return mustHit(n, "booking "+id)
}

func (closingStore) Members(ctx context.Context, rows ledger.Rows, yield func(closing.Member) error) error {
	scan := func(r *sql.Rows) (m closing.Member, err error) {
		var active, blocked int64
		c := &m.Carried
		err = r.Scan(&m.No, &m.UID, &m.Sponsor, &m.Parent, &m.Side, &blocked, &c.Final, &c.Sales, &c.Own, &c.Month, &c.Left, &c.Right, &c.Match, &c.Rank, &c.Reward, &c.Months, &active, &c.Debt)
		c.No, c.Active, m.Blocked = m.No, active == 1, blocked != 0
		return m, err
	}
	return each(ctx, in(rows), scan, yield, `SELECT p.no, p.uid, p.sponsor, p.parent, p.side, COALESCE(m.blocked_at, 0),
		COALESCE(c.final, 0), COALESCE(c.sales, 0), COALESCE(c.own, 0), COALESCE(c.month, 0), COALESCE(c.left_vol, 0), COALESCE(c.right_vol, 0),
		COALESCE(c.match_bot, 0), COALESCE(c.rank, 0), COALESCE(c.reward, 0), COALESCE(c.months, 0), COALESCE(c.active, 0), COALESCE(c.debt, 0)
		FROM place p LEFT JOIN carry c ON c.no = p.no LEFT JOIN member m ON m.uid = p.uid ORDER BY p.no`)
}

func (closingStore) Keep(ctx context.Context, r ledger.Rows, all []closing.Carried) error {
	g := in(r)
	if err := inChunks(all, func(part []closing.Carried) error {
		args := make([]any, len(part))
		for i, c := range part {
			args[i] = c.No
		}
		_, err := g.Exec(ctx, "DELETE FROM carry WHERE no IN "+placeholders(1, len(part)), args...)
		return err
	}); err != nil {
		return err
	}
	add := &rows{t: carryTable}
	for _, c := range all {
		add.add(c.No, c.Final, c.Sales, c.Own, c.Month, c.Left, c.Right, c.Match, c.Rank, c.Reward, c.Months, flag(c.Active), c.Debt)
	}
	return g.insert(ctx, add)
}

func (closingStore) Flips(ctx context.Context, rows ledger.Rows) ([]closing.Flip, error) {
	scan := func(r *sql.Rows) (f closing.Flip, err error) {
		var active int64
		err = r.Scan(&f.No, &f.Day, &active)
		f.Active = active == 1
		return f, err
	}
	return list(ctx, in(rows), scan, "SELECT no, day, active FROM activity ORDER BY n")
}

func (closingStore) AddFlips(ctx context.Context, r ledger.Rows, all []closing.Flip) error {
	g := in(r)
	last, _, err := first(ctx, g, scanID, "SELECT COALESCE(MAX(n), 0) FROM activity")
	if err != nil {
		return err
	}
	add := &rows{t: activityTable}
	for i, f := range all {
		add.add(last+int64(i)+1, f.No, int64(f.Day), flag(f.Active))
	}
	return g.insert(ctx, add)
}

func (closingStore) Tally(ctx context.Context, rows ledger.Rows, name string) (int64, error) {
	v, _, err := first(ctx, in(rows), scanID, "SELECT value FROM tally WHERE name = $1", name)
	return v, err
}

func (closingStore) SetTally(ctx context.Context, rows ledger.Rows, name string, value int64) error {
	_, err := in(rows).Exec(ctx, "INSERT INTO tally (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}

func (s closingStore) Books(ctx context.Context, rows ledger.Rows) (b closing.Books, err error) {
	g := in(rows)
	b.Accounts = map[string]int64{}
	if err := each(ctx, g, func(r *sql.Rows) (code string, err error) {
		var posted int64
		err = r.Scan(&code, &posted)
		b.Accounts[code] = posted
		return code, err
	}, func(string) error { return nil }, "SELECT code, posted FROM account"); err != nil {
		return b, err
	}
	if b.Sales, err = list(ctx, g, scanSale, "SELECT "+saleColumns+" FROM sale"); err != nil {
		return b, err
	}
	if b.Positions, err = list(ctx, g, scanPosition, "SELECT "+positionColumns+" FROM invest_position"); err != nil {
		return b, err
	}
	b.Claims, err = list(ctx, g, scanClaim, "SELECT "+claimColumns+" FROM claim")
	return b, err
}
