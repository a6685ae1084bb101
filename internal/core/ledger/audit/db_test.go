package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var bigKey = map[string]string{"sqlite": "INTEGER PRIMARY KEY", "postgres": "BIGINT PRIMARY KEY"}

// ledgerDB is a database with a ledger in it: raw is the
// attacker's connection, db the server's.
type ledgerDB struct {
	engine string
	raw    *sql.DB
	db     *store.DB
}

// schema is the server's schema. If loose, it has none of the constraints that a
// superuser could drop.
func schema(t *testing.T, engine string, loose bool) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "store", "engine", "migrations", "00001_ledger.sql"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), "{{bigkey}}", bigKey[engine])
	if !loose {
		return text
	}
	text = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(text, "")
	for {
		start := strings.Index(text, "CHECK (")
		if start < 0 {
			break
		}
		end, depth := start+len("CHECK ("), 1
		for ; depth > 0; end++ {
			switch text[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		text = text[:start] + text[end:]
	}
	text = regexp.MustCompile(`PRIMARY KEY \([^)]*\)|UNIQUE|NOT NULL`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`,(\s*,)*\s*\)`).ReplaceAllString(text, "\n)")
	return regexp.MustCompile(`,(\s*,)+`).ReplaceAllString(text, ",")
}

func openLedger(t *testing.T, dsn string, loose bool, m *maker) *ledgerDB {
	t.Helper()
	db, err := store.Open(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	l := &ledgerDB{engine: db.Engine(), raw: testkit.Raw(t, dsn), db: db}
	l.raw.SetMaxOpenConns(1)
	l.exec(t, schema(t, l.engine, loose))
	l.write(t, m)
	return l
}

func (l *ledgerDB) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := l.raw.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// write makes the database hold exactly what m holds.
func (l *ledgerDB) write(t *testing.T, m *maker) {
	t.Helper()
	tx, err := l.raw.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, table := range []string{"head", "account", "transfer", "entry", "hold", "command", "batch"} {
		if _, err := tx.Exec("DELETE FROM " + table); err != nil {
			t.Fatal(err)
		}
	}
	insert := func(table string, values ...any) {
		marks := make([]string, len(values))
		for i, v := range values {
			if b, ok := v.([]byte); ok && b == nil {
				values[i] = []byte{}
			}
			marks[i] = fmt.Sprintf("$%d", i+1)
		}
		if _, err := tx.Exec("INSERT INTO "+table+" VALUES ("+strings.Join(marks, ", ")+")", values...); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	h := &m.head
	insert("head", int64(1), h.Epoch, "here", h.Seq, h.Batch, h.Accounts, h.Holds, h.Entries, h.Recorded, h.Hash, "", h.Genesis)
	for _, a := range m.accounts {
		insert("account", a.ID, a.Code, a.Kind, a.Owner, a.Posted, a.Held, a.Floor, a.Version)
	}
	for _, r := range m.transfers {
		insert("transfer", r.Seq, r.ID, r.Batch, r.Actor, r.Key, r.Kind, r.Reason, r.Reference, r.Effective, r.Recorded, r.Reverses, r.Legs, r.Leaf)
	}
	for _, e := range m.entries {
		insert("entry", e.Account, e.Version, e.Seq, e.Leg, e.Kind, e.Owner, e.Beneficiary, e.Delta, e.HeldDelta, e.BalanceAfter, e.HeldAfter, e.Hold)
	}
	for _, r := range m.holds {
		insert("hold", r.ID, r.Account, r.Amount, r.State, r.Expires, r.Placed, r.Resolved)
	}
	for _, c := range m.commands {
		insert("command", c.Actor, c.Key, c.Batch, c.N, c.Request, c.Response, c.First, c.Last, c.Recorded, c.Leaf)
	}
	for _, b := range m.batches {
		insert("batch", b.No, b.Epoch, b.First, b.Last, b.Commands, b.Recorded, b.Prev, b.Root, b.Hash, b.KeyID, b.Signature)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func (l *ledgerDB) verify(opts audit.Options) (s audit.Summary, err error) {
	err = l.db.Audit(context.Background(), func(r audit.Reader) error {
		s, err = audit.Verify(context.Background(), r, opts)
		return err
	})
	return s, err
}

func (l *ledgerDB) step(f *audit.Follower) (rep audit.Report, err error) {
	err = l.db.Audit(context.Background(), func(r audit.Reader) error {
		rep, err = f.Step(context.Background(), r)
		return err
	})
	return rep, err
}

// finding fails the test unless err is one.
func finding(t *testing.T, err error) *audit.Finding {
	t.Helper()
	var f *audit.Finding
	if !errors.As(err, &f) {
		t.Fatalf("want a finding, got %v", err)
	}
	return f
}

// names fails the test unless err names the row in the table.
func names(t *testing.T, err error, table, row string) {
	t.Helper()
	if f := finding(t, err); f.Table != table || !strings.Contains(f.Row, row) {
		t.Errorf("want table %s, row %s; got: %v", table, row, f)
	}
}
