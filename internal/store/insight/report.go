// Package insight has the stores of reports and of what the public sees.
package insight

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/people"
	"github.com/bifolia/bifolia/internal/store/trade"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// reportStore reads the rows that closes and purchases wrote.
type reportStore struct{ db *engine.DB }

// Report is the store of members' reports.
func Report(db *engine.DB) report.Store { return reportStore{db} }

func (s reportStore) Plan(ctx context.Context, day plan.Day) (string, []byte, bool, error) {
	type version struct{ name, body string }
	scan := func(r *sql.Rows) (v version, err error) {
		err = r.Scan(&v.name, &v.body)
		return v, err
	}
	v, found, err := engine.First(ctx, s.db.Committed(), scan, "SELECT version, body "+trade.Holding+" AND first_day <= $1 ORDER BY first_day DESC, no DESC LIMIT 1", int64(day))
	return v.name, []byte(v.body), found, err
}

// standings is one statement for up to MaxStandings members: the carried values of each,
// and its purchases, the last one first. Unused parameters are 0, which is no member.
var standings = func() string {
	window := engine.Placeholders(1, report.MaxStandings)
	return `SELECT no, left_vol, right_vol, rank, 0, 0, '', 0, 0 AS at, '' AS id FROM carry WHERE no IN ` + window + `
		UNION ALL SELECT no, 0, 0, 0, 1, package, state, day, at, id FROM sale WHERE state IN ('cooling', 'final') AND no IN ` + window + `
		ORDER BY at DESC, id DESC`
}()

