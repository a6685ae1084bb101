package export

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

const (
	sheetRows = 1_048_576 // as many as a sheet may have
	// exactMoney is how large an amount may be for a spreadsheet's 15 digits
	// to hold it to the micro-dollar; larger ones are written as text.
	exactMoney = 1_000_000_000_000_000
	maxCell    = 32_767 // characters
)

// writeXLSX collects rows in a file of the system's temporary folder once they
// are more than a few megabytes; the memory does not grow with them. Texts are
// stored as texts, which no program takes for formulas.
func writeXLSX(w io.Writer, t Table, rows Source) (err error) {
	f := excelize.NewFile()
	defer func() { err = errors.Join(err, f.Close()) }()
	x := &workbook{file: f, table: t}
	format := "#,##0.00####"
	if x.money, err = f.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
		return err
	}
	if x.bold, err = f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	if err := x.begin(); err != nil {
		return err
	}
	if err := rows(x.add); err != nil {
		return err
	}
	if err := x.stream.Flush(); err != nil {
		return err
	}
	return f.Write(w)
}

type workbook struct {
	file        *excelize.File
	table       Table
	stream      *excelize.StreamWriter
	sheets      int
	row         int // the last one written
	money, bold int
	values      []any
}

// begin opens the next sheet and writes its head.
func (x *workbook) begin() (err error) {
	if x.sheets++; x.sheets > 1 {
		if err := x.stream.Flush(); err != nil {
			return err
		}
	}
	name := sheetName(x.table.Title, x.sheets)
	if x.sheets == 1 {
		err = x.file.SetSheetName("Sheet1", name)
	} else {
		_, err = x.file.NewSheet(name)
	}
	if err != nil {
		return err
	}
	if x.stream, err = x.file.NewStreamWriter(name); err != nil {
		return err
	}
	head := make([]any, len(x.table.Columns))
	for i, c := range x.table.Columns {
		head[i] = excelize.Cell{StyleID: x.bold, Value: c.Title}
		if err := x.stream.SetColWidth(i+1, i+1, float64(max(c.Width, 6))); err != nil { //nolint:forbidigo // a width, not money
			return err
		}
	}
	x.row = 1
	x.values = make([]any, len(x.table.Columns))
	return x.stream.SetRow("A1", head)
}

func (x *workbook) add(row []Cell) error {
	if x.row == sheetRows {
		if err := x.begin(); err != nil {
			return err
		}
	}
	for i, c := range row {
		x.values[i] = x.value(c)
	}
	x.row++
	return x.stream.SetRow("A"+strconv.Itoa(x.row), x.values[:len(row)])
}

func (x *workbook) value(c Cell) any {
	switch {
	case c.kind == isCount:
		return c.n
	case c.kind == isMoney && c.n > -exactMoney && c.n < exactMoney:
		return excelize.Cell{StyleID: x.money, Value: float64(c.n) / 1e6} //nolint:forbidigo // exact to 15 digits: what a spreadsheet holds
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(c.plain(), "\uFFFD"), "\x00", "")
	if r := []rune(text); len(r) > maxCell {
		text = string(r[:maxCell])
	}
	return text
}

// sheetName is a title as sheets may be called.
func sheetName(title string, n int) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) {
			return ' '
		}
		return r
	}, title)
	if r := []rune(name); len(r) > 26 {
		name = string(r[:26])
	}
	if name = strings.TrimSpace(name); name == "" {
		name = "Export"
	}
	if n > 1 {
		name += " " + strconv.Itoa(n)
	}
	return name
}
