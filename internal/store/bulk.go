package store

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"
)

// Bulk writes of nouns within a command.

// insert adds rows within the group: several per statement on SQLite, by array
// or COPY on PostgreSQL.
func (g *groupTx) insert(ctx context.Context, r *rows) error {
	if r.len() == 0 {
		return nil
	}
	if err := g.begin(ctx); err != nil {
		return err
	}
	if g.db.engine == engineSQLite {
		return g.insertChunks(ctx, r)
	}
	if r.len() > copyAbove {
		return g.w.conn.Raw(func(driver any) error {
			return copyRows(ctx, driver.(*stdlib.Conn).Conn(), []*rows{r})
		})
	}
	_, err := g.w.conn.ExecContext(ctx, r.t.array, r.arrays()...)
	return err
}

// inChunks calls f with at most maxIn values at a time.
func inChunks[T any](all []T, f func([]T) error) error {
	for len(all) > 0 {
		n := min(len(all), maxIn)
		if err := f(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

var (
	incomeTable = newTable("income", []column{
		{"row_no", ints},
		{"day", ints},
		{"kind", ints},
		{"line", texts},
		{"earner", ints},
		{"source_no", ints},
		{"level", ints},
		{"position_id", texts},
		{"paid", ints},
		{"nominal", ints},
		{"on_amount", ints},
		{"a", ints},
		{"b", ints},
		{"capped", ints},
		{"scaled", ints},
		{"held", ints},
		{"reverses", ints},
		{"source", texts},
		{"released_day", ints},
	}...)
	carryTable = newTable("carry", []column{
		{"no", ints},
		{"final", ints},
		{"sales", ints},
		{"own", ints},
		{"month", ints},
		{"left_vol", ints},
		{"right_vol", ints},
		{"match_bot", ints},
		{"rank", ints},
		{"reward", ints},
		{"months", ints},
		{"active", ints},
		{"debt", ints},
	}...)
	activityTable = newTable("activity", []column{{"n", ints}, {"no", ints}, {"day", ints}, {"active", ints}}...)
)
