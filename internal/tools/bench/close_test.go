package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// This test does not check measurements: only that the bench reports every phase of a real
// close, and that ledger, tree and sums are correct afterwards.
func TestBenchCloseReportsEveryPhaseAndVerifies(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if _, err := Close(t.Context(), CloseOptions{Out: &out, Log: io.Discard, Members: 4000, Branch: 1000, Growth: true, Rounds: 2, Verify: true}); err != nil {
		t.Fatal(err)
	}
	seen, rounds := map[string]bool{}, map[string]int{}
	for lines := json.NewDecoder(&out); ; {
		var l CloseLine
		if err := lines.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		// Bytes are those of the whole process: beside other tests they say nothing.
		if l.Bench != "close" || l.RowsPerS <= 0 || l.Rows <= l.Incomes || l.Incomes == 0 || l.RawRowsPerS <= 0 || l.Ratio <= 0 {
			t.Errorf("a line says too little: %+v", l)
		}
		if n := len(l.Growths); l.Phase == "whole" && l.Members == 4000 {
			rounds[l.Engine]++
			if n != rounds[l.Engine] || l.Growth <= slices.Min(l.Growths)-0.001 || l.Growth >= slices.Max(l.Growths)+0.001 || l.CPU <= 0 {
				t.Errorf("round %d says too little: %+v", rounds[l.Engine], l)
			}
		}
		seen[fmt.Sprint(l.Engine, " ", l.Members, " ", l.Phase)] = true
	}
	for _, engine := range TreeEngines {
		if rounds[engine] != 2 {
			t.Errorf("%s: %d rounds", engine, rounds[engine])
		}
		for _, members := range []int{400, 4000} {
			for _, phase := range ClosePhases {
				if at := fmt.Sprint(engine, " ", members, " ", phase); !seen[at] {
					t.Errorf("%s is missing", at)
				}
			}
		}
	}
}

func TestTheMedianOfRoundsCounts(t *testing.T) {
	t.Parallel()
	for want, all := range map[float64][]float64{3: {3}, 2: {1, 3}, 10: {13, 9, 10}, 4: {1, 5, 90, 3}} {
		if got := middle(all); got != want {
			t.Errorf("of %v it is %v, not %v", all, got, want)
		}
	}
}

const people, sales, positions = 3000, 900, 800

var everybody = population{members: people}

// Growth compares the same with ten times the same: every tenth of the members has the
// same sponsors, sides, buyers and investors, one tenth further on.
func TestTenTimesTheMembersAreTenTimesTheSame(t *testing.T) {
	const tenth = 400
	one, ten := population{tenth, 150, tenth}, population{10 * tenth, 150, tenth}
	small, large := slices.Collect(one.team()), slices.Collect(ten.team())
	for i, j := range large[1:] {
		no := i + 2
		if at := one.within(no) + 2; at <= tenth {
			want := small[at-1]
			if want.Sponsor > 1 {
				want.Sponsor += tree.No(no - at)
			}
			if j != want {
				t.Fatalf("member %d is %+v, its like in the first tenth %+v", no, j, want)
			}
		}
	}
	for i := range 50 {
		first, r := one.drawn(i, 5)
		lot := r.IntN(9000)
		for k := range 10 {
			no, r := ten.drawn(10*i+k, 5)
			if no != first+int64(k*tenth) || r.IntN(9000) != lot {
				t.Fatalf("thing %d of tenth %d is done by %d, in the small one by %d", i, k, no, first)
			}
		}
	}
}

