package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

var (
	content = bytes.Repeat([]byte("a page of a database. "), 25)
	public  = []byte("0011223344556677 AAAA\n")
)

// made is a backup of content.
func made(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.backup")
	w, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Work(), content, 0o600); err != nil {
		t.Fatal(err)
	}
	m := Manifest{Made: time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC), Engine: "sqlite", Schema: 18, Seq: 7, Batch: 3, Hash: "ab"}
	if _, err := w.Commit(context.Background(), m, public, nil, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestABackupRestoresItsContent(t *testing.T) {
	t.Parallel()
	path := made(t)
	a, err := Open(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	got, err := io.ReadAll(a.Database(context.Background(), nil))
	if err != nil || !bytes.Equal(got, content) || !bytes.Equal(a.Public, public) || a.Manifest.Seq != 7 || a.Manifest.Schema != 18 {
		t.Errorf("%d bytes, %q, %+v, %v", len(got), a.Public, a.Manifest, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(beside) != 1 {
		t.Errorf("beside it: %v, %v", beside, err)
	}
}

func TestAFlippedBitAnywhereAndAnyOtherLengthIsRefused(t *testing.T) {
	t.Parallel()
	path := made(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(context.Background(), path, nil)
		if !errs.Is(err, errs.Refused) {
			t.Errorf("%s at %d: %v", what, at, err)
		}
		if a != nil {
			_ = a.Close()
		}
	}
	for i := 0; i < len(whole); i += 3 {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		refused("a flipped bit", i, flipped)
	}
	for n := 0; n < len(whole); n += 61 {
		refused("cut off", n, whole[:n])
	}
	refused("longer", len(whole), append(bytes.Clone(whole), 0))
}

func TestAFileThatIsThereIsNotOverwrittenUnlessForced(t *testing.T) {
	t.Parallel()
	path := made(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); !errs.Is(err, errs.Conflict) {
		t.Errorf("got %v", err)
	}
	w, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, true); !errs.Is(err, errs.Conflict) {
		t.Errorf("two at once: %v", err)
	}
	w.Abort()
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a backup that was given up changed the one before: %v", err)
	}
	if _, err := Create(filepath.Dir(path), true); !errs.Is(err, errs.Refused) {
		t.Errorf("a folder: %v", err)
	}
}

func TestABackupOfAnotherFormatOrNoneIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "none"), nil); !errs.Is(err, errs.NotFound) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Open(context.Background(), t.TempDir(), nil); !errs.Is(err, errs.Refused) {
		t.Errorf("a folder: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ended, made(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("when it was stopped: %v", err)
	}
}

// program writes one of PostgreSQL's programs that says its version.
func program(t *testing.T, dir, name, version string) {
	t.Helper()
	script := "#!/bin/sh\necho '" + name + " (PostgreSQL) " + version + "'\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestMissingAndOldProgramsOfPostgreSQLAreOneSentence(t *testing.T) {
	t.Parallel()
	const dsn = "postgres://u:hunter2@h/x?pool_max_conns=3&sslmode=disable"
	dir := t.TempDir()
	environ := []string{"POSTGRES_BIN=" + dir}
	_, err := FindPostgres(context.Background(), dsn, "hunter2", environ, 15)
	if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "pg_dump and pg_restore") {
		t.Errorf("without programs: %v", err)
	}
	program(t, dir, "pg_dump", "14.9 (Debian 14.9-1)")
	program(t, dir, "pg_restore", "14.9 (Debian 14.9-1)")
	_, err = FindPostgres(context.Background(), dsn, "hunter2", environ, 15)
	if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "to PostgreSQL 14, but the server is 15") {
		t.Errorf("older programs: %v", err)
	}
	p, err := FindPostgres(context.Background(), dsn, "hunter2", environ, 14)
	if err != nil || p.Tool != 14 || p.address != "postgres://u@h/x?sslmode=disable" {
		t.Errorf("%+v, %v", p, err)
	}
}
