package app

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/backup"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
)

// Stage reports progress in bytes; a total of 0 means that the total is unknown.
type Stage func(what string, done, total int64)

func (s Stage) of(what string) backup.Progress {
	if s == nil {
		return nil
	}
	return func(done, total int64) { s(what, done, total) }
}

// begin reports the start of a stage without measured progress.
func (s Stage) begin(what string) {
	if s != nil {
		s(what, 0, 0)
	}
}

type BackupRequest struct {
	Out     string
	Force   bool     // overwrite an existing file
	Plain   bool     // do not encrypt, even with configured recipients
	Program string   // the release of this program
	Environ []string // the environment of PostgreSQL's programs
	Stage   Stage
}

// BackedUp is the result of a backup.
type BackedUp struct {
	Manifest backup.Manifest
	NoKeys   string // the missing list of public keys; "" if the backup has it
}

// Backup copies a snapshot of the configured database to a file, while servers may go on
// writing. It returns after reading the file back.
func Backup(ctx context.Context, cfg config.Config, r BackupRequest) (done BackedUp, err error) {
	if err := requireSQLiteFile(cfg); err != nil {
		return done, err
	}
	to, err := recipients(cfg, r.Plain)
	if err != nil {
		return done, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return done, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Standing(ctx); err != nil {
		return done, errs.New(errs.Refused, "backup.no_ledger", "There is no ledger in this database yet ({reason}): nothing to back up.", "reason", err)
	}
	list := ledger.PublicKeyFile(cfg.KeyFile)
	public, err := os.ReadFile(list)
	if errors.Is(err, fs.ErrNotExist) {
		done.NoKeys = list
	} else if err != nil {
		return done, errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	}
	w, err := backup.Create(r.Out, r.Force, to...)
	if err != nil {
		return done, err
	}
	m := backup.Manifest{Made: clock.System().Now().UTC().Truncate(time.Second), Program: r.Program, Engine: db.Engine()}
	if len(to) > 0 {
		err = errors.Join(makeDataDir(cfg), w.WorkIn(cfg.DataDir))
	}
	if err == nil {
		err = copyDatabase(ctx, db, cfg, r, w.Work(), &m)
	}
	if err == nil {
		done.Manifest, err = w.Commit(ctx, m, public, r.Stage.of("writing"), r.Stage.of("reading it again"))
	}
	if err != nil {
		w.Abort()
		return done, sentence(err)
	}
	return done, nil
}

// recipients returns the keys to encrypt a backup to; none for a plain one. It returns
// Refused if there are none and the backup is not plain.
func recipients(cfg config.Config, plain bool) ([]age.Recipient, error) {
	if plain {
		return nil, nil
	}
	to, err := backup.Recipients(cfg.BackupRecipients)
	if err == nil && len(to) == 0 {
		err = errs.New(errs.Refused, "backup.no_recipients", "No recipients of backups are configured (backup_recipients), and a backup holds everybody's personal data: name public keys of age (age1…), or write it in the clear with --plain.")
	}
	return to, err
}

// requireSQLiteFile rejects an SQLite database that does not exist, because opening would create it.
func requireSQLiteFile(cfg config.Config) error {
	if path, ok := strings.CutPrefix(cfg.DB, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return errs.New(errs.NotFound, "database.not_found", "There is no database at {path}: {reason}.", "path", path, "reason", reason(err))
		}
	}
	return nil
}

// copyDatabase copies the database to path and records in m the position of the copy.
func copyDatabase(ctx context.Context, db *store.DB, cfg config.Config, r BackupRequest, path string, m *backup.Manifest) error {
	if m.Engine == "sqlite" {
		if err := db.CopyTo(ctx, path, r.Stage.of("copying")); err != nil {
			return errs.Wrap(errs.Unavailable, err, "backup.not_copied", "The database could not be copied to {path}", "path", path)
		}
		r.Stage.begin("checking the copy")
		s, err := store.InspectSQLite(ctx, path)
		stands(m, s)
		return err
	}
	server, password, err := db.Server(ctx)
	if err != nil {
		return err
	}
	tools, err := backup.FindPostgres(ctx, cfg.DB, password, r.Environ, server)
	if err != nil {
		return err
	}
	m.Tool = tools.Tool
	return db.Exported(ctx, func(snapshot string, s store.Standing) error {
		stands(m, s)
		return tools.Dump(ctx, snapshot, path, r.Stage.of("dumping"))
	})
}

