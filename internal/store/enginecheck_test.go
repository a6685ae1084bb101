package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestAnIndexThatLacksAnEntryIsFoundByTheEnginesOwnCheck(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		db := testkit.Open(t, dsn)
		raw := testkit.Raw(t, dsn)
		raw.SetMaxOpenConns(1)
		h := &hand{t, raw, db.Engine() == "sqlite"}
		if !h.sqlite {
			if skipped, err := db.CheckEngine(t.Context()); err != nil || !strings.Contains(skipped, "CREATE EXTENSION amcheck") {
				t.Errorf("without the extension: %q, %v", skipped, err)
			}
			h.do("CREATE EXTENSION amcheck")
		}
		if skipped, err := db.CheckEngine(t.Context()); err != nil || skipped != "" {
			t.Errorf("a sound database: %q, %v", skipped, err)
		}
		const insert = "INSERT INTO setting (name, value) VALUES ('lost', 'x')"
		if h.sqlite { // the index is of something else than it says
			h.do("CREATE INDEX setting_value ON setting (value)")
			h.do(insert)
			h.do("PRAGMA writable_schema = ON")
			h.do("UPDATE sqlite_schema SET sql = 'CREATE INDEX setting_value ON setting (name)' WHERE name = 'setting_value'")
		} else {
			for _, do := range []string{"UPDATE pg_index SET indisready = false WHERE indexrelid = 'setting_pkey'::regclass", insert, "UPDATE pg_index SET indisready = true WHERE indexrelid = 'setting_pkey'::regclass"} {
				h.do(do)
			}
		}
		db = testkit.Open(t, dsn)
		var damage *audit.Damage
		if _, err := db.CheckEngine(t.Context()); !errors.As(err, &damage) || !strings.Contains(damage.Problem, "setting") {
			t.Errorf("the damage is not named: %v", err)
		}
	})
}

func TestAUserWithoutAmcheckSeesHowToAllowIt(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		if strings.HasPrefix(dsn, "sqlite:") {
			t.Skip("SQLite's check needs no right")
		}
		h := &hand{t, testkit.Raw(t, dsn), false}
		h.do("CREATE EXTENSION amcheck")
		h.do("CREATE ROLE checks_nothing")
		db, err := store.Open(t.Context(), dsn+"&options=-c%20role%3Dchecks_nothing")
		if err != nil {
			t.Fatal(err)
		}
		if skipped, err := db.CheckEngine(t.Context()); err != nil || !strings.Contains(skipped, "GRANT EXECUTE ON FUNCTION public.bt_index_check(regclass, boolean)") {
			t.Errorf("got %q, %v", skipped, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		h.do("DROP ROLE checks_nothing")
	})
}
