// Package export writes tables as files: CSV and XLSX of any length in constant
// memory, PDF of short ones. Rows come one by one from a source, which reads
// them by pages.
package export

import (
	"io"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Format is a kind of file.
type Format string

const (
	CSV  Format = "csv"
	XLSX Format = "xlsx"
	PDF  Format = "pdf"
)

// Type is the format's media type.
func (f Format) Type() string {
	switch f {
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case PDF:
		return "application/pdf"
	case CSV:
	}
	return "text/csv; charset=utf-8"
}

// Column is a column of a table. Width is how many characters it has room for.
type Column struct {
	Title string
	Width int
}

// Table is what a file holds besides its rows.
type Table struct {
	Title   string   // of the sheet, and of a PDF
	Notes   []string // lines below the title; PDF only
	Columns []Column
}

// Source gives the rows of a table, one after the other. A row is only valid
// during the call. It ends with yield's error if there is one.
type Source func(yield func(row []Cell) error) error

// Write writes a table. Whatever the source or w return ends it. Only CSV has
// written something by then.
func Write(w io.Writer, f Format, t Table, rows Source) error {
	switch f {
	case CSV:
		return writeCSV(w, t, rows)
	case XLSX:
		return writeXLSX(w, t, rows)
	case PDF:
		return writePDF(w, t, rows)
	}
	return errs.BadField("format", "export.format_unknown", "The format is csv, xlsx or pdf.")
}

type kind uint8

const (
	isText kind = iota
	isMoney
	isCount
)

// Cell is one value of a row.
type Cell struct {
	kind kind
	text string
	n    int64
}

// Text is a cell of any text, which no program takes for a formula.
func Text(s string) Cell { return Cell{kind: isText, text: s} }

// Money is an amount, exact.
func Money(a money.Amount) Cell { return Cell{kind: isMoney, n: a.Micros()} }

// Count is a whole number.
func Count(n int64) Cell { return Cell{kind: isCount, n: n} }

// plain is a cell as text.
func (c Cell) plain() string {
	switch c.kind {
	case isMoney:
		return money.Micro(c.n).String()
	case isCount:
		return strconv.FormatInt(c.n, 10)
	case isText:
	}
	return c.text
}

// formulaStarts are what spreadsheets begin a formula or a command with.
const formulaStarts = "=+-@\t\r\n|%＝＋－＠"

// Harmless puts an apostrophe before what a spreadsheet would run: it shows the
// rest as text.
func Harmless(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if first := strings.TrimLeft(s, " \u00a0\ufeff"); first != "" && strings.ContainsRune(formulaStarts, []rune(first)[0]) {
		return "'" + s
	}
	return s
}
