package main

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stand records every file of a folder, and for a database its head.
func stand(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(d.Name(), "bifolia.db-") || d.Name() == "bifolia.db" {
			return err
		}
		raw, err := os.ReadFile(path)
		b.WriteString(d.Name() + " " + string(raw) + "\n")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var epoch, batch int64
	var hash []byte
	query(t, dir, "SELECT epoch, batch, hash FROM head", &epoch, &batch, &hash)
	return b.String() + hex.EncodeToString(hash) + strings.Repeat(".", int(epoch+batch))
}

func TestADemoFlagOnRealDataIsRefused(t *testing.T) {
	t.Parallel()
	dir, uid := installed(t)
	before := stand(t, dir)
	for _, args := range [][]string{
		{"serve", "--demo", "--addr", "127.0.0.1:0"},
		{"serve", "--demo", "--demo-history=false", "--addr", "127.0.0.1:0"},
		{"close", "--demo", "--preview"},
		{"block", "--demo", "--uid", uid, "--reason", "for the test"},
		{"init", "--demo", "--name", "x"},
	} {
		if args[0] == "init" {
			args = append(initFlags(dir, nil), "--demo")
		}
		code, stdout, stderr := at(t, dir, args...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "is a real installation's: leave --demo out") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if after := stand(t, dir); after != before {
		t.Errorf("something was written:\n%s\n%s", before, after)
	}
}

func TestADemoIsNotServedAsReal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, append(initFlags(dir, nil), "--demo")...); code != 0 {
		t.Fatal(stderr)
	}
	before := stand(t, dir)
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"close", "--preview"}, initFlags(dir, nil)} {
		code, stdout, stderr := at(t, dir, args...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "is a demo's: add --demo") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if after := stand(t, dir); after != before {
		t.Errorf("something was written:\n%s\n%s", before, after)
	}
	// A backup of it keeps the kind.
	file, place := filepath.Join(t.TempDir(), "b.backup"), t.TempDir()
	for _, args := range [][]string{{"backup", "--plain", "--data-dir", dir, "--out", file}, {"restore", "--data-dir", place, "--from", file}} {
		if code, _, stderr := call(t, nil, args...); code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	if code, _, stderr := at(t, place, "serve", "--addr", "127.0.0.1:0"); code != 1 || !strings.Contains(stderr, "is a demo's: add --demo") {
		t.Errorf("restored: exit %d, %q", code, stderr)
	}
}

func TestARowEditDoesNotMakeADemoOfRealData(t *testing.T) {
	t.Parallel()
	for edit, want := range map[string]string{
		"UPDATE command SET response = 'demo' WHERE actor = 'installation'":                    "the first command is not what was signed",
		"UPDATE command SET response = 'demo', request = leaf WHERE actor = 'installation'":    "the first command is not what was signed",
		"DELETE FROM command WHERE actor = 'installation'":                                     "does not say whether it is a demo's or real",
		"UPDATE command SET batch = 2 WHERE actor = 'installation'":                            "does not say whether it is a demo's or real",
		"UPDATE command SET response = 'demo', command_key = 'k' WHERE actor = 'installation'": "does not say whether it is a demo's or real",
	} {
		dir, _ := installed(t)
		for _, trigger := range []string{"command_keep_row", "command_no_delete"} {
			change(t, dir, "DROP TRIGGER IF EXISTS "+trigger)
		}
		change(t, dir, edit)
		for _, flag := range []string{"--demo=true", "--demo=false"} {
			code, stdout, stderr := at(t, dir, "serve", flag, "--addr", "127.0.0.1:0")
			if code != 1 || stdout != "" || flag == "--demo=true" && !strings.Contains(stderr, want) {
				t.Errorf("%s, %s: exit %d, %q, %q", edit, flag, code, stdout, stderr)
			}
		}
		if code, _, _ := at(t, dir, "verify"); code == 0 {
			t.Errorf("%s: verify is content", edit)
		}
	}
}

func TestAMistypedDataDirMakesNothing(t *testing.T) {
	t.Parallel()
	typo := filepath.Join(t.TempDir(), "daat")
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"pnl", "--line", "FOREX", "--amount", "1", "--reference", "r"}, {"close", "--preview"}, {"block", "--uid", "1", "--reason", "for the test"}, {"migrate"}} {
		code, stdout, stderr := at(t, typo, args...)
		if code != 1 || stdout != "" || !strings.Contains(stderr, "'bifolia init' begins one") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q", args, code, stdout, stderr)
		}
		if _, err := os.Stat(typo); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%v has made %s: %v", args, typo, err)
		}
	}
}

