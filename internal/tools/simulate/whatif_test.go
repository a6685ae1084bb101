package simulate_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// dump is everything that a plan decides, as stored. The ledger's own order of
// transfers is not: it is that of the commands.
func dump(t *testing.T, dsn string, events bool) string {
	t.Helper()
	db := testkit.Raw(t, dsn)
	var out []string
	queries := []string{
		"SELECT * FROM income ORDER BY row_no", "SELECT * FROM claim ORDER BY id", "SELECT * FROM carry ORDER BY no", "SELECT * FROM tally ORDER BY name",
		"SELECT * FROM roi_batch ORDER BY id", "SELECT code, posted FROM account WHERE posted <> 0 ORDER BY code", "SELECT id, day, state, amount, final_day FROM sale ORDER BY id",
		"SELECT id, day, principal, loss, state FROM invest_position ORDER BY id", "SELECT uid, sponsor, parent, side FROM place ORDER BY no",
	}
	if events {
		queries = append(queries, "SELECT day, plan, digest FROM close_day ORDER BY day", "SELECT id, reason FROM refusal ORDER BY id", "SELECT id, day, at, body FROM day_event ORDER BY id")
	}
	for _, q := range queries {
		out = append(append(out, q), table(t, db, q)...)
	}
	return strings.Join(out, "\n")
}

// table is what a query answers, a line a row.
func table(t *testing.T, db *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		line := ""
		for _, v := range values {
			line += v.String + "|"
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// same fails at the first line that differs.
func same(t *testing.T, what, a, b string) {
	t.Helper()
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			t.Fatalf("%s: line %d is\n%s\nnot\n%s", what, i, y[min(i, len(y)-1)], x[i])
		}
	}
	if len(x) != len(y) {
		t.Fatalf("%s: %d lines, not %d", what, len(y), len(x))
	}
}

func goldenPlan(t *testing.T) (plan json.RawMessage, raw []byte) {
	t.Helper()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g struct{ Plan json.RawMessage }
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	return g.Plan, raw
}

func workedExample(t *testing.T) *simulate.Scenario {
	t.Helper()
	_, raw := goldenPlan(t)
	s, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The same plan gives the same history: every row, balance and digest.
func TestAWhatIfWithTheSamePlanEqualsTheHistory(t *testing.T) {
	t.Parallel()
	body, _ := goldenPlan(t)
	stories := map[string]*simulate.Scenario{"the worked example": workedExample(t)}
	for seed := range uint64(1) {
		stories[fmt.Sprint("story ", seed)] = scenario(t, story(70+seed, 120))
	}
	for name, s := range stories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				if _, err := simulate.Run(context.Background(), dsn, s); err != nil {
					t.Fatal(err)
				}
				before := dump(t, dsn, true)
				scratch := testkit.SQLite(t)
				c, err := simulate.WhatIf(context.Background(), dsn, scratch, body)
				if err != nil {
					t.Fatal(err)
				}
				same(t, "the examined database", before, dump(t, dsn, true))
				same(t, "lived again", normal(before), normal(dump(t, scratch, true)))
				unchanged(t, c)
				if c.Derived != 0 {
					t.Errorf("%d events were derived although all are recorded", c.Derived)
				}
			})
		})
	}
}

// normal leaves out what engines spell in their own way.
func normal(s string) string {
	return strings.NewReplacer("|true|", "|1|", "|false|", "|0|").Replace(s)
}

func unchanged(t *testing.T, c simulate.Comparison) {
	t.Helper()
	for _, k := range append(slices.Clone(c.Kinds), c.Paid, c.Network, c.Revenue) {
		if k.Actual != k.WhatIf || k.Difference != "0.000000" {
			t.Errorf("%+v differs", k)
		}
	}
	if len(c.Refusals)+len(c.Members) != 0 || c.Payout.Actual != c.Payout.WhatIf {
		t.Errorf("refusals %v, members %v, payout %v", c.Refusals, c.Members, c.Payout)
	}
}

// Joins, deposits and withdrawals are recorded in the tree and the ledger only.
func TestJoinsAndMoneyInAndOutAreDerivedFromTheTreeAndTheLedger(t *testing.T) {
	t.Parallel()
	body, raw := goldenPlan(t)
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, err := simulate.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := simulate.Run(context.Background(), dsn, s); err != nil {
			t.Fatal(err)
		}
		db := testkit.Raw(t, dsn)
		var wanted int
		for _, kind := range []string{"register", "customer", "deposit", "transfer", "withdraw"} {
			done, err := db.Exec(`DELETE FROM day_event WHERE body LIKE '%"kind":"` + kind + `"%' AND NOT EXISTS (SELECT 1 FROM refusal f WHERE f.id = day_event.id)`)
			if err != nil {
				t.Fatal(err)
			}
			n, err := done.RowsAffected()
			if err != nil {
				t.Fatal(err)
			}
			wanted += int(n)
		}
		scratch := testkit.SQLite(t)
		c, err := simulate.WhatIf(context.Background(), dsn, scratch, body)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "lived again", normal(dump(t, dsn, false)), normal(dump(t, scratch, false)))
		if c.Derived != wanted || wanted < 20 || c.Events < 60 || len(c.Refusals) != 0 {
			t.Errorf("%d of %d events were derived, want %d; refusals %v", c.Derived, c.Events, wanted, c.Refusals)
		}
	})
}

func TestAWhatIfListsTheDifferences(t *testing.T) {
	t.Parallel()
	body, raw := goldenPlan(t)
	dsn := testkit.SQLite(t)
	s, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := simulate.Run(context.Background(), dsn, s); err != nil {
		t.Fatal(err)
	}
	half := strings.Replace(strings.Replace(string(body), "80000,", "40000,", 1), `"golden-1"`, `"half"`, 1)
	c, err := simulate.WhatIf(context.Background(), dsn, testkit.SQLite(t), []byte(half))
	if err != nil {
		t.Fatal(err)
	}
	var level simulate.Beside
	for _, k := range c.Kinds {
		if k.Name == "Level" {
			level = k
		}
	}
	if level.Actual != "527.500000" || level.WhatIf != "299.500000" || level.Difference != "-228.000000" || c.WhatIf != "half" || !slices.Equal(c.Plans, []string{"golden-1"}) {
		t.Errorf("level incomes are %+v, plans %v, %s", level, c.Plans, c.WhatIf)
	}
	if c.Payout.Actual != 182857 || c.Payout.WhatIf >= c.Payout.Actual || len(c.Members) == 0 || c.First != "2026-04-26" || c.Last != "2026-05-03" {
		t.Errorf("compared is %+v", c)
	}
	for want, plan := range map[string]string{"tz": strings.Replace(string(body), "Asia/Kolkata", "UTC", 1), "bv_ppm": strings.Replace(string(body), `"bv_ppm"`, `"bv"`, 1)} {
		if _, err := simulate.WhatIf(context.Background(), dsn, testkit.SQLite(t), []byte(plan)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a plan with a wrong %s: %v", want, err)
		}
	}
	if _, err := simulate.WhatIf(context.Background(), "sqlite:"+t.TempDir()+"/none.db", testkit.SQLite(t), body); err == nil {
		t.Error("there is no such database")
	}
}
