package main

import (
	"strings"
	"testing"
)

func TestTheOnlyOwnersSecondFactorIsResetAtTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, initFlags(dir, nil)...); code != 0 {
		t.Fatal(stderr)
	}
	reset := func(email, reason string) (int, string, string) {
		return call(t, nil, "operator", "--data-dir", dir, "--log-level", "error", "--reset-factor", email, "--reason", reason)
	}
	if code, _, stderr := reset("nobody@bifolia.example", "the phone is lost"); code != 1 || !strings.Contains(stderr, "no operator with this e-mail") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if code, _, stderr := reset("operator@bifolia.example", ""); code != 1 || !strings.Contains(stderr, "State the reason") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if code, stdout, stderr := reset("Operator@bifolia.example", "the phone is lost"); code != 0 || !strings.Contains(stdout, "is reset") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if code, _, stderr := reset("operator@bifolia.example", "the phone is lost"); code != 1 || !strings.Contains(stderr, "has no second factor") {
		t.Errorf("again: exit %d, stderr %q", code, stderr)
	}
	if code, stdout, _ := call(t, nil, "verify", "--data-dir", dir); code != 0 || !strings.Contains(stdout, "The operators' record is right: 1 entries, sealed up to 1.") {
		t.Errorf("exit %d, stdout %q", code, stdout)
	}
	if code, _, _ := call(t, nil, "operator", "--data-dir", dir); code != 2 {
		t.Errorf("without flags: exit %d", code)
	}
}
