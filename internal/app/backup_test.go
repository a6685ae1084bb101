package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// elsewhere is a configuration like cfg for another database and data folder.
func elsewhere(t *testing.T, cfg config.Config, dsn string) config.Config {
	t.Helper()
	cfg.DB, cfg.DataDir = dsn, t.TempDir()
	cfg.KeyFile, cfg.AnchorFile = filepath.Join(cfg.DataDir, "ledger.key"), filepath.Join(cfg.DataDir, "ledger.anchor")
	return cfg
}

func TestBackupDuringConcurrentRegistrationsIsConsistent(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		some, backedUp, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for i := 0; ; i++ {
				if i == 20 {
					close(some)
				}
				select {
				case <-backedUp:
					return
				default:
				}
				s.visitor().post("registration", form(s.root.UID, tree.Side(1+i%2), fmt.Sprintf("Member %c%c", 'A'+i/26%26, 'a'+i%26)))
			}
		}()
		<-some
		file := filepath.Join(t.TempDir(), "x.backup")
		done, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file, Environ: os.Environ()})
		close(backedUp)
		<-ended
		if err != nil || done.Manifest.Key != s.signer.KeyID() || done.NoKeys != "" {
			t.Fatalf("%+v, %v", done, err)
		}
		to := elsewhere(t, s.cfg, testkit.Empty(t, dsn))
		restored, err := Restore(t.Context(), to, RestoreRequest{From: file, Environ: os.Environ()})
		if err != nil || restored.Manifest.Hash != done.Manifest.Hash || !restored.NoKey || restored.Steps != 0 {
			t.Fatalf("%+v, %v", restored, err)
		}
		v, err := Verify(t.Context(), to, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		var members int64
		if err := testkit.Raw(t, to.DB).QueryRow("SELECT COUNT(*) FROM member").Scan(&members); err != nil || members < 20 {
			t.Errorf("%d members, %v; %v", members, err, v.Tree)
		}
	})
}

func TestBackupIsEncryptedUnlessPlainIsAskedFor(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		dir := t.TempDir()
		file := filepath.Join(dir, "x.backup")
		if _, err := Backup(t.Context(), s.cfg, BackupRequest{Out: file}); !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "--plain") {
			t.Errorf("without recipients: %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("it left %v, %v", left, err)
		}
		id, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		key := filepath.Join(dir, "key")
		if err := os.WriteFile(key, []byte(id.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		s.cfg.BackupRecipients = []string{id.Recipient().String()}
		if _, err := Backup(t.Context(), s.cfg, BackupRequest{Out: file, Environ: os.Environ()}); err != nil {
			t.Fatal(err)
		}
		if raw, err := os.ReadFile(file); err != nil || bytes.Contains(raw, []byte("goose_db_version")) || bytes.Contains(raw, []byte("PGDMP")) {
			t.Errorf("it can be read without the key: %v", err)
		}
		to := elsewhere(t, s.cfg, testkit.Empty(t, dsn))
		if _, err := Restore(t.Context(), to, RestoreRequest{From: file}); !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "--identity") {
			t.Errorf("without an identity: %v", err)
		}
		if _, err := Restore(t.Context(), to, RestoreRequest{From: file, Identity: key, Environ: os.Environ()}); err != nil {
			t.Error(err)
		}
		if _, err := Verify(t.Context(), to, false, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestRestoreOfAForeignBackupChangesNothing(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	file := filepath.Join(t.TempDir(), "x.backup")
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file}); err != nil {
		t.Fatal(err)
	}
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file}); !errs.Is(err, errs.Conflict) {
		t.Errorf("onto a file that is there: %v", err)
	}
	to := elsewhere(t, s.cfg, testkit.EmptySQLite(t))
	refused := func(what, want string, cfg config.Config, from string) {
		t.Helper()
		_, err := Restore(t.Context(), cfg, RestoreRequest{From: from})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(strings.TrimPrefix(to.DB, "sqlite:")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: something was written", what)
		}
	}
	refused("another engine", "This is a backup of sqlite", elsewhere(t, s.cfg, "postgres://u@127.0.0.1:1/x"), file)
	refused("no file", "There is no file", to, file+"x")
	another := to
	another.KeyFile = sqliteSite(t).cfg.KeyFile
	refused("another ledger's keys", "key files of another ledger", another, file)
	alone := to // a foreign key without its list, and with the right ledger's list
	alone.KeyFile = filepath.Join(t.TempDir(), "ledger.key")
	foreign, err := os.ReadFile(another.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(alone.KeyFile, foreign, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a foreign key alone", "key of another ledger", alone, file)
	right, err := os.ReadFile(ledger.PublicKeyFile(s.cfg.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ledger.PublicKeyFile(alone.KeyFile), right, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a foreign key beside the right list", "key of another ledger", alone, file)
	if err := os.WriteFile(alone.KeyFile, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("no key at all", "cannot be used", alone, file)
	if _, err := testkit.Raw(t, s.dsn).Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
		t.Fatal(err)
	}
	newer := file + ".newer"
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: newer}); err != nil {
		t.Fatal(err)
	}
	refused("a newer schema", "newer Bifolia", to, newer)
	none := elsewhere(t, s.cfg, testkit.EmptySQLite(t))
	if _, err := Backup(t.Context(), none, BackupRequest{Plain: true, Out: file + "2"}); !errs.Is(err, errs.NotFound) {
		t.Errorf("no database: %v", err)
	}
}

func TestForcedRestoreKeepsTheFormerDatabase(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	file := filepath.Join(t.TempDir(), "x.backup")
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file}); err != nil {
		t.Fatal(err)
	}
	s.register(s.root.UID, tree.Left, "Later Member")
	if _, err := Restore(t.Context(), s.cfg, RestoreRequest{From: file, Force: true}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("under a server: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	done, err := Restore(t.Context(), s.cfg, RestoreRequest{From: file, Force: true})
	if err != nil || done.Kept == "" || done.Anchored <= done.Manifest.Batch {
		t.Fatalf("%+v, %v", done, err)
	}
	for dsn, want := range map[string]int{s.cfg.DB: 1, "sqlite:" + done.Kept: 2} {
		var members int
		if err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM member").Scan(&members); err != nil || members != want {
			t.Errorf("%s has %d members, want %d: %v", dsn, members, want, err)
		}
	}
	// The anchors know the later member, so the older ledger verifies only without them.
	if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("verify with the anchors: %v", err)
	}
	s.cfg.AnchorFile += ".moved"
	if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
		t.Errorf("verify without: %v", err)
	}
}
