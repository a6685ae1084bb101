//go:build baseline

package testkit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Baseline records an output in BASELINE_DIR, or, if BASELINE_CHECK is set, compares it with
// the recorded one. A different output is written beside the recorded one with the suffix
// ".now".
func Baseline(t *testing.T, name string, content []byte) {
	t.Helper()
	path := filepath.Join(os.Getenv("BASELINE_DIR"), filepath.FromSlash(name))
	if os.Getenv("BASELINE_DIR") == "" {
		t.Fatal("BASELINE_DIR is not set: run 'make baseline' or 'make baseline-check'")
	}
	if os.Getenv("BASELINE_CHECK") == "" {
		write(t, path, content)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	if !bytes.Equal(content, want) {
		write(t, path+".now", content)
		t.Errorf("%s differs from the baseline: diff %s %s.now", name, path, path)
		return
	}
	_ = os.Remove(path + ".now")
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
