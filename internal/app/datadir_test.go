package app

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// dataDir is a folder that others can read, with these files.
func dataDir(t *testing.T, files ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "place")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("something else"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	setMode(t, dir, 0o755)
	return dir
}

func setMode(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// hasMode fails unless path has the mode, and if it is a folder, holds n files.
func hasMode(t *testing.T, path string, mode fs.FileMode, n int) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(path)
	if err != nil || info.Mode().Perm() != mode || n >= 0 && len(files) != n {
		t.Errorf("%s has mode %o and %d files (%v); want %o and %d", path, info.Mode().Perm(), len(files), err, mode, n)
	}
}

func TestForeignFolderIsNotUsedAndKeepsItsMode(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		const sentence = "none of the files in it is Bifolia's: name an empty folder, or one that does not exist yet, with --data-dir."
		for _, files := range [][]string{{"index.html"}, {"id_rsa.pub", "notes.txt"}, {".hidden"}} {
			dir := dataDir(t, files...)
			cfg := testConfig(t, "--db", dsn, "--data-dir", dir)
			refusedPlace(t, cfg, sentence, opened)
			refusedPlace(t, cfg, sentence, func(ctx context.Context, cfg config.Config) error {
				return buildDemo(ctx, cfg, testkit.Log(), brief, nil)
			})
			hasMode(t, dir, 0o755, len(files))
		}
		// An administrator who restricts the folder accepts it as Bifolia's.
		dir := dataDir(t, "index.html")
		setMode(t, dir, 0o700)
		if err := opened(t.Context(), testConfig(t, "--db", dsn, "--data-dir", dir)); err != nil {
			t.Error(err)
		}
	})
}

func TestDataFolderIsClosedToOthers(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		empty := dataDir(t)
		if err := os.Mkdir(filepath.Join(empty, "lost+found"), 0o700); err != nil {
			t.Fatal(err)
		}
		args := []string{"--db", dsn, "--data-dir", empty, "--key-file", filepath.Join(empty, "x.key"), "--anchor-file", filepath.Join(empty, "x.anchor")}
		if err := opened(t.Context(), testConfig(t, args...)); err != nil {
			t.Fatal(err)
		}
		hasMode(t, empty, 0o700, -1)
		if err := os.WriteFile(filepath.Join(empty, "brand.json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		setMode(t, empty, 0o755)
		if err := opened(t.Context(), testConfig(t, args...)); err != nil {
			t.Fatal(err)
		}
		hasMode(t, empty, 0o700, -1)
	})
}

func TestRestoreIntoAForeignFolderIsRefused(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	if err := opened(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	file, dir := filepath.Join(t.TempDir(), "x.backup"), dataDir(t, "index.html")
	if _, err := Backup(t.Context(), cfg, BackupRequest{Plain: true, Out: file}); err != nil {
		t.Fatal(err)
	}
	refusedPlace(t, testConfig(t, "--data-dir", dir), "none of the files in it is Bifolia's", func(ctx context.Context, cfg config.Config) error {
		_, err := Restore(ctx, cfg, RestoreRequest{From: file})
		return err
	})
	hasMode(t, dir, 0o755, 1)
}
