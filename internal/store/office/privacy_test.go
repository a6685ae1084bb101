package office

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Hints at the same person twice must not read all members, nor all sessions.
func TestWhoIsAlikeIsFoundByIndexesOnly(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := engine.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "bifolia.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	step := func(r *sql.Rows) (text string, err error) {
		var a, b, c int64
		err = r.Scan(&a, &b, &c, &text)
		return text, err
	}
	for way, index := range map[staff.Way]string{
		staff.SameMobile: "member_by_mobile", staff.SameWallet: "member_wallet", staff.SameEmail: "member_by_email_key",
		staff.SameBank: "member_by_bank", staff.SameAddress: "session_peer",
	} {
		query, err := alike(db, way)
		if err != nil {
			t.Fatal(err)
		}
		args := []any{int64(1), "x", int64(20)}
		if way == staff.SameBank {
			args = append(args, "y")
		}
		steps, err := engine.List(ctx, db.Committed(), step, "EXPLAIN QUERY PLAN "+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(steps, "; ")
		if !strings.Contains(plan, index) || strings.Contains(plan, "SCAN member") || strings.Contains(plan, "SCAN session") {
			t.Errorf("who has the same %s is found by: %s", way, plan)
		}
	}
	if _, err := alike(db, "hair"); err == nil {
		t.Error("people are alike by their hair")
	}
}