// Standings has a row for each number, in their order.
func (s reportStore) Standings(ctx context.Context, nos []int64) ([]report.StoredStanding, error) {
	args, out := make([]any, report.MaxStandings), make([]report.StoredStanding, len(nos))
	for i := range args {
		args[i] = int64(0)
	}
	at := make(map[int64]int, len(nos))
	for i, no := range nos {
		args[i], at[no], out[i].No = no, i, no
	}
	err := engine.Each(ctx, s.db.Committed(), scanStanding, func(x standingRow) error {
		x.onto(&out[at[x.no]])
		return nil
	}, standings, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// standingRow is the carried values of a member, or a purchase.
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
	day, found, err := engine.First(ctx, s.db.Committed(), engine.ScanID, trade.LastDay)
	return plan.Day(day), found, err
}

func (s reportStore) Closed(ctx context.Context, day plan.Day) (closing.Closed, bool, error) {
	scan := func(r *sql.Rows) (d closing.Closed, err error) {
		var at int64
		err = r.Scan(&d.Day, &d.Plan, &d.Digest, &d.FirstRow, &d.LastRow, &d.Proposed, &d.Approved, &at)
		d.At = engine.Instant(at)
		return d, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT day, plan, digest, rows_first, rows_last, proposed_by, approved_by, committed_at FROM close_day WHERE day = $1", int64(day))
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
	if kind.Info().Summed && f.Order == report.ByDay && f.Offset >= engine.FarOffset {
		if f, within, err = s.skipped(ctx, f, kind, line, within); err != nil {
			return nil, err
		}
	}
	// The page is cut before it is joined, so that nothing is looked up for rows
	// that are not on it.
	page := "(SELECT * FROM income i" + trade.OfMember + order + " LIMIT $6 OFFSET $7) i"
	return engine.List(ctx, s.db.Committed(), trade.ScanIncomeState, "SELECT "+trade.StateColumns+strings.Replace(trade.StateJoins, "income i", page, 1)+order,
		f.No, int64(kind), line, within.From, within.To, f.Limit, f.Offset)
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
	return core.Earned(ctx, s.db, scan, f.No, within, "SELECT i.day, i.kind, i.line, CAST(SUM(i.paid) AS BIGINT)"+core.EarnedRows+
		" GROUP BY i.day, i.kind, i.line ORDER BY i.day, i.kind, i.line", core.EarnedByDay)
}

func (s reportStore) Income(ctx context.Context, no, row int64) (closing.IncomeState, bool, error) {
	return engine.First(ctx, s.db.Committed(), trade.ScanIncomeState, "SELECT "+trade.StateColumns+trade.StateJoins+" WHERE i.row_no = $1 AND i.earner = $2", row, no)
}

func (s reportStore) Origin(ctx context.Context, id string) (report.Origin, bool, error) {
	scan := func(r *sql.Rows) (o report.Origin, err error) {
		var amount, at int64
		err = r.Scan(&o.Kind, &o.ID, &amount, &o.Day, &at, &o.State, &o.Reference)
		o.Amount, o.At = money.Micro(amount), engine.Instant(at)
		return o, err
	}
	o, found, err := engine.First(ctx, s.db.Committed(), scan, "SELECT 'sale', id, amount, day, at, state, '' FROM sale WHERE id = $1", id)
	if err != nil || found {
		return o, found, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT kind, id, amount, day, at, '', reference FROM booking WHERE id = $1", id)
}

// The expression hides the line from SQLite, which would use its index of all claims.
const ofClaims = " FROM claim WHERE no = $1 AND line || '' = $2 AND day >= $3 AND day <= $4"

func (s reportStore) Claims(ctx context.Context, f report.Filter, line string) ([]invest.Claim, error) {
	order := orderBy(f, map[report.Order]string{report.ByDay: "day", report.ByAmount: "net", report.ByLevel: "day"}, "id")
	return engine.List(ctx, s.db.Committed(), trade.ScanClaim, "SELECT "+trade.ClaimColumns+ofClaims+order+" LIMIT $5 OFFSET $6", f.No, line, int64(f.From), int64(f.To), f.Limit, f.Offset)
}

func (s reportStore) ClaimTotal(ctx context.Context, f report.Filter, line string) (int, money.Amount, error) {
	t, _, err := engine.First(ctx, s.db.Committed(), engine.ScanTotal, "SELECT COUNT(*), COALESCE(CAST(SUM(CASE WHEN state = 'Claimed' THEN net ELSE 0 END) AS BIGINT), 0)"+ofClaims,
		f.No, line, int64(f.From), int64(f.To))
	return int(t.Count), money.Micro(t.Sum), err
}

func (s reportStore) Carried(ctx context.Context, no int64) (closing.Carried, error) {
	scan := func(r *sql.Rows) (c closing.Carried, err error) {
		var active int64
		err = r.Scan(&c.No, &c.Final, &c.Sales, &c.Own, &c.Month, &c.Left, &c.Right, &c.Match, &c.Rank, &c.Reward, &c.Months, &active, &c.Debt)
		c.Active = active == 1
		return c, err
	}
	return engine.Value(ctx, s.db.Committed(), scan, "SELECT no, final, sales, own, month, left_vol, right_vol, match_bot, rank, reward, months, active, debt FROM carry WHERE no = $1", no)
}

func (s reportStore) Owned(ctx context.Context, yield func(report.Owned) error) error {
	scan := func(r *sql.Rows) (o report.Owned, err error) {
		var parent int64
		err = r.Scan(&o.No, &o.Sponsor, &parent, &o.Volume)
		o.Customer = parent == 0 && o.Sponsor != 0
		return o, err
	}
	return engine.Each(ctx, s.db.Committed(), scan, yield, "SELECT p.no, p.sponsor, p.parent, COALESCE(c.own, 0) FROM place p LEFT JOIN carry c ON c.no = p.no ORDER BY p.no DESC")
}

func (s reportStore) Balances(ctx context.Context, uid int64) (map[string]ledger.Balance, error) {
	return people.Team(s.db).Balances(ctx, uid)
}

// purchases are the columns, the table and the condition of a line's purchases.
func purchases(line string) (columns, table, where string) {
	if line == report.Robot {
		return "x.id, x.no, x.payer, x.package, x.topup, x.amount, x.day, x.at, x.state, 0", "sale x", "CAST($1 AS TEXT) = ''"
	}
	return "x.id, x.no, x.payer, x.package, x.topup, x.principal, x.day, x.at, x.state, x.term", "invest_position x", "x.line = $1"
}

func scanPurchase(r *sql.Rows) (p report.Purchase, err error) {
	var amount, at int64
	err = r.Scan(&p.ID, &p.No, &p.Payer, &p.Package, &p.Topup, &amount, &p.Day, &at, &p.State, &p.Term)
	p.Amount, p.At = money.Micro(amount), engine.Instant(at)
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
	count, _, err := engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT COUNT(*)"+from, args...)
	if err != nil {
		return nil, 0, err
	}
	order := []string{"x.day", "x.at", "x.id"}
	if f.Order == report.ByAmount {
		order = append([]string{amount}, order...)
	}
	rows, err := engine.List(ctx, s.db.Committed(), scanPurchase, "SELECT "+columns+from+engine.Ordered(f.Descending, order...)+" LIMIT $5 OFFSET $6", append(args, f.Limit, f.Offset)...)
	return rows, int(count), err
}

// investments reads a page of positions, the sums of their ROI rows, and their claims. What
// was booked for a position that matured before the release of its batch is paid with the
// claim, and never released.
var investments = `SELECT x.id, x.no, x.payer, x.package, x.topup, x.principal, x.day, x.at, x.state, x.term, x.loss,
		COALESCE((SELECT CAST(SUM(i.paid) AS BIGINT) FROM income i WHERE i.position_id = x.id AND i.kind = ` + core.RoiKind + `), 0),
		COALESCE((SELECT CAST(SUM(i.paid) AS BIGINT) FROM income i JOIN roi_batch b ON b.id = i.source
			WHERE i.position_id = x.id AND i.kind = ` + core.RoiKind + ` AND b.released_day > 0 AND (c.day IS NULL OR c.day >= b.released_day)), 0),
		COALESCE(c.id, ''), COALESCE(c.net, 0), COALESCE(c.recalled, 0), COALESCE(c.state, '')
	FROM (SELECT * FROM invest_position WHERE line = $1 AND no = $2 ORDER BY day DESC, at DESC, id DESC LIMIT $3 OFFSET $4) x
	LEFT JOIN claim c ON c.id = 'C-' || x.id ORDER BY x.day DESC, x.at DESC, x.id DESC`

func (s reportStore) Investments(ctx context.Context, f report.Filter, line string) ([]report.Investment, int, error) {
	scan := func(r *sql.Rows) (x report.Investment, err error) {
		var amount, at, loss, earned, released, net, recalled int64
		var state string
		err = r.Scan(&x.ID, &x.No, &x.Payer, &x.Package, &x.Topup, &amount, &x.Day, &at, &x.State, &x.Term, &loss, &earned, &released, &x.Claim, &net, &recalled, &state)
		x.Amount, x.At, x.Loss, x.Earned, x.Released, x.Net = money.Micro(amount), engine.Instant(at), money.Micro(loss), money.Micro(earned), money.Micro(released), money.Micro(net)
		x.Ready = state == "Pending" && recalled == net
		return x, err
	}
	count, _, err := engine.First(ctx, s.db.Committed(), engine.ScanID, "SELECT COUNT(*) FROM invest_position WHERE line = $1 AND no = $2", line, f.No)
	if err != nil {
		return nil, 0, err
	}
	rows, err := engine.List(ctx, s.db.Committed(), scan, investments, line, f.No, f.Limit, f.Offset)
	return rows, int(count), err
}

func (s reportStore) Cooling(ctx context.Context, payer int64, limit int) ([]report.Purchase, error) {
	columns, table, _ := purchases(report.Robot)
	return engine.List(ctx, s.db.Committed(), scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE x.state = 'cooling' AND x.payer = $1 ORDER BY x.day DESC, x.at DESC, x.id DESC LIMIT $2", payer, limit)
}

// Refunded reads the refund in the account of the deferred price, which only the purchase
// and its refund or its finalisation post to.
func (s reportStore) Refunded(ctx context.Context, ids []string) (map[string]time.Time, error) {
	out := make(map[string]time.Time, len(ids))
	type refund struct {
		id string
		at int64
	}
	scan := func(r *sql.Rows) (x refund, err error) {
		err = r.Scan(&x.id, &x.at)
		return x, err
	}
	err := engine.InChunks(ids, func(part []string) error {
		args := make([]any, len(part))
		for i, id := range part {
			args[i] = "L:DEFERRED:" + id
		}
		return engine.Each(ctx, s.db.Committed(), scan, func(x refund) error {
			out[x.id] = engine.Instant(x.at)
			return nil
		}, "SELECT t.reference, t.recorded_at FROM account a JOIN entry e ON e.account = a.id JOIN transfer t ON t.seq = e.seq WHERE t.kind = 'refund' AND a.code IN "+engine.Placeholders(1, len(part)), args...)
	})
	return out, err
}

func (s reportStore) PurchasesOf(ctx context.Context, nos []int64, f report.Filter, line string) (out []report.Purchase, err error) {
	columns, table, where := purchases(line)
	err = engine.InChunks(nos, func(part []int64) error {
		args := []any{line, int64(f.From), int64(f.To)}
		for _, no := range part {
			args = append(args, no)
		}
		some, err := engine.List(ctx, s.db.Committed(), scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE "+where+" AND x.day >= $2 AND x.day <= $3 AND x.no IN "+engine.Placeholders(4, len(part))+" ORDER BY x.day DESC, x.at DESC, x.id DESC", args...)
		out = append(out, some...)
		return err
	})
	return out, err
}

// Buyers sends day and number as one, along an index that holds both.
func (s reportStore) Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error {
	_, table, where := purchases(line)
	return engine.Each(ctx, s.db.Committed(), engine.ScanID, func(both int64) error { return yield(plan.Day(both>>32), both&(1<<32-1)) },
		"SELECT x.day * 4294967296 + x.no FROM "+table+" WHERE "+where+" AND x.day > $2 AND x.day <= $3 ORDER BY x.day, x.at, x.id", line, int64(after), int64(until))
}

// AllPurchases goes along the index of the purchases themselves.
func (s reportStore) AllPurchases(ctx context.Context, line string, since plan.Day, before report.Key, limit int) ([]report.Purchase, error) {
	columns, table, where := purchases(line)
	return engine.List(ctx, s.db.Committed(), scanPurchase, "SELECT "+columns+" FROM "+table+" WHERE "+where+
		" AND x.day >= $2 AND (x.day, x.at, x.id) < ($3, $4, $5) ORDER BY x.day DESC, x.at DESC, x.id DESC LIMIT $6",
		line, int64(since), int64(before.Day), engine.Micros(before.At), before.ID, limit)
}
