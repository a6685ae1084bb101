package crash

import (
	"context"
	"database/sql"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/bench"
)

// Somebody with access to the files of a crashed server can remove the write-ahead log,
// and with it the last acknowledged writes: the database alone looks complete.
func TestAWriteAheadLogThatWasRemovedOrCutAfterACrashIsNamed(t *testing.T) {
	t.Parallel()
	at := t.TempDir()
	dsn := "sqlite:" + filepath.Join(at, "crash.db")
	h := newHarness(t, dsn)
	h.start()
	h.load(time.Second)
	holdLog(t, filepath.Join(at, "crash.db"))
	time.Sleep(2 * time.Second)
	h.killServer()
	verifyKept(t, h, at, "kept", true, func(string) {})
	verifyKept(t, h, at, "removed", false, func(wal string) {
		if err := os.Remove(wal); err != nil {
			t.Fatal(err)
		}
	})
	verifyKept(t, h, at, "cut", false, func(wal string) {
		if err := os.Truncate(wal, walLength(t, wal)/2); err != nil {
			t.Fatal(err)
		}
	})
}

// holdLog reads the database until the test ends, so that no checkpoint takes later
// commits out of the write-ahead log: the log must hold more than the half second
// of writes that may not be anchored yet.
func holdLog(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // the files are removed with the test
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	var batch int64
	if err := tx.QueryRow("SELECT batch FROM head").Scan(&batch); err != nil {
		t.Fatal(err)
	}
}

// verifyKept changes the log of a copy of the crashed database, verifies the copy,
// and starts a server on another.
func verifyKept(t *testing.T, h *harness, at, name string, whole bool, change func(wal string)) {
	t.Helper()
	const words = "are missing, because a write-ahead log"
	copied := func(n string) (dsn, dir string) {
		to := filepath.Join(t.TempDir(), n)
		for from, to := range map[string]string{at: to, h.dir: to + ".data"} {
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		}
		for path, mode := range map[string]os.FileMode{filepath.Join(to, "crash.db.key"): 0o600, to + ".data": 0o700} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
		change(filepath.Join(to, "crash.db-wal"))
		return "sqlite:" + filepath.Join(to, "crash.db"), to + ".data"
	}
	dsn, dir := copied(name)
	out, err := exec.Command(program, "verify", "--db", dsn, "--data-dir", dir).CombinedOutput()
	if (err == nil) != whole || strings.Contains(string(out), words) == whole {
		t.Errorf("%s: verify says %v, %s", name, err, out)
	}
	dsn, dir = copied(name + "-served")
	path := strings.TrimPrefix(dsn, "sqlite:")
	target, err := bench.StartTarget(context.Background(), program, name, dsn, dir)
	if err == nil {
		target.Kill()
	}
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	if (err == nil) != whole || strings.Contains(string(log), words) == whole {
		lines := strings.Split(strings.TrimSpace(string(log)), "\n")
		t.Errorf("%s: started %v, the log ends: %s", name, err == nil, lines[len(lines)-1])
	}
	if whole {
		return
	}
	// Nothing was written, so the log can be put back, as the server says.
	kept, err := os.ReadFile(filepath.Join(at, "crash.db-wal"))
	if err == nil {
		err = os.WriteFile(path+"-wal", kept, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path + "-shm")
	if out, err := exec.Command(program, "verify", "--db", dsn, "--data-dir", dir).CombinedOutput(); err != nil {
		t.Errorf("%s: with its log again: %v, %s", name, err, out)
	}
}

// walLength is how much of a write-ahead log is of its present run: frames of the
// one before lie behind.
func walLength(t *testing.T, path string) int64 {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil || len(raw) < 32 {
		t.Fatalf("the log has %d bytes, %v", len(raw), err)
	}
	frame := 24 + int(binary.BigEndian.Uint32(raw[8:]))
	end := 32
	for end+frame <= len(raw) && string(raw[end+8:end+16]) == string(raw[16:24]) {
		end += frame
	}
	return int64(end)
}
