package app

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/demo"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// figureTable is a table of a report in a response.
type figureTable struct {
	Name    string
	Columns []struct{ Name, Unit string }
	Rows    [][]string
	Total   []string
}

// at is the figure of a row, by its first cell and the column's name.
func (f figureTable) at(row, column string) string {
	for i, c := range f.Columns {
		if c.Name != column {
			continue
		}
		for _, r := range f.Rows {
			if r[0] == row {
				return r[i]
			}
		}
	}
	return "?"
}

// reportSite is a site with a history of two and a half months that ends in the middle of
// a month, and SQL for comparison.
type reportSite struct {
	*site
	db    *sql.DB
	owner client
}

func openReports(t *testing.T, dsn string) reportSite {
	t.Helper()
	cfg := testConfig(t, "--db", dsn, "--demo", "true")
	long := demo.Mark{Size: demo.Size{Members: 100, Days: 75}, Last: demo.Last(testkit.Epoch)}
	if err := buildDemo(t.Context(), cfg, testkit.Log(), long, nil); err != nil {
		t.Fatal(err)
	}
	s := reportSite{site: &site{t: t, dsn: cfg.DB, clock: clock.NewFake(morning)}}
	s.App = cheapApp(t, cfg, s.clock)
	if err := s.services.Transparency.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.db = testkit.Raw(t, dsn)
	t.Cleanup(func() { _ = s.db.Close() })
	s.owner = s.hire(auth.RoleFinance)
	return s
}

const wholeHistory = "&from=2026-08-01&to=2026-11-15"

func (s reportSite) report(query string) (tables map[string]figureTable) {
	s.t.Helper()
	var got struct {
		Data struct{ Tables []figureTable }
	}
	s.owner.get("operator/reports?kind=" + query).into(&got)
	tables = map[string]figureTable{}
	for _, t := range got.Data.Tables {
		tables[t.Name] = t
	}
	return tables
}

// counted runs SQL that gives a day and a figure, which is then by day.
func (s reportSite) counted(query string) map[string]int64 {
	s.t.Helper()
	rows, err := s.db.Query(query)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string]int64{}
	for rows.Next() {
		var day, n int64
		if err := rows.Scan(&day, &n); err != nil {
			s.t.Fatal(err)
		}
		out[plan.Day(day).String()] = n
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// sameByDay compares a column of a report by day with SQL. Something must have happened
// (the small history has no customers), and the total must be the sum of all days.
func (s reportSite) sameByDay(t figureTable, column, query string) {
	s.t.Helper()
	want := s.counted(query)
	at, unit, sum := 0, "", int64(0)
	for i, c := range t.Columns {
		if c.Name == column {
			at, unit = i, c.Unit
		}
	}
	read := func(text string) int64 {
		if unit == "money" {
			return money.MustParse(text).Micros()
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			s.t.Fatalf("%s: %v", column, err)
		}
		return n
	}
	for _, row := range t.Rows {
		got := read(row[at])
		if sum += got; got != want[row[0]] {
			s.t.Errorf("%s of %s is %d, want %d", column, row[0], got, want[row[0]])
		}
		delete(want, row[0])
	}
	customers := strings.Contains(column, "customers")
	if len(want) > 0 || (sum == 0) != customers || read(t.Total[at]) != sum {
		s.t.Errorf("%s: %v is missing; in all %d, told as %s", column, want, sum, t.Total[at])
	}
}

const (
	isCustomer = "p.parent = 0 AND p.sponsor <> 0"
	isMember   = "NOT (p.parent = 0 AND p.sponsor <> 0)"
	ofDay      = "86400000000"
)

func TestReportsMatchARecountOfTheRows(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openReports(t, dsn)
		revenue := s.report("revenue" + wholeHistory)["time"]
		final := "SELECT s.final_day, CAST(SUM(s.amount) AS BIGINT) FROM sale s JOIN place p ON p.no = s.no WHERE s.state IN ('final', 'reversed') AND "
		s.sameByDay(revenue, "sales_members", final+isMember+" GROUP BY s.final_day")
		s.sameByDay(revenue, "sales_customers", final+isCustomer+" GROUP BY s.final_day")
		s.sameByDay(revenue, "reversed", "SELECT b.day, CAST(-SUM(s.amount) AS BIGINT) FROM booking b JOIN sale s ON s.id = b.sale WHERE b.kind = 'chargeback' AND b.closed = 1 AND b.refused = '' GROUP BY b.day")
		s.sameByDay(revenue, "fees", "SELECT fee_day, CAST(SUM(fee) AS BIGINT) FROM roi_batch WHERE fee > 0 AND fee_day > 0 GROUP BY fee_day")
		s.sameByDay(revenue, "charges", "SELECT confirmed_at / "+ofDay+", CAST(SUM(charge) AS BIGINT) FROM withdrawal WHERE state = 'Confirmed' GROUP BY 1")
		retail := s.report("retail" + wholeHistory)["time"]
		s.sameByDay(retail, "customers", final+isCustomer+" GROUP BY s.final_day")

		payouts := s.report("payouts" + wholeHistory)
		s.sameByDay(payouts["time"], "net", "SELECT day, CAST(SUM(paid) AS BIGINT) FROM income GROUP BY day")
		s.sameByDay(payouts["time"], "level", "SELECT day, CAST(SUM(paid) AS BIGINT) FROM income WHERE kind = 0 GROUP BY day")
		s.sameByDay(payouts["time"], "roi_crypto", "SELECT day, CAST(SUM(paid) AS BIGINT) FROM income WHERE kind = 6 AND line = 'CRYPTO' GROUP BY day")
		if all := payouts["sources"].Total[5]; all != payouts["time"].Total[11] {
			t.Errorf("by source %s, over time %s", all, payouts["time"].Total[11])
		}

		people := s.report("people" + wholeHistory)["time"]
		s.sameByDay(people, "members", "SELECT joined_at / "+ofDay+", COUNT(*) FROM place p WHERE "+isMember+" GROUP BY 1")
		s.sameByDay(people, "customers", "SELECT joined_at / "+ofDay+", COUNT(*) FROM place p WHERE "+isCustomer+" GROUP BY 1")
		s.sameByDay(people, "activations", "SELECT day, COUNT(*) FROM (SELECT MIN(s.day) AS day FROM sale s JOIN place p ON p.no = s.no WHERE "+isMember+" GROUP BY s.no) x GROUP BY day")
		s.sameByDay(people, "became", "SELECT a.day, COUNT(*) FROM activity a JOIN place p ON p.no = a.no WHERE a.active = 1 AND "+isMember+" GROUP BY a.day")
		if got, want := people.Total[6], s.one("SELECT COUNT(*) FROM carry c JOIN place p ON p.no = c.no WHERE c.active = 1 AND "+isMember); got != want {
			t.Errorf("%s are active, want %s", got, want)
		}
		s.bucketsAddUp()
		s.cohortsAreRight()
		s.legsAreRight()
		s.publicIsShown()
	})
}

