// Package testkit starts real components for tests: databases on both engines, and ledgers
// on them. It contains no fakes.
package testkit

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// Main is TestMain's body for packages that use PostgreSQL: it stops the
// private cluster when the tests are over.
func Main(m *testing.M) { os.Exit(pgserver.Main(m.Run)) }

// Engines runs a test once on SQLite and once on PostgreSQL. It is for behaviour that can
// differ by engine: SQL, migrations, triggers, locks, collation, paging, backup,
// verification, leases. It never skips an engine: without PostgreSQL the test fails and
// names the programs to install.
func Engines(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	engines(t, test, SQLite, Postgres)
}

// EmptyEngines is Engines with databases without a schema.
func EmptyEngines(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	engines(t, test, EmptySQLite, EmptyPostgres)
}

// Site runs a test of a rule above the store. The store's tests prove that both engines
// behave equally, so the rule is tested on PostgreSQL, as in production. With BOTH_ENGINES=1,
// which 'make test-nightly' sets, Site is Engines.
func Site(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	if os.Getenv("BOTH_ENGINES") == "1" {
		Engines(t, test)
		return
	}
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, Postgres(t))
	})
}

func engines(t *testing.T, test func(t *testing.T, dsn string), sqlite, postgres func(t *testing.T) string) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, sqlite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, postgres(t))
	})
}

// WaitUntil waits until the condition is true, and fails the test after half a minute, which
// is enough on a busy machine.
func WaitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// Log returns the logger of tests: it discards logs, or writes to stderr if TEST_LOG is set.
func Log() *slog.Logger {
	if os.Getenv("TEST_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.NewTextHandler(io.Discard, nil))
}

// Open opens and migrates the database at dsn until the test ends.
func Open(t *testing.T, dsn string) *store.DB {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.SealWith([]byte("a key of 32 bytes, for tests ....")); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	return db
}

// Ledger is a running ledger on a database.
type Ledger struct {
	*ledger.Sequencer
	DB     *store.DB
	Clock  *clock.Fake
	Signer *ledger.Signer
}

// Epoch is the initial time of tests' clocks.
var Epoch = time.Date(2026, 11, 15, 3, 0, 0, 0, time.UTC)

// StartLedger runs a ledger on dsn until the test ends.
func StartLedger(t *testing.T, dsn string) *Ledger {
	t.Helper()
	signer, err := ledger.CreateSigner(filepath.Join(t.TempDir(), "ledger.key"))
	if err != nil {
		t.Fatal(err)
	}
	return StartLedgerWith(t, Open(t, dsn), signer, clock.NewFake(Epoch))
}

// StartLedgerWith runs a ledger on an open database until the test ends.
func StartLedgerWith(t *testing.T, db *store.DB, signer *ledger.Signer, c *clock.Fake) *Ledger {
	t.Helper()
	seq := ledger.Start(ledger.Options{Store: db.Ledger(), Signer: signer, Clock: c, Log: Log(), Holder: "http://127.0.0.1:1"})
	t.Cleanup(seq.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := seq.WaitReady(ctx); err != nil {
		t.Fatal(err)
	}
	return &Ledger{Sequencer: seq, DB: db, Clock: c, Signer: signer}
}

// Rows is the SQL interface of the ledger's opaque rows.
type Rows interface {
	Exec(ctx context.Context, query string, args ...any) (int64, error)
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Raw connects to dsn directly, as a database administrator can.
func Raw(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	raw, err := sql.Open(rawDriver(dsn))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Close() })
	return raw
}

func rawDriver(dsn string) (driver, address string) {
	if strings.HasPrefix(dsn, "sqlite:") {
		return "sqlite", "file:" + sqlitePath(dsn) + "?_pragma=busy_timeout(10000)"
	}
	return "pgx", dsn
}

func sqlitePath(dsn string) string { return strings.TrimPrefix(dsn, "sqlite:") }

// Verify replays the whole ledger and fails the test at the first wrong row.
func Verify(t *testing.T, l *Ledger) {
	t.Helper()
	if _, err := Audit(l); err != nil {
		t.Errorf("verify: %v", err)
	}
}

// Audit replays the whole ledger.
func Audit(l *Ledger) (s audit.Summary, err error) {
	keys := map[string]ed25519.PublicKey{l.Signer.KeyID(): l.Signer.Public()}
	err = l.DB.Audit(context.Background(), func(r audit.Reader) (err error) {
		s, err = audit.Verify(context.Background(), r, audit.Options{PublicKeys: keys})
		return err
	})
	return s, err
}

// Conns takes n connections of a pool at once, so that they differ.
func Conns(t *testing.T, pool *sql.DB, n int) []*sql.Conn {
	t.Helper()
	out := make([]*sql.Conn, n)
	for i := range out {
		conn, err := pool.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		out[i] = conn
	}
	return out
}
