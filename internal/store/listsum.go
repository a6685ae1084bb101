package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What operators' lists come to is kept in the table list_sum by the database
// itself, with every write; here it is read.

// summed says which rows of a list are counted; what is empty is open.
type summed struct {
	list, state, kind string
	waiting           bool
}

func (db *DB) listSum(ctx context.Context, of summed) (total, error) {
	var w wheres
	w.add("list =", of.list)
	if of.state != "" {
		w.add("state =", of.state)
	}
	if of.kind != "" {
		w.add("kind =", of.kind)
	}
	if of.waiting {
		w.add("waits =", int64(1))
	}
	return value(ctx, &db.rows, scanTotal, "SELECT COALESCE(CAST(SUM(n) AS BIGINT), 0), COALESCE(CAST(SUM(amount) AS BIGINT), 0) FROM list_sum"+w.text(), w.args...)
}

// listsAgain counts every list again.
const listsAgain = `SELECT 'fund_request' AS list, state, way AS kind, 0 AS waits, COUNT(*) AS n, SUM(amount) AS amount FROM fund_request GROUP BY state, way
	UNION ALL SELECT 'withdrawal', state, '', 0, COUNT(*), SUM(amount) FROM withdrawal GROUP BY state
	UNION ALL SELECT 'support_ticket', status, kind, waits, COUNT(*), 0 FROM support_ticket GROUP BY status, kind, waits
	UNION ALL SELECT 'claim', ` + claimState + `, line, 0, COUNT(*), SUM(net - recalled) FROM claim GROUP BY 2, 3
	UNION ALL SELECT 'position', 'open', line, 0, COUNT(*), SUM(principal) FROM invest_position WHERE state = 'open' GROUP BY line
	UNION ALL SELECT 'position_loss', 'open', line, 0, COUNT(*), SUM(loss) FROM invest_position WHERE state = 'open' GROUP BY line
	UNION ALL SELECT 'newsletter', state, '', 0, COUNT(*), 0 FROM newsletter GROUP BY state
	UNION ALL SELECT 'outbox', state, '', 0, COUNT(*), 0 FROM outbox GROUP BY state`

// ListFinding is a kept count of a list that is wrong.
type ListFinding struct {
	List, State string
	Rows        int64 // that it is off by
}

func (f *ListFinding) Error() string {
	return fmt.Sprintf("The kept count or sum of the list %s, state %s, is wrong: off by %d rows.", f.List, f.State, f.Rows)
}

// CheckLists counts all lists again. The error is a *ListFinding if a kept
// count or sum is wrong.
func (db *DB) CheckLists(ctx context.Context) error {
	scan := func(r *sql.Rows) (f ListFinding, err error) {
		err = r.Scan(&f.List, &f.State, &f.Rows)
		return f, err
	}
	wrong, found, err := first(ctx, &db.rows, scan, `SELECT list, state, CAST(SUM(n) AS BIGINT) FROM (
		SELECT list, state, kind, waits, n, amount FROM list_sum
		UNION ALL SELECT list, state, kind, waits, -n, -amount FROM (`+listsAgain+`) AS again) AS sums
		GROUP BY list, state, kind, waits HAVING SUM(n) <> 0 OR SUM(amount) <> 0 ORDER BY list, state LIMIT 1`)
	if err != nil || !found {
		return err
	}
	return &wrong
}

// far is from which row on a page's first row is looked for in an index first,
// which is narrower than the rows that are skipped.
const far = 1000

// paged reads a page of a list that is in the order of ids.
func paged[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), columns, table string, w wheres, newest bool, total, limit, offset int64) ([]T, error) {
	return pagedBy(ctx, q, scan, columns, table, []string{"id"}, w, newest, total, limit, offset)
}

// pagedBy reads a page of a list of total rows that is in the order of its keys,
// the last of them id, from whichever of its ends is nearer.
func pagedBy[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), columns, table string, keys []string, w wheres, newest bool, total, limit, offset int64) ([]T, error) {
	limit = max(0, min(limit, total-offset))
	back := total-offset-limit < offset
	if back {
		offset = max(0, total-offset-limit)
	}
	down := newest != back
	order := ordered(down, keys...)
	page, args := w.page(limit, offset)
	text := "SELECT " + columns + " FROM " + table + w.text() + order + page
	if offset >= far {
		n, from, row := len(args), " >= ", strings.Join(keys, ", ")
		if down {
			from = " <= "
		}
		w.parts = append(slices.Clone(w.parts), "("+row+")"+from+"(SELECT "+row+" FROM "+table+w.text()+order+" LIMIT 1 OFFSET $"+strconv.Itoa(n)+")")
		text = "SELECT " + columns + " FROM " + table + w.text() + order + " LIMIT $" + strconv.Itoa(n-1)
	}
	all, err := list(ctx, q, scan, text, args...)
	if back {
		slices.Reverse(all)
	}
	return all, err
}
