package testkit

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// SQLite is the address of a fresh SQLite database that has the schema.
func SQLite(t *testing.T) string {
	t.Helper()
	file, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	dsn := EmptySQLite(t)
	if err := os.WriteFile(sqlitePath(dsn), file, 0o600); err != nil {
		t.Fatal(err)
	}
	return dsn
}

// EmptySQLite is the address of a SQLite database that does not exist yet.
func EmptySQLite(t *testing.T) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "bifolia.db")
}

// Postgres is the address of a fresh PostgreSQL database that has the schema.
func Postgres(t *testing.T) string {
	t.Helper()
	template, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	return tempDB(t, template)
}

// EmptyPostgres is the address of an empty PostgreSQL database.
func EmptyPostgres(t *testing.T) string {
	t.Helper()
	return tempDB(t, "")
}

// Empty is the address of another, empty database on the engine of dsn.
func Empty(t *testing.T, dsn string) string {
	t.Helper()
	if strings.HasPrefix(dsn, "sqlite:") {
		return EmptySQLite(t)
	}
	return EmptyPostgres(t)
}

func tempDB(t *testing.T, template string) string {
	t.Helper()
	ctx := context.Background()
	server, err := pgserver.Default(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dsn, drop, err := server.TempDB(ctx, template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(drop)
	return dsn
}

// The migrations run once in a process, and every test database is a copy of the result,
// because running them takes longer than most tests.

var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "bifolia-template")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	dsn := "sqlite:" + filepath.Join(dir, "bifolia.db")
	if err := makeTemplate(dsn); err != nil {
		return nil, err
	}
	return os.ReadFile(sqlitePath(dsn))
})

const templateName = "with_schema"

var postgresTemplate = sync.OnceValues(func() (string, error) {
	ctx := context.Background()
	server, err := pgserver.Default(ctx)
	if err != nil {
		return "", err
	}
	if err := server.CreateDB(ctx, templateName, ""); err != nil {
		return "", err
	}
	return templateName, makeTemplate(server.DSN(templateName))
})

// makeTemplate creates the schema in the database at dsn, but no ledger: each copy begins a
// ledger when it is opened.
func makeTemplate(dsn string) error {
	db, err := store.Open(context.Background(), dsn)
	if err != nil {
		return err
	}
	_, err = db.Migrate(context.Background())
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	raw, err := sql.Open(rawDriver(dsn))
	if err != nil {
		return err
	}
	_, err = raw.Exec("DELETE FROM head")
	if cerr := raw.Close(); err == nil {
		err = cerr
	}
	return err
}
