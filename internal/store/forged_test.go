package store_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// decisions are how the proposals of a table are decided, and what is changed in
// them.
var decisions = map[string]struct {
	change string
	decide func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error
}{
	"correction": {"amount = amount + 1", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Corrections().DecideCorrection(ctx, tx, booking.Correction{ID: id, State: approval.Approved, Decided: actor.By{Operator: 2, Name: "Bea"}, DecidedAt: tx.Now()})
	}},
	"booking_proposal": {"proposed_by = 7", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Operate().Decide(ctx, tx, booking.Proposal{ID: id, State: approval.Approved, Event: "x", Decided: actor.By{Operator: 2, Name: "Bea"}, DecidedAt: tx.Now()})
	}},
	"setting_proposal": {"body = '[]'", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Settings().Set(ctx, tx, settings.Proposal{ID: id, State: "approved", Decided: 2, DecidedName: "Bea", DecidedAt: tx.Now(), Holds: tx.Now()})
	}},
	"operator_proposal": {"proposed_by = 7", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Auth().DecideProposal(ctx, tx, auth.Proposal{ID: id, Decided: 3, DecidedAt: tx.Now(), State: "approved"})
	}},
	"operator": {"role = 'owner'", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Auth().PutOperator(ctx, tx, auth.OperatorRow{Operator: auth.Operator{ID: id, Role: auth.RoleOwner}, Password: "hash", PasswordAt: tx.Now()})
	}},
	"factor": {"secret = pending", func(ctx context.Context, db *store.DB, tx *ledger.Tx, id int64) error {
		return db.Auth().PutFactor(ctx, tx, auth.FactorRow{Owner: auth.Owner{Kind: auth.KindOperator, ID: id}, Secret: []byte{9}, Set: tx.Now()})
	}},
}

// command runs a step as a separate command.
func command(t *testing.T, l *testkit.Ledger, f step) error {
	_, err := l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, f(ctx, tx)
	}})
	return err
}

// Proposals and operators are used only if the server wrote them: an operator with write
// access to the database does not count as two operators.
func TestAProposalThatWasForgedOrChangedIsNotDecided(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		do := func(f step) error { return command(t, l, f) }
		for _, f := range []step{addProposals(l.DB), addPeople(l.DB, 100001)} {
			if err := do(f); err != nil {
				t.Fatal(err)
			}
		}
		h := &hand{t, testkit.Raw(t, dsn), l.DB.Engine() == "sqlite"}
		h.raw.SetMaxOpenConns(1)
		h.do("CREATE TABLE old_at AS SELECT * FROM witness_at")
		for table, c := range decisions {
			decide := func(id int64) error {
				return do(func(ctx context.Context, tx *ledger.Tx) error {
					return c.decide(ctx, l.DB, tx, id)
				})
			}
			refused := func(what string, err error) {
				t.Helper()
				if !errors.As(err, new(*ledger.TamperedError)) || !strings.Contains(err.Error(), "was changed outside Bifolia") || l.State().Head.Frozen == "" {
					t.Errorf("%s: %s: %v; payments are frozen for %q", table, what, err, l.State().Head.Frozen)
				}
				if err := l.Unfreeze(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			h.unguard(table)
			key := heldTables[table][0]
			h.do("UPDATE " + table + " SET " + c.change)
			refused("changed", decide(1))
			h.restore(table)
			var copied []string
			columns := columnsOf(t, h.raw, table)
			for _, name := range columns {
				switch {
				case name == key:
					name = key + " + 7"
				case table == "operator" && name == "email", table == "setting_proposal" && name == "section":
					name += " || 'x'"
				case table == "operator_proposal" && name == "operator":
					name += " + 7"
				}
				copied = append(copied, name)
			}
			h.do("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(copied, ", ") + " FROM kept_" + table)
			refused("forged", decide(8))
			h.restore(table)
			h.do("DELETE FROM witness_at") // only a way to find the line
			if !h.sqlite {
				h.do("ALTER TABLE " + table + " ENABLE TRIGGER USER")
			}
			if err := decide(1); err != nil {
				t.Errorf("%s as it was written: %v", table, err)
			}
			if !h.sqlite {
				h.do("ALTER TABLE " + table + " DISABLE TRIGGER USER")
			}
			h.restore(table) // with the former position of its line, which agrees with it
			h.do("DELETE FROM witness_at")
			h.do("INSERT INTO witness_at SELECT * FROM old_at")
			refused("put back", decide(1))
		}
	})
}

// Where a line of the chain is, is noted beside it. A note that somebody changed is
// named, and who it is about is not taken for changed.
func TestAWrongNoteOfWhereALineIsIsNamedAndNotBelieved(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		do := func(f step) {
			t.Helper()
			if err := command(t, l, f); err != nil {
				t.Fatal(err)
			}
		}
		do(addProposals(l.DB))
		do(addPeople(l.DB, 100001))
		raw := testkit.Raw(t, dsn)
		for _, change := range []string{"batch + 1", "batch - 1", "batch + 1000"} {
			if err := closing.CheckBooks(t.Context(), l.DB.Books()); err != nil {
				t.Fatalf("before: %v", err)
			}
			if _, err := raw.Exec("UPDATE witness_at SET batch = " + change + " WHERE what LIKE 'operator/% 1'"); err != nil {
				t.Fatal(err)
			}
			if err := closing.CheckBooks(t.Context(), l.DB.Books()); err == nil || !strings.Contains(err.Error(), "witness_at operator/") {
				t.Errorf("%s: the books: %v", change, err)
			}
			l.Close() // it would know where it wrote the line itself
			l = testkit.StartLedgerWith(t, testkit.Open(t, dsn), l.Signer, l.Clock)
			do(func(ctx context.Context, tx *ledger.Tx) error {
				return decisions["operator"].decide(ctx, l.DB, tx, 1)
			})
		}
	})
}

// A batch that no longer matches its signature hides no line: the line before it would
// agree with the former row.
func TestAnOlderLineIsNotUsedWhenTheLatestWasRemoved(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		do := func(f step) error { return command(t, l, f) }
		decide := func(ctx context.Context, tx *ledger.Tx) error {
			return decisions["operator"].decide(ctx, l.DB, tx, 1)
		}
		if err := do(addProposals(l.DB)); err != nil {
			t.Fatal(err)
		}
		h := &hand{t, testkit.Raw(t, dsn), l.DB.Engine() == "sqlite"}
		h.raw.SetMaxOpenConns(1)
		h.unguard("operator")
		if err := do(decide); err != nil {
			t.Fatal(err)
		}
		h.unguard("command")
		h.restore("operator") // as it was before
		h.do("UPDATE command SET response = request WHERE actor = 'witness' AND batch = (SELECT batch FROM witness_at WHERE what LIKE 'operator/% 1')")
		l.Close() // it would know that it wrote a later line
		l = testkit.StartLedgerWith(t, testkit.Open(t, dsn), l.Signer, l.Clock)
		l.DB.Trust(map[string]ed25519.PublicKey{l.Signer.KeyID(): l.Signer.Public()})
		if err := do(decide); !errors.As(err, new(*ledger.TamperedError)) {
			t.Errorf("an older row with its older line: %v", err)
		}
	})
}
