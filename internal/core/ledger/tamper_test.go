package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// aHistory makes a ledger with something of everything, written by the real
// sequencer, in several batches.
func aHistory(t *testing.T, l *testkit.Ledger) {
	t.Helper()
	fillEverything(t, l)
	place(t, l, annFunds, "5", time.Hour)
	if err := void(l, place(t, l, annFunds, "6", time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := settle(l, place(t, l, annFunds, "7", time.Hour), move(annFunds, bobFunds, "7")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"first", "second"} {
		if _, err := l.Do(context.Background(), pay(key, "body", annFunds, bobFunds, "1")); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(l, "", func(tx *ledger.Tx) error { _, err := tx.Reverse(2, "twice"); return err }); err != nil {
		t.Fatal(err)
	}
}

// disarm does what a superuser can: it takes the database's own guards away.
func disarm(t *testing.T, raw *sql.DB, engine string) {
	t.Helper()
	if engine != "sqlite" {
		return // a superuser is not bound by grants
	}
	for _, table := range []string{"transfer", "entry", "batch", "command"} {
		for _, trigger := range []string{table + "_keep_row", table + "_no_delete"} {
			if _, err := raw.Exec("DROP TRIGGER " + trigger); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, trigger := range []string{"account_no_delete", "hold_no_delete"} {
		if _, err := raw.Exec("DROP TRIGGER " + trigger); err != nil {
			t.Fatal(err)
		}
	}
}

// tamperings are changes that a superuser can make to a real ledger, with the table that
// verify must name.
var tamperings = map[string]struct{ sql, table, row string }{
	"a balance is raised":                     {"UPDATE account SET posted = posted + 1000000 WHERE code = '" + annFunds + "'", "account", annFunds},
	"a balance is raised with its last entry": {"UPDATE entry SET balance_after = balance_after + 1 WHERE account = (SELECT id FROM account WHERE code = '" + bobFunds + "') AND version = 1", "entry", bobFunds},
	"an amount is edited":                     {"UPDATE entry SET delta = delta + 1 WHERE seq = 2 AND leg = 1", "entry", "transfer 2"},
	"a reason is edited":                      {"UPDATE transfer SET reason = 'x' WHERE seq = 3", "transfer", "3"},
	"a time is edited":                        {"UPDATE transfer SET effective_at = effective_at + 1 WHERE seq = 3", "transfer", "3"},
	"an entry is deleted":                     {"DELETE FROM entry WHERE seq = 4 AND leg = 2", "entry", ""},
	"a transfer is deleted":                   {"DELETE FROM transfer WHERE seq = 5", "transfer", "5"},
	"all entries are truncated":               {"DELETE FROM entry", "entry", ""},
	"all transfers are truncated":             {"DELETE FROM transfer", "transfer", ""},
	"a batch is deleted":                      {"DELETE FROM batch WHERE no = 2", "batch", "2"},
	"a signature is changed":                  {"UPDATE batch SET signature = hash WHERE no = 3", "batch", "3"},
	"an answer is edited":                     {"UPDATE command SET response = request WHERE command_key = 'first'", "command", "first"},
	"a command is deleted":                    {"DELETE FROM command WHERE command_key = 'second'", "", ""},
	"a hold is re-opened":                     {"UPDATE hold SET state = 'open', resolved = 0 WHERE id = 2", "hold", "2"},
	"a hold is deleted":                       {"DELETE FROM hold WHERE id = 1", "hold", "1"},
	"an account is deleted":                   {"DELETE FROM account WHERE code = 'P:MATCH'", "account", "is missing"},
	"a wallet is given to another":            {"UPDATE account SET code = 'L:FUND:FUNDS:777', owner = 777 WHERE code = '" + bobFunds + "'", "", ""},
	"the head goes back":                      {"UPDATE head SET seq = seq - 1", "head", ""},
}

func TestVerifyNamesRowsChangedByASuperuser(t *testing.T) {
	t.Parallel()
	for name, c := range tamperings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Engines(t, func(t *testing.T, dsn string) {
				l := testkit.StartLedger(t, dsn)
				aHistory(t, l)
				if _, err := testkit.Audit(l); err != nil {
					t.Fatalf("before: %v", err)
				}
				raw := testkit.Raw(t, dsn)
				disarm(t, raw, l.DB.Engine())
				if _, err := raw.Exec(c.sql); err != nil {
					t.Fatal(err)
				}
				_, err := testkit.Audit(l)
				var found *audit.Finding
				if !errors.As(err, &found) {
					t.Fatalf("verify says %v", err)
				}
				if (c.table != "" && found.Table != c.table) || !strings.Contains(found.Error(), c.row) {
					t.Errorf("verify names %s, %s: %s; want table %q and %q", found.Table, found.Row, found.Problem, c.table, c.row)
				}
			})
		})
	}
}

// A balance that was changed by hand is not spent and not overwritten, whether
// the ledger knows the account already or reads it for the first time.
func TestATamperedBalanceIsNeitherSpentNorOverwritten(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "5"), deposit(bobFunds, "5"))
		id := place(t, l, bobFunds, "2", time.Hour)
		raw := testkit.Raw(t, dsn)
		for _, stmt := range []string{
			"UPDATE account SET posted = posted + 1000000000 WHERE code = '" + annFunds + "'",
			"UPDATE hold SET amount = 1000000",
		} {
			if _, err := raw.Exec(stmt); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 { // from memory, then as read
			if err := post(l, move(annFunds, bobFunds, "1")); err == nil {
				t.Error("a posting on a changed balance went through")
			}
		}
		wantCode(t, post(l, move(annFunds, bobFunds, "500")), errs.Refused)
		wantCode(t, void(l, id), errs.Refused)
		l.Close()
		again := testkit.StartLedgerWith(t, l.DB, l.Signer, l.Clock)
		wantCode(t, post(again, move(annFunds, bobFunds, "500")), errs.Refused)
		mustPost(t, again, deposit(bobFunds, "1")) // others are not held up
		var posted int64
		if err := raw.QueryRow("SELECT posted FROM account WHERE code = $1", annFunds).Scan(&posted); err != nil || posted != 1_005_000_000 {
			t.Errorf("the evidence is gone: %d, %v", posted, err)
		}
	})
}

