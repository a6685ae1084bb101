package bench

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Target is a running 'bifolia bench target': the program in a separate process, with the
// ledger's private routes.
type Target struct {
	Engine string
	Addr   string `json:"addr"`
	Token  string `json:"token"`
	cmd    *exec.Cmd
	dead   chan struct{}
}

// StartTarget starts program on dsn and returns when it is ready to write. It logs to dir/log.
func StartTarget(ctx context.Context, program, engine, dsn, dir string) (*Target, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	t := &Target{Engine: engine, dead: make(chan struct{})}
	t.cmd = exec.CommandContext(ctx, program, "bench", "target", "--db", dsn, "--data-dir", dir)
	t.cmd.Stderr = log
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	go func() { _ = t.cmd.Wait(); close(t.dead) }()
	if err == nil {
		err = json.Unmarshal([]byte(first), t)
	}
	if err != nil {
		t.Kill()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("the target did not start: %w: %s", err, tail(text))
	}
	return t, nil
}

func tail(text []byte) string {
	if len(text) > 2000 {
		text = text[len(text)-2000:]
	}
	return string(text)
}

// Kill ends the target as a power cut would.
func (t *Target) Kill() {
	_ = t.cmd.Process.Kill()
	<-t.dead
}

// Stop shuts the target down.
func (t *Target) Stop() {
	_ = t.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-t.dead:
	case <-time.After(30 * time.Second):
		t.Kill()
	}
}

// call posts body to one of the private routes and expects success.
func (t *Target) call(c *client, route, key string, body any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer, err := c.post("/api/bench/"+route, key, raw)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("bench: %s answered %d: %s", route, status, answer)
	}
	return err
}

// fund gives every wallet of the benchmark money.
func (t *Target) fund() error {
	c := newClient(t.Addr, t.Token)
	defer c.close()
	return t.call(c, "bulk", "fund", bulkBody{Run: "fund", Count: accounts, Deposit: "1000000"})
}

// atRest returns the resident memory, in MB, of the server some seconds after its start on a
// database with only the first member.
func atRest(program string) (float64, error) {
	dir, err := os.MkdirTemp("", "bifolia-rest-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	begin := exec.Command(program, "init", "--data-dir", dir, "--name", "First Member", "--email", "first@bench.example", "--mobile", "9000000000", "--country", "99",
		"--password", rand.Text(), "--operator-email", "operator@bench.example", "--operator-name", "Operator", "--operator-password", rand.Text())
	if out, err := begin.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("the installation could not be begun: %w: %s", err, tail(out))
	}
	cmd := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--data-dir", dir)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	}()
	time.Sleep(4 * time.Second)
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(cmd.Process.Pid)).Output()
	if err != nil {
		return 0, errors.New("the server was not there when its memory was read")
	}
	kb, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return float64(int(kb/1024*10)) / 10, err
}
