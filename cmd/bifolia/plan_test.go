package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// planFile writes the default plan with parts replaced.
func planFile(t *testing.T, replace ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(string(plan.DefaultBody()))), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAPlanIsValidatedComparedScheduledAndCancelledOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	next := planFile(t, `"default-1"`, `"next"`, `"cooling_off_days": 14`, `"cooling_off_days": 7`)
	wrong := planFile(t, `"LEAD": 50000`, `"LEAD": 50001`, `"bv_ppm": 1000000`, `"bv_ppm": -1, "bonus": 1`)
	tomorrow := "2999-01-31"
	run := func(want int, words string, args ...string) {
		t.Helper()
		code, stdout, stderr := call(t, nil, append(append([]string{"plan"}, args...), "--data-dir", dir, "--log-level", "error")...)
		if code != want || !strings.Contains(stdout+stderr, words) {
			t.Errorf("plan %v: exit %d, %q, %q; want %d, %q", args, code, stdout, stderr, want, words)
		}
	}
	if code, _, stderr := call(t, nil, "plan", "validate", filepath.Join(t.TempDir(), "none.json")); code == 0 || !strings.Contains(stderr, "the plan cannot be read") {
		t.Errorf("a plan that is not there: %d, %s", code, stderr)
	}
	if code, stdout, stderr := call(t, nil, "plan", "validate", wrong); code != 1 || stdout != "" || stderr != "bonus: there is no such field\nbv_ppm: is 0 to 1000000 ppm, not -1\npools_ppm: the pools take 400001 ppm of a sale, more than 400000\n" {
		t.Errorf("validate: exit %d, %q, %q", code, stdout, stderr)
	}
	run(0, "at most 400000 ppm of final sales", "validate", next)
	run(0, `cooling_off_days: "14" becomes "7"`, "diff", next)
	run(1, "version: is the name of an existing plan", "diff", planFile(t))
	run(0, "holds     default-1, from the beginning", "show")
	run(2, "plan takes one of", "schedule", next)
	run(2, "plan takes one of", "schedule", next, "--from", tomorrow)
	run(2, "plan takes one of", "cancel", "next")
	run(1, "reason: State the reason", "schedule", next, "--from", tomorrow, "--reason", "no")
	run(2, "plan takes one of", "abolish")
	run(2, "plan takes one of")
	run(1, "written as 2026-01-31", "schedule", next, "--from", "tomorrow", "--reason", "we try it out")
	run(1, "from: A plan takes effect on", "schedule", next, "--from", "2026-01-31", "--reason", "we try it out")
	run(0, "without a second operator", "schedule", next, "--from", tomorrow, "--reason", "we try it out")
	run(1, "version: is the name", "schedule", next, "--from", tomorrow, "--reason", "we try it out")
	run(0, "scheduled next, from "+tomorrow, "show")
	run(0, "is cancelled", "cancel", "next", "--reason", "we try it out")
	run(1, "was cancelled", "cancel", "next", "--reason", "we try it out")
	if _, stdout, _ := at(t, dir, "plan"); strings.Contains(stdout, "scheduled") {
		t.Error(stdout)
	}
	var alone, by string
	query(t, dir, "SELECT alone, cancelled_name FROM plan_proposal", &alone, &by)
	if alone != "command line" || !strings.HasSuffix(by, "at the command line") {
		t.Errorf("recorded is %q, %q", alone, by)
	}
}

// Reading does not need the server to stop; writing does.
func TestPlansAndBatchesAreReadWhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	p := startServe(t, "--data-dir", dir)
	file := planFile(t)
	for want, args := range map[string][]string{
		"holds": {"plan", "show"},
		"version: is the name of an existing plan": {"plan", "diff", file},
		"":                               {"payout", "list"},
		"Another Bifolia process writes": {"plan", "schedule", file, "--from", "2999-01-01", "--reason", "we try it out"},
	} {
		_, stdout, stderr := call(t, nil, append(args, "--data-dir", dir, "--log-level", "error")...)
		if !strings.Contains(stdout+stderr, want) || (strings.Contains(stderr, "Another Bifolia process") != (args[1] == "schedule")) {
			t.Errorf("%v: %q, %q; want %q", args, stdout, stderr, want)
		}
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = p.wait(t)
}