func stands(m *backup.Manifest, s store.Standing) {
	m.Schema, m.Seq, m.Batch, m.Hash, m.Key = s.Schema, s.Seq, s.Batch, s.Hash, s.Key
}

type RestoreRequest struct {
	From     string
	Identity string // the file of the secret key, for an encrypted backup
	Force    bool   // replace an existing database
	Environ  []string
	Stage    Stage
}

type Restored struct {
	Manifest    backup.Manifest
	Kept        string // the new path of the previous SQLite database
	Steps       int    // migrations applied to the restored database
	Schema      int64
	NoKey       bool // the signing key is missing
	Reactivated store.Reactivated
	// Anchored is the last batch in the anchor file, if it is later than the backup:
	// batches in between are missing from the database.
	Anchored int64
}

// Restore writes a backup into the configured database, which must be empty unless forced,
// and migrates it to this program's schema. The caller must verify it next.
func Restore(ctx context.Context, cfg config.Config, r RestoreRequest) (done Restored, err error) {
	ids, err := backup.Identities(r.Identity)
	if err != nil {
		return done, err
	}
	a, err := backup.Open(ctx, r.From, r.Stage.of("reading the backup"), ids...)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	done.Manifest = a.Manifest
	if err := fits(a, cfg); err != nil {
		return done, err
	}
	if err := checkDataDir(cfg); err != nil {
		return done, err
	}
	if done.Manifest.Engine == "sqlite" {
		done.Kept, err = restoreSQLite(ctx, cfg, a, r)
	} else {
		err = restorePostgres(ctx, cfg, a, r)
	}
	if err != nil {
		return done, sentence(err)
	}
	if err := putPublicKeys(cfg, a.Public); err != nil {
		return done, err
	}
	if done.Steps, done.Schema, err = migrate(ctx, cfg, func(int64) error { return nil }); err != nil {
		return done, err
	}
	if done.Reactivated, err = noteRestore(ctx, cfg, done.Manifest); err != nil {
		return done, err
	}
	if _, err := os.Stat(cfg.KeyFile); errors.Is(err, fs.ErrNotExist) {
		done.NoKey = done.Manifest.Batch > 0
	}
	anchors, err := audit.ReadAnchors(cfg.AnchorFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, errs.New(errs.Refused, "anchor.unusable", "The anchor file cannot be used: {reason}.", "reason", err)
	}
	for _, anchor := range anchors {
		if anchor.Batch > done.Manifest.Batch {
			done.Anchored = max(done.Anchored, anchor.Batch)
		}
	}
	return done, nil
}

// noteRestore holds payouts until operators adopt the state, and counts what the backup
// has revived.
func noteRestore(ctx context.Context, cfg config.Config, m backup.Manifest) (r store.Reactivated, err error) {
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return r, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.NoteRestore(ctx, payout.NewNote(m.Made, m.Batch, clock.System().Now())); err != nil {
		return r, sentence(err)
	}
	return db.CountReactivated(ctx)
}

// fits rejects a backup that this program or installation cannot restore, before anything
// changes.
func fits(a *backup.Archive, cfg config.Config) error {
	m := a.Manifest
	engine := "postgres"
	if strings.HasPrefix(cfg.DB, "sqlite:") {
		engine = "sqlite"
	}
	if m.Engine != engine {
		return errs.New(errs.Refused, "backup.other_engine", "This is a backup of {has} and the database is {engine}: name a {wanted} database with --db.", "has", m.Engine, "engine", engine, "wanted", m.Engine)
	}
	known, err := store.KnownSchema()
	if err != nil {
		return err
	}
	if m.Schema > known {
		return errs.New(errs.Refused, "backup.newer_schema", "The backup has schema {schema} and this program knows only {known}: use the newer Bifolia that made it ({program}).", "schema", m.Schema, "known", known, "program", m.Program)
	}
	return checkKeys(a, cfg)
}

