package engine

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Identity is whose database this is. It can be read of any database, before a
// migration too.
type Identity struct {
	Ledger  string      // its name; "" while there is no ledger
	Batch   int64       // the last batch
	LastKey string      // the id of the key that signed it; "" before the first
	Kind    ledger.Kind // what the ledger is for, as stored; "" if it does not say
}

// Identity reads it and writes nothing.
func (db *DB) Identity(ctx context.Context) (id Identity, err error) {
	var raw []byte
	err = db.read.QueryRowContext(ctx, "SELECT batch, genesis FROM head WHERE id = 1").Scan(&id.Batch, &raw)
	if errors.Is(err, sql.ErrNoRows) || noTable(err) {
		return Identity{}, nil
	}
	var genesis ledger.Hash
	if err == nil {
		err = Fill(&genesis, raw, "head.genesis")
	}
	if err != nil {
		return id, Classify(err)
	}
	id.Ledger = ledger.ID(genesis)
	if id.LastKey, err = db.LastKey(ctx); err != nil {
		return id, Classify(err)
	}
	row, said, err := db.KindRow(ctx)
	if said && row.Batch == 1 {
		id.Kind = ledger.Kind(row.Response)
	}
	return id, err
}

func (db *DB) KindRow(ctx context.Context) (ledger.CommandRow, bool, error) {
	return First(ctx, db.Committed(), ScanCommand, CommandsWhere+"actor = $1 AND command_key = $2", ledger.KindID.Actor, ledger.KindID.Key)
}

// noTable tells whether err says that a table is not there.
func noTable(err error) bool {
	return err != nil && (pgCode(err) == "42P01" || strings.Contains(err.Error(), "no such table"))
}

// private makes an SQLite file, or the one that is there, readable by its owner
// only, with its log beside it, and tells which of them were not. SQLite gives its
// log the database's own mode.
func private(path string) (mended []string, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return nil, f.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(name, info.Mode().Perm()&0o700); err != nil {
			return nil, errors.New("others may read " + filepath.Base(name) + ", and its mode cannot be changed: run chmod 600 on it as its owner")
		}
		mended = append(mended, name)
	}
	return mended, nil
}

// Mended are the files of the database that others could read until it was opened.
func (db *DB) Mended() []string { return db.mended }
