//go:build baseline

package simulate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The outcome of the worked example and of 200 random scenarios is the recorded
// one, on both engines.
func TestBaselineOfScenarios(t *testing.T) {
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		golden, err := simulate.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		baselineOf(t, dsn, "golden", golden)
		for seed := range uint64(200) {
			baselineOf(t, testkit.Empty(t, dsn), fmt.Sprintf("random-%03d", seed), scenario(t, story(1000+seed, 120)))
		}
	})
}

func baselineOf(t *testing.T, dsn, name string, s *simulate.Scenario) {
	t.Helper()
	out, err := simulate.Run(context.Background(), dsn, s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Baseline(t, "scenarios/"+name+".json", text)
}
