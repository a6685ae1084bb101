package engine

import (
	"slices"
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
	intArray  = "bigint[]"
	textArray = "text[]"
	blobArray = "bytea[]"
)

// ints, texts and blobs are columns of one type.
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

// rows collects values, row after row.
type Rows struct {
	t    *table
	Vals []any
}

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

// listSize is how long a list of n is made by repeating its last: a power of two, so
// that there are few statements, however long lists are.
func ListSize(n int) int {
	size := 1
	for size < n {
		size *= 2
	}
	return size
}

// placeholders is ($1, $2, …) counted from first.
func Placeholders(first, n int) string {
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
	transferTable = NewTable("transfer",
		Ints("seq"),
		Texts("id"),
		Ints("batch"),
		Texts("actor", "command_key", "kind", "reason", "reference"),
		Ints("effective_at", "recorded_at", "reverses", "legs"),
		blobs("leaf"),
	)
	entryTable = NewTable("entry",
		Ints("account", "version", "seq", "leg"),
		Texts("kind"),
		Ints("owner", "beneficiary", "delta", "held_delta", "balance_after", "held_after", "hold"),
	)
	accountTable = NewTable("account", Ints("id"), Texts("code", "kind"), Ints("owner", "posted", "held", "floor", "version"))
	holdTable    = NewTable("hold", Ints("id", "account", "amount"), Texts("state"), Ints("expires_at", "placed", "resolved"))
	commandTable = NewTable("command",
		Texts("actor", "command_key"),
		Ints("batch", "n"),
		blobs("request", "response"),
		Ints("first_seq", "last_seq", "recorded_at"),
		blobs("leaf"),
	)
)
