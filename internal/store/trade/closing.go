// Package trade has the stores of sales, positions, bookings and closes.
package trade

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// closingStore keeps plans, days, bookings and what members carry.
type closingStore struct{ db *engine.DB }

var (
	eventSigned   = evidence.NewSignedTable("day_event", "id, day, at, recorded_at, body", evidence.SignedOptions{})
	refusalSigned = evidence.NewSignedTable("refusal", "id, day, at, reason", evidence.SignedOptions{})
	bookingSigned = evidence.NewSignedTable("booking", "id, kind, line, sale, amount, reference, evidence, operator, day, at, refused, closed", evidence.SignedOptions{Checked: true, Remembered: true})
	daySigned     = evidence.NewSignedTable("close_day", "day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at", evidence.SignedOptions{})
)

func Closing(db *engine.DB) closing.Store { return closingStore{db} }

const LastDay = "SELECT day FROM close_day ORDER BY day DESC LIMIT 1"

func (s closingStore) LastDay(ctx context.Context, tx *ledger.Tx) (plan.Day, bool, error) {
	day, found, err := engine.First(ctx, s.db.From(tx), engine.ScanID, LastDay)
	return plan.Day(day), found, err
}

// commandOf is what a close's command answered, by its key.
const commandOf = "SELECT response FROM command WHERE actor = 'closing' AND command_key = $1"

func (closingStore) Answered(ctx context.Context, tx *ledger.Tx, key string) ([]byte, bool, error) {
	c, found, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCommand, engine.SelectCommands+"actor = 'closing' AND command_key = $1", key)
	if err == nil && found {
		err = evidence.VerifierIn(engine.GroupOf(tx)).Answered(ctx, c)
	}
	return c.Response, found, err
}

func (closingStore) AddDay(ctx context.Context, tx *ledger.Tx, d closing.Closed) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), daySigned, int64(d.Day), d.Plan, d.Digest, d.FirstRow, d.LastRow, d.Proposed, d.Approved, engine.Micros(d.At))
}

func (s closingStore) Note(ctx context.Context, tx *ledger.Tx, e closing.Noted) error {
	if err := evidence.InsertRow(ctx, engine.GroupOf(tx), eventSigned, e.ID, int64(e.Day), engine.Micros(e.At), engine.Micros(e.Recorded), string(e.Body)); err != nil || e.Refused == "" {
		return err
	}
	return s.Refuse(ctx, tx, e)
}

func (closingStore) Refuse(ctx context.Context, tx *ledger.Tx, e closing.Noted) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), refusalSigned, e.ID, int64(e.Day), engine.Micros(e.At), e.Refused)
}

func (s closingStore) Events(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]closing.Noted, error) {
	scan := func(r *sql.Rows) (e closing.Noted, err error) {
		var at int64
		err = r.Scan(&e.ID, &e.Day, &at, &e.Refused)
		e.At = engine.Instant(at)
		return e, err
	}
	all, err := engine.List(ctx, s.db.From(tx), scan, "SELECT e.id, e.day, e.at, COALESCE(f.reason, '') FROM day_event e LEFT JOIN refusal f ON f.id = e.id WHERE e.day = $1", int64(day))
	slices.SortFunc(all, func(a, b closing.Noted) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) AddBooking(ctx context.Context, tx *ledger.Tx, b closing.Booking) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), bookingSigned, []any{b.ID}, "INSERT INTO booking (id, kind, line, sale, amount, reference, evidence, operator, day, at, refused, closed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', 0)",
		b.ID, b.Kind, b.Line, b.Sale, b.Amount.Micros(), b.Reference, b.Evidence, b.Operator, int64(b.Day), engine.Micros(b.At))
}

func (closingStore) Bookings(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]closing.Booking, error) {
	all, err := engine.List(ctx, engine.GroupOf(tx), scanBooking, "SELECT "+bookingColumns+" FROM booking WHERE closed = 0 AND day = $1", int64(day))
	if err == nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).Rows(ctx, bookingSigned, evidence.KeysOf(all, func(b closing.Booking) any { return b.ID }))
	}
	slices.SortFunc(all, func(a, b closing.Booking) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return all, err
}

func (closingStore) CloseBooking(ctx context.Context, tx *ledger.Tx, id, refused string) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), bookingSigned, []any{id}, "UPDATE booking SET closed = 1, refused = $1 WHERE id = $2 AND closed = 0", refused, id)
}

// Reading a million members is mostly what each column costs on its way through
// the driver: so several travel as one, and none is converted.

func (s closingStore) Members(ctx context.Context, tx *ledger.Tx, after int64, yield func(closing.Member) error) error {
	return readMembers(ctx, s.db.From(tx), after, yield)
}

