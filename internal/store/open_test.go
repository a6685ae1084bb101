package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestADatabaseThatCannotBeOpenedIsOneSentenceWithoutThePassword(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte(strings.Repeat("this is not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	const closed = "127.0.0.1:1" // a port that no system hands out
	for dsn, code := range map[string]errs.Kind{
		"":                                       errs.Invalid,
		"mysql://x":                              errs.Invalid,
		"sqlite:":                                errs.Invalid,
		"sqlite::memory:":                        errs.Invalid,
		"sqlite:" + dir:                          errs.Unavailable,
		"sqlite:" + file:                         errs.Unavailable,
		"sqlite:" + file + "/below/a/file.db":    errs.Unavailable,
		"postgres://u:hunter2@" + closed + "/db": errs.Unavailable,
		"postgres://u:hunter2@[::1/db":           errs.Invalid,
		"postgres://u:hunter2@127.0.0.1:notaport/x": errs.Invalid,
	} {
		_, err := store.Open(context.Background(), dsn)
		if errs.KindOf(err) != code {
			t.Errorf("%s: %v (%s), want %s", dsn, err, errs.KindOf(err), code)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: the error is %q", dsn, err)
		}
		if err != nil && strings.Count(err.Error(), "refused") > 1 {
			t.Errorf("%s: the error says it twice: %q", dsn, err)
		}
	}
	if beside, err := os.ReadDir(dir); err != nil || len(beside) != 1 {
		t.Errorf("what could not be opened left %v beside it, %v", beside, err)
	}
}

// The cost of a statement must not depend on the member in its values.
func TestEveryPostgreSQLConnectionPlansForAnybody(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		if strings.HasPrefix(dsn, "sqlite:") {
			t.Skip("SQLite plans a statement before it knows its values")
		}
		for n, conn := range testkit.Conns(t, testkit.Open(t, dsn).Pools()["read"], 2) {
			for setting, want := range map[string]string{"plan_cache_mode": "force_generic_plan", "jit": "off"} {
				var got string
				if err := conn.QueryRowContext(t.Context(), "SHOW "+setting).Scan(&got); err != nil || got != want {
					t.Errorf("connection %d: %s is %q, %v; want %q", n, setting, got, err, want)
				}
			}
		}
	})
}

func TestEverySQLiteConnectionHasThePragmas(t *testing.T) {
	t.Parallel()
	db := testkit.Open(t, "sqlite:"+filepath.Join(t.TempDir(), "a %20?#.db"))
	ctx := context.Background()
	for pool, conns := range db.Pools() {
		for n, conn := range testkit.Conns(t, conns, 2) {
			for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "fullfsync": "1", "foreign_keys": "1", "wal_autocheckpoint": "0", "page_size": "2048"} {
				var got string
				if err := conn.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
					t.Errorf("%s connection %d: %s is %s, %v; want %s", pool, n, pragma, got, err, want)
				}
			}
		}
	}
	if _, err := db.Pools()["read"].ExecContext(ctx, "UPDATE head SET epoch = 9"); err == nil {
		t.Error("a reader could write")
	}
}

func TestTwoProcessesMayMigrateAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		done := make(chan error, 4)
		for range cap(done) {
			go func() {
				db, err := store.Open(context.Background(), dsn)
				if err == nil {
					_, err = db.Migrate(context.Background())
					_ = db.Close()
				}
				done <- err
			}()
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestADatabaseOfANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		db, err := store.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if err := db.CheckSchema(t.Context()); err == nil || !strings.Contains(err.Error(), "The database is empty") {
			t.Errorf("an empty database: %v", err)
		}
		for i, want := range []int{1, 0} { // the second time there is nothing to do
			if steps, err := db.Migrate(t.Context()); err != nil || steps != want {
				t.Fatalf("migration %d took %d steps, %v", i+1, steps, err)
			}
		}
		if has, knows, err := db.Schema(t.Context()); err != nil || has != 1 || knows != 1 || db.CheckSchema(t.Context()) != nil {
			t.Errorf("the database has schema %d, the program knows %d, %v", has, knows, err)
		}
		if _, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (2, $1)", true); err != nil {
			t.Fatal(err)
		}
		const refused = "The database has schema 2 and this program knows only 1"
		_, merr := db.Migrate(t.Context())
		for _, err := range []error{merr, db.CheckSchema(t.Context())} {
			if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), refused) {
				t.Errorf("a newer schema: %v", err)
			}
		}
	})
}

// A user who may not create roles still gets a working server, which says that
// the guard is missing.
func TestAUserWithoutTheRoleWorksUnguarded(t *testing.T) {
	t.Parallel()
	dsn := testkit.EmptyPostgres(t)
	raw := testkit.Raw(t, dsn)
	name := fmt.Sprintf("plain_%d", os.Getpid())
	var db string
	if err := raw.QueryRow("SELECT current_database()").Scan(&db); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		"CREATE ROLE " + name + " LOGIN", "ALTER DATABASE " + db + " OWNER TO " + name, "ALTER SCHEMA public OWNER TO " + name,
	} {
		if _, err := raw.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	plain := testkit.Open(t, strings.Replace(dsn, "postgres@", name+"@", 1))
	if guarded, err := plain.Guarded(context.Background()); guarded || err != nil {
		t.Errorf("guarded %v, %v", guarded, err)
	}
	if _, err := plain.Ledger().TakeOver(context.Background(), "x"); err != nil {
		t.Error(err)
	}
}
