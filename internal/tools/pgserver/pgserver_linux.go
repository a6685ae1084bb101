//go:build linux && !pgserver_portable

package pgserver

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
)

// childAttr makes the kernel send SIGQUIT (PostgreSQL's immediate shutdown)
// when this process dies, however it dies. A separate group keeps Ctrl-C in
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

// segments are the files of shared memory that these processes, and the processes that
// initdb started in its group, have mapped. They remain after the processes are killed.
func segments(group int, children []int) []string {
	all, err := processes()
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for pid, info := range all {
		if pid != group && info.group != group && !slices.Contains(children, pid) {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "maps"))
		if err != nil {
			continue // it ended meanwhile
		}
		for _, path := range segment.FindAllString(string(text), -1) {
			found[path] = true
		}
	}
	return slices.Collect(maps.Keys(found))
}

// segment is a name that PostgreSQL gives its own.
var segment = regexp.MustCompile(`/dev/shm/PostgreSQL\.\d+`)

// memoryRoom is many times what the tests of the whole site were seen to take, 86 MB.
const memoryRoom = 2 << 30

// inMemory is where files are kept in memory, if there is room; else "".
func inMemory() string {
	const dir, tmpfs = "/dev/shm", 0x01021994
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Type != tmpfs || fs.Bavail*uint64(fs.Bsize) < memoryRoom {
		return ""
	}
	return dir
}
