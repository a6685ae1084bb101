package store_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/member"
	"github.com/bifolia/bifolia/internal/payout"
	"github.com/bifolia/bifolia/internal/simulate"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/testkit"
	"github.com/bifolia/bifolia/internal/tree"
	"github.com/bifolia/bifolia/internal/withdrawal"
)

// An installation of an earlier schema has rows that newer migrations must make
// something of. Here it has the worked example's history, closes and all, and
// rows of what people did beside it; it is migrated by processes that die in the
// midst of every single migration.

const (
	oldSchema = 18
	dyingOf   = "BIFOLIA_MIGRATION_CHILD"
)

// TestMigrationChild is the process that dies; on its own it does nothing.
func TestMigrationChild(t *testing.T) {
	at, dsn, ok := strings.Cut(os.Getenv(dyingOf), " ")
	if !ok {
		return
	}
	version, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Fatal(db.MigrateDying(t.Context(), version, func() {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it takes a moment
	}))
}

// dies migrates in a process that is killed in the midst of a version.
func dies(t *testing.T, dsn string, version int64) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMigrationChild$", "-test.count=1")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", dyingOf, version, dsn))
	out, _ := cmd.CombinedOutput()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("version %d: the child was not killed: %s", version, out)
	}
}

// lived is a database of now with the worked example in it.
func lived(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	dsn := testkit.SQLite(t)
	if _, err := simulate.Run(t.Context(), dsn, s); err != nil {
		t.Fatal(err)
	}
	return dsn
}

