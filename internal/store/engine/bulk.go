package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Bulk writes: any number of rows in bounded memory.

// bulk is rows to come: row adds the values of row i.
type bulk struct {
	t   *table
	n   int
	row func(i int, r *Rows)
}

// all makes the rows at once, for few of them.
func (b bulk) all() *Rows {
	r := &Rows{t: b.t, Vals: make([]any, 0, b.n*len(b.t.cols))}
	for i := range b.n {
		b.row(i, r)
	}
	return r
}

// Insert adds n rows to t within the group, row adding the values of row i: several per statement on SQLite, by array
// or COPY on PostgreSQL.
func (g *Group) Insert(ctx context.Context, t *table, n int, row func(i int, r *Rows)) error {
	b := bulk{t, n, row}
	if n == 0 {
		return nil
	}
	if err := g.beginWrite(ctx); err != nil {
		return err
	}
	switch {
	case g.DB.engine == SQLite:
		return g.classify(g.insertChunks(ctx, b))
	case b.n > copyAbove:
		return g.classify(g.w.conn.Raw(func(driver any) error {
			return copyRows(ctx, driver.(*stdlib.Conn).Conn(), b)
		}))
	}
	_, err := g.w.conn.ExecContext(ctx, b.t.array, b.all().arrays()...)
	return g.classify(err)
}

// RowsPerStatement is how many rows one statement carries.
const RowsPerStatement = 256

// insertChunks inserts many rows at a time, then what is left in ever smaller
// statements, so that few of them are ever prepared.
func (g *Group) insertChunks(ctx context.Context, b bulk) error {
	if err := g.GrowCache(ctx, b.n); err != nil {
		return err
	}
	parts := b.parts
	if b.n >= manyRows {
		parts = b.partsAhead
	}
	width := len(b.t.cols)
	for vals := range parts {
		for len(vals) > 0 {
			for _, size := range chunkSizes {
				if n := size * width; n <= len(vals) {
					if _, err := g.w.exec(ctx, b.t.chunks[size], vals[:n]...); err != nil {
						return err
					}
					vals = vals[n:]
					break
				}
			}
		}
	}
	return nil
}

// parts gives the values of as many rows as one statement carries, and again, until
// all were given. The values are valid until the next call.
func (b bulk) parts(yield func(vals []any) bool) {
	r := &Rows{t: b.t, Vals: make([]any, 0, min(b.n, RowsPerStatement)*len(b.t.cols))}
	for from := 0; from < b.n; from += RowsPerStatement {
		b.fill(r, from)
		if !yield(r.Vals) {
			return
		}
	}
}

func (b bulk) fill(r *Rows, from int) {
	r.Vals = r.Vals[:0]
	for i := from; i < min(from+RowsPerStatement, b.n); i++ {
		b.row(i, r)
	}
}

// partsAhead is parts that makes the next ones while the engine writes those before.
func (b bulk) partsAhead(yield func(vals []any) bool) {
	const ahead = 4
	free, made, stop := make(chan *Rows, ahead), make(chan *Rows, ahead), make(chan struct{})
	for range ahead {
		free <- &Rows{t: b.t, Vals: make([]any, 0, RowsPerStatement*len(b.t.cols))}
	}
	var maker sync.WaitGroup
	defer maker.Wait() // the rows belong to the caller, who may change them after
	defer close(stop)
	maker.Go(func() {
		defer close(made)
		for from := 0; from < b.n; from += RowsPerStatement {
			select {
			case r := <-free:
				b.fill(r, from)
				made <- r
			case <-stop:
				return
			}
		}
	})
	for r := range made {
		if !yield(r.Vals) {
			return
		}
		free <- r
	}
}

// copyRows adds rows by COPY.
func copyRows(ctx context.Context, conn *pgx.Conn, b bulk) error {
	names := make([]string, len(b.t.cols))
	for i, c := range b.t.cols {
		names[i] = c.name
	}
	next, r := 0, Rows{t: b.t}
	n, err := conn.CopyFrom(ctx, pgx.Identifier{b.t.name}, names, pgx.CopyFromFunc(func() ([]any, error) {
		if next == b.n {
			return nil, nil
		}
		r.Vals = r.Vals[:0]
		b.row(next, &r)
		next++
		return r.Vals, nil
	}))
	if err != nil {
		return err
	}
	if n != int64(b.n) {
		return fmt.Errorf("%s: %d rows copied, not %d", b.t.name, n, b.n)
	}
	return nil
}

