package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestPayoutBatchesAreWorkedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := call(t, nil, brief(dir)...); code != 0 {
		t.Fatalf("demo: exit %d, %s", code, stderr)
	}
	list := filepath.Join(t.TempDir(), "list.csv")
	run := func(want int, words string, args ...string) string {
		t.Helper()
		code, stdout, stderr := call(t, nil, append(append([]string{"payout"}, args...), "--data-dir", dir, "--log-level", "error")...)
		if code != want || !strings.Contains(stdout+stderr, words) {
			t.Errorf("payout %v: exit %d, %q, %q; want %d, %q", args, code, stdout, stderr, want, words)
		}
		return stdout
	}
	for _, args := range [][]string{{}, {"abolish"}, {"list", "1"}, {"show"}, {"show", "x"}, {"make", "0"}, {"export", list}, {"export", "--batch", "1"}, {"import", list, "--batch", "-1"}, {"list", "--way", "hot"}} {
		run(2, "payout takes one of", args...)
	}
	run(0, "0 of 0 batches.", "list")
	run(1, "There is no payout batch 1", "show", "1")
	run(1, "There is no hot wallet", "make", "--way", "hot")
	run(1, "The way is hot or manual", "make", "--way", "pigeon")
	run(0, "Batch 1 is proposed", "make")
	run(1, "No approved withdrawal may leave just now", "make")
	run(1, "Payout batch 1 is proposed", "export", list, "--batch", "1")
	if _, err := os.Stat(list); err == nil {
		t.Error("a refused export left a file")
	}
	run(0, "at the command line\n1 of 1 batches.", "list")

	// An operator approves it.
	change(t, dir, "UPDATE payout_batch SET state = 'approved', approved_by = 1, approved_name = 'Olga', approved_at = 1")
	run(0, "is written to", "export", list, "--batch", "1")
	run(1, "cannot be written", "export", list, "--batch", "1") // it may hold hashes by now
	raw, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if out := run(0, "id,uid,address,amount,hash", "export", "-", "--batch", "1"); out != string(raw) {
		t.Errorf("on stdout it is %q, in the file %q", out, raw)
	}
	hash := "0x" + strings.Repeat("ab", 32)
	paid := regexp.MustCompile(`(?m),\r$`).ReplaceAllString(strings.Join(strings.SplitAfter(string(raw), "\n")[:2], ""), ","+hash+"\r")
	if err := os.WriteFile(list, []byte(strings.Replace(paid, hash, "0x1", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(1, "line 2: ", "import", list, "--batch", "1")
	if err := os.WriteFile(list, []byte(paid), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "1 hashes of batch 1 are new", "import", list, "--batch", "1")
	run(0, "0 hashes of batch 1 are new", "import", list, "--batch", "1")
	run(0, hash, "show", "1")
	var by int64
	var name string
	query(t, dir, "SELECT operator, name FROM trail ORDER BY no DESC LIMIT 1", &by, &name)
	if by != 0 || !strings.HasSuffix(name, "at the command line") {
		t.Errorf("recorded is %d, %q", by, name)
	}
}

// change changes what is stored, as somebody else would.
func change(t *testing.T, dir, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}
