package pgserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// guard is a shell that waits for this process to end and then cleans up. A test that panics,
// times out or is killed runs no deferred function; without the guard it would leave a data
// directory and, if the kernel cannot tie a child to its parent, a running server.
type guard struct {
	cmd  *exec.Cmd
	hold io.Closer // our end of its input, which the kernel closes when this process ends
}

// The script ends the postmaster only if its command line names this data directory, because
// another process may have reused the number in postmaster.pid.
const guardScript = `
read -r _
pid=$(head -n 1 "$1/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
	case $(ps -ww -o command= -p "$pid" 2>/dev/null) in
	*"$1"*) kill -QUIT "$pid" ;;
	esac
	n=0
	while [ $n -lt 100 ] && kill -0 "$pid" 2>/dev/null; do
		sleep 0.1
		n=$((n + 1))
	done
fi
shift
rm -rf "$@"
`

func startGuard(data string, leftovers []string) (*guard, error) {
	args := append([]string{"-c", guardScript, "pgserver-guard", data}, leftovers...)
	cmd := exec.CommandContext(context.Background(), "/bin/sh", args...)
	cmd.Dir = "/"
	// Ctrl-C goes to every process of a terminal's group; the guard must survive it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("pgserver: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("pgserver: %w", err)
	}
	return &guard{cmd: cmd, hold: hold}, nil
}

// stop ends the guard before its input does, so that it removes nothing.
func (g *guard) stop() {
	if g == nil || g.cmd.ProcessState != nil {
		return
	}
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
	_ = g.hold.Close()
}

// freeSharedMemory removes the small System V segment that a crashed server
// leaves behind until it is started again. macOS has room for 32 of them, so
// a few dozen crash tests would keep any PostgreSQL on the machine from
// starting. After a shutdown there is no postmaster.pid and nothing to do.
func freeSharedMemory(data string) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return
	}
	const shmLine = 6 // "key id"
	lines := strings.Split(string(text), "\n")
	if len(lines) <= shmLine {
		return
	}
	if ids := strings.Fields(lines[shmLine]); len(ids) == 2 {
		// Best effort: the segment may be gone after a reboot.
		_ = exec.CommandContext(context.Background(), "ipcrm", "-m", ids[1]).Run()
	}
}
