package app

import (
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// refusedPlace opens an App that must be refused with a sentence.
func refusedPlace(t *testing.T, cfg config.Config, want string, open func(context.Context, config.Config) error) {
	t.Helper()
	if err := open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("it says %v; want %q", err, want)
	}
}

func opened(ctx context.Context, cfg config.Config) error {
	a, err := New(ctx, cfg, testkit.Log())
	if err == nil {
		_ = a.Close()
	}
	return err
}

func identity(t *testing.T, dsn string) store.Identity {
	t.Helper()
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	id, err := db.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestInstallationKeepsItsKind(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		if id := identity(t, dsn); id != (store.Identity{}) {
			t.Fatalf("an empty database is %+v", id)
		}
		real := testConfig(t, "--db", dsn)
		refusedPlace(t, real, "'bifolia init' begins one", CheckPlace)
		if id := identity(t, dsn); id != (store.Identity{}) {
			t.Fatalf("looking at it made it %+v", id)
		}
		if err := opened(t.Context(), real); err != nil {
			t.Fatal(err)
		}
		before := identity(t, dsn)
		if before.Kind != ledger.Real || !ledger.IsID(before.Ledger) || before.Batch == 0 {
			t.Fatalf("it is %+v", before)
		}
		demo := real
		demo.Demo = true
		const sentence = "is a real installation's: leave --demo out"
		refusedPlace(t, demo, sentence, CheckPlace)
		refusedPlace(t, demo, sentence, opened)
		if err := buildDemo(t.Context(), real, testkit.Log(), brief, nil); !errs.Is(err, errs.Refused) {
			t.Errorf("a demo was built: %v", err)
		}
		if after := identity(t, dsn); after != before {
			t.Errorf("something was written: %+v, %+v", before, after)
		}
		if err := CheckPlace(t.Context(), real); err != nil {
			t.Error(err)
		}
	})
}

func TestEditedRowDoesNotChangeTheInstallationsKind(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t, "--db", dsn)
		if err := opened(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		if strings.HasPrefix(dsn, "sqlite:") {
			if _, err := raw.Exec("DROP TRIGGER command_keep_row"); err != nil {
				t.Fatal(err)
			}
		} else if _, err := raw.Exec("ALTER TABLE command DISABLE TRIGGER ALL"); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec("UPDATE command SET response = $1 WHERE actor = 'installation'", []byte("demo")); err != nil {
			t.Fatal(err)
		}
		cfg.Demo = true
		refusedPlace(t, cfg, "the first command is not what was signed", opened)
	})
}

func TestForeignKeysAndAnchorsAreNamed(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		one, two := testConfig(t), testConfig(t, "--db", dsn)
		for _, cfg := range []config.Config{one, two} {
			if err := opened(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
		}
		of := func(cfg config.Config) string { return identity(t, cfg.DB).Ledger }
		swapped := two
		swapped.AnchorFile = one.AnchorFile
		sentence := "The anchor file " + one.AnchorFile + " belongs to ledger " + of(one) + ", and the database is ledger " + of(two)
		refusedPlace(t, swapped, sentence, opened)
		refusedPlace(t, swapped, sentence, func(ctx context.Context, cfg config.Config) error {
			_, err := Verify(ctx, cfg, false, nil)
			return err
		})
		swapped = two
		swapped.KeyFile = one.KeyFile
		refusedPlace(t, swapped, "belong to ledger "+of(one)+", and the database is ledger "+of(two), opened)
		v, err := Verify(t.Context(), two, false, nil)
		if err != nil || v.Frozen != "" {
			t.Errorf("it was frozen: %q, %v", v.Frozen, err)
		}
	})
}

