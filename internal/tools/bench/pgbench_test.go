package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A shared machine can stop for a second. pgbench then reports no rate, which must not
// discard minutes of measuring.
func TestATurnWithoutARateIsRepeated(t *testing.T) {
	for _, c := range []struct {
		why, script string
		perSecond   float64
		refused     string
	}{
		{"once", `[ -e seen ] && echo "tps = 12.5 (without initial connection time)" || echo "number of transactions actually processed: 0"; touch seen`, 12.5, ""},
		{"always", `echo "number of transactions actually processed: 0"`, 0, "try again later"},
	} {
		t.Run(c.why, func(t *testing.T) {
			dir := t.TempDir()
			program := filepath.Join(dir, "pgbench")
			if err := os.WriteFile(program, []byte("#!/bin/sh\ncd "+dir+"\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			s, err := (&pgbench{program: program, dir: dir}).run(t.Context(), 8, false)
			if s.perSecond != c.perSecond || (err != nil) != (c.refused != "") {
				t.Fatalf("%v a second, error %v", s.perSecond, err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.refused) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("it says: %v", err)
			}
		})
	}
}
