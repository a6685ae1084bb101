package report_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// example is the worked example: what it must come to.
type example struct {
	raw   []byte
	Final struct {
		Rows    []map[string]any
		Claims  []map[string]any
		History []map[string]any
		Match   map[string]string `json:"match_bot"`
		Balance map[string]string `json:"balances"`
	}
	Days []struct {
		Day, Digest string
		Carry       map[string][2]string
	}
}

func readExample(t *testing.T) (x example) {
	t.Helper()
	var err error
	if x.raw, err = os.ReadFile("../../core/plan/testdata/golden.json"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(x.raw, &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// world is the worked example in a database, and who reports of it.
type world struct {
	*report.Service
	example
	db   *store.DB
	team *team.Service
	tree *tree.Service
}

// rules are what must hold of the reports of the worked example.
var rules = []struct {
	name string
	test func(*testing.T, *world)
}{
	{"EveryIncomeReportOfEveryMemberIsTheWorkedExamples", everyIncomeReportOfEveryMemberIsTheWorkedExamples},
	{"RanksAndRewardsListEveryStepWithItsProgress", ranksAndRewardsListEveryStepWithItsProgress},
	{"ClaimsAreTheWorkedExamplesAndTheTotalIsOfPaidOnes", claimsAreTheWorkedExamplesAndTheTotalIsOfPaidOnes},
	{"PagesCoverAReportOnceAndDaysAreInclusive", pagesCoverAReportOnceAndDaysAreInclusive},
	{"HistoriesListWhatWasBoughtForTheMemberAndBelowIt", historiesListWhatWasBoughtForTheMemberAndBelowIt},
	{"BalancesAreTheLedgers", balancesAreTheLedgers},
	{"TheDashboardSumsWhatTheReportsList", theDashboardSumsWhatTheReportsList},
	{"TheDaysSumToTheDashboard", theDaysSumToTheDashboard},
	{"TheOverviewComparesTheLastDayAndMonth", theOverviewComparesTheLastDayAndMonth},
	{"EveryRowIsExplained", everyRowIsExplained},
	{"EverybodyStandsAsStored", everybodyStandsAsStored},
	{"ALineWithoutALicenceHasNoPackages", aLineWithoutALicenceHasNoPackages},
	{"AQueryThatCannotBeAnsweredNamesTheField", aQueryThatCannotBeAnsweredNamesTheField},
}

// The example is lived once per engine; reports change nothing of it.
func TestReportsOfTheWorkedExample(t *testing.T) {
	t.Parallel()
	x := readExample(t)
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s, err := simulate.Parse(x.raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := simulate.Run(context.Background(), dsn, s); err != nil {
			t.Fatal(err)
		}
		w := open(t, dsn, x)
		for _, rule := range rules {
			t.Run(rule.name, func(t *testing.T) { rule.test(t, w) })
		}
	})
}

func open(t *testing.T, dsn string, x example) *world {
	t.Helper()
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w := &world{example: x, db: db, tree: tree.NewService(db.Tree(), testkit.Log())}
	if err := w.tree.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	members := member.New(member.Options{Store: db.Member()})
	c := clock.NewFake(time.Date(2026, 5, 4, 6, 0, 0, 0, time.UTC))
	w.team = team.New(team.Options{Tree: w.tree, Members: members, Store: db.Team(), Clock: c, Zone: plan.Default().Zone()})
	w.Service = report.New(report.Options{
		Store: db.Report(), Places: w.team, Tree: w.tree, Members: members, Clock: c, Licences: map[string]string{"FOREX": "DEMO"},
	})
	return w
}

func all(uid int64) report.Query { return report.Query{UID: uid, Page: 1, Size: report.MaxSize} }

// kinds are the types of rows as the worked example calls them.
var kinds = []struct {
	name string
	kind plan.Kind
	line string
}{
	{"Level", plan.KindLevel, ""},
	{"Matching", plan.KindMatching, ""},
	{"Salary", plan.KindSalary, ""},
	{"Royalty", plan.KindRoyalty, ""},
	{"Roi", plan.KindROI, "FOREX"},
	{"Roi", plan.KindROI, "CRYPTO"},
	{"RoiLevel", plan.KindROILevel, "FOREX"},
	{"RoiLevel", plan.KindROILevel, "CRYPTO"},
}

func uids() (out []int64) {
	for uid := int64(100001); uid <= 100012; uid++ {
		out = append(out, uid)
	}
	return append(out, 900001)
}

// expected are the example's rows of a kind and an earner, newest first.
func (w *world) expected(uid int64, name, line string) (out []map[string]any) {
	for _, r := range w.Final.Rows {
		if r["to"] == strconv.FormatInt(uid, 10) && r["t"] == name && (r["line"] == nil || r["line"] == line) {
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	return out
}

// amountOf is what a row was paid, whatever its field is called.
func amountOf(r map[string]any) money.Amount {
	for _, name := range []string{"income", "binaryincome", "plan_amount", "reward"} {
		if s, ok := r[name].(string); ok {
			return money.MustParse(s)
		}
	}
	panic("a row without an amount")
}

// line is what of a row is compared.
func line(row int64, of int64, paid money.Amount, level int64, day plan.Day, ss, remark string) string {
	return fmt.Sprintf("%d of %d: %s level %d on %s, %s %q", row, of, paid, level, day, ss, remark)
}

func lineOf(t *testing.T, r map[string]any) string {
	t.Helper()
	day, err := plan.ParseDay(r["dd"].(string))
	if err != nil {
		t.Fatal(err)
	}
	of, _ := strconv.ParseInt(r["uid"].(string), 10, 64)
	lvl, _ := r["lvl"].(float64)
	remark, _ := r["remark"].(string)
	return line(int64(r["row"].(float64)), of, amountOf(r), int64(lvl), day, r["ss"].(string), remark)
}

func everyIncomeReportOfEveryMemberIsTheWorkedExamples(t *testing.T, w *world) {
	rows, states := 0, map[string]int{}
	for _, uid := range uids() {
		for _, k := range kinds {
			want := w.expected(uid, k.name, k.line)
			got, err := w.Incomes(t.Context(), all(uid), k.kind, k.line)
			if err != nil || got.Total != len(want) || len(got.Rows) != len(want) {
				t.Fatalf("%d %s %s: %d rows of %d, %v; want %d", uid, k.name, k.line, len(got.Rows), got.Total, err, len(want))
			}
			sum := money.Amount{}
			for i, x := range got.Rows {
				if a, b := line(x.Row, x.OfUID, money.Micro(x.Paid), x.Level, x.Day, x.SS, x.Remark), lineOf(t, want[i]); a != b {
					t.Errorf("%d %s %s: %s, want %s", uid, k.name, k.line, a, b)
				}
				if rate, ok := want[i]["onrate"].(string); ok && x.Rate.String() != rate {
					t.Errorf("row %d: the rate is %s, want %s", x.Row, x.Rate, rate)
				}
				if k.kind < plan.KindROI || x.SS == "Release" {
					sum, _ = sum.Add(money.Micro(x.Paid))
				}
				rows++
				states[fmt.Sprint(k.name, x.SS)]++
			}
			if got.Sum != sum {
				t.Errorf("%d %s %s: the total is %s, want %s", uid, k.name, k.line, got.Sum, sum)
			}
		}
	}
	steps := 0
	for _, r := range w.Final.Rows {
		if r["t"] == "Rank" || r["t"] == "Reward" {
			steps++
		}
	}
	if rows+steps != len(w.Final.Rows) {
		t.Errorf("%d rows and %d steps are not all %d", rows, steps, len(w.Final.Rows))
	}
	for _, need := range []string{"RoiRelease", "RoiHold", "RoiClaimed", "RoiLevelRelease", "LevelRelease"} {
		if states[need] == 0 {
			t.Errorf("the example has no %s: %v", need, states)
		}
	}
}

func claimsAreTheWorkedExamplesAndTheTotalIsOfPaidOnes(t *testing.T, w *world) {
	seen := 0
	for _, uid := range uids() {
		page, err := w.Claims(t.Context(), all(uid), report.Forex)
		if err != nil {
			t.Fatal(err)
		}
		paid := money.Amount{}
		for _, c := range page.Rows {
			seen++
			i := slices.IndexFunc(w.Final.Claims, func(r map[string]any) bool { return r["id"] == c.ID })
			r := w.Final.Claims[i]
			if c.Amount.String() != r["amount"] || c.Income.String() != r["income"] || c.Net.String() != r["netamount"] || c.Fund != r["accounttype"] || c.Day.String() != r["dd"] || c.Done != (r["ss"] == "Claimed") {
				t.Errorf("%+v, want %v", c, r)
			}
			if c.Done {
				paid, _ = paid.Add(c.Net)
			}
		}
		if page.Sum != paid {
			t.Errorf("%d: the total is %s, want %s", uid, page.Sum, paid)
		}
	}
	if seen != len(w.Final.Claims) {
		t.Errorf("%d claims of %d", seen, len(w.Final.Claims))
	}
	if page, err := w.Claims(t.Context(), all(100002), report.Crypto); err != nil || page.Total != 0 {
		t.Errorf("Crypto claims: %+v, %v", page, err)
	}
}

func pagesCoverAReportOnceAndDaysAreInclusive(t *testing.T, w *world) {
	whole, err := w.Incomes(t.Context(), all(100001), plan.KindLevel, "")
	if err != nil || whole.Total < 5 {
		t.Fatalf("%d rows, %v", whole.Total, err)
	}
	var got []int64
	for page := 1; page <= whole.Total/3+2; page++ {
		p, err := w.Incomes(t.Context(), report.Query{UID: 100001, Page: page, Size: 3}, plan.KindLevel, "")
		if err != nil || p.Total != whole.Total || p.Sum != whole.Sum || p.First != (page-1)*3+1 {
			t.Fatalf("page %d: %+v, %v", page, p, err)
		}
		for _, x := range p.Rows {
			got = append(got, x.Row)
		}
	}
	for i, x := range whole.Rows {
		if i >= len(got) || got[i] != x.Row {
			t.Fatalf("the pages are %v", got)
		}
	}
	for _, k := range []struct{ from, to plan.Day }{{whole.Rows[0].Day, whole.Rows[0].Day}, {whole.Rows[whole.Total-1].Day, whole.Rows[1].Day}} {
		p, err := w.Incomes(t.Context(), report.Query{UID: 100001, From: &k.from, To: &k.to, Page: 1, Size: 500}, plan.KindLevel, "")
		want, sum := 0, int64(0)
		for _, x := range whole.Rows {
			if x.Day >= k.from && x.Day <= k.to {
				want, sum = want+1, sum+x.Paid
			}
		}
		if err != nil || p.Total != want || p.Sum.Micros() != sum || want == 0 {
			t.Errorf("%s to %s: %d rows, %s, %v; want %d, %d", k.from, k.to, p.Total, p.Sum, err, want, sum)
		}
	}
	for sort, key := range map[string]func(report.Income) int64{
		"income": func(x report.Income) int64 { return x.Paid }, "-income": func(x report.Income) int64 { return -x.Paid },
		"lvl": func(x report.Income) int64 { return x.Level }, "dd": func(x report.Income) int64 { return x.Row },
	} {
		p, err := w.Incomes(t.Context(), report.Query{UID: 100001, Sort: sort, Page: 1, Size: 500}, plan.KindLevel, "")
		if err != nil || !slices.IsSortedFunc(p.Rows, func(a, b report.Income) int { return cmp.Compare(key(a), key(b)) }) {
			t.Errorf("%s: %v", sort, err)
		}
	}
}

func balancesAreTheLedgers(t *testing.T, w *world) {
	for _, uid := range uids() {
		id := strconv.FormatInt(uid, 10)
		for _, wallet := range []string{"LevelIncome", "binaryIncome", "ForexIncome", "CryptoIncome", "royalty_income", "salaryrankreward"} {
			want := money.MustParse(cmp.Or(w.Final.Balance["L:INCOME:"+wallet+":"+id], "0"))
			if got, err := w.Balance(t.Context(), uid, wallet); err != nil || got != want {
				t.Errorf("%d %s: %s, %v; want %s", uid, wallet, got, err, want)
			}
		}
		want := int64(0)
		for _, fund := range []string{"FUNDS", "FOREXFUNDS", "CRYPTOFUNDS"} {
			want += money.MustParse(cmp.Or(w.Final.Balance["L:FUND:"+fund+":"+id], "0")).Micros()
		}
		if got, err := w.Balance(t.Context(), uid, report.FundBalance); err != nil || got.Micros() != want {
			t.Errorf("%d funds: %s, %v; want %d", uid, got, err, want)
		}
	}
	if _, err := w.Balance(t.Context(), 100001, "FUNDS"); !errs.Is(err, errs.Invalid) {
		t.Errorf("FUNDS is no income: %v", err)
	}
}

func theDashboardSumsWhatTheReportsList(t *testing.T, w *world) {
	for _, uid := range uids() {
		d, err := w.team.Dashboard(t.Context(), uid)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range slices.Concat(kinds, []struct {
			name string
			kind plan.Kind
			line string
		}{{"Rank", plan.KindRank, ""}, {"Reward", plan.KindReward, ""}}) {
			want := int64(0)
			for _, r := range w.expected(uid, k.name, k.line) {
				if k.kind < plan.KindROI || r["ss"] != "Hold" {
					want += amountOf(r).Micros()
				}
			}
			if got := d.Income(k.kind, k.line); got.Micros() != want {
				t.Errorf("%d %s %s: %s, want %d", uid, k.name, k.line, got, want)
			}
		}
	}
}

func theDaysSumToTheDashboard(t *testing.T, w *world) {
	for _, uid := range uids() {
		d, err := w.team.Dashboard(t.Context(), uid)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := w.IncomeByDay(t.Context(), all(uid))
		if err != nil {
			t.Fatal(err)
		}
		sums := map[team.Earned]int64{}
		for i, x := range rows {
			if i > 0 && x.Day < rows[i-1].Day {
				t.Errorf("%d: %s stands after %s", uid, x.Day, rows[i-1].Day)
			}
			sums[team.Earned{Kind: x.Kind, Line: x.Line}] += x.Amount.Micros()
		}
		if len(sums) != len(d.Earned) {
			t.Errorf("%d: %d kinds, want %d", uid, len(sums), len(d.Earned))
		}
		for kind, sum := range sums {
			if want := d.Income(kind.Kind, kind.Line); want.Micros() != sum {
				t.Errorf("%d %v: %d, want %s", uid, kind, sum, want)
			}
		}
		if len(rows) == 0 {
			continue
		}
		one := all(uid)
		one.From, one.To = &rows[0].Day, &rows[0].Day
		first, err := w.IncomeByDay(t.Context(), one)
		if err != nil || len(first) == 0 || first[len(first)-1].Day != rows[0].Day {
			t.Errorf("%d: the first day alone is %v, %v", uid, first, err)
		}
	}
}

func theOverviewComparesTheLastDayAndMonth(t *testing.T, w *world) {
	earning := 0
	for _, uid := range uids() {
		o, err := w.Overview(t.Context(), uid)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := w.IncomeByDay(t.Context(), all(uid))
		if err != nil {
			t.Fatal(err)
		}
		last := w.Days[len(w.Days)-1].Day
		if o.Day.String() != last {
			t.Fatalf("the last day is %s, want %s", o.Day, last)
		}
		var day, before, month, monthBefore int64
		closed, _ := time.Parse(time.DateOnly, last)
		for _, x := range rows {
			at, _ := time.Parse(time.DateOnly, x.Day.String())
			switch n := x.Amount.Micros(); {
			case x.Day == o.Day:
				day, month = day+n, month+n
			case x.Day == o.Day-1 && at.Month() == closed.Month():
				before, month = before+n, month+n
			case at.Month() == closed.Month():
				month += n
			case at.AddDate(0, 1, 0).Month() == closed.Month() && at.Day() <= closed.Day():
				monthBefore += n
			}
		}
		if o.Earned.Micros() != day || o.EarnedBefore.Micros() != before || o.Month.Micros() != month || o.MonthBefore.Micros() != monthBefore {
			t.Errorf("%d: %+v, want %d after %d, and %d after %d", uid, o, day, before, month, monthBefore)
		}
		if month > 0 {
			earning++
		}
		want := int64(0)
		for _, wallet := range []string{"LevelIncome", "binaryIncome", "ForexIncome", "CryptoIncome", "royalty_income", "salaryrankreward"} {
			want += money.MustParse(cmp.Or(w.Final.Balance["L:INCOME:"+wallet+":"+strconv.FormatInt(uid, 10)], "0")).Micros()
		}
		if o.Available.Micros() != want {
			t.Errorf("%d has %s available, want %d", uid, o.Available, want)
		}
	}
	if earning == 0 {
		t.Error("nobody earned in the last month")
	}
}

func aLineWithoutALicenceHasNoPackages(t *testing.T, w *world) {
	p := w.plan(t)
	robot, err := w.Packages(t.Context(), report.Robot)
	if err != nil || len(robot) != len(p.RobotPackages) || robot[1].Name != "Robot Starter" || robot[1].Amount != money.MustParse("100") {
		t.Errorf("%+v, %v", robot, err)
	}
	forex, err := w.Packages(t.Context(), report.Forex)
	if err != nil || len(forex) != 3 || forex[1].From != money.MustParse("1000") || forex[1].To != money.MustParse("4999") {
		t.Errorf("%+v, %v", forex, err)
	}
	if crypto, err := w.Packages(t.Context(), report.Crypto); err != nil || len(crypto) != 0 {
		t.Errorf("%+v, %v", crypto, err)
	}
}

func aQueryThatCannotBeAnsweredNamesTheField(t *testing.T, w *world) {
	one, two := plan.Day(1), plan.Day(2)
	for name, q := range map[string]report.Query{
		"tdate": {UID: 100001, From: &two, To: &one, Page: 1, Size: 1}, "sort": {UID: 100001, Sort: "-password", Page: 1, Size: 1},
		"page": {UID: 100001, Size: 1}, "size": {UID: 100001, Page: 1, Size: 501},
	} {
		_, err := w.Incomes(t.Context(), q, plan.KindLevel, "")
		var e *errs.Error
		if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Incomes(t.Context(), all(123), plan.KindLevel, ""); !errs.Is(err, errs.NotFound) {
		t.Errorf("a stranger: %v", err)
	}
}
