package main

import (
	"bytes"
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

func TestMigrateAndVerifyAFreshDatabase(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	if code, out, stderr := call(t, nil, "migrate", "--data-dir", dir); code != 0 || !strings.Contains(out, "; 0 migrations") {
		t.Errorf("migrate: %d, %s%s", code, out, stderr)
	}
	if code, out, stderr := call(t, nil, "verify", "--data-dir", dir); code != 0 || out == "" {
		t.Errorf("verify: %d, %s%s", code, out, stderr)
	}
	if code, out, _ := call(t, nil, "verify", "--json", "--data-dir", dir); code != 0 || !strings.Contains(out, `"ok":true`) {
		t.Errorf("verify --json: %d, %s", code, out)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec("UPDATE head SET seq = 5"); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, nil, "verify", "--data-dir", dir); code != 1 || !strings.Contains(stderr, "The ledger is wrong") {
		t.Errorf("verify of a wrong ledger: %d, %s", code, stderr)
	}
	if _, err := db.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"migrate", "verify"} {
		wantSentence(t, []string{command, "--data-dir", dir}, "newer Bifolia")
	}
	served, _ := installed(t)
	change(t, served, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	wantSentence(t, []string{"serve", "--data-dir", served, "--addr", "127.0.0.1:0"}, "newer Bifolia")
}

func TestVerifyExplainsAnUnreadableDatabase(t *testing.T) {
	t.Parallel()
	dir, _ := installed(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec("DROP TABLE claim"); err != nil {
		t.Fatal(err)
	}
	wantSentence(t, []string{"verify", "--data-dir", dir}, "its tables were changed outside the program")
}

func TestAListOrAWordThatWasChangedIsNamedAsAWrongRow(t *testing.T) {
	t.Parallel()
	for edit, table := range map[string]string{
		"INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('withdrawal', 'Pending', '', 0, 7, 7)": "list_sum",
		"INSERT INTO support_word (ticket, word) VALUES (5, 'thief')":                                              "support_word",
	} {
		dir, _ := installed(t)
		change(t, dir, edit)
		code, stdout, stderr := call(t, nil, "verify", "--data-dir", dir, "--json")
		if code != 1 || !strings.Contains(stdout, `"table":"`+table+`"`) || !strings.HasPrefix(stderr, "The ledger is wrong.") {
			t.Errorf("%s: exit %d, %q, %q", table, code, stdout, stderr)
		}
	}
}

// wantSentence: exit 1 or 2, one line on stderr that says want, no stack.
func wantSentence(t *testing.T, args []string, want string) {
	t.Helper()
	code, out, stderr := call(t, nil, args...)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	if code == 0 || !strings.Contains(last, want) || strings.Contains(stderr, "goroutine") || strings.Contains(stderr, "hunter2") {
		t.Errorf("%v: exit %d, stdout %q, stderr %q; want a sentence with %q", args, code, out, stderr, want)
	}
}

func TestWrongUseIsOneClearSentence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	junk := filepath.Join(dir, "junk.db")
	if err := os.WriteFile(junk, bytes.Repeat([]byte("not a database. "), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	addr := taken.Addr().String()
	served, _ := installed(t)
	for want, args := range map[string][]string{
		"There is no database":     {"verify", "--db", "sqlite:" + filepath.Join(dir, "none.db"), "--data-dir", dir},
		"already in use":           {"serve", "--addr", addr, "--data-dir", served},
		"There is no installation": {"serve", "--addr", "127.0.0.1:0", "--data-dir", filepath.Join(dir, "typo")},
		"Cannot open the database": {"serve", "--addr", "127.0.0.1:0", "--data-dir", dir, "--db", "postgres://u:hunter2@127.0.0.1:1/x"},
		"not a database":           {"migrate", "--data-dir", dir, "--db", "sqlite:" + junk},
		"mysql":                    {"serve", "--db", "mysql://u:hunter2@h/x", "--data-dir", dir},
		"--nonsense":               {"serve", "--nonsense", "--data-dir", dir},
		"takes flags only":         {"migrate", "extra", "--data-dir", dir},
		"bench ledger":             {"bench"},
		"1 to 600":                 {"bench", "ledger", "--seconds", "0"},
		"numbers from 1 to 1000":   {"bench", "ledger", "--clients", "many"},
		"--only takes spread":      {"bench", "ledger", "--only", "nonsense"},
		"--only takes transfer":    {"bench", "funds", "--only", "nonsense"},
		"200 to 10000000":          {"bench", "tree", "--members", "1"},
		"chain, zigzag, random":    {"bench", "tree", "--shapes", "bush"},
		"needs --out FILE":         {"backup", "--data-dir", dir},
		"needs --from FILE":        {"restore", "--data-dir", dir},
	} {
		wantSentence(t, args, want)
	}
}