// tablesOf are the tables of a database, and their columns.
func tablesOf(t *testing.T, raw *sql.DB, engine string) map[string][]string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if engine != "sqlite" {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	out := map[string][]string{}
	for _, row := range texts(t, raw, query) {
		if strings.HasPrefix(row, "goose_") {
			continue
		}
		out[row] = columnsOf(t, raw, row)
	}
	return out
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

// copied writes the rows of a database of now as one of an earlier schema had
// them: its tables, its columns.
func copied(t *testing.T, from, to *sql.DB, tables map[string][]string) {
	t.Helper()
	tx, err := to.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for table, columns := range tables {
		marks := make([]string, len(columns))
		for i := range marks {
			marks[i] = "$" + strconv.Itoa(i+1)
		}
		names := strings.Join(columns, ", ")
		into, err := tx.PrepareContext(t.Context(), "INSERT INTO "+table+" ("+names+") VALUES ("+strings.Join(marks, ", ")+")")
		if err != nil {
			t.Fatal(err)
		}
		each(t, from, "SELECT "+names+" FROM "+table, func(values []any) {
			for i, v := range values { // no column may be NULL: it is an empty BLOB that reads so
				if b, ok := v.([]byte); v == nil || ok && b == nil {
					values[i] = []byte{}
				}
			}
			if _, err := into.ExecContext(t.Context(), values...); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
		})
		_ = into.Close()
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// beside are rows that the worked example has none of, as of the old schema:
// one of each state, and e-mail addresses of every sort.
const beside = `
INSERT INTO operator (id, email, name, role, password, password_at, created_at, ended_at) VALUES (1, 'owner@example.org', 'Olga Owner', 'owner', 'x', 1, 1, 0), (2, 'finance@example.org', 'Finn', 'finance', 'x', 1, 1, 0);
INSERT INTO operator_proposal (id, kind, operator, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone) VALUES
	(1, 'role', 2, 'support', 'finance', 'new duties', 1, 5, 0, 6, 'approved', 'only owner'), (2, 'end', 2, 'finance', '', 'leaves', 1, 7, 0, 0, 'waiting', '');
INSERT INTO member_note (id, uid, operator, name, text, at) VALUES (1, 100001, 1, 'Olga Owner', 'called back', 9);
INSERT INTO support_ticket (id, uid, query, reply, status, operator, created_at, replied_at) VALUES
	(100001, 100001, 'Where is it?', '', 'open', 0, 11, 0), (100002, 100001, 'And now?', 'Here.', 'replied', 2, 12, 22), (100003, 100002, 'Thanks', 'Welcome.', 'closed', 2, 13, 23), (100004, 100002, 'Spam', '', 'closed', 0, 14, 0);
INSERT INTO fund_request (id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch, state, remark, verdict, verdict_at, requested_at, decided_by, decided_name, decided_at) VALUES
	(100001, 100001, 'FUNDS', 5000000, 'n1', 'BANK', 1, 'Bank', 'Holder', '123', 'DEMO0000001', 'Harbour', 'Pending', '', '', 0, 31, 0, '', 0),
	(100002, 100001, 'FUNDS', 6000000, 'n2', 'BANK', 1, 'Bank', 'Holder', '123', 'DEMO0000001', 'Harbour', 'Approved', 'ok', '', 0, 32, 2, 'Finn', 42),
	(100003, 100002, 'FOREXFUNDS', 7000000, '0xab', 'USDT (BEP-20)', 2, 'USDT (BEP-20)', '', '0x1', '', '', 'Rejected', 'no', 'short', 33, 33, 2, 'Finn', 43);
INSERT INTO fund_number (number, request_id, uid, at) VALUES ('n1', 100001, 100001, 31), ('n2', 100002, 100001, 32), ('0xab', 100003, 100002, 33);
INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at, remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at) VALUES
	(100001, 100001, 'LevelIncome', 'USDT', 10000000, 200000, 9800000, '0x1', 'Pending', 0, 0, '', 0, 0, '', 0, '', '', 0, 0, '', 51, 0, 0, 0),
	(100002, 100001, 'LevelIncome', 'USDT', 11000000, 220000, 10780000, '0x1', 'Approved', 0, 2, 'Finn', 61, 0, '', 0, '', '', 0, 1, '', 52, 0, 0, 0),
	(100003, 100001, 'FundBalance', 'USDT', 12000000, 0, 12000000, '0x1', 'Sent', 1, 2, 'Finn', 62, 1, 'Olga Owner', 63, '', '', 0, 1, '0xc3', 53, 0, 73, 0),
	(100004, 100002, 'LevelIncome', 'USDT', 13000000, 260000, 12740000, '0x2', 'Confirmed', 0, 2, 'Finn', 64, 0, '', 0, '', '', 0, 1, '0xc4', 54, 0, 74, 84),
	(100005, 100002, 'LevelIncome', 'USDT', 14000000, 280000, 13720000, '0x2', 'Rejected', 0, 0, '', 0, 0, '', 0, 'no', 'Finn', 85, 0, '', 55, 0, 0, 0),
	(100006, 100002, 'LevelIncome', 'USDT', 15000000, 300000, 14700000, '0x2', 'Cancelled', 0, 0, '', 0, 0, '', 0, '', '', 86, 0, '', 56, 0, 0, 0);
INSERT INTO payout_batch (id, way, state, payouts, total, proposed_by, proposed_name, proposed_at, approved_by, approved_name, approved_at, alone, exported_at, ended_at) VALUES (1, 'hot', 'approved', 3, 35520000, 1, 'Olga Owner', 71, 2, 'Finn', 72, '', 0, 0);
INSERT INTO payout (batch, withdrawal, way, uid, address, amount, state, sender, nonce, hash, note, signed_at, sent_at, ended_at) VALUES
	(1, 100002, 'hot', 100001, '0x1', 10780000, 'waiting', '', -1, '', 'cap', 0, 0, 0), (1, 100003, 'hot', 100001, '0x1', 12000000, 'sent', '0xw', 0, '0xc3', '', 72, 73, 0), (1, 100004, 'hot', 100002, '0x2', 12740000, 'confirmed', '0xw', 1, '0xc4', '', 73, 74, 84);
INSERT INTO payout_tx (hash, batch, withdrawal, n, chain, sender, nonce, raw, by_name, at) VALUES ('0xc3', 1, 100003, 1, 56, '0xw', 0, '', 'server', 72), ('0xc4', 1, 100004, 1, 56, '0xw', 1, '', 'server', 73);
INSERT INTO payout_wallet (sender, chain, next, by_name, at) VALUES ('0xw', 56, 2, 'server', 73);
`

// addresses are what members' e-mails are changed to, in turn.
var addresses = []string{
	"Anna.Alpha@Example.org", "anna+shop@example.org", "a.n.n.a+x@googlemail.com", "ANNA@gmail.com", "+tag@example.org", "", "nobody", "...@gmail.com", "anna.alpha@gmail.com.other", "a+b+c@example.org",
}

func TestAnInstallationOfAnEarlierSchemaIsMigratedWholeHoweverOftenThatIsKilled(t *testing.T) {
	t.Parallel()
	source := testkit.Raw(t, lived(t))
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		db, err := store.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if err := db.MigrateTo(t.Context(), oldSchema); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		tables := tablesOf(t, raw, db.Engine())
		delete(tables, "operator_factor") // nothing of these is kept
		delete(tables, "operator_recovery")
		delete(tables, "fund_number") // a later migration drops them
		delete(tables, "fund_release")
		copied(t, source, raw, tables)
		if _, err := raw.ExecContext(t.Context(), beside); err != nil {
			t.Fatal(err)
		}
		for i, uid := range texts(t, raw, "SELECT uid FROM member") {
			if _, err := raw.ExecContext(t.Context(), "UPDATE member SET email = $1 WHERE uid = "+uid, addresses[i%len(addresses)]); err != nil {
				t.Fatal(err)
			}
		}
		old := map[string][]string{}
		dump := func(table string) []string {
			return texts(t, raw, "SELECT "+strings.Join(tables[table], ", ")+" FROM "+table)
		}
		for table := range tables {
			old[table] = dump(table)
		}
		killedThrough(t, db, dsn)
		for table, before := range old {
			if after := dump(table); !slices.Equal(after, before) {
				t.Errorf("%s had %d rows and has %d, or they are others", table, len(before), len(after))
			}
		}
		if got, want := texts(t, raw, "SELECT * FROM day_sum"), texts(t, source, "SELECT * FROM day_sum"); len(want) < 20 || !slices.Equal(got, want) {
			t.Errorf("the days' sums: %d, and the closes wrote %d", len(got), len(want))
		}
		each(t, raw, "SELECT email, email_key FROM member", func(v []any) {
			if email, key := fmt.Sprint(v[0]), fmt.Sprint(v[1]); key != member.EmailKey(email) {
				t.Errorf("%q has the key %q, want %q", email, key, member.EmailKey(email))
			}
		})
		peopleAreWhole(t, db, raw)
		tablesAreWhole(t, db)
		// The requests and withdrawals were written by hand: no money stands behind them.
		// And an old program had the chain vouch for no rows.
		forget(t, raw, dsn, "fund_request", "withdrawal", "command WHERE actor = 'witness'")
		if err := closing.CheckBooks(t.Context(), db.Books()); err != nil {
			t.Errorf("the books: %v", err)
		}
	})
}

// forget empties tables, or some of their rows, as only an administrator can, who takes their guards away.
func forget(t *testing.T, raw *sql.DB, dsn string, tables ...string) {
	t.Helper()
	for _, rows := range tables {
		table, _, _ := strings.Cut(rows, " ")
		guards := []string{"ALTER TABLE " + table + " DISABLE TRIGGER USER"}
		if strings.HasPrefix(dsn, "sqlite:") {
			guards = texts(t, raw, "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '"+table+"'")
		}
		for _, query := range append(guards, "DELETE FROM "+rows) {
			if _, err := raw.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// killedThrough migrates to the newest schema, killed in the midst of every
// version and started again.
func killedThrough(t *testing.T, db *store.DB, dsn string) {
	t.Helper()
	_, newest, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for version := int64(oldSchema + 1); version <= newest; version++ {
		if !db.Knows(version) {
			continue
		}
		before, _, err := db.Schema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		dies(t, dsn, version)
		if has, _, err := db.Schema(t.Context()); err != nil || has != before {
			t.Fatalf("killed in version %d: the schema is %d, was %d; %v", version, has, before, err)
		}
		if version == newest {
			break
		}
		if err := db.MigrateTo(t.Context(), version); err != nil {
			t.Fatalf("version %d after a kill: %v", version, err)
		}
	}
	for range 2 { // and once more, which changes nothing
		if _, err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.CheckSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// peopleAreWhole checks what people see of their old rows.
func peopleAreWhole(t *testing.T, db *store.DB, raw *sql.DB) {
	t.Helper()
	for query, want := range map[string][]string{
		"SELECT id, status, kind, waits, due_at, answered_at, closed_at, acts FROM support_ticket": {
			"100001|open|query|1|0|0|0|0", "100002|replied|query|0|0|22|0|1", "100003|closed|query|0|0|23|23|1", "100004|closed|query|0|0|0|14|0",
		},
		"SELECT ticket, no, kind, operator, text, at FROM support_act": {"100002|1|answer|2|Here.|22", "100003|1|answer|2|Welcome.|23"},
		"SELECT ticket, word FROM support_word WHERE ticket < 100003":  {"100001|is", "100001|it", "100001|where", "100002|and", "100002|here", "100002|now"},
		"SELECT id, member, state FROM operator_proposal":              {"1|0|approved", "2|0|waiting"},
		"SELECT COUNT(*) FROM member WHERE erased_at <> 0":             {"0"},
		"SELECT COUNT(*) FROM booking WHERE evidence <> ''":            {"0"},
	} {
		if got := texts(t, raw, query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	for what, query := range map[string]string{
		"a second change of an operator waits": `INSERT INTO operator_proposal (id, kind, operator, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone) VALUES (3, 'end', 2, 'finance', '', 'x', 1, 8, 0, 0, 'waiting', '')`,
		"one approves one's own":               `UPDATE operator_proposal SET state = 'approved', decided_by = proposed_by WHERE id = 2`,
		"an answer is rewritten":               `UPDATE support_act SET text = 'Elsewhere.'`,
		"a note is rewritten":                  `UPDATE member_note SET text = 'never called'`,
	} {
		if _, err := raw.ExecContext(t.Context(), query); err == nil {
			t.Errorf("the database lets pass: %s", what)
		}
	}
	for _, state := range []withdrawal.State{withdrawal.Pending, withdrawal.Approved, withdrawal.Sent, withdrawal.Confirmed, withdrawal.Rejected, withdrawal.Cancelled} {
		service := withdrawal.New(withdrawal.Options{Store: db.Withdrawal()})
		if all, n, _, err := service.List(t.Context(), withdrawal.Filter{State: state, Limit: 10}); err != nil || n != 1 || len(all) != 1 {
			t.Errorf("%d withdrawals are %s, %v", n, state, err)
		}
	}
	for _, state := range []payout.State{payout.Waiting, payout.Sent} {
		if all, err := db.Payout().Open(t.Context(), state, 10); err != nil || len(all) != 1 {
			t.Errorf("%d payouts are %s, %v", len(all), state, err)
		}
	}
}

// tablesAreWhole does what 'bifolia verify' does beside the ledger, whose rows are
// as they were.
func tablesAreWhole(t *testing.T, db *store.DB) {
	t.Helper()
	if _, err := tree.Check(t.Context(), db.Tree()); err != nil {
		t.Errorf("the tree: %v", err)
	}
	for what, err := range map[string]error{
		"sums": closing.CheckSums(t.Context(), db.Sums()), "days": closing.CheckDays(t.Context(), db.Days()),
		"words": db.CheckWords(t.Context()), "lists": db.CheckLists(t.Context()),
	} {
		if err != nil {
			t.Errorf("the %s: %v", what, err)
		}
	}
}