// A batch that is signed on top of a changed head could never be put right again:
// nothing is written until somebody has put the row right, be it after a start or
// while the ledger runs.
func TestNothingIsWrittenOnAChangedHead(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]struct{ do, undo string }{
		"hash":     {"hash = prev", "hash = hash"},
		"seq":      {"seq = seq + 5", "seq = seq - 5"},
		"batch":    {"batch = batch + 1", "batch = batch - 1"},
		"epoch":    {"epoch = epoch - 1000", "epoch = epoch + 1000"},
		"recorded": {"recorded_at = recorded_at + 864000000000000", "recorded_at = recorded_at - 864000000000000"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			testkit.Engines(t, func(t *testing.T, dsn string) {
				l := testkit.StartLedger(t, dsn)
				mustPost(t, l, deposit(annFunds, "5"), deposit(bobFunds, "5"))
				raw := testkit.Raw(t, dsn)
				hand := func(set string) {
					t.Helper()
					set = strings.NewReplacer("hash = prev", "hash = (SELECT prev_hash FROM batch WHERE no = head.batch)", "hash = hash", "hash = (SELECT hash FROM batch WHERE no = head.batch)").Replace(set)
					if _, err := raw.Exec("UPDATE head SET " + set); err != nil {
						t.Fatal(err)
					}
				}
				batches := func() (n int64) {
					t.Helper()
					if err := raw.QueryRow("SELECT MAX(no) FROM batch").Scan(&n); err != nil {
						t.Fatal(err)
					}
					return n
				}
				before := batches()
				if what == "recorded" { // a running ledger knows it and writes over it
					l.Close()
				}
				hand(change.do)
				for range 3 { // it steps down, and does not lead again
					wantCode(t, post(l, move(annFunds, bobFunds, "1")), errs.Unavailable)
				}
				l.Close()
				again := ledger.Start(ledger.Options{Store: l.DB.Ledger(), Signer: l.Signer, Clock: l.Clock, Log: testkit.Log()})
				t.Cleanup(again.Close)
				testkit.WaitUntil(t, "the head row is refused", func() bool {
					err := again.Leading()
					return err != nil && strings.Contains(err.Error(), "head row does not match batch")
				})
				if n := batches(); n != before {
					t.Errorf("%d batches were written on a changed head", n-before)
				}
				hand(change.undo)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				if err := again.WaitReady(ctx); err != nil {
					t.Fatal(err)
				}
				if _, err := again.Do(ctx, pay("k", "b", annFunds, bobFunds, "1")); err != nil {
					t.Error(err)
				}
				if _, err := testkit.Audit(l); err != nil {
					t.Errorf("verify says %v", err)
				}
			})
		})
	}
}