// one is the figure that a query gives.
func (s reportSite) one(query string) (text string) {
	s.t.Helper()
	if err := s.db.QueryRow(query).Scan(&text); err != nil {
		s.t.Fatal(err)
	}
	return text
}

// bucketsAddUp checks that weeks and months have the same sums as days, and begin on a
// Monday and on the first.
func (s reportSite) bucketsAddUp() {
	s.t.Helper()
	for _, kind := range []string{"revenue", "payouts", "people"} {
		days := s.report(kind + wholeHistory)["time"]
		for _, bucket := range []string{"week", "month"} {
			t := s.report(kind + wholeHistory + "&bucket=" + bucket)["time"]
			if fmt.Sprint(t.Total) != fmt.Sprint(days.Total) {
				s.t.Errorf("%s by %s: %v, by day %v", kind, bucket, t.Total, days.Total)
			}
			if first := map[string]string{"week": "2026-07-27", "month": "2026-08-01"}[bucket]; t.Rows[0][0] != first || len(t.Rows) >= len(days.Rows) {
				s.t.Errorf("%s by %s begins on %s in %d rows", kind, bucket, t.Rows[0][0], len(t.Rows))
			}
		}
	}
}

// cohortsAreRight checks the members who joined in September at the ends of September and
// October; November is not over.
func (s reportSite) cohortsAreRight() {
	t := s.t
	t.Helper()
	tables := s.report("retention" + wholeHistory)
	september := "p.joined_at >= 1788220800000000 AND p.joined_at < 1790812800000000 AND " + isMember
	ends := []string{"2026-09-30", "2026-10-31"}
	for n, end := range ends {
		last, err := plan.ParseDay(end)
		if err != nil {
			t.Fatal(err)
		}
		first := last - 30
		if n == 0 {
			first = last - 29
		}
		column := "m" + strconv.Itoa(n)
		active := s.one(fmt.Sprintf("SELECT COUNT(*) FROM place p WHERE %s AND (SELECT a.active FROM activity a WHERE a.no = p.no AND a.day <= %d ORDER BY a.n DESC LIMIT 1) = 1", september, last))
		if got := tables["active"].at("2026-09-01", column); got != active || n == 1 && got == "0" {
			t.Errorf("active at the end of %s: %s, want %s", end, got, active)
		}
		bought := fmt.Sprintf("(SELECT x.no FROM sale x WHERE x.day BETWEEN %d AND %d UNION SELECT i.no FROM invest_position i WHERE i.day BETWEEN %d AND %d)", first, last, first, last)
		if got, want := tables["buying"].at("2026-09-01", column), s.one("SELECT COUNT(*) FROM place p WHERE "+september+" AND p.no IN "+bought); got != want || got == "0" {
			t.Errorf("bought something in the month of %s: %s, want %s", end, got, want)
		}
	}
	if got, want := tables["active"].at("2026-09-01", "members"), s.one("SELECT COUNT(*) FROM place p WHERE "+september); got != want {
		t.Errorf("%s joined in September, want %s", got, want)
	}
	if got := tables["active"].at("2026-09-01", "m2"); got != "" {
		t.Errorf("November is not over, and has %q", got)
	}
}

