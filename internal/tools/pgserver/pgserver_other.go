//go:build !linux || pgserver_portable

// The build tag pgserver_portable selects this file on Linux too, so that
// `go test -tags pgserver_portable` tries there what runs on macOS.

package pgserver

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// childAttr has no means to tie the child to this process: the guard does it.
func childAttr(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account, Setpgid: true}
}

func processes() (map[int]processInfo, error) {
	text, err := exec.CommandContext(context.Background(), "ps", "-A", "-o", "pid=,ppid=,pgid=,stat=").Output()
	if err != nil {
		return nil, fmt.Errorf("pgserver: ps: %w", err)
	}
	all := make(map[int]processInfo)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 4 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		group, err3 := strconv.Atoi(fields[2])
		if err1 == nil && err2 == nil && err3 == nil {
			all[pid] = processInfo{parent: parent, group: group, state: fields[3][0]}
		}
	}
	return all, nil
}

// segments are no files here.
func segments(int, []int) []string { return nil }

// inMemory is nowhere that is known.
func inMemory() string { return "" }