// stocked is an installation just before the close of its day.
func stocked(t *testing.T, dsn string) *shop {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Migrate(ctx)
	if err = errors.Join(err, db.LoadTree(ctx, store.TreeLoad{
		Members: everybody.team(), IDKey: []byte(idKey), Password: "none", Since: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Every: time.Second,
	}), db.Close()); err != nil {
		t.Fatal(err)
	}
	s, err := openShop(ctx, &installation{dsn: dsn, dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.leave)
	if err := errors.Join(signTree(ctx, s.db, s.seq), s.stock(ctx, everybody, sales, positions)); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shop) mustClose(t *testing.T, day plan.Day) {
	t.Helper()
	if _, err := s.closing.Commit(context.Background(), day, ""); err != nil {
		t.Fatal(err)
	}
}

// A release pays each earner by one entry and rewrites no income row.
func TestAReleaseRewritesNoIncomeRowAndPostsOneEntryPerEarner(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := stocked(t, dsn)
		raw := testkit.Raw(t, dsn)
		if err := s.book(t.Context(), s.day, positions, map[string]int{"pnl": 10}); err != nil {
			t.Fatal(err)
		}
		s.mustClose(t, s.day)
		before := fingerprint(t, raw, s.day)
		from := s.seq.State().Head.Seq
		if err := s.book(t.Context(), s.day+1, positions, map[string]int{"settle": 8}); err != nil {
			t.Fatal(err)
		}
		s.mustClose(t, s.day+1)
		if after := fingerprint(t, raw, s.day); after != before {
			t.Error("income rows were rewritten")
		}
		var entries, earners, transfers, released int64
		scan(t, raw, "SELECT COUNT(*) FROM entry e JOIN transfer t ON t.seq = e.seq WHERE t.kind = 'release' AND t.seq > $1 AND e.kind = 'L:INCOME'", &entries, from)
		scan(t, raw, "SELECT COUNT(*) FROM (SELECT DISTINCT line, earner FROM income WHERE kind >= 6) x", &earners)
		scan(t, raw, "SELECT COUNT(*) FROM transfer WHERE kind = 'release' AND seq > $1", &transfers, from)
		scan(t, raw, "SELECT COUNT(*) FROM roi_batch WHERE released_day = $1", &released, int64(s.day)+1)
		if entries != earners || earners == 0 || transfers == 0 || released != 2 {
			t.Errorf("%d entries for %d earners in %d transfers of %d batches", entries, earners, transfers, released)
		}
		if err := s.verify(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Totals are those of all rows, whether closes kept sums of them or not; a sum
// that was changed is found.
func TestTotalsOfIncomesAreExact(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := stocked(t, dsn)
		for day, dollars := range []map[string]int{{"pnl": 10, "settle": 8}, {}} {
			if err := s.book(t.Context(), s.day+plan.Day(day), positions, dollars); err != nil {
				t.Fatal(err)
			}
			s.mustClose(t, s.day+plan.Day(day))
		}
		raw := testkit.Raw(t, dsn)
		var sums, heavy int64
		scan(t, raw, "SELECT COUNT(*) FROM income_sum", &sums)
		scan(t, raw, "SELECT COUNT(*) FROM (SELECT earner FROM income WHERE kind IN (0, 7) GROUP BY earner, kind, line, day HAVING COUNT(*) >= 32) x", &heavy)
		if sums == 0 || sums != heavy {
			t.Fatalf("%d sums are kept of %d", sums, heavy)
		}
		for _, kind := range []plan.Kind{plan.KindLevel, plan.KindMatching, plan.KindROI, plan.KindROILevel} {
			for _, days := range [][2]plan.Day{{0, 1 << 40}, {s.day, s.day}, {s.day + 1, s.day + 1}, {s.day + 2, s.day + 9}, {0, s.day - 1}} {
				for no := int64(1); no < 40; no++ {
					line := ""
					if kind >= plan.KindROI {
						line = plan.LineNames[no%2]
					}
					var want, sum int64
					scan(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM income WHERE earner = %d AND kind = %d AND line = '%s' AND day >= %d AND day <= %d", no, kind, line, days[0], days[1]), &want)
					scan(t, raw, fmt.Sprintf("SELECT COALESCE(CAST(SUM(paid) AS BIGINT), 0) FROM income WHERE earner = %d AND kind = %d AND line = '%s' AND day >= %d AND day <= %d", no, kind, line, days[0], days[1]), &sum)
					n, total, err := s.db.Report().IncomeTotal(t.Context(), report.Filter{No: no, From: days[0], To: days[1]}, kind, line)
					if err != nil || int64(n) != want || total != money.Micro(sum) {
						t.Fatalf("member %d, kind %d, %v: %d rows of %s, %v; want %d of %d", no, kind, days, n, total, err, want, sum)
					}
				}
			}
		}
		if err := s.verify(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Exec("UPDATE income_sum SET paid = paid + 1 WHERE row_first = (SELECT MAX(row_first) FROM income_sum)"); err != nil {
			t.Fatal(err)
		}
		if err := s.verify(t.Context()); err == nil {
			t.Error("a changed sum was not found")
		}
	})
}

// A page has the right rows in the order of all rows, from either end, although the search
// for it skips rows by the sums of closes.
func TestALatePageIsCorrect(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := stocked(t, dsn)
		for day := s.day; day < s.day+5; day++ {
			if err := s.book(t.Context(), day, positions, map[string]int{"pnl": 10}); err != nil {
				t.Fatal(err)
			}
			s.mustClose(t, day)
		}
		raw := testkit.Raw(t, dsn)
		for _, days := range [][2]plan.Day{{0, 1 << 40}, {s.day + 1, s.day + 4}} {
			var total int64
			of := fmt.Sprintf("FROM income WHERE earner = 1 AND kind = 7 AND line = '%s' AND day >= %d AND day <= %d", plan.LineNames[0], days[0], days[1])
			scan(t, raw, "SELECT COUNT(*) "+of, &total)
			if total < 1200 {
				t.Fatalf("only %d rows: no page is far", total)
			}
			for _, offset := range []int{0, 999, 1000, 1001, int(total) / 2, int(total) - 1, int(total)} {
				for _, order := range []string{"", " DESC"} {
					got, err := s.db.Report().Incomes(t.Context(), report.Filter{No: 1, From: days[0], To: days[1], Descending: order != "", Offset: offset, Limit: 2}, plan.KindROILevel, plan.LineNames[0])
					if err != nil || len(got) != min(2, int(total)-offset) {
						t.Fatalf("%d rows from %d on, %v", len(got), offset, err)
					}
					for i, x := range got {
						var want int64
						scan(t, raw, fmt.Sprintf("SELECT row_no %s ORDER BY row_no%s LIMIT 1 OFFSET %d", of, order, offset+i), &want)
						if x.Row != want {
							t.Errorf("row %d of %d%s is %d, want %d", offset+i, total, order, x.Row, want)
						}
					}
				}
			}
		}
	})
}

// The dashboard's incomes are the sum of the rows at once after each close, though it uses
// the sums of closes and caches.
func TestTheDashboardMatchesTheRows(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := stocked(t, dsn)
		raw := testkit.Raw(t, dsn)
		for day, dollars := range []map[string]int{{"pnl": 10}, {"settle": 8}, {}} {
			if err := s.book(t.Context(), s.day+plan.Day(day), positions, dollars); err != nil {
				t.Fatal(err)
			}
			s.mustClose(t, s.day+plan.Day(day))
			for no := int64(1); no <= 300; no++ { // those with many rows, and with few
				s.earnsItsRows(t, raw, no)
			}
		}
	})
}

