//go:build linux && !pgserver_portable

package pgserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// childAttr makes the kernel send SIGQUIT (PostgreSQL's immediate shutdown)
// when this process dies, however it dies. A group of its own keeps Ctrl-C in
// a terminal from reaching the cluster before the tests that use it.
func childAttr(account *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: account, Setpgid: true, Pdeathsig: syscall.SIGQUIT}
}

// processes reads /proc, because small images have no ps.
func processes() (map[int]processInfo, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("pgserver: /proc holds no processes: %w", err)
	}
	all := make(map[int]processInfo, len(files))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		// "pid (name) state parent group …", and the name may hold anything.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) < 3 {
			continue
		}
		parent, err1 := strconv.Atoi(string(fields[1]))
		group, err2 := strconv.Atoi(string(fields[2]))
		if err1 == nil && err2 == nil {
			all[pid] = processInfo{parent: parent, group: group, state: fields[0][0]}
		}
	}
	return all, nil
}
