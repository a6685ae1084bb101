package export

import (
	"io"
	"strconv"

	"codeberg.org/go-pdf/fpdf"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// MaxPDF is the maximum number of rows of a PDF, which is made in memory.
const MaxPDF = 5000

const fontName = "dejavu"

// writePDF writes a table on pages of A4. Refused if it has more rows than
// MaxPDF.
func writePDF(w io.Writer, t Table, rows Source) error {
	p, err := newPage(t)
	if err != nil {
		return err
	}
	p.head()
	n := 0
	err = rows(func(row []Cell) error {
		if n++; n > MaxPDF {
			return errs.New(errs.Refused, "export.pdf_too_long", "A PDF can have at most {most} rows. Choose a shorter period, or use csv or xlsx.", "most", MaxPDF)
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
	letters *typesetter
	table   Table
	widths  []mm
}

func newPage(t Table) (*page, error) {
	letters, err := newTypesetter()
	if err != nil {
		return nil, err
	}
	// A4 landscape, defined by its size: fpdf misplaces forms on pages that it has
	// rotated.
	landscape := fpdf.InitType{UnitStr: "mm", Size: fpdf.SizeType{Wd: 297, Ht: 210}}
	p := &page{Fpdf: fpdf.NewCustom(&landscape), letters: letters, table: t}
	p.AddUTF8FontFromBytes(fontName, "", dejavu)
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
		p.widths = append(p.widths, (wide-2*margin)*mm(max(c.Width, 6))/mm(total))
	}
	return p, nil
}

// head writes the title, the notes and the header line of the table; later pages begin with
// that line.
func (p *page) head() {
	p.AddPage()
	if p.table.Brand != "" {
		p.SetFont(fontName, "", 20)
		p.SetTextColor(11, 77, 58)
		p.whole(11, p.table.Brand)
		p.SetTextColor(0, 0, 0)
	}
	p.SetFont(fontName, "", 14)
	p.whole(8, p.table.Title)
	p.SetFont(fontName, "", 9)
	for _, note := range p.table.Notes {
		p.whole(lineHeight, note)
	}
	p.Ln(2)
	p.figures()
	p.titles()
	p.SetHeaderFunc(p.titles)
}

// figures writes the names of the figures, and the amounts below them.
func (p *page) figures() {
	if len(p.table.Figures) == 0 {
		return
	}
	wide, _ := p.GetPageSize()
	each := (wide - 2*margin) / mm(len(p.table.Figures))
	p.SetFont(fontName, "", smallPoints)
	for _, f := range p.table.Figures {
		p.cell(each, lineHeight, f.Name, "", "L", false)
	}
	p.Ln(-1)
	p.SetFont(fontName, "", 13)
	for _, f := range p.table.Figures {
		p.cell(each, 8, f.Amount, "", "L", false)
	}
	p.Ln(11)
}

func (p *page) titles() {
	p.SetFont(fontName, "", smallPoints)
	p.SetFillColor(234, 240, 237)
	for i, c := range p.table.Columns {
		align := "L"
		if c.Right {
			align = "R"
		}
		p.cell(p.widths[i], lineHeight, c.Title, "B", align, true)
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
		p.cell(p.widths[i], lineHeight, c.plain(), "", align, false)
	}
	p.Ln(-1)
}

// whole writes a full line.
func (p *page) whole(height mm, text string) {
	wide, _ := p.GetPageSize()
	p.cell(wide-2*margin, height, text, "", "L", false)
	p.Ln(height)
}

// cell writes a text, or as much of it as fits.
func (p *page) cell(width, height mm, text, border, align string, fill bool) {
	_, size := p.GetFontSize()
	l := p.letters.fit(text, width-2, pen{size, p.GetStringWidth})
	if len(l.runs) == 1 && l.runs[0].plain {
		p.CellFormat(width, height, string(l.runs[0].text), border, 0, align, fill, 0, "")
		return
	}
	p.CellFormat(width, height, "", border, 0, align, fill, 0, "") // may begin a page
	x, y := p.GetX()-width+p.GetCellMargin(), p.GetY()+height/2+0.3*size
	if align == "R" {
		x = p.GetX() - p.GetCellMargin() - l.width
	}
	p.draw(l, x, y, size)
}

// draw draws a line where CellFormat would write it: x is its left end, y its baseline.
func (p *page) draw(l line, x, y, size mm) {
	for _, r := range l.runs {
		if r.plain {
			p.Text(x, y, string(r.text))
		}
		for _, g := range r.glyphs {
			if f := r.face.form(g.id); f != nil {
				corner := fpdf.PointType{X: x + (g.x+f.from.X)*size, Y: y - (g.y+f.from.Y+f.size.Ht)*size}
				p.UseTemplateScaled(f, corner, fpdf.SizeType{Wd: f.size.Wd * size, Ht: f.size.Ht * size})
			}
		}
		x += r.width
	}
}