func TestVerifyRefusesAForeignKey(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		one, two := testConfig(t), testConfig(t, "--db", dsn)
		for _, cfg := range []config.Config{one, two} {
			if err := opened(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
		}
		copied := func(from, to string) {
			t.Helper()
			raw, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(to, raw, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		verify := func(ctx context.Context, cfg config.Config) error {
			_, err := Verify(ctx, cfg, false, nil)
			return err
		}
		cfg := two
		cfg.KeyFile = filepath.Join(t.TempDir(), "ledger.key")
		list := ledger.PublicKeyFile(cfg.KeyFile)
		copied(ledger.PublicKeyFile(two.KeyFile), list)
		if err := verify(t.Context(), cfg); err != nil {
			t.Errorf("without a key: %v", err)
		}
		copied(one.KeyFile, cfg.KeyFile)
		sentence := "The ledger's key " + cfg.KeyFile + " is not listed in " + list + ": one of the two files belongs to another ledger."
		refusedPlace(t, cfg, sentence, opened)
		refusedPlace(t, cfg, sentence, verify)
		copied(two.KeyFile, cfg.KeyFile)
		if err := verify(t.Context(), cfg); err != nil {
			t.Errorf("with its own: %v", err)
		}
	})
}

func TestForeignLastHeadIsNamed(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		one, two := testConfig(t), testConfig(t, "--db", dsn)
		for _, cfg := range []config.Config{one, two} {
			if err := opened(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
		}
		file := audit.LastFile(two.AnchorFile)
		own, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		foreign, err := os.ReadFile(audit.LastFile(one.AnchorFile))
		if err == nil {
			err = os.WriteFile(file, foreign, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := headOf(t, dsn)
		sentence := "The anchor file " + file + " belongs to ledger " + identity(t, one.DB).Ledger + ", and the database is ledger " + identity(t, dsn).Ledger + ": set --anchor-file or --data-dir, or put this ledger's own back."
		refusedPlace(t, two, sentence, CheckPlace)
		refusedPlace(t, two, sentence, opened)
		refusedPlace(t, two, sentence, func(ctx context.Context, cfg config.Config) error {
			_, err := Verify(ctx, cfg, false, nil)
			return err
		})
		if now := headOf(t, dsn); now != before || now.Frozen != "" {
			t.Errorf("something was written: %+v, was %+v", now, before)
		}
		if err := os.WriteFile(file, own, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := opened(t.Context(), two); err != nil {
			t.Errorf("with its own: %v", err)
		}
		// A new anchor says it, too.
		if _, err := VerifyWith(t.Context(), two, VerifyOptions{NewAnchor: true}); err != nil {
			t.Fatal(err)
		}
		if owner, err := audit.LastOwner(two.AnchorFile); err != nil || owner != identity(t, dsn).Ledger {
			t.Errorf("the new anchor's last head is of %q, %v", owner, err)
		}
	})
}

// Each process of a PostgreSQL may have its own copy of the anchor.
func TestStandbyWithAForeignLastHeadDoesNotTakeOver(t *testing.T) {
	t.Parallel()
	dsn := testkit.EmptyPostgres(t)
	one, other := testConfig(t, "--db", dsn), testConfig(t)
	if err := opened(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	leader := newApp(t, one)
	two := one
	two.AnchorFile = filepath.Join(t.TempDir(), "anchor")
	standby := newApp(t, two)
	put := func(from config.Config) {
		t.Helper()
		raw, err := os.ReadFile(audit.LastFile(from.AnchorFile))
		if err == nil {
			err = os.WriteFile(audit.LastFile(two.AnchorFile), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(other)
	if err := leader.Close(); err != nil {
		t.Fatal(err)
	}
	before := headOf(t, dsn)
	until := func(what string, done func() bool) {
		t.Helper()
		for begun := time.Now(); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Since(begun) > 20*time.Second { // of a machine that has much to do
				t.Fatalf("%s: %+v", what, standby.ledger.State())
			}
		}
	}
	until("it does not say why it does not lead", func() bool {
		err := standby.ledger.State().Err
		return err != nil && strings.Contains(err.Error(), audit.LastFile(two.AnchorFile)+" belongs to ledger ")
	})
	if now := headOf(t, dsn); now != before || now.Frozen != "" {
		t.Errorf("something was written: %+v, was %+v", now, before)
	}
	put(one)
	until("it does not lead with the right one", func() bool { return standby.ledger.State().Leading })
}

// A folder for two databases on PostgreSQL: each has separate files.
func TestTwoDatabasesInOneDataFolderBothWork(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	for range 2 {
		for _, dsn := range []string{testkit.EmptyPostgres(t), testkit.EmptyPostgres(t), "sqlite:" + filepath.Join(dir, "a.db"), "sqlite:" + filepath.Join(dir, "b.db")} {
			cfg := testConfig(t, "--db", dsn, "--data-dir", dir)
			if err := opened(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			if v, err := Verify(t.Context(), cfg, false, nil); err != nil || v.Frozen != "" {
				t.Errorf("%s: %q, %v", cfg.KeyFile, v.Frozen, err)
			}
			if info, err := os.Stat(cfg.KeyFile); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v", cfg.KeyFile, err)
			}
		}
	}
}

func TestOperatorsSeeAMisconfiguredProxy(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false", "--addr", "0.0.0.0:0", "--public-url", "http://office.example", "--trusted-proxies", "10.0.0.1")
	o := s.operator()
	type reach struct {
		Proxy, URL, Listen string
		Seen               string `json:"proxy_seen"`
	}
	seen := func() reach {
		var h struct {
			Data struct {
				Reach reach
			}
		}
		o.get("operator/health").into(&h)
		return h.Data.Reach
	}
	if got := seen(); got.Proxy != "" || got.Seen != "" || got.URL != "http://office.example" || got.Listen != "0.0.0.0:0" {
		t.Errorf("at first: %+v", got)
	}
	ask := func(peer string, header ...string) {
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.RemoteAddr = peer
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
	}
	ask("10.0.0.2:1", "X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "https")
	if got := seen(); got.Proxy != "10.0.0.2" || got.Seen != wireTime(s.clock.Now()) || got.Listen == "" {
		t.Errorf("a proxy that is not trusted: %+v", got)
	}
	s.clock.Advance(90 * time.Second)
	if got, before := seen(), wireTime(s.clock.Now().Add(-90*time.Second)); got.Seen != before {
		t.Errorf("it was last seen at %s, told is %s", before, got.Seen)
	}
	ask("10.0.0.2:1", "X-Forwarded-For", "192.0.2.1")
	if got := seen(); got.Seen != wireTime(s.clock.Now()) {
		t.Errorf("it was seen again: %+v", got)
	}
	ask("10.0.0.1:1", "X-Forwarded-For", "192.0.2.1", "X-Forwarded-Proto", "https")
	if got := seen(); got.Listen != "" {
		t.Errorf("https at the trusted one: %+v", got)
	}
	safe := sqliteSite(t, "--demo", "false")
	if got := safe.reach(); got.Proxy != "" || got.URL != "" || got.Listen != "" {
		t.Errorf("on this machine: %+v", got)
	}
}

func TestMigrateOfAnEmptyDatabaseMakesNothing(t *testing.T) {
	t.Parallel()
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t)
		cfg.DB = dsn
		if _, _, err := Migrate(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "'bifolia init' begins one") {
			t.Errorf("got %v", err)
		}
		if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it has made the database: %v", err)
			}
			return
		}
		var tables int
		if err := testkit.Raw(t, dsn).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'public'").Scan(&tables); err != nil || tables > 0 {
			t.Errorf("it has made %d tables, %v", tables, err)
		}
		if _, err := Verify(t.Context(), cfg, false, nil); err == nil || !strings.Contains(err.Error(), "'bifolia init' begins") {
			t.Errorf("verify says %v", err)
		}
	})
}