// legsAreRight checks that every member with a team is in one bin, and that the largest
// team is the first member's, with the legs of the tree.
func (s reportSite) legsAreRight() {
	t := s.t
	t.Helper()
	tables := s.report("legs")
	if got, want := tables["spread"].Total[1], s.one("SELECT COUNT(DISTINCT parent) FROM place WHERE parent > 0"); got != want {
		t.Errorf("%s members have a team, want %s", got, want)
	}
	root, _ := s.services.Tree.Get(1)
	row := tables["largest"].Rows[0]
	if want := fmt.Sprint([]string{id(root.UID), id(root.Left.Members), id(root.Right.Members)}); fmt.Sprint(row[:3]) != want {
		t.Errorf("the largest team is %v, want %s", row, want)
	}
	if row[4] != root.Left.Business[0].String() || row[5] != root.Right.Business[0].String() {
		t.Errorf("its business is %v, want %s and %s", row[4:6], root.Left.Business[0], root.Right.Business[0])
	}
}

// publicIsShown checks that the report contains the public figures and no others.
func (s reportSite) publicIsShown() {
	t := s.t
	t.Helper()
	var public struct{ Data transparency.Report }
	s.visitor().get("transparency").into(&public)
	income := public.Data.Income
	tops := s.report("concentration")["tops"]
	earned := s.one("SELECT CAST(MAX(x.sum) AS BIGINT) FROM (SELECT SUM(paid) AS sum FROM income WHERE kind < 6 GROUP BY earner) x")
	if top := money.MustParse(tops.at("first", "earned")).Micros(); id(top) != earned || id(income.Top) != tops.at("first", "share") {
		t.Errorf("the top earner has %d, want %s", top, earned)
	}
	if got, want := s.report("concentration")["facts"].Rows[0][1], s.one("SELECT COUNT(*) FROM (SELECT SUM(paid) AS sum FROM income WHERE kind < 6 GROUP BY earner) x WHERE x.sum > 0"); got != want {
		t.Errorf("%s earned something, want %s", got, want)
	}
	if got := s.report("disclosure")["spread"].at("p90", "earned"); got != string(income.P90) {
		t.Errorf("nine tenths earned at most %s, want %s", got, income.P90)
	}
	cover := s.report("coverage" + wholeHistory)
	last := cover["time"].Rows[len(cover["time"].Rows)-2] // yesterday, the last closed day
	ratios := map[string]int64{}
	for _, c := range public.Data.Coverage {
		if got := cover["classes"].at(c.Class, "owed"); got != string(c.Owed) {
			t.Errorf("%s: owed %s; want %+v", c.Class, got, c)
		}
		ratios[c.Class] = c.Ratio
	}
	if want := []string{id(ratios["deposits"]), id(ratios["incomes"]), id(ratios["trading"] + ratios["held"]), id(ratios["all"])}; !slices.Equal(last[1:], want) {
		t.Errorf("covered %v; want %v", last[1:], want)
	}
}

