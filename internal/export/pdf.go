package export

import (
	_ "embed"
	"io"
	"strconv"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"

	"github.com/bifolia/bifolia/internal/errs"
)

// MaxPDF is how many rows a PDF may have: it is made in memory, and nobody reads
// more.
const MaxPDF = 5000

// The font knows Latin, Greek, Cyrillic, Arabic, Hebrew and more.
//
//go:embed font/dejavu/DejaVuSansCondensed.ttf
var pdfFont []byte

const fontName = "dejavu"

// writePDF writes a table on pages of A4. Refused if it has more rows than
// MaxPDF.
func writePDF(w io.Writer, t Table, rows Source) error {
	p := newPage(t)
	p.head()
	n := 0
	err := rows(func(row []Cell) error {
		if n++; n > MaxPDF {
			return errs.New(errs.Refused, "A PDF holds at most %d rows: choose a shorter period, or take csv or xlsx.", MaxPDF)
		}
		p.row(row)
		return p.Error()
	})
	if err != nil {
		return err
	}
	return p.Output(w)
}

const (
	margin, lineHeight = 12, 5 // millimetres
	smallPoints        = 8
)

type page struct {
	*fpdf.Fpdf
	table  Table
	widths []float64 //nolint:forbidigo // millimetres, not money
}

func newPage(t Table) *page {
	p := &page{Fpdf: fpdf.New("L", "mm", "A4", ""), table: t}
	p.AddUTF8FontFromBytes(fontName, "", pdfFont)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(true, margin+lineHeight)
	p.SetTitle(t.Title, true)
	p.SetProducer("Bifolia", true)
	p.AliasNbPages("")
	p.SetFooterFunc(func() {
		p.SetY(-margin)
		p.SetFont(fontName, "", smallPoints)
		p.CellFormat(0, lineHeight, "Page "+strconv.Itoa(p.PageNo())+" of {nb}", "", 0, "R", false, 0, "")
	})
	total := 0
	for _, c := range t.Columns {
		total += max(c.Width, 6)
	}
	wide, _ := p.GetPageSize()
	for _, c := range t.Columns {
		p.widths = append(p.widths, (wide-2*margin)*float64(max(c.Width, 6))/float64(total)) //nolint:forbidigo // millimetres, not money
	}
	return p
}

// head writes the title, the notes and the first line of the table; later pages
// begin with that line.
func (p *page) head() {
	p.AddPage()
	p.SetFont(fontName, "", 14)
	p.CellFormat(0, 8, shown(p.table.Title), "", 1, "L", false, 0, "")
	p.SetFont(fontName, "", 9)
	for _, note := range p.table.Notes {
		p.CellFormat(0, lineHeight, shown(note), "", 1, "L", false, 0, "")
	}
	p.Ln(2)
	p.titles()
	p.SetHeaderFunc(p.titles)
}

func (p *page) titles() {
	p.SetFont(fontName, "", smallPoints)
	p.SetFillColor(234, 240, 237)
	for i, c := range p.table.Columns {
		p.CellFormat(p.widths[i], lineHeight, shown(c.Title), "B", 0, "L", true, 0, "")
	}
	p.Ln(-1)
}

func (p *page) row(row []Cell) {
	p.SetFont(fontName, "", smallPoints)
	for i, c := range row {
		align := "R"
		if c.kind == isText {
			align = "L"
		}
		p.CellFormat(p.widths[i], lineHeight, p.fit(shown(c.plain()), i), "", 0, align, false, 0, "")
	}
	p.Ln(-1)
}

// fit cuts a text that its column has no room for.
func (p *page) fit(s string, column int) string {
	room := p.widths[column] - 2
	if p.GetStringWidth(s) <= room {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && p.GetStringWidth(string(r)+"…") > room {
		r = r[:len(r)-1]
	}
	return string(r) + "…"
}

// shown is a text of characters that the font's tables have room for. What is
// beyond them, such as emoji, becomes a box.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r > 0xFFFF || r == unicode.ReplacementChar:
			return '□'
		}
		return r
	}, strings.ToValidUTF8(s, "□"))
}
