package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

const AdoptAtOnce = adoptAtOnce

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
		if all := steps(m.sql); !strings.Contains(m.sql, "$$") { // a function's body is one
			m.sql = strings.Join(all[:(len(all)+1)/2], "")
		}
		if err := apply(ctx, tx, m); err != nil {
			return err
		}
		die()
		return nil
	})
}

// steps are the statements of a migration: the body of a trigger, which is indented, and its
// END belong to it.
func steps(text string) (all []string) {
	for _, part := range strings.SplitAfter(text, ";\n") {
		if len(all) > 0 && (strings.HasPrefix(part, " ") || strings.HasPrefix(part, "END")) {
			all[len(all)-1] += part
		} else {
			all = append(all, part)
		}
	}
	return all
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

// SchemaLines are what schemaFiles say of a database that the migrations have just made.
func (db *DB) SchemaLines(ctx context.Context) (lines []string, err error) {
	found, err := schemaOf(ctx, &db.rows, db.engine, "")
	for _, o := range found {
		if !strings.HasPrefix(o.table, "goose_") && !strings.HasPrefix(o.table, "sqlite_") {
			lines = append(lines, o.line)
		}
	}
	return lines, err
}
