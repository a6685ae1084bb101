package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// process is a running initdb or postgres.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it is gone
	err    error         // how it ended; read after exited
}

// run starts a PostgreSQL program as the cluster's user, logging to s.log. No context ends
// the process: it ends by itself, by end or by crash.
func (s *Server) run(program string, args ...string) (*process, error) {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("pgserver: %w", err)
	}
	defer func() { _ = log.Close() }() // the child has its own copy
	cmd := exec.CommandContext(context.Background(), filepath.Join(s.bin, program), args...)
	cmd.Dir = s.data // the working directory of this process may be closed to the cluster's user
	cmd.Env = environment(os.Environ())
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = childAttr(s.account)

	p := &process{cmd: cmd, exited: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux ends the child when the thread that made it ends, so this thread must
		// run as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("pgserver: cannot start %s: %w", cmd.Path, err)
	}
	return p, nil
}

// environment removes the variables that make PostgreSQL behave differently between machines:
// its own ones and the language of its messages.
func environment(env []string) []string {
	kept := []string{"LC_ALL=C"}
	for _, e := range env {
		if strings.HasPrefix(e, "PG") || strings.HasPrefix(e, "LC_") || strings.HasPrefix(e, "LANG") || strings.HasPrefix(e, "TZ=") {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// end asks for a fast shutdown and crashes the cluster if that takes too long.
func (p *process) end(limit time.Duration) error {
	if err := p.signal(syscall.SIGINT); err != nil {
		return err
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(limit):
		return errors.Join(fmt.Errorf("pgserver: postgres did not shut down within %s and was killed", limit), p.crash())
	}
}

// crash kills the process and its children. It first stops the process with SIGSTOP, which
// could otherwise start a backend in between. Backends are found as its children, because
// each is in a separate group; programs that initdb runs through a shell are in initdb's
// group.
func (p *process) crash() error {
	pid := p.cmd.Process.Pid
	if err := p.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	children, err := p.frozenChildren(5 * time.Second)
	mapped := segments(pid, children)
	err = errors.Join(err, p.signal(syscall.SIGKILL))
	for _, target := range append(children, -pid) {
		// It may have ended by itself; whether it is gone is checked below.
		_ = syscall.Kill(target, syscall.SIGKILL)
	}
	<-p.exited
	err = errors.Join(err, waitGone(children, pid, 10*time.Second))
	for _, path := range mapped {
		_ = os.Remove(path) // a server that shuts down removes them itself
	}
	return err
}

func (p *process) frozenChildren(limit time.Duration) ([]int, error) {
	pid := p.cmd.Process.Pid
	for deadline := time.Now().Add(limit); ; time.Sleep(time.Millisecond) {
		all, err := processes()
		if err != nil {
			return nil, err
		}
		self, ok := all[pid]
		if ok && self.state != 'T' && self.state != 'Z' && time.Now().Before(deadline) {
			continue // the signal is on its way
		}
		var children []int
		for child, info := range all {
			if info.parent == pid {
				children = append(children, child)
			}
		}
		return children, nil
	}
}

// waitGone waits for the given processes and for all of a group. A zombie
// counts as gone: it has released everything, and a container's first process
// may never collect it.
func waitGone(pids []int, group int, limit time.Duration) error {
	for deadline := time.Now().Add(limit); ; time.Sleep(2 * time.Millisecond) {
		all, err := processes()
		if err != nil {
			return err
		}
		left := 0
		for pid, info := range all {
			if info.state != 'Z' && (info.group == group || slices.Contains(pids, pid)) {
				left++
			}
		}
		if left == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("pgserver: %d processes of %d outlive it", left, group)
		}
	}
}

// signal counts a process that is gone already as told.
func (p *process) signal(sig syscall.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if err == nil || errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return fmt.Errorf("pgserver: cannot signal postgres: %w", err)
}

// processInfo is one line of the system's process table.
type processInfo struct {
	parent int
	group  int
	state  byte // 'T' stopped, 'Z' zombie
}
