package simulate_test

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/simulate"
	"github.com/bifolia/bifolia/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The worked example comes out exactly, through the real services and store.
func TestTheWorkedExampleComesOutExactly(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../plan/testdata/golden.json")
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
			if day["digest"] != want.Days[i]["digest"] {
				a, _ := json.MarshalIndent(day, "", " ")
				b, _ := json.MarshalIndent(want.Days[i], "", " ")
				t.Fatalf("day %v differs:\n%s\n---\n%s", day["day"], a, b)
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

// An id is an idempotency key: the same again changes nothing, however it is
// written; another event under it is refused, and the outcome says so.
func TestAnIDStandsForOneEvent(t *testing.T) {
	t.Parallel()
	plan, err := os.ReadFile("../plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Plan json.RawMessage }
	if err := json.Unmarshal(plan, &golden); err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Parse([]byte(`{"plan":` + string(golden.Plan) + `,"events":[
		{"id":"a","kind":"register","at":"2026-04-26T01:00:00Z","uid":"100001"},
		{"id":"b","kind":"deposit","at":"2026-04-26T02:00:00Z","uid":"100001","fund":"FUNDS","amount":"10"},
		{"uid":"100001","id":"b", "kind":"deposit","at":"2026-04-26T02:00:00Z","amount":"10","fund":"FUNDS"},
		{"id":"b","kind":"deposit","at":"2026-04-26T02:00:00Z","uid":"100001","fund":"FUNDS","amount":"20"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	out, err := simulate.Run(context.Background(), testkit.SQLite(t), s)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string][]string{"b": {"accepted", "duplicate", "refused"}}; !reflect.DeepEqual(out.Submitted, want) {
		t.Errorf("handed in: %v, not %v", out.Submitted, want)
	}
	balances, _ := json.Marshal(out.Final["balances"])
	if want := `"L:FUND:FUNDS:100001":"10.000000"`; !strings.Contains(string(balances), want) {
		t.Errorf("balances %s without %s", balances, want)
	}
}
