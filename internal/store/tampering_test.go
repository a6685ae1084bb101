package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// triedElsewhere are the ledger's own tables, of which package audit changes every
// column.
var triedElsewhere = []string{"head", "account", "transfer", "entry", "hold", "command", "batch"}

// checkedBy are the parts of 'bifolia verify' that hold a table's rows; where none is
// named, it is the check of the books.
var checkedBy = map[string]func(context.Context, *store.DB) error{
	"evidence":     either(books, func(ctx context.Context, db *store.DB) error { return db.CheckEvidence(ctx) }),
	"place":        either(places, func(ctx context.Context, db *store.DB) error { return enrol.Check(ctx, db.Enrol()) }),
	"place_change": places,
	"trail": func(ctx context.Context, db *store.DB) error {
		_, err := auditlog.Check(ctx, db.AuditLog())
		return err
	},
	"day_sum":      func(ctx context.Context, db *store.DB) error { return closing.CheckDays(ctx, db.Days()) },
	"income_sum":   func(ctx context.Context, db *store.DB) error { return closing.CheckSums(ctx, db.Sums()) },
	"list_sum":     func(ctx context.Context, db *store.DB) error { return db.CheckLists(ctx) },
	"support_word": func(ctx context.Context, db *store.DB) error { return db.CheckWords(ctx) },
	"outbox":       sealed,
	"session":      sealed,
}

func books(ctx context.Context, db *store.DB) error { return closing.CheckBooks(ctx, db.Books()) }

func sealed(ctx context.Context, db *store.DB) error { return db.CheckSealed(ctx) }

func places(ctx context.Context, db *store.DB) error {
	_, err := tree.Check(ctx, db.Tree())
	return err
}

func either(one, other func(context.Context, *store.DB) error) func(context.Context, *store.DB) error {
	return func(ctx context.Context, db *store.DB) error {
		if err := one(ctx, db); err != nil {
			return err
		}
		return other(ctx, db)
	}
}

// unchecked are the tables of which verify says nothing, with their columns: what
// happens when they are changed.
var unchecked = map[string]struct{ columns, why string }{
	"session_proof":    {"session, at, mac", "a keyed hash in the row is checked at use"},
	"factor_challenge": {"id, flow, challenge, kind, owner, session, handle, name, bound, expires_at", "a keyed hash in the row is checked at use"},
	"email_link":       {"uid, mark, purpose, email, made_at, until_at, used_at", "a keyed hash in the row is checked at use; a used link that is put back works again until it ends"},
	"login_try":        {"slot, who, full_at", "more wrong passwords may be tried"},
	"sign_in_place":    {"kind, owner, place, used_at", "a sign-in from elsewhere is not mailed, or one more is; strangers' wrong tries count with the owner's"},
	"notice_seen":      {"uid, seen_at", "a notice is shown as new, or not"},
	"newsletter":       {"id, email, state, token, token_until, asked_at, mailed_at, confirmed_at, ended_at", "who gets news"},
	"enrolment":        {"request, uid, at", "which user id a repeated registration is answered with"},
	"member_email":     {"uid, email, until, confirmed", "whether a former address counts as the member's in an export or an erasure"},
	"restore_note":     {"id, made_at, batch, at", "a note only holds payouts; a database that is older than its anchor or the chain holds them without one"},
	"goose_db_version": {"id, version_id, is_applied, tstamp", "a program refuses a schema that is not its own"},
}

// everyTableIsDecided requires a decision here for each new table, and for each new column
// of a table that verify does not check. docs/security.md lists the same.
func everyTableIsDecided(t *testing.T, h *hand) {
	t.Helper()
	catalog := "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if !h.sqlite {
		catalog = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	have := texts(t, h.raw, catalog)
	decided := slices.Concat(triedElsewhere, slices.Collect(maps.Keys(heldTables)), slices.Collect(maps.Keys(unchecked)))
	slices.Sort(have)
	slices.Sort(decided)
	if !slices.Equal(have, decided) {
		t.Errorf("the tables are\n%v, and decided are\n%v", have, decided)
	}
	for table, u := range unchecked {
		columns := columnsOf(t, h.raw, table)
		known := strings.Split(u.columns, ", ")
		slices.Sort(columns)
		slices.Sort(known)
		if !slices.Equal(columns, known) {
			t.Errorf("%s has the columns %v, and decided are %v", table, columns, known)
		}
	}
}

