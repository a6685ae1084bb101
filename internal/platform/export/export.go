// Package export writes tables as files: CSV and XLSX of any length in constant memory, PDF
// for short tables. A source yields the rows one by one and reads them by pages.
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

// Column is a column of a table. Width is its width in characters.
type Column struct {
	Title string
	Width int
	Right bool // the heading of amounts in a PDF
}

// Table is the content of a file besides its rows.
type Table struct {
	Title string   // of the sheet, and of a PDF
	Notes []string // lines below the title; PDF only
	// Brand, with the figures in a line below the notes, makes a PDF a letter.
	Brand   string
	Figures []Figure
	Columns []Column
}

// Figure is a named amount at the head of a PDF.
type Figure struct{ Name, Amount string }

// Source yields the rows of a table, one after the other. A row is only valid during the
// call. An error of yield ends it.
type Source func(yield func(row []Cell) error) error

// Write writes a table. An error of rows or w ends it; only for CSV a part may have been
// written then.
func Write(w io.Writer, f Format, t Table, rows Source) error {
	switch f {
	case CSV:
		return writeCSV(w, t, rows)
	case XLSX:
		return writeXLSX(w, t, rows)
	case PDF:
		return writePDF(w, t, rows)
	}
	return errs.BadField("format", "export.format_unknown", "The format must be csv, xlsx or pdf.")
}

type kind uint8

const (
	isText kind = iota
	isMoney
	isCount
	isRight
)

// Cell is one value of a row.
type Cell struct {
	kind kind
	text string
	n    int64
}

// Text is a cell of text, which no program runs as a formula.
func Text(s string) Cell { return Cell{kind: isText, text: s} }

// Money is an amount, exact.
func Money(a money.Amount) Cell { return Cell{kind: isMoney, n: a.Micros()} }

// Right is a text at the right edge, such as a formatted amount.
func Right(s string) Cell { return Cell{kind: isRight, text: s} }

// Count is a whole number.
func Count(n int64) Cell { return Cell{kind: isCount, n: n} }

// plain is a cell as text.
func (c Cell) plain() string {
	switch c.kind {
	case isMoney:
		return money.Micro(c.n).String()
	case isCount:
		return strconv.FormatInt(c.n, 10)
	case isText, isRight:
	}
	return c.text
}

// formulaStarts are the characters at the start of a spreadsheet's formulas and commands.
const formulaStarts = "=+-@\t\r\n|%＝＋－＠"

// Harmless prefixes a text that a spreadsheet would run with an apostrophe, so that it is
// shown as text.
func Harmless(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if first := strings.TrimLeft(s, " \u00a0\ufeff"); first != "" && strings.ContainsRune(formulaStarts, []rune(first)[0]) {
		return "'" + s
	}
	return s
}
