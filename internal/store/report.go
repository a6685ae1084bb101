package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// reportStore reads what closes and purchases wrote.
type reportStore struct{ db *DB }

// Report is the store of members' reports.
func (db *DB) Report() report.Store { return reportStore{db} }

func (s reportStore) Plan(ctx context.Context, day plan.Day) (string, []byte, bool, error) {
	type version struct{ name, body string }
	scan := func(r *sql.Rows) (v version, err error) {
		err = r.Scan(&v.name, &v.body)
		return v, err
	}
	v, found, err := first(ctx, &s.db.rows, scan, "SELECT version, body "+holding+" AND first_day <= $1 ORDER BY first_day DESC, no DESC LIMIT 1", int64(day))
	return v.name, []byte(v.body), found, err
}

// standings is one statement for any number of members up to the most: what each
// carries, and its purchases, last first. Who is not asked for is 0, which nobody is.
var standings = func() string {
	window := placeholders(1, report.MaxStandings)
	return `SELECT no, left_vol, right_vol, rank, 0, 0, '', 0, 0 AS at, '' AS id FROM carry WHERE no IN ` + window + `
		UNION ALL SELECT no, 0, 0, 0, 1, package, state, day, at, id FROM sale WHERE state IN ('cooling', 'final') AND no IN ` + window + `
		ORDER BY at DESC, id DESC`
}()

