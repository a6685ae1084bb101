//go:build linux && !pgserver_portable

package pgserver

import "testing"

func TestKillLeavesNoFilesOfSharedMemory(t *testing.T) {
	s := start(t, Options{})
	mapped := segments(s.proc.cmd.Process.Pid, nil)
	if len(mapped) == 0 {
		t.Fatal("PostgreSQL has no shared memory in files: where is it now?")
	}
	if err := s.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, path := range mapped {
		wantNoFile(t, path)
	}
}
