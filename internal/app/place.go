package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
)

// Where a process starts: whether the database is the one that it was started for.
// All of this is looked at before anything is written.

// CheckPlace says why cfg's database cannot be served, and writes nothing.
func CheckPlace(ctx context.Context, cfg config.Config) (err error) {
	if err := unmade(cfg, !cfg.Demo); err != nil || thereIs(cfg) != nil {
		return err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return inPlace(ctx, cfg, db, !cfg.Demo)
}

// unmade refuses an SQLite file that is not there before opening makes it: if it
// must exist, or if a ledger's files are still beside it.
func unmade(cfg config.Config, existing bool) error {
	switch {
	case thereIs(cfg) == nil:
		return nil
	case existing:
		return notBegun(cfg)
	}
	return ownFiles(cfg, "")
}

// inPlace refuses a database of the other kind, one that was never begun if it must
// exist, the key or the anchors of another ledger, and a database that ends before its
// anchor.
func inPlace(ctx context.Context, cfg config.Config, db *store.DB, existing bool) error {
	id, err := db.Identity(ctx)
	if err != nil {
		return sentence(errs.Wrap(errs.Unavailable, err, "database.unreadable", "The database cannot be read"))
	}
	if id.Ledger == "" && existing {
		return notBegun(cfg)
	}
	if err := ownFiles(cfg, id.Ledger); err != nil {
		return err
	}
	// Before what the rows say: rows may be missing with the end.
	if err := notCutOff(cfg, id.Batch); err != nil {
		return err
	}
	switch {
	case id.Batch > 0:
		return kindFits(cfg, id.Kind)
	case existing:
		return notBegun(cfg)
	}
	return nil
}

func notBegun(cfg config.Config) error {
	return errs.New(errs.NotFound, "database.no_installation", "There is no installation in {database}: 'bifolia init' begins one; or name the right database with --db or --data-dir.", "database", config.RedactDSN(cfg.DB))
}

// kindFits holds the database's kind against how the process was started: in a demo
// one operator is enough and passwords are public, so that real books are never
// served as one, nor invented ones as real.
func kindFits(cfg config.Config, kind ledger.Kind) error {
	name := config.RedactDSN(cfg.DB)
	switch {
	case kind == ledger.Real && cfg.Demo:
		return errs.New(errs.Refused, "database.is_real", "The database {database} is a real installation's: leave --demo out, or choose another with --db or --data-dir.", "database", name)
	case kind == ledger.Demo && !cfg.Demo:
		return errs.New(errs.Refused, "database.is_demo", "The database {database} is a demo's: add --demo, or choose another with --db or --data-dir.", "database", name)
	case kind != ledger.Real && kind != ledger.Demo:
		return errs.New(errs.Refused, "database.kind_unknown", "The database {database} does not say whether it is a demo's or real, as its first batch should: it was changed past the product, or no server made it; 'bifolia verify' tells.", "database", name)
	}
	return nil
}

// ownFiles refuses keys and anchors that say they are another ledger's. Nothing is
// frozen: the ledger is not wrong, the file beside it is.
func ownFiles(cfg config.Config, ledgerID string) error {
	list := ledger.PublicKeyFile(cfg.KeyFile)
	owner, err := ledger.Owner(list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	}
	if owner != "" && owner != ledgerID {
		return errs.New(errs.Refused, "key.other_ledger", "The keys {file} belong to ledger {ledger}, and {database}: set --key-file or --data-dir.", "file", list, "ledger", owner, "database", databaseIs(ledgerID))
	}
	for _, anchor := range []struct {
		file string
		of   func(path string) (ledgerID string, err error)
		hint string
	}{
		{cfg.AnchorFile, audit.Owner, ""},
		{audit.LastFile(cfg.AnchorFile), audit.LastOwner, ", or put this ledger's own back"},
	} {
		owner, err := anchor.of(cfg.AnchorFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errs.New(errs.Refused, "anchor.unusable", "The anchor file cannot be used: {reason}.", "reason", err)
		}
		if owner != "" && owner != ledgerID {
			return errs.New(errs.Refused, "anchor.other_ledger", "The anchor file {file} belongs to ledger {ledger}, and {database}: set --anchor-file or --data-dir{hint}.", "file", anchor.file, "ledger", owner, "database", databaseIs(ledgerID), "hint", anchor.hint)
		}
	}
	return nil
}

func databaseIs(ledgerID string) string {
	if ledgerID == "" {
		return "the database is new, or was lost"
	}
	return "the database is ledger " + ledgerID
}

// claimFiles writes into the files of a new ledger whose they are.
func (a *App) claimFiles(ledgerID string) error {
	list := ledger.PublicKeyFile(a.cfg.KeyFile)
	owner, err := ledger.Owner(list)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = nil
		if owner == "" {
			err = ledger.Claim(list, ledgerID)
		}
	}
	if err != nil {
		return errs.New(errs.Refused, "key.list_not_written", "The list of the ledger's public keys cannot be written: {reason}.", "reason", err)
	}
	if owner, err = audit.Owner(a.cfg.AnchorFile); errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(a.cfg.AnchorFile), 0o700)
	}
	if err == nil && owner == "" {
		err = job.AppendLine(a.cfg.AnchorFile, audit.OwnerLine(ledgerID))
	}
	if err != nil {
		return errs.New(errs.Refused, "anchor.not_written", "The anchor file {file} cannot be written: {reason}.", "file", a.cfg.AnchorFile, "reason", reason(err))
	}
	return nil
}

// settleKind lets an empty ledger say what it is for, and waits for the process
// that does when another one leads.
func (a *App) settleKind(ctx context.Context) error {
	state := a.ledger.State()
	if state.Leading {
		if state.Head.Batch > 0 {
			return nil
		}
		kind := ledger.Real
		if a.cfg.Demo {
			kind = ledger.Demo
		}
		_, err := a.ledger.Do(ctx, ledger.KindCommand(kind))
		return err
	}
	limit, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		id, err := a.db.Identity(limit)
		if err != nil {
			return sentence(errs.Wrap(errs.Unavailable, err, "database.unreadable", "The database cannot be read"))
		}
		if id.Batch > 0 {
			return kindFits(a.cfg, id.Kind)
		}
		select {
		case <-limit.Done():
			return errs.New(errs.Unavailable, "server.not_begun", "The process that writes to this database has not begun it yet: start again in a moment.")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// mended says in the log what was readable by others and is not any more.
func (a *App) mended(dir bool) {
	files := a.db.Restricted()
	if dir {
		files = append([]string{a.cfg.DataDir}, files...)
	}
	if len(files) > 0 {
		a.log.Warn("others could read these until now: their mode is changed", "files", strings.Join(files, ", "))
	}
}
