package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// MigrateTo leaves a database as the program of an earlier schema did.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	return db.upTo(ctx, version, apply)
}

// MigrateDying migrates, and calls die when half of a version's statements are
// done and nothing of it is committed.
func (db *DB) MigrateDying(ctx context.Context, version int64, die func()) error {
	return db.upTo(ctx, version, func(ctx context.Context, tx *sql.Tx, m migration) error {
		if m.version != version {
			return apply(ctx, tx, m)
		}
		if parts := strings.SplitAfter(m.sql, ";\n"); !strings.Contains(m.sql, "$$") { // a function's body is one
			m.sql = strings.Join(parts[:(len(parts)+1)/2], "")
		}
		if err := apply(ctx, tx, m); err != nil {
			return err
		}
		die()
		return nil
	})
}

// Knows tells whether there is a migration of that version.
func (db *DB) Knows(version int64) bool {
	all, err := migrations(db.engine)
	return err == nil && slices.ContainsFunc(all, func(m migration) bool { return m.version == version })
}

func (db *DB) upTo(ctx context.Context, version int64, apply func(context.Context, *sql.Tx, migration) error) error {
	owner, done := db.asOwner()
	defer done()
	p, _, err := db.provider(owner, apply)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}