// checkKeys rejects key files that do not belong to the backup's ledger: the server would
// refuse to start, or sign with an unknown key. A missing key is not an error here.
func checkKeys(a *backup.Archive, cfg config.Config) error {
	m, list := a.Manifest, ledger.PublicKeyFile(cfg.KeyFile)
	keys, err := ledger.ReadPublicKeys(list)
	if errors.Is(err, fs.ErrNotExist) { // the list in the backup will be used
		list = "the backup's list of public keys"
		keys, err = ledger.ParsePublicKeys(bytes.NewReader(a.Public), list)
		if err == nil && len(a.Public) == 0 { // without any list, only the key itself can match
			keys = map[string]ed25519.PublicKey{m.Key: {}}
		}
	}
	switch {
	case err != nil:
		return errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	case m.Key == "": // nothing is signed yet
		return nil
	case keys[m.Key] == nil:
		return errs.New(errs.Refused, "backup.key_not_listed", "The backup's ledger was signed by key {key}, which is not listed in {list}: these are the key files of another ledger; name the right ones with --key-file.", "key", m.Key, "list", list)
	}
	signer, err := ledger.LoadSigner(cfg.KeyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errs.New(errs.Refused, "key.unusable", "The ledger's key cannot be used: {reason}.", "reason", err)
	case keys[signer.KeyID()] == nil:
		return errs.New(errs.Refused, "backup.other_key", "The ledger's key {file} is {key}, which is not listed in {list}: it is the key of another ledger; name the right one with --key-file.", "file", cfg.KeyFile, "key", signer.KeyID(), "list", list)
	}
	return nil
}

func restoreSQLite(ctx context.Context, cfg config.Config, a *backup.Archive, r RestoreRequest) (kept string, err error) {
	path, err := filepath.Abs(strings.TrimPrefix(cfg.DB, "sqlite:"))
	if err != nil {
		return "", err
	}
	ending := ".replaced-" + clock.System().Now().UTC().Format("20060102T150405.000000Z")
	done, err := store.ReplaceSQLite(path, r.Force, ending, func(temp string) error {
		if err := extract(a.Database(ctx, r.Stage.of("restoring")), temp); err != nil {
			return errs.New(errs.Unavailable, "backup.database_not_written", "The database could not be written to {path}: {reason}.", "path", temp, "reason", reason(err))
		}
		r.Stage.begin("checking the copy")
		s, err := store.InspectSQLite(ctx, temp)
		if err != nil {
			return err
		}
		return checkPosition(a.Manifest, s)
	})
	if err == nil {
		err = backup.SyncDir(filepath.Dir(path))
	}
	return done.Kept, err
}

// extract writes a new file and syncs it to disk.
func extract(from io.Reader, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func restorePostgres(ctx context.Context, cfg config.Config, a *backup.Archive, r RestoreRequest) (err error) {
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	server, password, err := db.Server(ctx)
	if err != nil {
		return err
	}
	tools, err := backup.FindPostgres(ctx, cfg.DB, password, r.Environ, server)
	if err != nil {
		return err
	}
	if tools.Tool < a.Manifest.Tool {
		return errs.New(errs.Refused, "backup.other_tool", "The backup was made by pg_dump {made} and pg_restore here is {here}: install the programs of PostgreSQL {wanted}, or name their folder in POSTGRES_BIN.", "made", a.Manifest.Tool, "here", tools.Tool, "wanted", a.Manifest.Tool)
	}
	s, err := db.Refill(ctx, r.Force, func() error { return tools.Restore(ctx, a.Database(ctx, r.Stage.of("restoring"))) })
	if err != nil {
		return err
	}
	return checkPosition(a.Manifest, s)
}

// checkPosition checks that the restored database is at the position in the manifest.
func checkPosition(m backup.Manifest, s store.Standing) error {
	var is backup.Manifest
	stands(&is, s)
	if is.Schema != m.Schema || is.Seq != m.Seq || is.Batch != m.Batch || is.Hash != m.Hash || is.Key != m.Key {
		return errs.New(errs.Refused, "backup.batch_differs", "The database in the backup stands at batch {batch} and its manifest says {manifest}: one of them was exchanged.", "batch", s.Batch, "manifest", m.Batch)
	}
	return nil
}

// putPublicKeys copies the backup's list of public keys to a new installation. An existing
// list is kept: this installation trusts it.
func putPublicKeys(cfg config.Config, public []byte) error {
	list := ledger.PublicKeyFile(cfg.KeyFile)
	if _, err := os.Stat(list); err == nil || len(public) == 0 {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(list), 0o700)
	if err == nil {
		err = extract(bytes.NewReader(public), list)
	}
	if err != nil {
		return errs.New(errs.Unavailable, "backup.list_not_written", "The list of public keys could not be written to {path}: {reason}.", "path", list, "reason", reason(err))
	}
	return nil
}