// Standings tells of everybody asked for, if there is nothing to tell too.
func (s reportStore) Standings(ctx context.Context, nos []int64) ([]report.StoredStanding, error) {
	args, out := make([]any, report.MaxStandings), make([]report.StoredStanding, len(nos))
	for i := range args {
		args[i] = int64(0)
	}
	at := make(map[int64]int, len(nos))
	for i, no := range nos {
		args[i], at[no], out[i].No = no, i, no
	}
	err := each(ctx, &s.db.rows, scanStanding, func(x standingRow) error {
		x.onto(&out[at[x.no]])
		return nil
	}, standings, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// standingRow is what a member carries, or a purchase.
type standingRow struct {
	no, left, right, rank, bought, pkg, day int64
	state                                   sale.State
}

func scanStanding(r *sql.Rows) (x standingRow, err error) {
	var at int64
	var id string
	err = r.Scan(&x.no, &x.left, &x.right, &x.rank, &x.bought, &x.pkg, &x.state, &x.day, &at, &id)
	return x, err
}

func (x *standingRow) onto(s *report.StoredStanding) {
	switch {
	case x.bought == 0:
		s.Left, s.Right, s.Rank = money.Micro(x.left), money.Micro(x.right), x.rank
	case !s.Owns:
		s.Owns, s.Package, s.Bought, s.Final = true, x.pkg, plan.Day(x.day), x.state == sale.Final
	default:
		s.Final = s.Final || x.state == sale.Final
	}
}

func (s reportStore) LastDay(ctx context.Context) (plan.Day, bool, error) {
	day, found, err := first(ctx, &s.db.rows, scanID, lastDay)
	return plan.Day(day), found, err
}

func (s reportStore) Closed(ctx context.Context, day plan.Day) (closing.Closed, bool, error) {
	scan := func(r *sql.Rows) (d closing.Closed, err error) {
		var at int64
		err = r.Scan(&d.Day, &d.Plan, &d.Digest, &d.FirstRow, &d.LastRow, &d.Proposed, &d.Approved, &at)
		d.At = instant(at)
		return d, err
	}
	return first(ctx, &s.db.rows, scan, "SELECT day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at FROM close_day WHERE day = $1", int64(day))
}

// Beside each row stands what decides its status: trading incomes follow their
// batch, and ROI the claim that its position became.
var (
	stateJoins = ` FROM income i LEFT JOIN roi_batch b ON i.kind ` + tradingKinds + ` AND b.id = i.source LEFT JOIN claim c ON i.kind = ` + roiKind + ` AND c.id = 'C-' || i.position_id`
	// released is closing.IncomeState.Status in SQL: true for Release.
	released = `((i.kind ` + networkKinds + ` AND (i.held = 0 OR i.released_day <> 0))
		OR (i.kind ` + tradingKinds + ` AND b.released_day > 0 AND (i.kind = ` + roiLevelKind + ` OR c.day IS NULL OR c.day >= b.released_day)))`
)

const (
	stateColumns = `i.row_no, i.day, i.kind, i.line, i.earner, i.source_no, i.level, i.position_id, i.paid, i.nominal, i.on_amount, i.a, i.b,
		i.capped, i.scaled, i.held, i.reverses, i.source, i.released_day, COALESCE(b.released_day, 0), COALESCE(c.day, 0), COALESCE(c.claim_day, 0)`
	ofMember = ` WHERE i.earner = $1 AND i.kind = $2 AND i.line = $3 AND i.row_no >= $4 AND i.row_no <= $5`
)

func scanIncomeState(r *sql.Rows) (x closing.IncomeState, err error) {
	var capped, scaled, held int64
	err = r.Scan(&x.Row, &x.Day, &x.Kind, &x.Line, &x.Earner, &x.Of, &x.Level, &x.Position, &x.Paid, &x.Nominal, &x.On, &x.A, &x.B,
		&capped, &scaled, &held, &x.Reverses, &x.Source, &x.Released, &x.BatchReleased, &x.ClaimMade, &x.Claimed)
	x.Capped, x.Scaled, x.Held = capped == 1, scaled == 1, held == 1
	return x, err
}

// orderBy names columns by order; key makes it total.
func orderBy(f report.Filter, columns map[report.Order]string, key string) string {
	direction := ""
	if f.Descending {
		direction = " DESC"
	}
	column := columns[f.Order]
	if column == "" {
		return " ORDER BY " + key + direction
	}
	return " ORDER BY " + column + direction + ", " + key + direction
}

func (s reportStore) Incomes(ctx context.Context, f report.Filter, kind plan.Kind, line string) ([]closing.IncomeState, error) {
	order := orderBy(f, map[report.Order]string{report.ByAmount: "i.paid", report.ByLevel: "i.level"}, "i.row_no")
	within, err := s.spanOf(ctx, f)
	if err != nil {
		return nil, err
	}
	if kind.Info().Summed && f.Order == report.ByDay && f.Offset >= far {
		if f, within, err = s.skipped(ctx, f, kind, line, within); err != nil {
			return nil, err
		}
	}
	// The page is cut before it is joined, so that nothing is looked up for rows
	// that are not on it.
	page := "(SELECT * FROM income i" + ofMember + order + " LIMIT $6 OFFSET $7) i"
	return list(ctx, &s.db.rows, scanIncomeState, "SELECT "+stateColumns+strings.Replace(stateJoins, "income i", page, 1)+order,
		f.No, int64(kind), line, within.from, within.to, f.Limit, f.Offset)
}

// total is a count and a sum.
type total struct{ count, sum int64 }

func scanTotal(r *sql.Rows) (t total, err error) {
	err = r.Scan(&t.count, &t.sum)
	return t, err
}

func (s reportStore) IncomeByDay(ctx context.Context, f report.Filter) ([]report.DayIncome, error) {
	scan := func(r *sql.Rows) (x report.DayIncome, err error) {
		var amount int64
		err = r.Scan(&x.Day, &x.Kind, &x.Line, &amount)
		x.Amount = money.Micro(amount)
		return x, err
	}
	within, err := s.spanOf(ctx, f)
	if err != nil {
		return nil, err
	}
	return earned(ctx, s.db, scan, f.No, within, "SELECT i.day, i.kind, i.line, CAST(SUM(i.paid) AS BIGINT)"+plainEarned+
		" GROUP BY i.day, i.kind, i.line ORDER BY i.day, i.kind, i.line", earnedByDay)
}

func (s reportStore) Income(ctx context.Context, no, row int64) (closing.IncomeState, bool, error) {
	return first(ctx, &s.db.rows, scanIncomeState, "SELECT "+stateColumns+stateJoins+" WHERE i.row_no = $1 AND i.earner = $2", row, no)
}

func (s reportStore) Origin(ctx context.Context, id string) (report.Origin, bool, error) {
	scan := func(r *sql.Rows) (o report.Origin, err error) {
		var amount, at int64
		err = r.Scan(&o.Kind, &o.ID, &amount, &o.Day, &at, &o.State, &o.Reference)
		o.Amount, o.At = money.Micro(amount), instant(at)
		return o, err
	}
	o, found, err := first(ctx, &s.db.rows, scan, "SELECT 'sale', id, amount, day, at, state, '' FROM sale WHERE id = $1", id)
	if err != nil || found {
		return o, found, err
	}
	return first(ctx, &s.db.rows, scan, "SELECT kind, id, amount, day, at, '', reference FROM booking WHERE id = $1", id)
}

// The line is hidden from SQLite, which would take its index: that has everybody's
// claims.
const ofClaims = " FROM claim WHERE no = $1 AND line || '' = $2 AND day >= $3 AND day <= $4"

func (s reportStore) Claims(ctx context.Context, f report.Filter, line string) ([]invest.Claim, error) {
	order := orderBy(f, map[report.Order]string{report.ByDay: "day", report.ByAmount: "net", report.ByLevel: "day"}, "id")
	return list(ctx, &s.db.rows, scanClaim, "SELECT "+claimColumns+ofClaims+order+" LIMIT $5 OFFSET $6", f.No, line, int64(f.From), int64(f.To), f.Limit, f.Offset)
}

func (s reportStore) ClaimTotal(ctx context.Context, f report.Filter, line string) (int, money.Amount, error) {
	t, _, err := first(ctx, &s.db.rows, scanTotal, "SELECT COUNT(*), COALESCE(CAST(SUM(CASE WHEN state = 'Claimed' THEN net ELSE 0 END) AS BIGINT), 0)"+ofClaims,
		f.No, line, int64(f.From), int64(f.To))
	return int(t.count), money.Micro(t.sum), err
}

func (s reportStore) Carried(ctx context.Context, no int64) (closing.Carried, error) {
	scan := func(r *sql.Rows) (c closing.Carried, err error) {
		var active int64
		err = r.Scan(&c.No, &c.Final, &c.Sales, &c.Own, &c.Month, &c.Left, &c.Right, &c.Match, &c.Rank, &c.Reward, &c.Months, &active, &c.Debt)
		c.Active = active == 1
		return c, err
	}
	c, _, err := first(ctx, &s.db.rows, scan, "SELECT no, final, sales, own, month, left_vol, right_vol, match_bot, rank, reward, months, active, debt FROM carry WHERE no = $1", no)
	return c, err
}

func (s reportStore) Owned(ctx context.Context, yield func(report.Owned) error) error {
	scan := func(r *sql.Rows) (o report.Owned, err error) {
		var parent int64
		err = r.Scan(&o.No, &o.Sponsor, &parent, &o.Volume)
		o.Customer = parent == 0 && o.Sponsor != 0
		return o, err
	}
	return each(ctx, &s.db.rows, scan, yield, "SELECT p.no, p.sponsor, p.parent, COALESCE(c.own, 0) FROM place p LEFT JOIN carry c ON c.no = p.no ORDER BY p.no DESC")
}

func (s reportStore) Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error) {
	return teamStore(s).Balances(ctx, uid)
}

// purchases is where a line's are.
func purchases(line string) (columns, table, where string) {
	if line == report.Robot {
		return "x.id, x.no, x.payer, x.package, x.topup, x.amount, x.day, x.at, x.state", "sale x", "CAST($1 AS TEXT) = ''"
	}
	return "x.id, x.no, x.payer, x.package, x.topup, x.principal, x.day, x.at, x.state", "invest_position x", "x.line = $1"
}

func scanPurchase(r *sql.Rows) (p report.Purchase, err error) {
	var amount, at int64
	err = r.Scan(&p.ID, &p.No, &p.Payer, &p.Package, &p.Topup, &amount, &p.Day, &at, &p.State)
	p.Amount, p.At = money.Micro(amount), instant(at)
	return p, err
}

func (s reportStore) Purchases(ctx context.Context, f report.Filter, line string) ([]report.Purchase, int, error) {
	columns, table, where := purchases(line)
	amount := "x.principal"
	if line == report.Robot {
		amount = "x.amount"
	}
	from := " FROM " + table + " WHERE " + where + " AND x.no = $2 AND x.day >= $3 AND x.day <= $4"
	args := []any{line, f.No, int64(f.From), int64(f.To)}
	count, _, err := first(ctx, &s.db.rows, scanID, "SELECT COUNT(*)"+from, args...)
	if err != nil {
		return nil, 0, err
	}
	order := []string{"x.day", "x.at", "x.id"}
	if f.Order == report.ByAmount {
		order = append([]string{amount}, order...)
	}
	rows, err := list(ctx, &s.db.rows, scanPurchase, "SELECT "+columns+from+ordered(f.Descending, order...)+" LIMIT $5 OFFSET $6", append(args, f.Limit, f.Offset)...)
	return rows, int(count), err
}

func (s reportStore) Cooling(ctx context.Context, payer int64, limit int) ([]report.Purchase, error) {
	columns, table, _ := purchases(report.Robot)
	return list(ctx, &s.db.rows, scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE x.state = 'cooling' AND x.payer = $1 ORDER BY x.day DESC, x.at DESC, x.id DESC LIMIT $2", payer, limit)
}

func (s reportStore) PurchasesOf(ctx context.Context, nos []int64, f report.Filter, line string) (out []report.Purchase, err error) {
	columns, table, where := purchases(line)
	err = inChunks(nos, func(part []int64) error {
		args := []any{line, int64(f.From), int64(f.To)}
		for _, no := range part {
			args = append(args, no)
		}
		some, err := list(ctx, &s.db.rows, scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE "+where+" AND x.day >= $2 AND x.day <= $3 AND x.no IN "+placeholders(4, len(part))+" ORDER BY x.day DESC, x.at DESC, x.id DESC", args...)
		out = append(out, some...)
		return err
	})
	return out, err
}

// Buyers sends day and number as one, along an index that holds both.
func (s reportStore) Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error {
	_, table, where := purchases(line)
	return each(ctx, &s.db.rows, scanID, func(both int64) error { return yield(plan.Day(both>>32), both&(1<<32-1)) },
		"SELECT x.day * 4294967296 + x.no FROM "+table+" WHERE "+where+" AND x.day > $2 AND x.day <= $3 ORDER BY x.day, x.at, x.id", line, int64(after), int64(until))
}

// AllPurchases goes along the index of the purchases themselves.
func (s reportStore) AllPurchases(ctx context.Context, line string, since plan.Day, before report.Key, limit int) ([]report.Purchase, error) {
	columns, table, where := purchases(line)
	return list(ctx, &s.db.rows, scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE "+where+
		" AND x.day >= $2 AND (x.day, x.at, x.id) < ($3, $4, $5) ORDER BY x.day DESC, x.at DESC, x.id DESC LIMIT $6",
		line, int64(since), int64(before.Day), micros(before.At), before.ID, limit)
}
