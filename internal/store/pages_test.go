package store

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// A commit looks through every page in memory as soon as SQLite believes that it
// holds one beyond the file's end.
func TestSplittingPagesLeavesNoPageBeyondTheEnd(t *testing.T) {
	if !commitsAreQuick {
		t.Fatal("SQLite did not take the table of pages")
	}
	// Not parallel: this listens to every connection of the process.
	var cache uintptr
	moved := 0
	usual := usualRekey
	usualRekey = func(tls *libc.TLS, c, page uintptr, from, to uint32) {
		if usual(tls, c, page, from, to); to == parked(at[sqlite3.TPCache1](c)) {
			cache = c
			moved++
		}
	}
	t.Cleanup(func() { usualRekey = usual })

	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "pages.db")
	if err := setPageSize(ctx, path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", sqliteDSN(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := conn.ExecContext(ctx, query, args...); err != nil {
			t.Fatal(err)
		}
	}
	do("CREATE TABLE thing (key TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID")
	rnd := rand.New(rand.NewPCG(1, 2))
	for round, end := range []string{"COMMIT", "ROLLBACK", "COMMIT"} {
		moved = 0
		do("BEGIN IMMEDIATE")
		for range 5000 {
			do("INSERT INTO thing VALUES (?, ?)", fmt.Sprintf("%016x", rnd.Uint64()), "something of some length, so that pages fill")
		}
		var pages uint32
		if err := conn.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
			t.Fatal(err)
		}
		if moved == 0 {
			t.Fatalf("round %d: no page was parked, so this shows nothing", round)
		}
		if c := at[sqlite3.TPCache1](cache); c.FszPage != pageSize || c.FiMaxKey > pages {
			t.Errorf("round %d: pages of %d bytes, the highest %d of %d", round, c.FszPage, c.FiMaxKey, pages)
		}
		do(end)
	}
	var rows int
	var sound string
	if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM thing").Scan(&rows); err != nil || rows != 10_000 {
		t.Errorf("%d rows, %v; want 10000", rows, err)
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("the file is %q, %v", sound, err)
	}
	_ = conn.Close()
}
