package insight

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/trade"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// figuresStore reads the rows of the operators' reports.
type figuresStore struct{ db *engine.DB }

// Figures is the store of the operators' reports.
func Figures(db *engine.DB) figures.Store { return figuresStore{db} }

func (s figuresStore) LastDay(ctx context.Context) (plan.Day, bool, error) {
	return trade.Closing(s.db).LastDay(ctx, nil)
}

func (s figuresStore) DaySums(ctx context.Context, from, to plan.Day) ([]closing.DaySum, error) {
	return engine.List(ctx, s.db.Committed(), trade.ScanDaySum, "SELECT day, name, part, n, amount FROM day_sum WHERE day >= $1 AND day <= $2 ORDER BY day, name, part", int64(from), int64(to))
}

func (s figuresStore) Buyers(ctx context.Context, line string, after, until plan.Day, yield func(day plan.Day, no int64) error) error {
	return reportStore(s).Buyers(ctx, line, after, until, yield)
}

func (s figuresStore) Flips(ctx context.Context, after int64, yield func(n int64, f closing.Flip) error) error {
	type flip struct {
		n int64
		closing.Flip
	}
	scan := func(r *sql.Rows) (f flip, err error) {
		var active int64
		err = r.Scan(&f.n, &f.No, &f.Day, &active)
		f.Active = active == 1
		return f, err
	}
	return engine.Each(ctx, s.db.Committed(), scan, func(f flip) error { return yield(f.n, f.Flip) }, "SELECT n, no, day, active FROM activity WHERE n > $1 ORDER BY n", after)
}

func (s figuresStore) Charges(ctx context.Context, since time.Time, yield func(at time.Time, charge int64) error) error {
	scan := func(r *sql.Rows) (c [2]int64, err error) {
		err = r.Scan(&c[0], &c[1])
		return c, err
	}
	// For SQLite the first condition is the start in the index, and the second one matches
	// the condition of the index.
	return engine.Each(ctx, s.db.Committed(), scan, func(c [2]int64) error { return yield(engine.Instant(c[0]), c[1]) },
		"SELECT confirmed_at, charge FROM withdrawal WHERE confirmed_at >= $1 AND confirmed_at > 0 ORDER BY confirmed_at", engine.Micros(since))
}

func (s figuresStore) Published(ctx context.Context, after plan.Day, yield func(day plan.Day, body []byte) error) error {
	type page struct {
		day  plan.Day
		body string
	}
	scan := func(r *sql.Rows) (p page, err error) {
		err = r.Scan(&p.day, &p.body)
		return p, err
	}
	return engine.Each(ctx, s.db.Committed(), scan, func(p page) error { return yield(p.day, []byte(p.body)) }, "SELECT day, body FROM transparency WHERE day > $1 ORDER BY day", int64(after))
}
