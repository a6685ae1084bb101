package export

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

const (
	sheetRows = 1_048_576 // the maximum of a sheet
	// exactMoney is the largest amount that a spreadsheet's 15 digits represent to
	// the micro-dollar; larger ones are written as text.
	exactMoney = 1_000_000_000_000_000
	maxCell    = 32_767 // characters
)

// writeXLSX streams rows, without storing a sheet in memory or in a temporary file, as the
// available libraries do. Texts are stored as texts, which no program runs as formulas;
// amounts are written as decimals, without a conversion to float.
func writeXLSX(w io.Writer, t Table, rows Source) error {
	out := bufio.NewWriterSize(w, 64<<10)
	z := zip.NewWriter(out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	x := &workbook{zip: z, table: t}
	if err := x.begin(); err != nil {
		return err
	}
	if err := rows(x.add); err != nil {
		return err
	}
	if err := x.end(); err != nil {
		return err
	}
	if err := x.parts(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.Flush()
}

type workbook struct {
	zip    *zip.Writer
	table  Table
	sheet  *bufio.Writer
	sheets int
	row    int // the last row written
	cell   []byte
}

// The styles of parts.
const (
	plainStyle = iota
	boldStyle
	moneyStyle
)

// begin opens the next sheet and writes its head.
func (x *workbook) begin() error {
	x.sheets++
	part, err := x.zip.Create("xl/worksheets/sheet" + strconv.Itoa(x.sheets) + ".xml")
	if err != nil {
		return err
	}
	x.sheet = bufio.NewWriterSize(part, 32<<10)
	_, _ = x.sheet.WriteString(xml.Header + `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols>`)
	for i, c := range x.table.Columns {
		_, _ = fmt.Fprintf(x.sheet, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, max(c.Width, 6))
	}
	_, _ = x.sheet.WriteString("</cols><sheetData>")
	x.row = 0
	head := make([]Cell, len(x.table.Columns))
	for i, c := range x.table.Columns {
		head[i] = Text(c.Title)
	}
	return x.write(head, boldStyle)
}

func (x *workbook) end() error {
	if _, err := x.sheet.WriteString("</sheetData></worksheet>"); err != nil {
		return err
	}
	return x.sheet.Flush()
}

func (x *workbook) add(row []Cell) error {
	if x.row == sheetRows {
		if err := x.end(); err != nil {
			return err
		}
		if err := x.begin(); err != nil {
			return err
		}
	}
	return x.write(row, plainStyle)
}

func (x *workbook) write(row []Cell, style int) error {
	x.row++
	b := x.cell[:0]
	b = append(b, `<row r="`...)
	b = append(strconv.AppendInt(b, int64(x.row), 10), `">`...)
	for i, c := range row {
		b = append(append(b, `<c r="`...), columnName(i)...)
		b = append(strconv.AppendInt(b, int64(x.row), 10), '"')
		b = c.append(b, style)
	}
	b = append(b, "</row>"...)
	x.cell = b
	_, err := x.sheet.Write(b)
	return err
}

// append appends a cell's content.
func (c Cell) append(b []byte, style int) []byte {
	isNumber := c.kind == isCount || c.kind == isMoney && c.n > -exactMoney && c.n < exactMoney
	if isNumber && c.kind == isMoney {
		style = moneyStyle
	}
	if style != plainStyle {
		b = append(strconv.AppendInt(append(b, ` s="`...), int64(style), 10), '"')
	}
	if isNumber {
		text := c.plain()
		if strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return append(append(append(b, "><v>"...), text...), "</v></c>"...)
	}
	b = append(b, ` t="inlineStr"><is><t xml:space="preserve">`...)
	return append(append(b, escaped(c.plain())...), "</t></is></c>"...)
}

// escapes are the texts that spreadsheets would read as a character's code.
var escapes = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

func escaped(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	if len(s) > maxCell {
		if r := []rune(s); len(r) > maxCell {
			s = string(r[:maxCell])
		}
	}
	if strings.Contains(s, "_x") {
		s = escapes.ReplaceAllString(s, "_x005F_$1")
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '<' || r == '>' || r == '&' || r == 0xFFFE || r == 0xFFFF }) {
		return s
	}
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// columnName is A to Z, then AA and so on.
func columnName(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnName(i/26-1) + columnName(i%26)
}

// parts writes the files of a workbook beside its sheets.
func (x *workbook) parts() error {
	const (
		office  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
		pack    = "http://schemas.openxmlformats.org/package/2006/"
		content = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	)
	var types, sheets, links strings.Builder
	for n := 1; n <= x.sheets; n++ {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, n, content)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, escaped(sheetName(x.table.Title, n)), n, n)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, n, office, n)
	}
	for _, p := range []struct{ name, text string }{
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + office + `"><sheets>` + sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + pack + `relationships">` + links.String() +
			`<Relationship Id="rIdS" Type="` + office + `/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.00####"/></numFmts>` +
			`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
			`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
			`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
			`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
			`<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
			`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`},
		{"_rels/.rels", `<Relationships xmlns="` + pack + `relationships"><Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"[Content_Types].xml", `<Types xmlns="` + pack + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` + content + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + content + `styles+xml"/>` + types.String() + `</Types>`},
	} {
		part, err := x.zip.Create(p.name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, xml.Header+p.text); err != nil {
			return err
		}
	}
	return nil
}

// sheetName returns a title as a valid name of a sheet.
func sheetName(title string, n int) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'"`, r) {
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