func TestTwoDatabasesInOneFolderDoNotFreezeEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := "sqlite:"+filepath.Join(dir, "one.db"), "sqlite:"+filepath.Join(dir, "two.db")
	for range 2 {
		for _, db := range []string{one, two} {
			if _, err := os.Stat(strings.TrimPrefix(db, "sqlite:")); err != nil {
				if code, _, stderr := call(t, nil, append(initFlags(dir, nil), "--db", db)...); code != 0 {
					t.Fatal(stderr)
				}
			}
			p := startServe(t, "--data-dir", dir, "--db", db)
			if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			if code, _ := p.wait(t); code != 0 || strings.Contains(p.stderr.String(), "the ledger is wrong") {
				t.Errorf("%s: exit %d\n%s", db, code, &p.stderr)
			}
			if code, stdout, stderr := call(t, nil, "verify", "--data-dir", dir, "--db", db); code != 0 || strings.Contains(stdout, "Payments are frozen") {
				t.Errorf("verify %s: exit %d, %s%s", db, code, stdout, stderr)
			}
		}
	}
	// By mistake the second one gets the files of the first.
	for flag, file := range map[string]string{"--anchor-file": filepath.Join(dir, "one.db.anchor"), "--key-file": filepath.Join(dir, "one.db.key")} {
		for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"verify"}, {"close", "--preview"}} {
			code, stdout, stderr := at(t, dir, append(args, "--db", two, flag, file)...)
			if code != 1 || stdout != "" || !strings.Contains(stderr, "to ledger ") || !strings.Contains(stderr, "the database is ledger ") || !strings.Contains(stderr, flag) {
				t.Errorf("%v with %s: exit %d, %q, %q", args, flag, code, stdout, stderr)
			}
		}
	}
	if code, stdout, stderr := call(t, nil, "verify", "--data-dir", dir, "--db", two); code != 0 || strings.Contains(stdout, "Payments are frozen") {
		t.Errorf("it was frozen: exit %d, %s%s", code, stdout, stderr)
	}
	// A lost database with its files left is not a new installation.
	if err := os.Remove(filepath.Join(dir, "one.db")); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"-wal", "-shm"} {
		_ = os.Remove(filepath.Join(dir, "one.db"+more))
	}
	if code, _, stderr := call(t, nil, append(initFlags(dir, nil), "--db", one)...); code != 1 || !strings.Contains(stderr, "the database is new, or was lost") {
		t.Errorf("begun anew beside the old files: exit %d, %q", code, stderr)
	}
}

func TestAKeyThatOthersMayReadIsRefused(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	if err := os.Chmod(filepath.Join(dir, "bifolia.db.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := at(t, dir, "serve", "--addr", "127.0.0.1:0")
	if code != 1 || stdout != "" || !strings.Contains(stderr, "chmod 600") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

func TestFilesReadableByOthersAreRestricted(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	db := filepath.Join(dir, "bifolia.db")
	modes := func() (all []fs.FileMode) {
		for _, path := range []string{dir, db} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, info.Mode().Perm())
		}
		return all
	}
	if m := modes(); m[0] != 0o700 || m[1] != 0o600 {
		t.Errorf("a new installation has the modes %o", m)
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(db, 0o664)); err != nil {
		t.Fatal(err)
	}
	p := startServe(t, "--data-dir", dir)
	if m := modes(); m[0] != 0o700 || m[1] != 0o600 {
		t.Errorf("they are %o", m)
	}
	for _, log := range []string{"-wal", "-shm"} {
		if info, err := os.Stat(db + log); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", log, info.Mode(), err)
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, _ = p.wait(t); !strings.Contains(p.stderr.String(), "files were readable by others") || !strings.Contains(p.stderr.String(), db) {
		t.Errorf("it does not say so:\n%s", &p.stderr)
	}
}