// 'bifolia verify' detects a change of any column of any row, and any added or deleted row,
// that the server did not write; the exceptions are listed with the reason. The tables are
// those of the database's catalog.
func TestAChangeInAnyTableIsFoundOrListed(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		db := witnessWorld(t, dsn)
		h := &hand{t, testkit.Raw(t, dsn), db.Engine() == "sqlite"}
		h.raw.SetMaxOpenConns(1) // checks are ignored by connection
		everyTableIsDecided(t, h)
		check := func(table string) error {
			if check := checkedBy[table]; check != nil {
				return check(t.Context(), db)
			}
			return closing.CheckBooks(t.Context(), db.Books())
		}
		found := func(table, what string) bool {
			t.Helper()
			err := check(table)
			if err != nil && !isFinding(err) && what != "trail.hash" { // one that is too short cannot be read
				t.Errorf("%s: %v", what, err)
			}
			return err != nil
		}
		for table, keys := range heldTables {
			if err := check(table); err != nil {
				t.Fatal(err)
			}
			h.unguard(table)
			columns := columnsOf(t, h.raw, table)
			var copied []string
			for i, c := range columns {
				if slices.Contains(keys, c) || slices.Contains(unique[table], c) {
					copied = append(copied, h.other(table, c))
				} else {
					copied = append(copied, c)
				}
				// One database shows the rule for every column; the other that it reads
				// the same values.
				if !h.sqlite && i > 0 && !slices.Contains([]string{"income", "day_event", "deposit_address", "sale"}, table) {
					continue
				}
				if n := h.do("UPDATE " + table + " SET " + c + " = " + h.other(table, c) + " WHERE " + last(table)); n != 1 {
					t.Fatalf("%d rows of %s were changed", n, table)
				}
				if seen, why := found(table, table+"."+c), uncovered[table+"."+c]; seen != (why == "") {
					t.Errorf("%s.%s was changed: detected %t, but uncovered says %q", table, c, seen, why)
				}
				h.restore(table)
			}
			h.do("DELETE FROM " + table + " WHERE " + last(table))
			if seen, why := found(table, table), uncovered[table+" deleted"]; seen != (why == "") {
				t.Errorf("a row of %s was deleted: found %t, but the list says %q", table, seen, why)
			}
			h.restore(table)
			h.do("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(copied, ", ") + " FROM kept_" + table + " WHERE " + last(table))
			if seen, why := found(table, table), uncovered[table+" added"]; seen != (why == "") {
				t.Errorf("a row was added to %s: found %t, but the list says %q", table, seen, why)
			}
			h.restore(table)
			if err := check(table); err != nil {
				t.Errorf("%s, restored: %v", table, err)
			}
		}
	})
}

// docs/security.md lists the same tables and the undetected changes.
func TestTheDocumentListsEveryTableAndUndetectedChange(t *testing.T) {
	raw, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	found, missed, ok := strings.Cut(string(raw), "## Undetected changes")
	if !ok {
		t.Fatal("it has no list of undetected changes")
	}
	for table := range heldTables {
		if !strings.Contains(found, "`"+table+"`") {
			t.Errorf("%s is not in the list of detected changes", table)
		}
	}
	for table := range unchecked {
		if !strings.Contains(missed, "`"+table+"`") {
			t.Errorf("%s is not in the list of undetected changes", table)
		}
	}
	for what := range uncovered {
		if table, _, row := strings.Cut(what, " "); row {
			what = table
		}
		if !strings.Contains(missed, "`"+what+"`") && what != "place.sponsor" {
			t.Errorf("%s is not in the list of undetected changes", what)
		}
	}
}

// isFinding tells a wrong row from a database that could not be read.
func isFinding(err error) bool {
	for _, to := range []any{new(*closing.Broken), new(*closing.Finding), new(*closing.DayFinding), new(*tree.Finding), new(*enrol.Finding), new(*auditlog.Finding), new(*store.ListFinding), new(*store.WordFinding)} {
		if errors.As(err, to) {
			return true
		}
	}
	return false
}

