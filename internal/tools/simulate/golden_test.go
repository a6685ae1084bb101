package simulate_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The worked example has the exact result through the real services and store.
func TestTheWorkedExampleComesOutExactly(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Submitted map[string][]string `json:"submit_status"`
		Days      []map[string]any
		Final     map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s, err := simulate.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		out, err := simulate.Run(context.Background(), dsn, s)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(out.Submitted, want.Submitted) {
			t.Errorf("handed in: %v, not %v", out.Submitted, want.Submitted)
		}
		if len(out.Days) != len(want.Days) {
			t.Fatalf("%d days, not %d", len(out.Days), len(want.Days))
		}
		for i, day := range out.Days {
			if day.Digest != want.Days[i]["digest"] {
				a, _ := json.MarshalIndent(day, "", " ")
				b, _ := json.MarshalIndent(want.Days[i], "", " ")
				t.Fatalf("day %v differs:\n%s\n---\n%s", day.Day, a, b)
			}
		}
		for part, value := range want.Final {
			var expected any
			if err := json.Unmarshal(value, &expected); err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(out.Final[part])
			b, _ := json.Marshal(expected)
			if string(a) != string(b) {
				t.Errorf("final.%s differs:\n%s\n---\n%s", part, a, b)
			}
		}
	})
}

