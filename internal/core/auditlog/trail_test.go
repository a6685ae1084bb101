package auditlog_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var ctx = context.Background()

// house is a record on a running ledger.
type house struct {
	*testkit.Ledger
	*auditlog.Service
	t   *testing.T
	dsn string
}

func onEngines(t *testing.T, test func(t *testing.T, h *house)) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		test(t, &house{l, auditlog.New(auditlog.Options{Store: l.DB.AuditLog(), Clock: l.Clock, Do: l.Sequencer}), t, dsn})
	})
}

func (h *house) write(entries ...auditlog.Entry) error {
	h.t.Helper()
	_, err := h.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		var err error
		for _, e := range entries {
			err = errors.Join(err, h.Write(ctx, tx, e))
		}
		return nil, err
	}})
	return err
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// finds fails the test unless the check finds this wrong.
func (h *house) finds(no int64, what string) {
	h.t.Helper()
	_, err := auditlog.Check(ctx, h.DB.AuditLog())
	var f *auditlog.Finding
	if !errors.As(err, &f) || f.No != no || !strings.Contains(f.What, what) {
		h.t.Errorf("found %v, want %q at %d", err, what, no)
	}
}

// tamper changes the database behind the program's back.
func (h *house) tamper(statements ...string) {
	h.t.Helper()
	raw := testkit.Raw(h.t, h.dsn)
	defer func() { _ = raw.Close() }()
	if !strings.HasPrefix(h.dsn, "postgres") {
		statements = append([]string{"DROP TRIGGER IF EXISTS trail_keep_row", "DROP TRIGGER IF EXISTS trail_no_delete"}, statements...)
	}
	for _, s := range statements {
		if _, err := raw.Exec(s); err != nil {
			h.t.Fatal(err)
		}
	}
}

func TestEntriesAreFilteredByOperatorActMemberAndTime(t *testing.T) {
	onEngines(t, func(t *testing.T, h *house) {
		for i := range int64(10) {
			h.must(h.write(auditlog.Entry{Operator: 1 + i%2, Name: "n", Act: []string{"block", "visit"}[i%2], Member: 100 + i%5, Was: auditlog.State(i), Reason: "because", Shown: i%5 == 0}))
			h.Clock.Advance(time.Hour)
		}
		start := testkit.Epoch
		for _, c := range []struct {
			f    auditlog.Filter
			want string
		}{
			{auditlog.Filter{Limit: 3}, "[10 9 8] true"},
			{auditlog.Filter{Limit: 3, Before: 4}, "[3 2 1] false"},
			{auditlog.Filter{Operator: 2, Limit: 99}, "[10 8 6 4 2] false"},
			{auditlog.Filter{Act: "block", Limit: 2}, "[9 7] true"},
			{auditlog.Filter{Member: 100, Limit: 9}, "[6 1] false"},
			{auditlog.Filter{Member: 100, Shown: true, Limit: 9}, "[6 1] false"},
			{auditlog.Filter{Member: 101, Shown: true, Limit: 9}, "[] false"},
			{auditlog.Filter{From: start.Add(3 * time.Hour), To: start.Add(5 * time.Hour), Limit: 9}, "[5 4] false"},
			{auditlog.Filter{Operator: 1, Act: "block", Member: 102, From: start, Limit: 9}, "[3] false"},
		} {
			found, more, err := h.List(ctx, c.f)
			h.must(err)
			nos := []int64{}
			for _, e := range found {
				nos = append(nos, e.No)
			}
			if got := fmt.Sprint(nos, more); got != c.want {
				t.Errorf("%+v gives %s, want %s", c.f, got, c.want)
			}
		}
	})
}

func TestAFailedCommandLeavesNoEntryAndNoGap(t *testing.T) {
	onEngines(t, func(t *testing.T, h *house) {
		h.must(h.write(auditlog.Entry{Act: "one"}, auditlog.Entry{Act: "two"}))
		if err := h.write(auditlog.Entry{Act: "lost"}, auditlog.Entry{Act: ""}); !errs.Is(err, errs.Internal) {
			t.Errorf("an entry without an act: %v", err)
		}
		if err := h.write(auditlog.Entry{Act: "x", Reason: strings.Repeat("x", 5000)}); !errs.Is(err, errs.Internal) {
			t.Errorf("an entry that is too long: %v", err)
		}
		h.must(h.write(auditlog.Entry{Act: "three"}))
		sum, err := auditlog.Check(ctx, h.DB.AuditLog())
		if err != nil || sum.Entries != 3 || sum.Sealed != 0 {
			t.Errorf("%+v, %v", sum, err)
		}
		h.must(h.Seal(ctx))
		h.must(h.Seal(ctx)) // again is the same
		if sum, err := auditlog.Check(ctx, h.DB.AuditLog()); err != nil || sum.Sealed != 3 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
}

func TestTheDatabaseItselfRefusesToChangeTheRecord(t *testing.T) {
	onEngines(t, func(t *testing.T, h *house) {
		h.must(h.write(auditlog.Entry{Act: "one"}))
		raw := testkit.Raw(t, h.dsn)
		defer func() { _ = raw.Close() }()
		conn, err := raw.Conn(ctx)
		h.must(err)
		defer func() { _ = conn.Close() }()
		if strings.HasPrefix(h.dsn, "postgres") { // as the server works
			_, err := conn.ExecContext(ctx, "SET ROLE bifolia_app")
			h.must(err)
		}
		for _, s := range []string{"UPDATE trail SET reason = 'x'", "DELETE FROM trail"} {
			if _, err := conn.ExecContext(ctx, s); err == nil {
				t.Errorf("%s was done", s)
			}
		}
	})
}

func TestTamperingIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		statements []string
		no         int64
		what       string
	}{
		"a changed reason":           {[]string{"UPDATE trail SET reason = 'another' WHERE no = 2"}, 2, "not what was written"},
		"a changed operator":         {[]string{"UPDATE trail SET operator = 9 WHERE no = 3"}, 3, "not what was written"},
		"shown to nobody":            {[]string{"UPDATE trail SET shown = 1 - shown WHERE no = 1"}, 1, "not what was written"},
		"a dropped entry":            {[]string{"DELETE FROM trail WHERE no = 2"}, 2, "missing"},
		"a dropped end":              {[]string{"DELETE FROM trail WHERE no = 4"}, 4, "the signed chain knows of more"},
		"everything dropped":         {[]string{"DELETE FROM trail"}, 1, "the signed chain knows of more"},
		"two entries in one's place": {[]string{"DELETE FROM trail WHERE no = 1", "UPDATE trail SET no = no - 1"}, 1, "not what was written"},
	} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, h *house) {
				for range 4 {
					h.must(h.write(auditlog.Entry{Operator: 1, Act: "block", Member: 7, Reason: "because"}))
				}
				h.must(h.Seal(ctx))
				h.tamper(c.statements...)
				h.finds(c.no, c.what)
			})
		})
	}
}

func TestARewrittenAuditLogIsFoundByTheSeal(t *testing.T) {
	onEngines(t, func(t *testing.T, h *house) {
		h.must(h.write(auditlog.Entry{Act: "steal", Reason: "for myself"}))
		h.must(h.Seal(ctx))
		h.tamper("DELETE FROM trail")
		h.must(h.write(auditlog.Entry{Act: "help", Reason: "for others"})) // whole in itself
		h.finds(1, "the signed chain says otherwise")
	})
}
