package engine

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wheres joins conditions on values, in the order of their numbers.
type Wheres struct {
	Parts []string
	Args  []any
}

// add takes a condition that ends where its value goes.
func (w *Wheres) Add(condition string, value any) {
	w.Args = append(w.Args, value)
	w.Parts = append(w.Parts, condition+" $"+strconv.Itoa(len(w.Args)))
}

// during keeps a column within times; what is zero is open.
func (w *Wheres) During(column string, from, before time.Time) {
	if !from.IsZero() {
		w.Add(column+" >=", Micros(from))
	}
	if !before.IsZero() {
		w.Add(column+" <", Micros(before))
	}
}

func (w *Wheres) Text() string {
	if len(w.Parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.Parts, " AND ")
}

// and are the conditions after others.
func (w *Wheres) And() string {
	if len(w.Parts) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.Parts, " AND ")
}

// ofOne hides a column of a list that is one member's: SQLite would take an index
// that begins with it, and that has everybody's rows.
func OfOne(uid int64, column string) string {
	if uid == 0 {
		return column
	}
	return column + " || ''"
}

// page is LIMIT and OFFSET after the conditions.
func (w *Wheres) Page(limit, offset int64) (string, []any) {
	n := len(w.Args)
	return " LIMIT $" + strconv.Itoa(n+1) + " OFFSET $" + strconv.Itoa(n+2), append(w.Args[:n:n], limit, offset)
}

// ordered sorts by columns, all of them down or up.
func Ordered(down bool, columns ...string) string {
	if down {
		return " ORDER BY " + strings.Join(columns, " DESC, ") + " DESC"
	}
	return " ORDER BY " + strings.Join(columns, ", ")
}

// What operators' lists come to is kept in the table list_sum by the database
// itself, with every write; here it is read.

// summed says which rows of a list are counted; what is empty is open.
type Summed struct {
	List, State, Kind string
	Waiting           bool
}

func (db *DB) ListSum(ctx context.Context, of Summed) (Total, error) {
	var w Wheres
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

// far is from which row on a page's first row is looked for in an index first,
// which is narrower than the rows that are skipped.
const Far = 1000

// paged reads a page of a list that is in the order of ids.
func Paged[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), columns, table string, w Wheres, newest bool, total, limit, offset int64) ([]T, error) {
	return PagedBy(ctx, q, scan, columns, table, []string{"id"}, w, newest, total, limit, offset)
}

// pagedBy reads a page of a list of total rows that is in the order of its keys,
// the last of them id, from whichever of its ends is nearer.
func PagedBy[T any](ctx context.Context, q Querier, scan func(*sql.Rows) (T, error), columns, table string, keys []string, w Wheres, newest bool, total, limit, offset int64) ([]T, error) {
	limit = max(0, min(limit, total-offset))
	back := total-offset-limit < offset
	if back {
		offset = max(0, total-offset-limit)
	}
	down := newest != back
	order := Ordered(down, keys...)
	page, args := w.Page(limit, offset)
	text := "SELECT " + columns + " FROM " + table + w.Text() + order + page
	if offset >= Far {
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