func TestRetailSalesAndChargebacksInReports(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := reportSite{site: openSite(t, dsn)}
		s.owner = s.operator()
		if tables := s.report("revenue"); tables["time"].Total[6] != "0.000000" {
			t.Errorf("before anything: %v", tables)
		}
		var got struct{ Data struct{ UID string } }
		s.owner.post("operator/customer", m{"sid": id(s.root.UID), "name": "Rita Retail", "email": "rita@mail.example", "mobile": "9876543210", "countryid": "99"}).into(&got)
		s.buy(s.root.UID, 3, "250")
		s.buy(uidOf(t, got.Data.UID), 2, "100")
		// Today's purchases count as purchases of today only.
		people := s.report("people&from=2026-11-15&to=2026-11-15")["time"]
		if row := fmt.Sprint(people.Rows); row != "[[2026-11-15 1 1 1 0 0 0]]" {
			t.Errorf("today: %s", row)
		}
		s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		s.owner = s.operator()
		retail := s.report("retail&from=2026-11-01&to=2026-11-30&bucket=month")["time"]
		if row := fmt.Sprint(retail.Rows); row != "[[2026-11-01 250.000000 100.000000 350.000000 1 1 285714]]" {
			t.Errorf("retail: %s", row)
		}
		revenue := s.report("revenue&from=2026-11-29&to=2026-11-29")["time"]
		if row := fmt.Sprint(revenue.Rows); row != "[[2026-11-29 250.000000 100.000000 0.000000 0.000000 0.000000 350.000000]]" {
			t.Errorf("revenue: %s", row)
		}
		people = s.report("people&from=2026-11-01&to=2026-11-30&bucket=month")["time"]
		if row := fmt.Sprint(people.Rows); row != "[[2026-11-01 1 1 1 1 0 1]]" {
			t.Errorf("people: %s", row)
		}
	})
}

func TestReportExportsTakeTheirRight(t *testing.T) {
	t.Parallel()
	s := openReports(t, testkit.SQLite(t))
	for kind, table := range map[string]string{
		"revenue": "time", "payouts": "sources", "people": "time", "retention": "active", "legs": "largest", "retail": "time",
		"concentration": "tops", "disclosure": "facts", "coverage": "time",
	} {
		shown := s.report(kind + wholeHistory)[table]
		rows := len(shown.Rows) + 1
		if len(shown.Total) > 0 {
			rows++
		}
		for _, format := range []string{"csv", "xlsx"} {
			file := s.owner.get("operator/reports/export?kind=" + kind + "&table=" + table + "&format=" + format + wholeHistory).table(format)
			if len(file) != rows || len(file[0]) != len(shown.Columns) {
				t.Errorf("%s as %s has %d rows of %d columns, want %d of %d", kind, format, len(file), len(file[0]), rows, len(shown.Columns))
			}
		}
	}
	s.owner.get("operator/reports/export?kind=revenue&format=pdf").names("format")
	s.owner.get("operator/reports/export?kind=revenue&format=csv&table=none").names("table")
	s.owner.get("operator/reports?kind=revenue&from=x").names("from")
	s.owner.get("operator/reports?kind=revenue&from=2026-11-02&to=2026-11-01").names("to")
	s.owner.get("operator/reports?kind=revenue&from=2020-01-01").names("from")
	for role, status := range map[auth.Role]int{
		auth.RoleOwner: 200, auth.RoleFinance: 200, auth.RoleCompliance: 200, auth.RoleReadOnly: 200, auth.RoleSupport: http.StatusForbidden,
	} {
		somebody := s.hire(role)
		for _, path := range []string{"operator/reports?kind=legs", "operator/reports/export?kind=legs&format=csv"} {
			if a := somebody.get(path); a.status != status {
				t.Errorf("%s at %s: %d", role, path, a.status)
			}
		}
	}
}

func TestVerifyFindsAWrongOrMissingDaySum(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t, "--db", dsn, "--demo", "true")
		builds(t, cfg)
		db := testkit.Raw(t, dsn)
		defer func() { _ = db.Close() }()
		for _, c := range [][2]string{
			{"UPDATE day_sum SET amount = amount + 1 WHERE name = 'paid' AND part = '0 ' AND day = (SELECT MAX(day) FROM day_sum WHERE name = 'paid' AND part = '0 ')", "UPDATE day_sum SET amount = amount - 1 WHERE name = 'paid' AND part = '0 ' AND day = (SELECT MAX(day) FROM day_sum WHERE name = 'paid' AND part = '0 ')"},
			{"DELETE FROM day_sum WHERE name = 'final'", ""},
		} {
			if _, err := db.Exec(c[0]); err != nil {
				t.Fatal(err)
			}
			var wrong *closing.DayFinding
			if _, err := Verify(t.Context(), cfg, false, nil); !errors.As(err, &wrong) {
				t.Errorf("after %s verify says %v", c[0], err)
			}
			if c[1] != "" {
				if _, err := db.Exec(c[1]); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
