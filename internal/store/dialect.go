package store

import (
	"strconv"
	"strings"
)

// column is one column of a bulk insert; its type is what PostgreSQL's arrays
// need to know.
type column struct {
	name  string
	array string // "bigint[]", "text[]", "bytea[]"
}

const (
	ints  = "bigint[]"
	texts = "text[]"
	blobs = "bytea[]"
)

// table is a target of bulk inserts, with its statements written out once.
type table struct {
	name   string
	cols   []column
	chunks map[int]string // SQLite: rows in the statement → statement
	values []string       // PostgreSQL: for few rows, by their number
	array  string         // PostgreSQL: for any number
}

func newTable(name string, cols ...column) *table {
	t := &table{name: name, cols: cols, chunks: map[int]string{}}
	for _, n := range chunkSizes {
		t.chunks[n] = t.insertValues(n)
	}
	for n := range valuesUpTo + 1 {
		t.values = append(t.values, t.insertNumbered(n))
	}
	t.array = t.insertArrays()
	return t
}

// rows collects values, row after row.
type rows struct {
	t    *table
	vals []any
}

func (r *rows) add(vals ...any) { r.vals = append(r.vals, vals...) }
func (r *rows) len() int        { return len(r.vals) / len(r.t.cols) }

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
		rows[i] = placeholders(1+i*len(t.cols), len(t.cols))
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
func (r *rows) arrays() []any {
	width, n := len(r.t.cols), r.len()
	out := make([]any, width)
	for j, c := range r.t.cols {
		switch c.array {
		case ints:
			out[j] = gather[int64](r.vals, j, width, n)
		case texts:
			out[j] = gather[string](r.vals, j, width, n)
		default:
			out[j] = gather[[]byte](r.vals, j, width, n)
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

// listSize is how long a list of n is made by repeating its last: a power of two, so
// that there are few statements, however long lists are.
func listSize(n int) int {
	size := 1
	for size < n {
		size *= 2
	}
	return size
}

// placeholders is ($1, $2, …) counted from first.
func placeholders(first, n int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(first+i))
	}
	b.WriteByte(')')
	return b.String()
}

var (
	transferTable = newTable("transfer", []column{
		{"seq", ints},
		{"id", texts},
		{"batch", ints},
		{"actor", texts},
		{"command_key", texts},
		{"kind", texts},
		{"reason", texts},
		{"reference", texts},
		{"effective_at", ints},
		{"recorded_at", ints},
		{"reverses", ints},
		{"legs", ints},
		{"leaf", blobs},
	}...)
	entryTable = newTable("entry", []column{
		{"account", ints},
		{"version", ints},
		{"seq", ints},
		{"leg", ints},
		{"kind", texts},
		{"owner", ints},
		{"beneficiary", ints},
		{"delta", ints},
		{"held_delta", ints},
		{"balance_after", ints},
		{"held_after", ints},
		{"hold", ints},
	}...)
	accountTable = newTable("account", []column{
		{"id", ints}, {"code", texts}, {"kind", texts}, {"owner", ints}, {"posted", ints}, {"held", ints}, {"floor", ints}, {"version", ints},
	}...)
	holdTable = newTable("hold", []column{
		{"id", ints}, {"account", ints}, {"amount", ints}, {"state", texts}, {"expires_at", ints}, {"placed", ints}, {"resolved", ints},
	}...)
	commandTable = newTable("command", []column{
		{"actor", texts},
		{"command_key", texts},
		{"batch", ints},
		{"n", ints},
		{"request", blobs},
		{"response", blobs},
		{"first_seq", ints},
		{"last_seq", ints},
		{"recorded_at", ints},
		{"leaf", blobs},
	}...)
)
