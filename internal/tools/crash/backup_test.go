package crash

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/backup"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/bench"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// operator runs the program as an operator would.
func operator(args ...string) (code int, stdout, stderr string) {
	var out, said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &said
	_ = cmd.Run() // the exit code says it
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// engines are a database to back up, and an empty one to restore into.
func engines(t *testing.T, test func(t *testing.T, dsn string, empty func() string)) {
	t.Helper()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		test(t, dsn, func() string { return testkit.Empty(t, dsn) })
	})
}

func TestABackupTakenWhileMoneyMovesIsRestoredAndVerified(t *testing.T) {
	t.Parallel()
	engines(t, func(t *testing.T, dsn string, empty func() string) {
		h := newHarness(t, dsn)
		h.start()
		h.load(0)
		h.acknowledged(150)
		file := filepath.Join(t.TempDir(), "live.backup")
		code, out, said := operator("backup", "--db", dsn, "--data-dir", h.dir, "--plain", "--out", file, "--json")
		if code != 0 || !strings.Contains(said, ".key) is not in it") {
			t.Fatalf("backup: %d, %s%s", code, out, said)
		}
		var m backup.Manifest
		if err := json.Unmarshal([]byte(out), &m); err != nil {
			t.Fatal(err)
		}
		h.acknowledged(150) // it still writes
		h.halt()
		h.target.Stop()
		h.target = nil
		live := testkit.Raw(t, dsn)
		var hash []byte
		var last int64
		if err := errors.Join(live.QueryRow("SELECT hash FROM batch WHERE no = $1", m.Batch).Scan(&hash),
			live.QueryRow("SELECT batch FROM head").Scan(&last)); err != nil || hex.EncodeToString(hash) != m.Hash || last <= m.Batch {
			t.Errorf("the backup is of batch %d, %s; the live ledger had %x there and is at %d: %v", m.Batch, m.Hash, hash, last, err)
		}
		restoreIt(t, h, file, m, empty)
		damaged(t, file, empty)
	})
}

// restoreIt puts a backup into an empty place, verifies it, and lets a server
// write there again.
func restoreIt(t *testing.T, h *harness, file string, m backup.Manifest, empty func() string) {
	t.Helper()
	place, dir := empty(), privateDir(t)
	to := []string{"restore", "--from", file, "--db", place, "--data-dir", dir}
	code, out, said := operator(to...)
	if code != 0 || !strings.Contains(said, "put the key "+m.Key) || strings.Count(out, "\n") < 4 {
		t.Fatalf("restore: %d, %s%s", code, out, said)
	}
	var hash []byte
	if err := testkit.Raw(t, place).QueryRow("SELECT hash FROM head").Scan(&hash); err != nil || hex.EncodeToString(hash) != m.Hash {
		t.Errorf("restored at %x, want %s: %v", hash, m.Hash, err)
	}
	// The anchor of the lost machine is not there: the restored state is adopted by name.
	if code, out, said := operator("verify", "--db", place, "--data-dir", dir, "--new-anchor"); code != 0 {
		t.Fatalf("verify of what was restored: %d, %s%s", code, out, said)
	}
	if code, _, said := operator(to...); code == 0 || !strings.Contains(said, "--force") {
		t.Errorf("onto a used database: %d, %s", code, said)
	}
	key, err := os.ReadFile(config.Beside(h.dsn, h.dir) + ".key")
	if err == nil {
		err = os.WriteFile(config.Beside(place, dir)+".key", key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	target, err := bench.StartTarget(context.Background(), program, "crash", place, dir)
	if err != nil {
		t.Fatal(err)
	}
	again := &asked{route: "deposit", key: "after", body: map[string]any{"from": "A:CLIENT", "to": wallet(0), "amount": "1"}}
	if err := h.send(target, again); err != nil || again.answer == "" {
		t.Errorf("the restored ledger does not go on: %v", err)
	}
	if code, _, said := operator(append(to, "--force")...); code == 0 || !strings.Contains(said, "stop it first") {
		t.Errorf("under a running server: %d, %s", code, said)
	}
	target.Stop()
	// The anchors know of later writes: the restore reports their loss.
	if code, out, said = operator(append(to, "--force")...); code != 1 || !strings.Contains(said, "is lost") {
		t.Errorf("back behind the anchors: %d, %s%s", code, out, said)
	}
	for _, name := range []string{".anchor", ".anchor.last"} {
		if err := os.Remove(config.Beside(place, dir) + name); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, said = operator(append(to, "--force")...); code != 0 {
		t.Errorf("by force: %d, %s%s", code, out, said)
	}
}

// damaged backups are refused, and leave nothing where they were to go.
func damaged(t *testing.T, file string, empty func() string) {
	t.Helper()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(whole)/2] ^= 4
	for name, data := range map[string][]byte{"cut off": whole[:len(whole)*2/3], "flipped": flipped} {
		bad, place := filepath.Join(t.TempDir(), "bad.backup"), empty()
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, said := operator("restore", "--from", bad, "--db", place, "--data-dir", t.TempDir())
		if code != 1 || !strings.Contains(said, "is damaged") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %d, %s", name, code, said)
		}
		if path, ok := strings.CutPrefix(place, "sqlite:"); ok {
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: something is at %s", name, path)
			}
		}
	}
}

func TestABackupThatIsKilledLeavesNoFileThatLooksWhole(t *testing.T) {
	t.Parallel()
	engines(t, func(t *testing.T, dsn string, _ func() string) {
		h := newHarness(t, dsn)
		h.start()
		h.load(0)
		h.acknowledged(150)
		h.halt()
		h.target.Stop()
		h.target = nil
		file := filepath.Join(t.TempDir(), "killed.backup")
		args := []string{"backup", "--db", dsn, "--data-dir", h.dir, "--plain", "--out", file, "--force"}
		// As soon as it has begun, as soon as it copies, and as soon as it packs.
		for _, begun := range []func() bool{
			func() bool { return sizeOf(file+".partial") >= 0 },
			func() bool { return sizeOf(file+".partial.db") > 0 },
			func() bool { return sizeOf(file+".partial") > 0 },
		} {
			cmd := exec.Command(program, args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = cmd.Wait() // killed, or faster than the kill
			}()
			for stop := false; !stop && !begun(); {
				select {
				case <-ended:
					stop = true
				case <-time.After(time.Millisecond):
				}
			}
			_ = cmd.Process.Kill() // it may have ended
			<-ended
			if sizeOf(file) < 0 {
				continue
			}
			a, err := backup.Open(context.Background(), file, nil) // it was faster: then it is whole
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(a.Close(), os.Remove(file)); err != nil {
				t.Fatal(err)
			}
		}
		if code, out, said := operator(args...); code != 0 {
			t.Errorf("the next backup: %d, %s%s", code, out, said)
		}
		left, err := os.ReadDir(filepath.Dir(file))
		if err != nil || len(left) != 1 {
			t.Errorf("after it there is %v, %v", left, err)
		}
	})
}

// sizeOf is -1 when there is no such file.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// acknowledged waits until n more requests were.
func (h *harness) acknowledged(n int) {
	h.t.Helper()
	count := func() int {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.known)
	}
	for want, limit := count()+n, time.Now().Add(time.Minute); count() < want; {
		if time.Now().After(limit) {
			h.t.Fatalf("%d of %d requests were acknowledged", count(), want)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
