package simulate_test

import (
	"context"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// replay makes one closed day of a database again.
func replay(t *testing.T, dsn string, on plan.Day) closing.Replayed {
	t.Helper()
	db, err := store.OpenToRead(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	steps := int64(0)
	r, err := closing.Replay(context.Background(), db.Closing(), db.Past(), on, func(done, total int64) {
		if steps++; done != steps || done > total {
			t.Errorf("day %d of %d came after %d steps", done, total, steps-1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A replay reproduces the digest and every stored row of each close of the worked example
// and of a random scenario, whatever happened after it.
func TestEveryPastCloseIsReplayedToTheSameDigest(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*simulate.Scenario{"the worked example": workedExample(t), "a random scenario": scenario(t, story(71, 160))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				out, err := simulate.Run(context.Background(), dsn, s)
				if err != nil {
					t.Fatal(err)
				}
				before := dump(t, dsn, true)
				for _, day := range out.Days {
					on, err := plan.ParseDay(day.Day)
					if err != nil {
						t.Fatal(err)
					}
					if r := replay(t, dsn, on); !r.Equal() || r.Digest != day.Digest || r.Day != on {
						t.Errorf("%s: %+v", on, r)
					}
				}
				same(t, "the books after the replays", before, dump(t, dsn, true))
			})
		})
	}
}

// A row, a purchase or an earlier day that was changed behind the books' back
// shows in the replay, with what it is and what it should be.
func TestAReplayRevealsLaterChanges(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	if _, err := simulate.Run(context.Background(), dsn, workedExample(t)); err != nil {
		t.Fatal(err)
	}
	db := testkit.Raw(t, dsn)
	var row, paid, dayNumber, last int64
	if err := db.QueryRow("SELECT row_no, paid, day FROM income WHERE kind = 0 AND paid > 0 ORDER BY row_no LIMIT 1").Scan(&row, &paid, &dayNumber); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow("SELECT MAX(day) FROM close_day").Scan(&last); err != nil {
		t.Fatal(err)
	}
	on := plan.Day(dayNumber)
	change := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	change("UPDATE income SET paid = paid + 1000000 WHERE row_no = $1", row)
	r := replay(t, dsn, on)
	if r.Equal() || r.Digest != r.Again || len(r.Differences) != 1 || r.Differences[0].Field != "paid" || r.Differences[0].What != "row" {
		t.Errorf("a changed row: %+v", r)
	}
	change("UPDATE income SET paid = paid - 1000000 WHERE row_no = $1", row)
	change("UPDATE sale SET volume = volume + 7000000 WHERE id = (SELECT source FROM income WHERE row_no = $1)", row)
	if r := replay(t, dsn, on); r.Equal() || r.Digest == r.Again {
		t.Errorf("a changed purchase: %+v", r)
	}
	change("UPDATE sale SET volume = volume - 7000000 WHERE id = (SELECT source FROM income WHERE row_no = $1)", row)
	change("UPDATE close_day SET digest = '00' WHERE day = $1", last)
	if r := replay(t, dsn, plan.Day(last)); r.Equal() || len(r.Differences) != 0 {
		t.Errorf("a changed digest: %+v", r)
	}
	change("DELETE FROM income WHERE row_no = $1", row)
	if r := replay(t, dsn, on); r.Equal() || !slices.ContainsFunc(r.Differences, func(d closing.Difference) bool { return d.Stored == "" }) {
		t.Errorf("a missing row: %+v", r)
	}
}
