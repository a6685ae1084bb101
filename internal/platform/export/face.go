package export

import (
	"bytes"
	_ "embed"
	"strconv"
	"sync"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
)

// The fonts of a PDF. A character is written in the first font that has it; fpdf knows only
// the first font.
//
//go:embed font/dejavu/DejaVuSansCondensed.ttf
var dejavu []byte // Latin, Greek, Cyrillic, Arabic, Hebrew and more

//go:embed font/lohit/Lohit-Devanagari.ttf
var lohit []byte // Devanagari

// fonts reads the fonts once, for the first PDF.
var fonts = sync.OnceValues(func() (all []*font.Font, err error) {
	for _, file := range [][]byte{dejavu, lohit} {
		f, err := font.ParseTTF(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		all = append(all, f.Font)
	}
	return all, nil
})

// mm are millimetres, on paper.
type mm = float64 //nolint:forbidigo // lengths, not money

// face is a font of one PDF.
type face struct {
	*font.Face
	name   string
	shaper *harfbuzz.Font
	forms  map[font.GID]*form
}

func newFaces() (all []*face, err error) {
	known, err := fonts()
	for i, f := range known {
		own := font.NewFace(f)
		all = append(all, &face{own, "f" + strconv.Itoa(i) + "g", harfbuzz.NewFont(own), map[font.GID]*form{}})
	}
	return all, err
}

func (f *face) has(r rune) bool {
	_, ok := f.NominalGlyph(r)
	return ok
}

// em converts a length from the font's units to a fraction of the font's size.
func (f *face) em(units mm) mm { return units / mm(f.Upem()) }

// form is the outline of a glyph. It is in the file once, even if the glyph is drawn often.
type form struct {
	fpdf.Template
	id   string
	from fpdf.PointType // its lower left corner, relative to the glyph's origin, in em, upwards
	size fpdf.SizeType  // in em
}

// ID identifies the form; without it fpdf would hash the form each time it is drawn.
func (f *form) ID() string { return f.id }

const (
	formSize = 100 * 25.4 / 72 // millimetres to the em in forms: fpdf rounds to a hundredth of a point
	formEdge = 0.01            // em around the outline, so that rounding cuts nothing off
)

// form returns nil if there is nothing to draw, as for a space.
func (f *face) form(glyph font.GID) *form {
	known, ok := f.forms[glyph]
	if ok {
		return known
	}
	if outline, _ := f.GlyphDataOutline(glyph); len(outline.Segments) > 0 {
		known = f.newForm(f.name+strconv.Itoa(int(glyph)), outline.Segments)
	}
	f.forms[glyph] = known
	return known
}

func (f *face) newForm(id string, outline []opentype.Segment) *form {
	low := outline[0].Args[0]
	high := low
	for _, s := range outline {
		for _, p := range s.ArgsSlice() {
			low.X, low.Y, high.X, high.Y = min(low.X, p.X), min(low.Y, p.Y), max(high.X, p.X), max(high.Y, p.Y)
		}
	}
	from := fpdf.PointType{X: f.em(mm(low.X)) - formEdge, Y: f.em(mm(low.Y)) - formEdge}
	size := fpdf.SizeType{Wd: f.em(mm(high.X)) + formEdge - from.X, Ht: f.em(mm(high.Y)) + formEdge - from.Y}
	at := func(p opentype.SegmentPoint) (x, y mm) {
		return (f.em(mm(p.X)) - from.X) * formSize, (from.Y + size.Ht - f.em(mm(p.Y))) * formSize
	}
	whole := fpdf.SizeType{Wd: size.Wd * formSize, Ht: size.Ht * formSize}
	drawn := fpdf.CreateTpl(fpdf.PointType{}, whole, "P", "mm", "", func(t *fpdf.Tpl) {
		t.SetFillColor(0, 0, 0) // not the page's colour, which may be a heading's
		draw(t, outline, at)
	})
	return &form{drawn, id, from, size}
}

// draw fills an outline. PDF has no curves with one control point, as TrueType has: two
// control points at two thirds of the way to it draw the same curve.
func draw(t *fpdf.Tpl, outline []opentype.Segment, at func(opentype.SegmentPoint) (x, y mm)) {
	var x, y mm
	for i, s := range outline {
		x1, y1 := at(s.Args[0])
		x2, y2 := at(s.Args[1])
		x3, y3 := at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				t.ClosePath()
			}
			x, y = x1, y1
			t.MoveTo(x, y)
		case opentype.SegmentOpLineTo:
			x, y = x1, y1
			t.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			t.CurveBezierCubicTo(x+(x1-x)*2/3, y+(y1-y)*2/3, x2+(x1-x2)*2/3, y2+(y1-y2)*2/3, x2, y2)
			x, y = x2, y2
		case opentype.SegmentOpCubeTo:
			t.CurveBezierCubicTo(x1, y1, x2, y2, x3, y3)
			x, y = x3, y3
		}
	}
	t.ClosePath()
	t.DrawPath("F")
}
