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

// Checks at the start that the database is the expected one. They run before anything is
// written.

// CheckPlace returns why the configured database cannot be served. It writes nothing.
func CheckPlace(ctx context.Context, cfg config.Config) (err error) {
	if err := checkMissingDatabase(cfg, !cfg.Demo); err != nil || requireSQLiteFile(cfg) != nil {
		return err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return checkDatabase(ctx, cfg, db, !cfg.Demo)
}

// checkMissingDatabase rejects a missing SQLite file before opening creates it, if the database must
// exist or if files of a ledger are still next to it.
func checkMissingDatabase(cfg config.Config, existing bool) error {
	switch {
	case requireSQLiteFile(cfg) == nil:
		return nil
	case existing:
		return notBegun(cfg)
	}
	return checkFileOwners(cfg, "")
}

// checkDatabase rejects a database of the other kind, one that was never initialized if it must
// exist, the key or anchors of another ledger, and a database that ends before its anchor.
func checkDatabase(ctx context.Context, cfg config.Config, db *store.DB, existing bool) error {
	id, err := db.Identity(ctx)
	if err != nil {
		return sentence(errs.Wrap(errs.Unavailable, err, "database.unreadable", "The database cannot be read"))
	}
	if id.Ledger == "" && existing {
		return notBegun(cfg)
	}
	if err := checkFileOwners(cfg, id.Ledger); err != nil {
		return err
	}
	// Before the contents: rows may be missing with the end.
	if err := checkNotTruncated(cfg, id.Batch); err != nil {
		return err
	}
	switch {
	case id.Batch > 0:
		return checkKind(cfg, id.Kind)
	case existing:
		return notBegun(cfg)
	}
	return nil
}

func notBegun(cfg config.Config) error {
	return errs.New(errs.NotFound, "database.no_installation", "There is no installation in {database}: 'bifolia init' begins one; or name the right database with --db or --data-dir.", "database", config.RedactDSN(cfg.DB))
}

// checkKind compares the database's kind with the configured one: in a demo one operator is
// enough and passwords are public, so real books must never be served as a demo, nor a
// demo as real books.
func checkKind(cfg config.Config, kind ledger.Kind) error {
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

// checkFileOwners rejects keys and anchors of another ledger. Nothing is frozen: the file is
// wrong, not the ledger.
func checkFileOwners(cfg config.Config, ledgerID string) error {
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

// claimFiles writes the ledger's id into the files of a new ledger.
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

// settleKind sets the kind of an empty ledger, or waits for the leader to set it.
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
			return checkKind(a.cfg, id.Kind)
		}
		select {
		case <-limit.Done():
			return errs.New(errs.Unavailable, "server.not_begun", "The process that writes to this database has not begun it yet: start again in a moment.")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// logRestricted logs permissions that were tightened.
func (a *App) logRestricted(dir bool) {
	files := a.db.Restricted()
	if dir {
		files = append([]string{a.cfg.DataDir}, files...)
	}
	if len(files) > 0 {
		a.log.Warn("files were readable by others: their mode is changed", "files", strings.Join(files, ", "))
	}
}
