package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a real bifolia.
type process struct {
	cmd    *exec.Cmd
	stdout *bufio.Reader
	stderr bytes.Buffer
	url    string
}

// startServe starts bifolia serve, after init if there is no installation, and waits for
// the line with the address.
func startServe(t *testing.T, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	if i := slices.Index(args, "--data-dir"); i >= 0 {
		dir = args[i+1]
	}
	if _, err := os.Stat(filepath.Join(dir, "bifolia.db")); err != nil && !slices.Contains(args, "--demo") && !slices.Contains(args, "--db") {
		if code, _, stderr := call(t, nil, initFlags(dir, nil)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	args = append([]string{"serve", "--addr", "127.0.0.1:0", "--data-dir", dir}, args...)
	p := &process{cmd: exec.CommandContext(t.Context(), self, args...)}
	p.cmd.Env = []string{runAs + "=1"}
	p.cmd.Stderr = &p.stderr
	pipe, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReader(pipe)
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		_ = p.cmd.Wait()
		t.Fatalf("no line on stdout: %v; stderr:\n%s", err, &p.stderr)
	}
	found := regexp.MustCompile(`^Bifolia is at (http://127\.0\.0\.1:[1-9][0-9]*)\n$`).FindStringSubmatch(line)
	if found == nil {
		t.Fatalf("the line on stdout is %q", line)
	}
	p.url = found[1]
	return p
}

// wait returns the exit code and the rest of stdout.
func (p *process) wait(t *testing.T) (code int, stdout string) {
	t.Helper()
	rest, err := io.ReadAll(p.stdout)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode(), string(rest)
}

func TestServeAnswersUntilASignalAndPrintsOneLine(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := startServe(t, "--log-format", "json")
		res, err := http.Get(p.url + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if err := p.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		code, more := p.wait(t)
		if code != 0 || more != "" {
			t.Errorf("%v: exit %d, more on stdout: %q, stderr:\n%s", sig, code, more, &p.stderr)
		}
		for _, want := range []string{`"msg":"listening"`, `"msg":"stopped"`, p.url} {
			if !strings.Contains(p.stderr.String(), want) {
				t.Errorf("%v: the log lacks %s:\n%s", sig, want, &p.stderr)
			}
		}
	}
}

func TestASecondInterruptEndsTheProcessAtOnce(t *testing.T) {
	p := startServe(t)
	// A request that never ends keeps the process from stopping in order.
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // until the server has read it
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(3 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		probe, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			break // it no longer accepts: the first signal was received
		}
		_ = probe.Close()
		if time.Now().After(deadline) {
			t.Fatal("the first signal was not heard")
		}
	}
	start := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatalf("it ended at the first signal: %v", err)
	}
	code, _ := p.wait(t)
	if code != 1 || time.Since(start) > 2*time.Second {
		t.Errorf("exit %d after %v", code, time.Since(start))
	}
}

func TestATakenPortIsOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	addr := taken.Addr().String()
	want := "Address " + addr + " is already in use: stop what listens there or choose another with --addr.\n"
	dir, _ := installed(t)
	for demo, dir := range map[string]string{"false": dir, "true": t.TempDir()} { // a demo reports it before it builds anything
		code, stdout, stderr := call(t, nil, "serve", "--addr", addr, "--data-dir", dir, "--demo", demo)
		if code != 1 || stdout != "" || stderr != want {
			t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
		}
	}
}