func (s *shop) earnsItsRows(t *testing.T, raw *sql.DB, no int64) {
	t.Helper()
	count := "FROM income i LEFT JOIN roi_batch b ON i.kind >= 6 AND b.id = i.source WHERE (i.kind < 6 OR b.released_day > 0) AND i.earner = $1"
	var rows, kinds, days int64
	scan(t, raw, "SELECT COALESCE(CAST(SUM(i.paid) AS BIGINT), 0) "+count, &rows, no)
	scan(t, raw, "SELECT COUNT(*) FROM (SELECT DISTINCT i.kind, i.line "+count+") x", &kinds, no)
	scan(t, raw, "SELECT COUNT(*) FROM (SELECT DISTINCT i.day, i.kind, i.line "+count+") x", &days, no)
	earned, err := s.db.Team().Earned(t.Context(), tree.No(no))
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, e := range earned {
		var kind int64
		sum += e.Amount.Micros()
		scan(t, raw, fmt.Sprintf("SELECT CAST(SUM(i.paid) AS BIGINT) %s AND i.kind = %d AND i.line = '%s'", count, e.Kind, e.Line), &kind, no)
		if kind != e.Amount.Micros() {
			t.Errorf("member %d, kind %d %s: %s, want %d", no, e.Kind, e.Line, e.Amount, kind)
		}
	}
	if sum != rows || int64(len(earned)) != kinds {
		t.Errorf("member %d earned %d in %d kinds, want %d in %d", no, sum, len(earned), rows, kinds)
	}
	byDay, err := s.db.Report().IncomeByDay(t.Context(), report.Filter{No: no, From: 0, To: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range byDay {
		var day int64
		scan(t, raw, fmt.Sprintf("SELECT CAST(SUM(i.paid) AS BIGINT) %s AND i.kind = %d AND i.line = '%s' AND i.day = %d", count, d.Kind, d.Line, d.Day), &day, no)
		if day != d.Amount.Micros() {
			t.Errorf("member %d, %s, kind %d %s: %s, want %d", no, d.Day, d.Kind, d.Line, d.Amount, day)
		}
	}
	if int64(len(byDay)) != days {
		t.Errorf("member %d has %d sums of days, want %d", no, len(byDay), days)
	}
}

func scan(t *testing.T, db *sql.DB, query string, into *int64, args ...any) {
	t.Helper()
	if err := db.QueryRow(query, args...).Scan(into); err != nil {
		t.Fatal(query, err)
	}
}

// fingerprint is of all columns of a day's income rows.
func fingerprint(t *testing.T, db *sql.DB, day plan.Day) string {
	t.Helper()
	rows, err := db.Query("SELECT * FROM income WHERE day = $1 ORDER BY row_no", int64(day))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var vals [19]any
	var into [len(vals)]any
	for i := range vals {
		into[i] = &vals[i]
	}
	sum, n := sha256.New(), 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(into[:]...); err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintln(sum, vals[:]...)
	}
	if rows.Err() != nil || n == 0 {
		t.Fatal(n, rows.Err())
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
