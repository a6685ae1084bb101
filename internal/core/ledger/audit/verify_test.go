package audit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestVerifyFindsAGoodLedgerInOrder(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, m)
		done := int64(0)
		s, err := l.verify(audit.Options{
			PublicKeys: trusted(m.key, testKey("another")),
			Anchors:    []audit.Anchor{m.anchor(2), m.anchor(10), {Batch: 0, Hash: [32]byte(m.head.Genesis)}},
			Progress:   func(n, total int64) { done = max(done, n); _ = total },
		})
		if err != nil {
			t.Fatal(err)
		}
		if done != 21 {
			t.Errorf("progress went to %d of 21", done)
		}
		if s.Batches != 10 || s.Transfers != 21 || s.Entries != 44 || s.Commands != 9 || s.Accounts != int64(len(m.accounts)) || s.Holds != 4 || s.OpenHolds != 1 {
			t.Errorf("wrong counts: %+v", s)
		}
		if len(s.Keys) != 1 || s.Keys[0] != keyName(m.key) || s.Epoch != 3 {
			t.Errorf("wrong signers or epoch: %+v", s)
		}
		text := s.String()
		for _, want := range []string{"in order: 10 batches", "A:CLIENT", "2105.000000", "-320.000000", "batch 10 of 2026-11-15T03:00:00Z"} {
			if !strings.Contains(text, want) {
				t.Errorf("summary lacks %q:\n%s", want, text)
			}
		}
		raw, err := json.Marshal(s)
		if err != nil || !strings.Contains(string(raw), `"kind":"E:COMPANY","accounts":1,"posted":"-320.000000"`) {
			t.Errorf("%s, %v", raw, err)
		}
	})
}

func TestVerifyFindsAnEmptyLedgerInOrder(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := newMaker()
		l := openLedger(t, dsn, false, m)
		if _, err := l.verify(audit.Options{PublicKeys: trusted(m.key)}); err != nil {
			t.Fatal(err)
		}
		for _, column := range []string{"seq", "batch", "accounts", "holds", "entries", "recorded_at"} {
			l.exec(t, "UPDATE head SET "+column+" = 5")
			_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
			if f := finding(t, err); f.Table != "head" || !strings.Contains(f.Problem, column+" is stored as") {
				t.Errorf("%s: %v", column, f)
			}
			l.write(t, m)
		}
		l.exec(t, "DELETE FROM head")
		_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
		names(t, err, "head", "head")
	})
}

// A ledger of many pages: what is read ahead must fit together again.
func TestVerifyReadsManyPages(t *testing.T) {
	m := newMaker()
	for i := range 1500 {
		m.command("u", "k"+string(rune('a'+i%26))+strings.Repeat("x", i/26), nil, func() {
			for range i % 5 {
				m.post("deposit", "", usd("A:CLIENT", 1), usd("L:FUND:FUNDS:100007", 1))
			}
		})
		m.seal()
	}
	l := openLedger(t, testkit.EmptySQLite(t), false, m)
	s, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
	if err != nil {
		t.Fatal(err)
	}
	if s.Batches != 1500 || s.Transfers != 3000 || s.Commands != 1500 {
		t.Errorf("%+v", s)
	}
	l.exec(t, "UPDATE transfer SET reason = 'x' WHERE seq = 2777")
	_, err = l.verify(audit.Options{PublicKeys: trusted(m.key)})
	names(t, err, "transfer", "transfer 2777")
}

func TestVerifyTrustsNoKeyByItself(t *testing.T) {
	m := story()
	l := openLedger(t, testkit.EmptySQLite(t), false, m)
	_, err := l.verify(audit.Options{})
	names(t, err, "batch", "batch 1")
	_, err = l.verify(audit.Options{PublicKeys: trusted(testKey("another"))})
	names(t, err, "batch", "batch 1")
	keys := trusted(testKey("another"))
	for id := range keys {
		keys[keyName(m.key)] = keys[id]
	}
	if _, err = l.verify(audit.Options{PublicKeys: keys}); !errs.Is(err, errs.Invalid) {
		t.Errorf("a key under another's name: want Invalid, got %v", err)
	}
}

// A database that cannot be read is no finding.
func TestVerifyDistinguishesAReadErrorFromAFinding(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, m)
		l.exec(t, "ALTER TABLE entry RENAME COLUMN held_delta TO gone")
		_, err := l.verify(audit.Options{PublicKeys: trusted(m.key)})
		var f *audit.Finding
		if err == nil || errors.As(err, &f) {
			t.Errorf("want a read error, got %v", err)
		}
	})
}