// addWords adds what operators and the program write down beside the books.
func addWords(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		_, nerr := db.Office().AddNote(ctx, tx, staff.Note{UID: uid, Operator: 1, Name: "Ann", Text: "called", At: tx.Now()})
		record := auditlog.New(auditlog.Options{Store: db.AuditLog(), Clock: clock.NewFake(tx.Now())})
		return errors.Join(nerr,
			db.Operate().AddEvidence(ctx, tx, booking.Evidence{Hash: "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", Name: "x.txt", Body: []byte("x"), Operator: 1, By: "Ann", At: tx.Now()}),
			db.Member().AddSetting(ctx, tx, "something", []byte("kept")),
			record.Write(ctx, tx, auditlog.Entry{Operator: 1, Name: "Ann", Act: "block", Member: uid, Reason: "why"}),
			record.Write(ctx, tx, auditlog.Entry{Operator: 1, Name: "Ann", Act: "unblock", Member: uid, Reason: "why"}),
			db.Mail().Add(ctx, tx, mail.Message{To: "a@example.org", Subject: "s", Text: "t", CreatedAt: tx.Now(), DueAt: tx.Now()}),
			db.Mail().Add(ctx, tx, mail.Message{To: "b@example.org", Subject: "s", Text: "t", CreatedAt: tx.Now(), DueAt: tx.Now()}),
		)
	}
}

// addSum adds the sum of one income, as a close adds those of many.
func addSum(db *store.DB, raw *sql.DB) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		var x closing.Sum
		if err := raw.QueryRowContext(ctx, "SELECT earner, kind, line, row_no, row_no, source, 1, paid FROM income WHERE kind = 7 ORDER BY row_no LIMIT 1").
			Scan(&x.Earner, &x.Kind, &x.Line, &x.First, &x.Last, &x.Batch, &x.Rows, &x.Paid); err != nil {
			return err
		}
		return db.Closing().AddSums(ctx, tx, []closing.Sum{x})
	}
}

// addAccess adds what lets somebody in.
func addAccess(db *store.DB, uid int64) step {
	return func(ctx context.Context, tx *ledger.Tx) error {
		a, now := db.Auth(), tx.Now()
		owner := auth.Owner{Kind: auth.KindOperator, ID: 1} // addPeople has added the factor
		_, perr := a.AddPasskey(ctx, tx, auth.PasskeyRow{Owner: owner, Credential: []byte{1}, Handle: []byte{2}, Name: "phone", Key: []byte{3}, Created: now})
		return errors.Join(perr,
			a.SetRecovery(ctx, tx, owner, [][]byte{{7}}),
			a.PutInvitation(ctx, tx, auth.InvitationRow{Operator: 1, Token: []byte{1}, Until: now}),
			a.AddTicket(ctx, tx, auth.TicketRow{ID: "ticket", UID: uid, Operator: 1, Reason: "why", Created: now, Expires: now.Add(time.Minute)}),
			a.UseTicket(ctx, tx, "ticket", now),
			a.PutMailedCode(ctx, tx, auth.MailedCodeRow{UID: uid, Hash: []byte{1}, Purpose: "password", Mailed: now, Expires: now.Add(time.Minute)}),
			a.PutMailedCode(ctx, tx, auth.MailedCodeRow{UID: uid, Hash: []byte{1}, Purpose: "password", Mailed: now, Expires: now.Add(time.Minute), Tries: 1}),
			db.Withdrawal().PutCode(ctx, tx, withdrawal.Code{UID: uid, Hash: []byte{1}, Order: withdrawal.Order{Amount: money.Micro(1)}, Mailed: now, Expires: now.Add(time.Minute)}),
			a.AddSession(ctx, tx, auth.Session{ID: "s1", Kind: auth.KindMember, Owner: uid, Created: now, Seen: now, Expires: now.Add(time.Hour)}),
		)
	}
}

func columnsOf(t *testing.T, raw *sql.DB, table string) []string {
	t.Helper()
	found, err := raw.QueryContext(t.Context(), "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil || found.Err() != nil {
		t.Fatal(err, found.Err())
	}
	return columns
}

// each tells every row of a query as values.
func each(t *testing.T, raw *sql.DB, query string, yield func(values []any)) {
	t.Helper()
	found, err := raw.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = found.Close() }()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		values, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		if err := found.Scan(at...); err != nil {
			t.Fatal(err)
		}
		yield(values)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
}

// texts are the rows of a query as lines, sorted.
func texts(t *testing.T, raw *sql.DB, query string) (out []string) {
	t.Helper()
	each(t, raw, query, func(values []any) {
		cells := make([]string, len(values))
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				v = string(b)
			}
			cells[i] = fmt.Sprint(v)
		}
		out = append(out, strings.Join(cells, "|"))
	})
	slices.Sort(out)
	return out
}
