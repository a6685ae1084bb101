package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnotherPlanIsComparedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../internal/core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Plan json.RawMessage }
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db, same, half := "sqlite:"+filepath.Join(dir, "x.db"), filepath.Join(dir, "same.json"), filepath.Join(dir, "half.json")
	for path, body := range map[string]string{same: string(golden.Plan), half: strings.Replace(string(golden.Plan), `"MATCH": 120000`, `"MATCH": 1000`, 1)} {
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := call(t, nil, "simulate", "--db", db, "../../internal/core/plan/testdata/golden.json"); code != 0 {
		t.Fatalf("simulate: exit %d, %s", code, stderr)
	}
	before, err := os.ReadFile(strings.TrimPrefix(db, "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := call(t, nil, "simulate", "--db", db, "--plan", same)
	if code != 0 || stderr != "" || !strings.Contains(stdout, "payout to revenue, ppm       182857       182857") || strings.Contains(stdout, "member") {
		t.Errorf("the same plan: exit %d, %s, %s", code, stdout, stderr)
	}
	code, stdout, _ = call(t, nil, "simulate", "--db", db, "--plan", half, "--json")
	var c struct{ Members, Kinds []any }
	if code != 0 || json.Unmarshal([]byte(stdout), &c) != nil || len(c.Members) == 0 || len(c.Kinds) < 8 {
		t.Errorf("less matching: exit %d, %s", code, stdout)
	}
	if after, err := os.ReadFile(strings.TrimPrefix(db, "sqlite:")); err != nil || string(after) != string(before) {
		t.Error("the examined database was changed")
	}
	if code, _, stderr := call(t, nil, "simulate", "--plan", same); code != 2 || !strings.Contains(stderr, "--db") {
		t.Errorf("without a database: exit %d, %s", code, stderr)
	}
}

func TestAClosedPipeLeavesNoDatabaseBehind(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	defer func() { _ = write.Close() }()
	temporary := t.TempDir()
	c := exec.CommandContext(t.Context(), self, "simulate", "../../internal/core/plan/testdata/golden.json")
	c.Env, c.Stdout = []string{runAs + "=1", "TMPDIR=" + temporary}, write
	if err := c.Run(); err == nil {
		t.Error("it wrote to nobody and was content")
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestAnInterruptedSimulationReportsIt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, fault bytes.Buffer
	code := run(ctx, []string{"simulate", "../../internal/core/plan/testdata/golden.json"}, nil, strings.NewReader(""), &out, &fault)
	if code != exitFailed || fault.String() != "Interrupted before the end.\n" || out.Len() > 0 {
		t.Errorf("exit %d, %q, %q", code, fault.String(), out.String())
	}
}
