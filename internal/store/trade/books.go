package trade

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// The books: what tables say that money is for, against the ledger.

type moment struct{ q engine.Querier }

// Books is what checks the books.
func Books(db *engine.DB) closing.BookStore { return bookStore{db} }

type bookStore struct{ db *engine.DB }

func (s bookStore) Moment(ctx context.Context, f func(closing.Moment) error) error {
	return s.db.Snapshot(ctx, func(q engine.Querier) error { return f(moment{q}) })
}

func (closingStore) Standing(ctx context.Context, tx *ledger.Tx) (closing.Standing, error) {
	return moment{engine.GroupOf(tx)}.Standing(ctx)
}

// lineSums are what the tables say of lines: what, of which line, how much. Sales
// that cool off have no line.
const lineSums = `SELECT 'open', line, CAST(SUM(principal - loss) AS BIGINT) FROM invest_position WHERE state = 'open' GROUP BY line
	UNION ALL SELECT 'matured', line, CAST(SUM(principal - loss) AS BIGINT) FROM invest_position WHERE state = 'matured' GROUP BY line
	UNION ALL SELECT 'fees', line, CAST(SUM(fee) AS BIGINT) FROM roi_batch WHERE fee_day = 0 GROUP BY line
	UNION ALL SELECT 'recalled', line, CAST(SUM(recalled) AS BIGINT) FROM claim WHERE state = 'Pending' GROUP BY line
	UNION ALL SELECT substr(name, 1, 7), substr(name, 9), value FROM tally WHERE name LIKE 'settled:%'
	UNION ALL SELECT substr(name, 1, 6), substr(name, 8), value FROM tally WHERE name LIKE 'frozen:%'
	UNION ALL SELECT 'cooling', '', CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM sale WHERE state = 'cooling'`

func (m moment) Standing(ctx context.Context) (s closing.Standing, err error) {
	s.Accounts = map[string]int64{}
	class := func(r *sql.Rows) (struct{}, error) {
		var kind, code string
		var sum int64
		err := r.Scan(&kind, &code, &sum)
		if err == nil {
			s.Accounts[closing.Class(kind, code)] += sum
		}
		return struct{}{}, err
	}
	// The first letters after the kind tell a line's accounts apart.
	if _, err = engine.List(ctx, m.q, class, "SELECT a.kind, MIN(a.code), CAST(SUM(a.posted) AS BIGINT) FROM account a GROUP BY a.kind, "+ClassOf); err != nil {
		return s, err
	}
	line := func(r *sql.Rows) (struct{}, error) {
		var what, name string
		var sum int64
		if err := r.Scan(&what, &name, &sum); err != nil {
			return struct{}{}, err
		}
		if what == "cooling" {
			s.Cooling = sum
			return struct{}{}, nil
		}
		if i := slices.Index(plan.LineNames[:], name); i >= 0 {
			l := &s.Lines[i]
			*map[string]*int64{"open": &l.Open, "matured": &l.Matured, "fees": &l.Fees, "recalled": &l.Recalled, "settled": &l.Settled, "frozen": &l.Frozen}[what] = sum
		}
		return struct{}{}, nil
	}
	_, err = engine.List(ctx, m.q, line, lineSums)
	return s, err
}

func (m moment) Versions(ctx context.Context) ([]closing.Version, error) {
	return readVersions(ctx, m.q)
}

func (m moment) Sales(ctx context.Context, yield func(sale.Sale, string) error) error {
	type ended struct {
		sale.Sale
		final string
	}
	scan := func(r *sql.Rows) (e ended, err error) {
		e.Sale, err = scanSaleAnd(r, &e.final)
		return e, err
	}
	return engine.Each(ctx, m.q, scan, func(e ended) error { return yield(e.Sale, e.final) },
		"SELECT s."+strings.ReplaceAll(saleColumns, ", ", ", s.")+", COALESCE(t.reference, '') FROM sale s"+deferredOf+
			" LEFT JOIN entry e ON e.account = a.id AND e.delta < 0 LEFT JOIN transfer t ON t.seq = e.seq AND t.kind = 'finalise'")
}

func (m moment) NetworkPaid(ctx context.Context) (int64, error) {
	return engine.Value(ctx, m.q, engine.ScanID, "SELECT CAST(COALESCE(SUM(paid), 0) AS BIGINT) FROM income WHERE kind "+core.NetworkKinds+" AND reverses = 0")
}

