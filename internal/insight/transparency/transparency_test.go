package transparency_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// class is what the report calls an account's class.
func class(code string) string {
	parts := strings.Split(code, ":")
	switch {
	case parts[0] == "P" && parts[1] != "RESERVE":
		return "POOL " + parts[1]
	case len(parts) == 2 || parts[1] == "DEFERRED":
		return parts[1] + " "
	}
	return parts[1] + " " + parts[2]
}

func amount(t *testing.T, s string) int64 {
	t.Helper()
	a, err := money.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a.Micros()
}

// The worked example's end is what the public sees of it, to the micro-dollar.
func TestTheReportIsWhatTheLedgerSays(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Final struct {
			Balances, Assets, Revenue map[string]string
			Disclosure                map[string]any `json:"income_disclosure"`
			Rows                      []struct {
				T, Line, Income, Binaryincome, Reward, Remark string
				PlanAmount                                    string `json:"plan_amount"`
			}
		}
		Events []struct{ Kind, Line, Amount string }
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	scenario, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		if _, err := simulate.Run(t.Context(), dsn, scenario); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		facts, found, err := db.Transparency().Facts(t.Context())
		if err != nil || !found {
			t.Fatal(found, err)
		}
		r := transparency.Make(facts)

		sums := map[string]int64{}
		for _, part := range []map[string]string{want.Final.Balances, want.Final.Assets} {
			for code, text := range part {
				sums[class(code)] += amount(t, text)
			}
		}
		got := map[string]int64{"COMPANY ": amount(t, string(r.Company))}
		for _, p := range slices.Concat(r.Liabilities, r.Pools, r.Reserves, r.Cash) {
			if n := amount(t, string(p.Amount)); n != 0 {
				got[p.Class+" "+p.Of] += n
			}
		}
		if !maps.Equal(got, sums) {
			t.Errorf("the balances are\n%v, not\n%v", got, sums)
		}
		ratios := map[string]int64{}
		for _, c := range r.Coverage {
			ratios[c.Class] = c.Ratio
		}
		ratios["trading"] += ratios["held"]
		for _, name := range []string{"deposits", "incomes", "trading", "all"} {
			if ratios[name] != 1_000_000 {
				t.Errorf("%s are covered by %d ppm: %+v", name, ratios[name], r.Coverage)
			}
		}

		asJSON, _ := json.Marshal(r.Income)
		var income map[string]any
		_ = json.Unmarshal(asJSON, &income)
		income["payout_to_revenue_ppm"] = float64(r.Revenue.Payout)
		delete(income, "concentration") // the worked example has none; package disclosure proves it
		if !reflect.DeepEqual(income, want.Final.Disclosure) {
			t.Errorf("incomes are spread\n%v, not\n%v", income, want.Final.Disclosure)
		}
		if v := want.Final.Revenue; string(r.Revenue.Gross) != v["gross_final"] || string(r.Revenue.Reversed) != v["reversed"] || string(r.Revenue.Retail) != v["retail"] {
			t.Errorf("the revenue is %+v, not %v", r.Revenue, v)
		}

		paid, shown := int64(0), int64(0)
		for _, x := range want.Final.Rows {
			for _, text := range []string{x.Income, x.Binaryincome, x.Reward, x.PlanAmount} {
				if text != "" {
					paid += amount(t, text)
				}
			}
		}
		for _, p := range r.Payouts {
			shown += amount(t, string(p.Net))
			if amount(t, string(p.Paid))+amount(t, string(p.Reversed)) != amount(t, string(p.Net)) || amount(t, string(p.Reversed)) > 0 {
				t.Errorf("the payout %+v does not add up", p)
			}
		}
		if paid != shown {
			t.Errorf("payouts sum to %d, incomes to %d", shown, paid)
		}
		compareLines(t, r, want.Events)
	})
}

func compareLines(t *testing.T, r transparency.Report, events []struct{ Kind, Line, Amount string }) {
	t.Helper()
	for i, name := range plan.LineNames {
		var profit, loss int64
		for _, e := range events {
			if e.Kind == "pnl" && e.Line == name {
				profit += max(amount(t, e.Amount), 0)
				loss += min(amount(t, e.Amount), 0)
			}
		}
		l := r.Lines[i]
		if amount(t, string(l.Profit)) != profit || amount(t, string(l.Loss)) != loss || amount(t, string(l.Net)) != profit+loss {
			t.Errorf("%s booked %+v, not %d and %d", name, l, profit, loss)
		}
		net := int64(0)
		for _, x := range r.Results {
			if x.Line == name {
				net += amount(t, string(x.Net))
			}
		}
		if net != profit+loss {
			t.Errorf("%s by day sums to %d, not %d", name, net, profit+loss)
		}
	}
}

func TestBeforeTheFirstCloseThereIsNothingToTell(t *testing.T) {
	t.Parallel()
	r := transparency.New(transparency.Options{}).Current()
	raw, err := json.Marshal(r)
	if err != nil || r.Day != "" || strings.Contains(string(raw), "null") {
		t.Errorf("%s, %v", raw, err)
	}
}

// Reversed purchases of customers are no revenue, also not in the published share.
func TestAReversedSaleToACustomerIsNoRetailRevenue(t *testing.T) {
	t.Parallel()
	r := transparency.Make(transparency.Facts{Sales: transparency.Sales{Gross: 1050, Reversed: 1000, Retail: 1000, Kept: 0}})
	if r.Income.Retail != 0 {
		t.Errorf("%d ppm of revenue is retail, and none is left of it", r.Income.Retail)
	}
}

func TestTheRowsOfCoverageAddUpToTheTotal(t *testing.T) {
	t.Parallel()
	r := transparency.Make(transparency.Facts{Balances: []transparency.Balance{
		{Kind: "L:FUND", Of: "FUNDS", Amount: 100},
		{Kind: "L:INCOME", Of: "LevelIncome", Amount: 50},
		{Kind: "L:PRINCIPAL", Of: "FOREX", Amount: 1000},
		{Kind: "A:CLIENT", Amount: 105},
		{Kind: "A:FIELD", Amount: 52},
		{Kind: "A:TRADING", Of: "FOREX", Amount: 993},
	}})
	want := []transparency.Cover{
		{Class: "deposits", Owed: "0.000100", Cash: "0.000100", Ratio: 1_000_000},
		{Class: "incomes", Owed: "0.000050", Cash: "0.000050", Ratio: 1_000_000},
		{Class: "trading", Owed: "0.001000", Cash: "0.000993", Ratio: 993_000},
		{Class: "held", Owed: "0.000000", Cash: "0.000007", Ratio: 7_000},
		{Class: "all", Owed: "0.001150", Cash: "0.001150", Ratio: 1_000_000},
	}
	if !slices.Equal(r.Coverage, want) {
		t.Errorf("coverage is\n%v, not\n%v", r.Coverage, want)
	}
}
