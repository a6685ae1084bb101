package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// closingStore keeps plans, days, bookings and what members carry.
type closingStore struct{ db *DB }

// Closing is the store of the close.
func (db *DB) Closing() closing.Store { return closingStore{db} }

func scanText(r *sql.Rows) (s string, err error) {
	err = r.Scan(&s)
	return s, err
}

const lastDay = "SELECT day FROM close_day ORDER BY day DESC LIMIT 1"

func (s closingStore) LastDay(ctx context.Context, tx *ledger.Tx) (plan.Day, bool, error) {
	day, found, err := first(ctx, s.db.from(tx), scanID, lastDay)
	return plan.Day(day), found, err
}

// commandOf is what a close's command answered, by its key.
const commandOf = "SELECT response FROM command WHERE actor = 'closing' AND command_key = $1"

func (closingStore) Answered(ctx context.Context, tx *ledger.Tx, key string) ([]byte, bool, error) {
	c, found, err := first(ctx, groupOf(tx), scanCommand, commandsWhere+"actor = 'closing' AND command_key = $1", key)
	if err == nil && found {
		err = newLooker(groupOf(tx)).answered(ctx, c)
	}
	return c.Response, found, err
}

func scanBytes(r *sql.Rows) (b []byte, err error) {
	err = r.Scan(&b)
	return b, err
}

func (closingStore) AddDay(ctx context.Context, tx *ledger.Tx, d closing.Closed) error {
	vals := []any{int64(d.Day), d.Plan, d.Digest, d.FirstRow, d.LastRow, d.Proposed, d.Approved, micros(d.At)}
	groupOf(tx).witness(dayWitness, vals...)
	_, err := groupOf(tx).Exec(ctx, "INSERT INTO close_day (day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", vals...)
	return err
}

func (s closingStore) Note(ctx context.Context, tx *ledger.Tx, e closing.Noted) error {
	vals := []any{e.ID, int64(e.Day), micros(e.At), micros(e.Recorded), string(e.Body)}
	groupOf(tx).witness(eventWitness, vals...)
	if _, err := groupOf(tx).Exec(ctx, "INSERT INTO day_event (id, day, at, recorded_at, body) VALUES ($1, $2, $3, $4, $5)", vals...); err != nil || e.Refused == "" {
		return err
	}
	return s.Refuse(ctx, tx, e)
}

func (closingStore) Refuse(ctx context.Context, tx *ledger.Tx, e closing.Noted) error {
	groupOf(tx).witness(refusalWitness, e.ID, int64(e.Day), micros(e.At), e.Refused)
	_, err := groupOf(tx).Exec(ctx, "INSERT INTO refusal (id, day, at, reason) VALUES ($1, $2, $3, $4)", e.ID, int64(e.Day), micros(e.At), e.Refused)
	return err
}