func (m moment) Booked(ctx context.Context, yield func(closing.Booking, []byte) error) error {
	type booked struct {
		closing.Booking
		event string
	}
	scan := func(r *sql.Rows) (b booked, err error) {
		var amount int64
		err = r.Scan(&b.ID, &b.Kind, &b.Line, &b.Sale, &amount, &b.event)
		b.Amount = money.Micro(amount)
		return b, err
	}
	return engine.Each(ctx, m.q, scan, func(b booked) error { return yield(b.Booking, []byte(b.event)) },
		"SELECT b.id, b.kind, b.line, b.sale, b.amount, COALESCE(e.body, '') FROM booking b LEFT JOIN day_event e ON e.id = b.id ORDER BY b.id")
}

func (m moment) Closes(ctx context.Context, yield func(closing.Closed, []byte) error) error {
	scan := func(r *sql.Rows) (c closing.Closed, err error) {
		err = r.Scan(&c.Day, &c.Plan, &c.Digest)
		return c, err
	}
	days, err := engine.List(ctx, m.q, scan, "SELECT day, plan, digest FROM close_day ORDER BY day")
	if err != nil {
		return err
	}
	for _, c := range days {
		answer, _, err := engine.First(ctx, m.q, engine.ScanBytes, commandOf, "close "+c.Day.String())
		if err == nil {
			err = yield(c, answer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m moment) Tallies(ctx context.Context) (map[string]int64, error) {
	all := map[string]int64{}
	scan := func(r *sql.Rows) (struct{}, error) {
		var name string
		var value int64
		err := r.Scan(&name, &value)
		all[name] = value
		return struct{}{}, err
	}
	_, err := engine.List(ctx, m.q, scan, "SELECT name, value FROM tally")
	return all, err
}

func (m moment) Unverified(ctx context.Context) (*closing.Broken, error) {
	return evidence.CheckRows(ctx, m.q, checkIncomes, people.CheckOwned)
}

// Disagreement checks one rule after the other.
func (m moment) Disagreement(ctx context.Context) (*closing.Broken, error) {
	for _, rule := range bookRules {
		scan := func(r *sql.Rows) (*closing.Broken, error) {
			b := &closing.Broken{Rule: rule.says}
			err := r.Scan(&b.Of, &b.Have, &b.Want)
			b.Of = rule.of + " " + b.Of
			for _, v := range []*string{&b.Have, &b.Want} {
				if n, err := strconv.ParseInt(*v, 10, 64); err == nil {
					*v = money.Micro(n).String()
				}
			}
			return b, err
		}
		b, found, err := engine.First(ctx, m.q, scan, "SELECT w.id, CAST(w.have AS TEXT), CAST(w.want AS TEXT) FROM ("+rule.rows+") w WHERE w.have <> w.want ORDER BY w.id LIMIT 1")
		if err != nil || found {
			return b, err
		}
	}
	return nil, nil
}

// ClassOf groups accounts by the first part after their kind: a fund, a wallet
// or a line, of which the first five letters tell them apart. Sales have no
// class.
const ClassOf = "CASE WHEN a.kind = 'L:DEFERRED' THEN '' ELSE substr(a.code, length(a.kind) + 2, 5) END"

// Carried values of members: the largest table that each close reads completely.

const carriedColumns = `SELECT no, (((sales * 256 + rank) * 256 + reward) * 256 + months) * 2 + active,
	final, own, month, left_vol, right_vol, match_bot, debt FROM carry`

func scanCarried(r *sql.Rows) (c closing.Carried, err error) {
	var n [9]int64
	if err := scanInts(r, n[:]); err != nil {
		return c, err
	}
	return closing.Carried{
		No: n[0], Sales: n[1] >> 25, Rank: n[1] >> 17 & 255, Reward: n[1] >> 9 & 255, Months: n[1] >> 1 & 255, Active: n[1]&1 == 1,
		Final: n[2], Own: n[3], Month: n[4], Left: n[5], Right: n[6], Match: n[7], Debt: n[8],
	}, nil
}

func (m moment) Carried(ctx context.Context, yield func(closing.Carried) error) error {
	return engine.Each(ctx, m.q, scanCarried, yield, carriedColumns+" ORDER BY no")
}

func (closingStore) Carried(ctx context.Context, tx *ledger.Tx, yield func(closing.Carried) error) error {
	return engine.Each(ctx, engine.GroupOf(tx), scanCarried, yield, carriedColumns)
}