// InChunks calls f with at most maxIn values at a time.
func InChunks[T any](all []T, f func([]T) error) error {
	for len(all) > 0 {
		n := min(len(all), MaxIn)
		if err := f(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// Change runs "WITH v (names) AS (VALUES …) UPDATE query" over many rows, which
// must change one row each. types are the columns'.
func (g *Group) Change(ctx context.Context, what, names string, types []string, n int, row func(i int) []any, query string) error {
	verb := "UPDATE "
	if g.DB.engine == SQLite {
		verb = "UPDATE OR FAIL " // see insertValues
	}
	if err := g.beginWrite(ctx); err != nil {
		return err
	}
	if err := g.GrowCache(ctx, n); err != nil {
		return err
	}
	for from := 0; from < n; {
		size := RowsPerStatement
		for size > n-from {
			size /= 2
		}
		args := make([]any, 0, size*len(types))
		for i := from; i < from+size; i++ {
			args = append(args, row(i)...)
		}
		done, err := g.Exec(ctx, "WITH v ("+names+") AS ("+g.Values(types, size)+") "+verb+query, args...)
		if err != nil {
			return err
		}
		if done != int64(size) {
			return &MissedError{What: what, Hit: done, Want: size}
		}
		from += size
	}
	return nil
}

// MissedError says that rows to change were not what they should be.
type MissedError struct {
	What string
	Hit  int64
	Want int
}

func (e *MissedError) Error() string {
	return fmt.Sprintf("%s: %d rows written, not %d", e.What, e.Hit, e.Want)
}

// Values is VALUES with as many rows. PostgreSQL must be told their types once;
// SQLite looks numbered parameters up by name, which with many takes long.
func (g *Group) Values(types []string, n int) string {
	var b strings.Builder
	b.WriteString("VALUES ")
	for i := range n {
		for j, t := range types {
			b.WriteString(map[bool]string{true: "(", false: ", "}[j == 0])
			if g.DB.engine == SQLite {
				b.WriteByte('?')
				continue
			}
			p := "$" + strconv.Itoa(i*len(types)+j+1)
			if i == 0 {
				p = "CAST(" + p + " AS " + t + ")"
			}
			b.WriteString(p)
		}
		b.WriteString(")")
		if i < n-1 {
			b.WriteString(", ")
		}
	}
	return b.String()
}

// column is one column of a bulk insert; its type is what PostgreSQL's arrays
// need to know.
type column struct {
	name  string
	array string // "bigint[]", "text[]", "bytea[]"
}

const (
	intArray  = "bigint[]"
	textArray = "text[]"
	blobArray = "bytea[]"
)

// Ints, texts and blobs are columns of one type.
func Ints(names ...string) []column  { return columns(intArray, names) }
func Texts(names ...string) []column { return columns(textArray, names) }
func blobs(names ...string) []column { return columns(blobArray, names) }

func columns(array string, names []string) (cols []column) {
	for _, name := range names {
		cols = append(cols, column{name, array})
	}
	return cols
}

// table is a target of bulk inserts, with its statements written out once.
type table struct {
	name   string
	cols   []column
	chunks map[int]string // SQLite: rows in the statement → statement
	values []string       // PostgreSQL: for few rows, by their number
	array  string         // PostgreSQL: for any number
}

// NewTable describes a table for Group.Insert.
func NewTable(name string, cols ...[]column) *table {
	t := &table{name: name, cols: slices.Concat(cols...), chunks: map[int]string{}}
	for _, n := range chunkSizes {
		t.chunks[n] = t.insertValues(n)
	}
	for n := range valuesUpTo + 1 {
		t.values = append(t.values, t.insertNumbered(n))
	}
	t.array = t.insertArrays()
	return t
}

// Rows collects values, row after row.
type Rows struct {
	t    *table
	Vals []any
}

// Add adds the values of one row, in the order of the table's columns.
func (r *Rows) Add(vals ...any) { r.Vals = append(r.Vals, vals...) }
func (r *Rows) len() int        { return len(r.Vals) / len(r.t.cols) }

func (t *table) names() []string {
	names := make([]string, len(t.cols))
	for i, c := range t.cols {
		names[i] = c.name
	}
	return names
}

// insertValues is INSERT … VALUES for n rows: SQLite's way to bulk. It uses ?
// because SQLite looks a numbered $1 up by name, one by one: with a few
// thousand of them that took half of all time. OR FAIL spares a journal of each
// statement, whose cost grows with all that the group wrote before; a row that is
// refused undoes the whole command anyway.
func (t *table) insertValues(n int) string {
	row := "(?" + strings.Repeat(", ?", len(t.cols)-1) + ")"
	return "INSERT OR FAIL INTO " + t.name + " (" + strings.Join(t.names(), ", ") + ") VALUES " + row + strings.Repeat(", "+row, n-1)
}

// insertNumbered is INSERT … VALUES with $1, $2 …
func (t *table) insertNumbered(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = Placeholders(1+i*len(t.cols), len(t.cols))
	}
	return "INSERT INTO " + t.name + " (" + strings.Join(t.names(), ", ") + ") VALUES " + strings.Join(rows, ", ")
}

// insertArrays is INSERT … SELECT unnest(one array per column): PostgreSQL's
// way, one statement for any number of rows. All arrays have one length, so
// they are walked in step; FROM unnest(…) would store each of them away first.
func (t *table) insertArrays() string {
	args := make([]string, len(t.cols))
	for i, c := range t.cols {
		args[i] = "unnest($" + strconv.Itoa(i+1) + "::" + c.array + ")"
	}
	return "INSERT INTO " + t.name + " (" + strings.Join(t.names(), ", ") + ") SELECT " + strings.Join(args, ", ")
}

// arrays turns the rows into one typed array per column.
func (r *Rows) arrays() []any {
	width, n := len(r.t.cols), r.len()
	out := make([]any, width)
	for j, c := range r.t.cols {
		switch c.array {
		case intArray:
			out[j] = gather[int64](r.Vals, j, width, n)
		case textArray:
			out[j] = gather[string](r.Vals, j, width, n)
		default:
			out[j] = gather[[]byte](r.Vals, j, width, n)
		}
	}
	return out
}

func gather[T any](vals []any, from, step, n int) []T {
	out := make([]T, n)
	for i := range n {
		out[i] = vals[from+i*step].(T)
	}
	return out
}
