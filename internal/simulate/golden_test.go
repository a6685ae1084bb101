package simulate_test

import (
	"context"
	"encoding/json"
	"os"
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
		Days  []map[string]any
		Final map[string]json.RawMessage
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
