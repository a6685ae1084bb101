package engine

import (
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
