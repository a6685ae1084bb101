package export

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

var names = []string{
	"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1+1", "＝1", "%0A=1", "שלום עולם", "مرحبا", "👩‍👩‍👧 Zoë", `"quoted", name`, "a<b>&c", "_x0041_", "two\nlines", "Anna", "श्री राम", "علي 12 Ali", "\U00010000",
}

func table(rows ...[]Cell) (Table, Source) {
	t := Table{Title: "A/B: [test]", Notes: []string{"a note"}, Columns: []Column{{Title: "S.No", Width: 6}, {Title: "Name", Width: 20}, {Title: "Amount", Width: 14}}}
	return t, func(yield func([]Cell) error) error {
		for _, r := range rows {
			if err := yield(r); err != nil {
				return err
			}
		}
		return nil
	}
}

func rowsOfNames() (rows [][]Cell) {
	for i, n := range names {
		rows = append(rows, []Cell{Count(int64(i) + 1), Text(n), Money(money.Micro(-1_500_001))})
	}
	return rows
}

func TestACSVRunsNoFormulaAndKeepsEveryName(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	tab, rows := table(rowsOfNames()...)
	if err := Write(&b, CSV, tab, rows); err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(b.String(), "\uFEFF")
	if !ok {
		t.Error("it does not say that it is UTF-8")
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) != len(names)+1 {
		t.Fatal(len(all), err)
	}
	for i, want := range names {
		got := all[i+1][1]
		if i < 9 {
			if !strings.HasPrefix(got, "'") {
				t.Errorf("%q is written as %q, which a spreadsheet runs", want, got)
			}
			got = got[1:]
		}
		if got != strings.ReplaceAll(want, "\r", "") {
			t.Errorf("%q became %q", want, got)
		}
		if all[i+1][2] != "-1.500001" {
			t.Errorf("the amount is %q", all[i+1][2])
		}
	}
}

func TestAnXLSXHoldsTextsAsTextsAndMoneyAsNumbers(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	huge := []Cell{Count(99), Text("huge"), Money(money.Micro(1<<62 + 1))}
	tab, rows := table(append(rowsOfNames(), huge)...)
	if err := Write(&b, XLSX, tab, rows); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sheet := f.GetSheetName(0)
	for i, want := range names {
		cell := fmt.Sprintf("B%d", i+2)
		got, _ := f.GetCellValue(sheet, cell)
		kind, _ := f.GetCellType(sheet, cell)
		formula, _ := f.GetCellFormula(sheet, cell)
		if got != want && got != strings.ReplaceAll(want, "\r", "\n") || formula != "" || kind != excelize.CellTypeInlineString && kind != excelize.CellTypeSharedString {
			t.Errorf("%q became %q (%v, formula %q)", want, got, kind, formula)
		}
		if raw, _ := f.GetCellValue(sheet, fmt.Sprintf("C%d", i+2), excelize.Options{RawCellValue: true}); raw != "-1.500001" {
			t.Errorf("the amount is %q", raw)
		}
	}
	if got, _ := f.GetCellValue(sheet, fmt.Sprintf("C%d", len(names)+2)); got != money.Micro(1<<62+1).String() {
		t.Errorf("what a number cannot hold is %q", got)
	}
}

func TestAPDFHoldsAnyNameAndNotTooManyRows(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	tab, rows := table(rowsOfNames()...)
	if err := Write(&b, PDF, tab, rows); err != nil || !bytes.HasPrefix(b.Bytes(), []byte("%PDF-")) {
		t.Fatalf("%v, %d bytes", err, b.Len())
	}
	b.Reset()
	many := func(yield func([]Cell) error) error {
		for i := range MaxPDF + 1 {
			if err := yield([]Cell{Count(int64(i)), Text("x"), Money(money.Amount{})}); err != nil {
				return err
			}
		}
		return nil
	}
	if err := Write(&b, PDF, tab, many); !errs.Is(err, errs.Refused) || b.Len() != 0 {
		t.Errorf("too many rows: %v after %d bytes", err, b.Len())
	}
}

func TestAnErrorOfTheSourceEndsTheFile(t *testing.T) {
	t.Parallel()
	tab, _ := table()
	broken := errors.New("the database is gone")
	for _, f := range []Format{CSV, XLSX, PDF} {
		var b bytes.Buffer
		if err := Write(&b, f, tab, func(func([]Cell) error) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := Write(&bytes.Buffer{}, "doc", tab, nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestASheetThatIsFullIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	x := &workbook{zip: z, table: Table{Title: "Many", Columns: []Column{{Title: "A", Width: 8}}}}
	if err := x.begin(); err != nil {
		t.Fatal(err)
	}
	x.row = sheetRows - 1
	for i := range 3 {
		if err := x.add([]Cell{Count(int64(i))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(x.end(), x.parts(), z.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if names := f.GetSheetList(); !slices.Equal(names, []string{"Many", "Many 2"}) {
		t.Errorf("the sheets are %v", names)
	}
	if rows, err := f.GetRows("Many 2"); err != nil || len(rows) != 3 || rows[0][0] != "A" || rows[2][0] != "2" {
		t.Errorf("the second has %v, %v", rows, err)
	}
}

func TestColumnsAreNamedAsSpreadsheetsDo(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := columnName(i); got != want {
			t.Errorf("column %d is %s, not %s", i, got, want)
		}
	}
}
