package engine

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Conditions joins conditions on values, in the order of their numbers.
type Conditions struct {
	Parts []string
	Args  []any
}

// Add takes a condition that ends where its value goes.
func (w *Conditions) Add(condition string, value any) {
	w.Args = append(w.Args, value)
	w.Parts = append(w.Parts, condition+" $"+strconv.Itoa(len(w.Args)))
}

// During keeps a column within times; what is zero is open.
func (w *Conditions) During(column string, from, before time.Time) {
	if !from.IsZero() {
		w.Add(column+" >=", Micros(from))
	}
	if !before.IsZero() {
		w.Add(column+" <", Micros(before))
	}
}

// Text is the WHERE clause, or nothing.
func (w *Conditions) Text() string {
	if len(w.Parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.Parts, " AND ")
}

// And are the conditions after others.
func (w *Conditions) And() string {
	if len(w.Parts) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.Parts, " AND ")
}

// Unindexed hides a column of a list that is one member's: SQLite would take an index
// that begins with it, and that has everybody's rows.
func Unindexed(uid int64, column string) string {
	if uid == 0 {
		return column
	}
	return column + " || ''"
}

// Page is LIMIT and OFFSET after the conditions.
func (w *Conditions) Page(limit, offset int64) (string, []any) {
	n := len(w.Args)
	return " LIMIT $" + strconv.Itoa(n+1) + " OFFSET $" + strconv.Itoa(n+2), append(w.Args[:n:n], limit, offset)
}

// Ordered sorts by columns, all of them down or up.
func Ordered(down bool, columns ...string) string {
	if down {
		return " ORDER BY " + strings.Join(columns, " DESC, ") + " DESC"
	}
	return " ORDER BY " + strings.Join(columns, ", ")
}

// Totals of operators' lists. Triggers of the database update the table list_sum with
// every write; this file reads it.

// ListKey says which rows of a list are counted; what is empty is open.
type ListKey struct {
	List, State, Kind string
	Waiting           bool
}

// ListSum is the stored count and sum of a list.
func (db *DB) ListSum(ctx context.Context, of ListKey) (Total, error) {
	var w Conditions
	w.Add("list =", of.List)
	if of.State != "" {
		w.Add("state =", of.State)
	}
	if of.Kind != "" {
		w.Add("kind =", of.Kind)
	}
	if of.Waiting {
		w.Add("waits =", int64(1))
	}
	return Value(ctx, db.Committed(), ScanTotal, "SELECT COALESCE(CAST(SUM(n) AS BIGINT), 0), COALESCE(CAST(SUM(amount) AS BIGINT), 0) FROM list_sum"+w.Text(), w.Args...)
}

// FarOffset is from which row on a page's first row is looked for in an index first,
// which is narrower than the rows that are skipped.
const FarOffset = 1000

// Paged reads a page of a list that is in the order of ids.
func Paged[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), columns, table string, w Conditions, newest bool, total, limit, offset int64) ([]T, error) {
	return PagedBy(ctx, q, scan, columns, table, []string{"id"}, w, newest, total, limit, offset)
}

// PagedBy reads a page of a list of total rows that is in the order of its keys,
// the last of them id, from whichever of its ends is nearer.
func PagedBy[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), columns, table string, keys []string, w Conditions, newest bool, total, limit, offset int64) ([]T, error) {
	limit = max(0, min(limit, total-offset))
	back := total-offset-limit < offset
	if back {
		offset = max(0, total-offset-limit)
	}
	down := newest != back
	order := Ordered(down, keys...)
	page, args := w.Page(limit, offset)
	text := "SELECT " + columns + " FROM " + table + w.Text() + order + page
	if offset >= FarOffset {
		n, from, row := len(args), " >= ", strings.Join(keys, ", ")
		if down {
			from = " <= "
		}
		w.Parts = append(slices.Clone(w.Parts), "("+row+")"+from+"(SELECT "+row+" FROM "+table+w.Text()+order+" LIMIT 1 OFFSET $"+strconv.Itoa(n)+")")
		text = "SELECT " + columns + " FROM " + table + w.Text() + order + " LIMIT $" + strconv.Itoa(n-1)
	}
	all, err := List(ctx, q, scan, text, args...)
	if back {
		slices.Reverse(all)
	}
	return all, err
}