func (s closingStore) Events(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]closing.Noted, error) {
	scan := func(r *sql.Rows) (e closing.Noted, err error) {
		var at int64
		err = r.Scan(&e.ID, &e.Day, &at, &e.Refused)
		e.At = instant(at)
		return e, err
	}
	all, err := list(ctx, s.db.from(tx), scan, "SELECT e.id, e.day, e.at, COALESCE(f.reason, '') FROM day_event e LEFT JOIN refusal f ON f.id = e.id WHERE e.day = $1", int64(day))
	slices.SortFunc(all, func(a, b closing.Noted) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) AddBooking(ctx context.Context, tx *ledger.Tx, b closing.Booking) error {
	_, err := groupOf(tx).changeOne(ctx, bookingWitness, []any{b.ID}, "INSERT INTO booking (id, kind, line, sale, amount, reference, evidence, operator, day, at, refused, closed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', 0)",
		b.ID, b.Kind, b.Line, b.Sale, b.Amount.Micros(), b.Reference, b.Evidence, b.Operator, int64(b.Day), micros(b.At))
	return err
}

func (closingStore) Bookings(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]closing.Booking, error) {
	all, err := list(ctx, groupOf(tx), scanBooking, "SELECT "+bookingColumns+" FROM booking WHERE closed = 0 AND day = $1", int64(day))
	if err == nil {
		err = newLooker(groupOf(tx)).each(ctx, bookingWitness, len(all), func(i int) any { return all[i].ID })
	}
	slices.SortFunc(all, func(a, b closing.Booking) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) CloseBooking(ctx context.Context, tx *ledger.Tx, id, refused string) error {
	n, err := groupOf(tx).changeOne(ctx, bookingWitness, []any{id}, "UPDATE booking SET closed = 1, refused = $1 WHERE id = $2 AND closed = 0", refused, id)
	if err != nil {
		return err
	}
	return mustHit(n, "booking "+id)
}

// Reading a million members is mostly what each column costs on its way through
// the driver: so several travel as one, and none is converted.

func (s closingStore) Members(ctx context.Context, tx *ledger.Tx, after int64, yield func(closing.Member) error) error {
	return readMembers(ctx, s.db.from(tx), after, yield)
}

func readMembers(ctx context.Context, q querier, after int64, yield func(closing.Member) error) error {
	scan := func(r *sql.Rows) (m closing.Member, err error) {
		var n [3]int64
		if err := scanInts(r, n[:]); err != nil {
			return m, err
		}
		return closing.Member{No: n[0], UID: n[1] >> 2, Side: uint8(n[1] & 3), Sponsor: n[2] >> 32, Parent: n[2] & (1<<32 - 1)}, nil
	}
	return each(ctx, q, scan, yield, "SELECT no, uid * 4 + side, sponsor * 4294967296 + parent FROM place WHERE no > $1 ORDER BY no", after)
}

func (m moment) Members(ctx context.Context, yield func(closing.Member) error) error {
	return readMembers(ctx, m.q, 0, yield)
}

func (closingStore) Blocked(ctx context.Context, tx *ledger.Tx) ([]int64, error) {
	return list(ctx, groupOf(tx), scanID, "SELECT p.no FROM member m JOIN place p ON p.uid = m.uid WHERE m.blocked_at <> 0")
}

func (closingStore) VouchedReviews(ctx context.Context, tx *ledger.Tx, members []int64, since plan.Day) error {
	g := groupOf(tx)
	uids, err := list(ctx, g, scanID, "SELECT DISTINCT CAST(subject AS BIGINT) FROM operator_act WHERE kind IN ('block', 'unblock') AND at >= (SELECT committed_at FROM close_day WHERE day = $1)", int64(since))
	if err != nil {
		return err
	}
	if err := inChunks(members, func(part []int64) error {
		args := make([]any, len(part))
		for i, no := range part {
			args[i] = no
		}
		more, err := list(ctx, g, scanID, "SELECT uid FROM place WHERE no IN "+placeholders(1, len(part)), args...)
		uids = append(uids, more...)
		return err
	}); err != nil {
		return err
	}
	return newLooker(g).each(ctx, memberWitness, len(uids), func(i int) any { return uids[i] })
}

// scanInts reads a row of whole numbers.
func scanInts(r *sql.Rows, into []int64) error {
	var v [9]any
	var to [len(v)]any
	for i := range into {
		to[i] = &v[i]
	}
	if err := r.Scan(to[:len(into)]...); err != nil {
		return err
	}
	for i := range into {
		var ok bool
		if into[i], ok = v[i].(int64); !ok {
			return fmt.Errorf("column %d is a %T", i+1, v[i])
		}
	}
	return nil
}

func (closingStore) Keep(ctx context.Context, tx *ledger.Tx, all []closing.Carried) error {
	g := groupOf(tx)
	if err := g.roomFor(ctx, len(all)); err != nil {
		return err
	}
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
	return g.insert(ctx, bulk{carryTable, len(all), func(i int, r *rows) {
		c := &all[i]
		r.add(c.No, c.Final, c.Sales, c.Own, c.Month, c.Left, c.Right, c.Match, c.Rank, c.Reward, c.Months, flag(c.Active), c.Debt)
	}})
}

func (closingStore) Flips(ctx context.Context, tx *ledger.Tx) (all []closing.Flip, err error) {
	err = moment{groupOf(tx)}.Flips(ctx, func(f closing.Flip) error {
		all = append(all, f)
		return nil
	})
	return all, err
}

func (m moment) Flips(ctx context.Context, yield func(closing.Flip) error) error {
	scan := func(r *sql.Rows) (f closing.Flip, err error) {
		var active int64
		err = r.Scan(&f.No, &f.Day, &active)
		f.Active = active == 1
		return f, err
	}
	return each(ctx, m.q, scan, yield, "SELECT no, day, active FROM activity ORDER BY n")
}

func (closingStore) AddFlips(ctx context.Context, tx *ledger.Tx, all []closing.Flip) error {
	g := groupOf(tx)
	last, _, err := first(ctx, g, scanID, "SELECT COALESCE(MAX(n), 0) FROM activity")
	if err != nil {
		return err
	}
	return g.insert(ctx, bulk{activityTable, len(all), func(i int, r *rows) {
		r.add(last+int64(i)+1, all[i].No, int64(all[i].Day), flag(all[i].Active))
	}})
}

func (closingStore) Tally(ctx context.Context, tx *ledger.Tx, name string) (int64, error) {
	v, _, err := first(ctx, groupOf(tx), scanID, "SELECT value FROM tally WHERE name = $1", name)
	return v, err
}

func (closingStore) SetTally(ctx context.Context, tx *ledger.Tx, name string, value int64) error {
	_, err := groupOf(tx).Exec(ctx, "INSERT INTO tally (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}

func (s closingStore) Books(ctx context.Context, tx *ledger.Tx) (b closing.Books, err error) {
	g := groupOf(tx)
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