// lived is what a scenario under the worked example's plan, changed by edit, comes
// to; rest is what follows the plan.
func lived(t *testing.T, edit func(plan string) string, rest string) simulate.Outcome {
	t.Helper()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Plan json.RawMessage }
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Parse([]byte(`{"plan":` + edit(string(golden.Plan)) + `,` + rest + `}`))
	if err != nil {
		t.Fatal(err)
	}
	out, err := simulate.Run(context.Background(), testkit.SQLite(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// told runs a few events.
func told(t *testing.T, edit func(plan string) string, events string) simulate.Outcome {
	t.Helper()
	return lived(t, edit, `"events":[`+events+`]`)
}

func asIs(plan string) string { return plan }

// says fails unless the end's part holds a text.
func says(t *testing.T, out simulate.Outcome, part, want string) {
	t.Helper()
	if got, _ := json.Marshal(out.Final[part]); !strings.Contains(string(got), want) {
		t.Errorf("%s without %s: %s", part, want, got)
	}
}

// An id is an idempotency key: the same event again changes nothing, in any
// spelling and at any time; another event under the id is refused in the outcome.
func TestAnIDIdentifiesOneEvent(t *testing.T) {
	t.Parallel()
	out := told(t, asIs, `
		{"id":"a","kind":"register","at":"2026-04-26T01:00:00Z","uid":"100001"},
		{"id":"b","kind":"deposit","at":"2026-04-26T02:00:00Z","uid":"100001","fund":"FUNDS","amount":"10"},
		{"uid":"100001","id":"b", "kind":"deposit","at":"2026-04-26T02:00:00Z","amount":"10","fund":"FUNDS"},
		{"id":"b","kind":"deposit","at":"2026-04-26T02:00:00Z","rec":"2026-04-26T02:00:05Z","uid":"100001","fund":"FUNDS","amount":"10"},
		{"id":"b","kind":"deposit","at":"2026-04-26T02:00:00Z","uid":"100001","fund":"FUNDS","amount":"20"}`)
	if want := map[string][]string{"b": {"accepted", "duplicate", "duplicate", "refused"}}; !reflect.DeepEqual(out.Submitted, want) {
		t.Errorf("handed in: %v, not %v", out.Submitted, want)
	}
	says(t, out, "balances", `"L:FUND:FUNDS:100001":"10.000000"`)
}

// The payments of a plan do not depend on the spelling of the ids.
func TestAnyTextIsAnID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	for _, id := range []string{"s.1", "s:1", "s 1", "S#1/+@(1)'\"\\%", "ü1", "नमस्ते 🙂", long} {
		quoted, _ := json.Marshal(id)
		name := string(quoted)
		out := told(t, asIs, strings.NewReplacer("SALE", name, "POSITION", `"p`+name[1:], "CLAIM", `"C-p`+name[1:]).Replace(`
			{"id":"a","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
			{"id":"b","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"100001","fund":"FUNDS","amount":"200"},
			{"id":"c","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"100001","fund":"FOREXFUNDS","amount":"500"},
			{"id":SALE,"kind":"buy","at":"2026-04-26T05:30:00Z","uid":"100001","payer":"100001","package":1,"topup":"Activation"},
			{"id":POSITION,"kind":"invest","at":"2026-04-26T05:30:00Z","uid":"100001","payer":"100001","line":"FOREX","package":11,"amount":"500","topup":"Activation"},
			{"id":"d","kind":"refund","at":"2026-04-26T06:00:00Z","sale":SALE}`))
		for _, day := range out.Days {
			if text, _ := json.Marshal(day); !strings.Contains(string(text), `"refused":[]`) {
				t.Errorf("%s: %s", id, text)
			}
		}
		says(t, out, "balances", `"L:FUND:FUNDS:100001":"200.000000"`)
		says(t, out, "positions", `"p`+name[1:len(name)-1]+`":{"amount":"500.000000"`)
	}
}

func TestAnInvalidScenarioIsRejectedWithTheReason(t *testing.T) {
	t.Parallel()
	for scenario, want := range map[string]string{
		`{"plan":{},"events":[{"id":"a","kind":"deposit","at":"2026-04-26T01:00:00Z","amount":5}]}`:                     "amounts, IDs and days are strings",
		`{"plan":{},"events":[{"id":"` + strings.Repeat("x", 200) + `","kind":"deposit","at":"2026-04-26T01:00:00Z"}]}`: "longer than",
		`{"plan":{},"events":[{"id":"b","kind":"buy","package":"5"}]}`:                                                  `package of event "b" must not be of type string`,
		`{"plan":{},"events":[{"id":"c","kind":"buy","at":"2026-13-01"}]}`:                                              `event "c": parsing time`,
		`[]`: "it must not be of type array",
		`{"plan":{},"events":[{"kind":"deposit"}]}`: "needs an id",
		`{"events":[]}`: "no plan",
	} {
		if _, err := simulate.Parse([]byte(scenario)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", scenario, err)
		}
	}
}

// The share in a simulation agrees with the figures beside it.
func TestTheRetailShareOfASimulationIsThatOfItsFigures(t *testing.T) {
	t.Parallel()
	out := told(t, asIs, `
		{"id":"a","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
		{"id":"b","kind":"customer","at":"2026-04-26T05:00:00Z","uid":"900001","sponsor":"100001"},
		{"id":"c","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"100001","fund":"FUNDS","amount":"50"},
		{"id":"d","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"900001","fund":"FUNDS","amount":"1000"},
		{"id":"s1","kind":"buy","at":"2026-04-26T05:00:00Z","uid":"100001","payer":"100001","package":1,"topup":"Activation"},
		{"id":"s2","kind":"buy","at":"2026-04-26T05:00:00Z","uid":"900001","payer":"900001","package":5,"topup":"Activation"},
		{"id":"x","kind":"chargeback","at":"2026-04-28T05:00:00Z","sale":"s2"}`)
	says(t, out, "revenue", `"gross_final":"1050.000000","retail":"1000.000000","reversed":"1000.000000"`)
	says(t, out, "income_disclosure", `"retail_revenue_ppm":20000000`)
}

// Each line counts its packages for itself.
func TestAPackageIsNamedByItsLine(t *testing.T) {
	t.Parallel()
	sameID := func(plan string) string {
		var p map[string]any
		if err := json.Unmarshal([]byte(plan), &p); err != nil {
			t.Fatal(err)
		}
		first := p["lines"].(map[string]any)["FOREX"].(map[string]any)["packages"].([]any)[0].(map[string]any)
		first["id"], first["planname"] = 1, "Of the line"
		p["robot_packages"].([]any)[0].(map[string]any)["planname"] = "Of the robot"
		changed, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(changed)
	}
	out := told(t, sameID, `
		{"id":"a","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
		{"id":"b","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"100001","fund":"FUNDS","amount":"50"},
		{"id":"s1","kind":"buy","at":"2026-04-26T05:00:00Z","uid":"100001","payer":"100001","package":1,"topup":"Activation"}`)
	says(t, out, "history", `"pp":"Of the robot"`)
}

// A customer has no place in the tree: a sponsor only.
func TestACustomerNeedsASponsor(t *testing.T) {
	t.Parallel()
	out := told(t, asIs, `{"id":"a","kind":"customer","at":"2026-04-26T05:00:00Z","uid":"900001"}`)
	if got, _ := json.Marshal(out.Days[0].Refused); string(got) != `[["a","A customer needs a sponsor."]]` {
		t.Errorf("refused: %s", got)
	}
}