func readMembers(ctx context.Context, q engine.Querier, after int64, yield func(closing.Member) error) error {
	scan := func(r *sql.Rows) (m closing.Member, err error) {
		var n [3]int64
		if err := scanInts(r, n[:]); err != nil {
			return m, err
		}
		return closing.Member{No: n[0], UID: n[1] >> 2, Side: uint8(n[1] & 3), Sponsor: n[2] >> 32, Parent: n[2] & (1<<32 - 1)}, nil
	}
	return engine.Each(ctx, q, scan, yield, "SELECT no, uid * 4 + side, sponsor * 4294967296 + parent FROM place WHERE no > $1 ORDER BY no", after)
}

func (m moment) Members(ctx context.Context, yield func(closing.Member) error) error {
	return readMembers(ctx, m.q, 0, yield)
}

func (closingStore) Blocked(ctx context.Context, tx *ledger.Tx) ([]int64, error) {
	return engine.List(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT p.no FROM member m JOIN place p ON p.uid = m.uid WHERE m.blocked_at <> 0")
}

func (closingStore) VerifyReviews(ctx context.Context, tx *ledger.Tx, members []int64, since plan.Day) error {
	g := engine.GroupOf(tx)
	uids, err := engine.List(ctx, g, engine.ScanID, "SELECT DISTINCT CAST(subject AS BIGINT) FROM operator_act WHERE kind IN ('block', 'unblock') AND at >= (SELECT committed_at FROM close_day WHERE day = $1)", int64(since))
	if err != nil {
		return err
	}
	if err := engine.InChunks(members, func(part []int64) error {
		args := make([]any, len(part))
		for i, no := range part {
			args[i] = no
		}
		more, err := engine.List(ctx, g, engine.ScanID, "SELECT uid FROM place WHERE no IN "+engine.Placeholders(1, len(part)), args...)
		uids = append(uids, more...)
		return err
	}); err != nil {
		return err
	}
	return evidence.VerifierIn(g).Rows(ctx, people.MemberSigned, evidence.KeysOf(uids, func(uid int64) any { return uid }))
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
	g := engine.GroupOf(tx)
	if err := g.GrowCache(ctx, len(all)); err != nil {
		return err
	}
	if err := engine.InChunks(all, func(part []closing.Carried) error {
		args := make([]any, len(part))
		for i, c := range part {
			args[i] = c.No
		}
		_, err := g.Exec(ctx, "DELETE FROM carry WHERE no IN "+engine.Placeholders(1, len(part)), args...)
		return err
	}); err != nil {
		return err
	}
	return g.Insert(ctx, carryTable, len(all), func(i int, r *engine.Rows) {
		c := &all[i]
		r.Add(c.No, c.Final, c.Sales, c.Own, c.Month, c.Left, c.Right, c.Match, c.Rank, c.Reward, c.Months, engine.BoolInt(c.Active), c.Debt)
	})
}

func (closingStore) Flips(ctx context.Context, tx *ledger.Tx) (all []closing.Flip, err error) {
	err = moment{engine.GroupOf(tx)}.Flips(ctx, func(f closing.Flip) error {
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
	return engine.Each(ctx, m.q, scan, yield, "SELECT no, day, active FROM activity ORDER BY n")
}

func (closingStore) AddFlips(ctx context.Context, tx *ledger.Tx, all []closing.Flip) error {
	g := engine.GroupOf(tx)
	last, _, err := engine.First(ctx, g, engine.ScanID, "SELECT COALESCE(MAX(n), 0) FROM activity")
	if err != nil {
		return err
	}
	return g.Insert(ctx, activityTable, len(all), func(i int, r *engine.Rows) {
		r.Add(last+int64(i)+1, all[i].No, int64(all[i].Day), engine.BoolInt(all[i].Active))
	})
}

func (closingStore) Tally(ctx context.Context, tx *ledger.Tx, name string) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT value FROM tally WHERE name = $1", name)
}

func (closingStore) SetTally(ctx context.Context, tx *ledger.Tx, name string, value int64) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "INSERT INTO tally (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}

func (s closingStore) Books(ctx context.Context, tx *ledger.Tx) (b closing.Books, err error) {
	g := engine.GroupOf(tx)
	b.Accounts = map[string]int64{}
	if err := engine.Each(ctx, g, func(r *sql.Rows) (code string, err error) {
		var posted int64
		err = r.Scan(&code, &posted)
		b.Accounts[code] = posted
		return code, err
	}, func(string) error { return nil }, "SELECT code, posted FROM account"); err != nil {
		return b, err
	}
	if b.Sales, err = engine.List(ctx, g, scanSale, "SELECT "+saleColumns+" FROM sale"); err != nil {
		return b, err
	}
	if b.Positions, err = engine.List(ctx, g, scanPosition, "SELECT "+positionColumns+" FROM invest_position"); err != nil {
		return b, err
	}
	b.Claims, err = engine.List(ctx, g, ScanClaim, "SELECT "+ClaimColumns+" FROM claim")
	return b, err
}

var carryTable = engine.NewTable("carry", engine.Ints("no", "final", "sales", "own", "month", "left_vol", "right_vol", "match_bot", "rank", "reward", "months", "active", "debt"))

var activityTable = engine.NewTable("activity", engine.Ints("n", "no", "day", "active"))
