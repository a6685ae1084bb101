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

// Stage is told what is being done, and how far it has come in bytes; a total of 0
// is one that nobody knows.
type Stage func(what string, done, total int64)

func (s Stage) of(what string) backup.Progress {
	if s == nil {
		return nil
	}
	return func(done, total int64) { s(what, done, total) }
}

// begin tells of something that does not say how far it has come.
func (s Stage) begin(what string) {
	if s != nil {
		s(what, 0, 0)
	}
}

// BackupRequest says where a backup goes.
type BackupRequest struct {
	Out     string
	Force   bool     // overwrite a file of that name
	Plain   bool     // without encryption, whatever recipients there are
	Program string   // the release that makes it
	Environ []string // for PostgreSQL's programs
	Stage   Stage
}

// BackedUp is a backup that was made.
type BackedUp struct {
	Manifest backup.Manifest
	NoKeys   string // the list of public keys that was not found; "" when it is in the backup
}

// Backup copies the configured database, as it is at one moment, to a file, while
// servers may go on writing. It ends when the file has been read again.
func Backup(ctx context.Context, cfg config.Config, r BackupRequest) (done BackedUp, err error) {
	if err := thereIs(cfg); err != nil {
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

// recipients are those that a backup is encrypted to; none if it is asked for in
// the clear. Refused if that is not asked for and there are none.
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

// thereIs refuses an SQLite database that does not exist: opening would make it.
func thereIs(cfg config.Config) error {
	if path, ok := strings.CutPrefix(cfg.DB, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return errs.New(errs.NotFound, "database.not_found", "There is no database at {path}: {reason}.", "path", path, "reason", reason(err))
		}
	}
	return nil
}

// copyDatabase copies the database to path and says in m where the copy stands.
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

// RestoreRequest says what is restored.
type RestoreRequest struct {
	From     string
	Identity string // the file of the secret key, if it is encrypted
	Force    bool   // replace what is there
	Environ  []string
	Stage    Stage
}

// Restored is what a restore did.
type Restored struct {
	Manifest    backup.Manifest
	Kept        string // where the SQLite database went that was there before
	Steps       int    // migrations that the restored database took
	Schema      int64
	NoKey       bool // the key that goes on signing is not there
	Reactivated store.Reactivated
	// Anchored is the last batch that the anchor file knows, if it is later than
	// the backup: what was written in between is not in the database any more.
	Anchored int64
}

// Restore puts a backup into the configured database, which must be empty unless
// forced, and brings it to this program's schema. Whoever calls it verifies next.
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
	if err := ownDataDir(cfg); err != nil {
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

// noteRestore holds payouts until operators adopt the state, and counts what the
// backup brought back.
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

// fits refuses a backup that this program or this place cannot take, before
// anything is changed.
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
	return keysFit(a, cfg)
}

// keysFit refuses key files that are not the backup's ledger's: the server would
// refuse to start on what was restored, or go on signing with a key that nobody
// knows. A key that is not there is no mistake yet.
func keysFit(a *backup.Archive, cfg config.Config) error {
	m, list := a.Manifest, ledger.PublicKeyFile(cfg.KeyFile)
	keys, err := ledger.ReadPublicKeys(list)
	if errors.Is(err, fs.ErrNotExist) { // the backup's own list will be put there
		list = "the backup's list of public keys"
		keys, err = ledger.ParsePublicKeys(bytes.NewReader(a.Public), list)
		if err == nil && len(a.Public) == 0 { // nobody has one: then only the key itself will do
			keys = map[string]ed25519.PublicKey{m.Key: {}}
		}
	}
	switch {
	case err != nil:
		return errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	case m.Key == "": // nothing was ever signed
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
		return sameStanding(a.Manifest, s)
	})
	if err == nil {
		err = backup.SyncDir(filepath.Dir(path))
	}
	return done.Kept, err
}

// extract writes a new file and makes it durable.
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
	return sameStanding(a.Manifest, s)
}

// sameStanding: the restored database stands where the manifest says.
func sameStanding(m backup.Manifest, s store.Standing) error {
	var is backup.Manifest
	stands(&is, s)
	if is.Schema != m.Schema || is.Seq != m.Seq || is.Batch != m.Batch || is.Hash != m.Hash || is.Key != m.Key {
		return errs.New(errs.Refused, "backup.batch_differs", "The database in the backup stands at batch {batch} and its manifest says {manifest}: one of them was exchanged.", "batch", s.Batch, "manifest", m.Batch)
	}
	return nil
}

// putPublicKeys gives a new place the backup's list of public keys. One that is
// there stays: it is what this place believes.
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
