package export

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
	classes "golang.org/x/text/unicode/bidi"

	"github.com/bifolia/bifolia/internal/platform/plain"
)

// fpdf writes one character after the other, from left to right. That is wrong
// where letters change with their neighbours (Devanagari, Arabic) or run the other
// way. Such parts of a text are shaped here and drawn as outlines; all else stays
// text, which can be selected.

// line is a text laid out, its runs from left to right.
type line struct {
	runs  []run
	width mm
}

// run is a part of a line of one face, script and direction.
type run struct {
	text   []rune
	level  bidi.Level // odd is from right to left
	script language.Script
	face   *face
	plain  bool    // fpdf writes it
	glyphs []glyph // if it does not
	width  mm
}

// glyph is one outline; where it begins is told from where its run begins, in em,
// upwards.
type glyph struct {
	id   font.GID
	x, y mm
}

// pen is what a text is written with.
type pen struct {
	size  mm
	width func(string) mm // of a text that fpdf writes
}

// typesetter lays out the texts of one file.
type typesetter struct {
	faces     []*face
	graphemes segmenter.Segmenter
	paragraph bidi.Paragraph
	buffer    *harfbuzz.Buffer
	advances  []mm // of each rune of the text that was laid out last, in the order of reading
}

func newTypesetter() (*typesetter, error) {
	faces, err := newFaces()
	return &typesetter{faces: faces, buffer: harfbuzz.NewBuffer()}, err
}

// characters are a text's characters as readers count them, letters with their
// signs: each in a run of its own so far. One that no face has is a box.
func (t *typesetter) characters(text []rune) (all []run) {
	t.graphemes.Init(text)
	last := t.faces[0]
	for each := t.graphemes.GraphemeIterator(); each.Next(); {
		g := each.Grapheme() // of storage that is used again
		one := run{text: text[g.Offset : g.Offset+len(g.Text)], face: last}
		if !unicode.IsSpace(one.text[0]) { // a space stays with what is before it
			one.face = t.faceOf(one.text)
		}
		if one.face == nil {
			one.text, one.face = []rune{box}, t.faces[0]
		}
		one.plain = one.face == t.faces[0] && !slices.ContainsFunc(one.text, t.needsShaping)
		last = one.face
		all = append(all, one)
	}
	return all
}

// faceOf is the first face that has all of a character but what is never seen.
func (t *typesetter) faceOf(character []rune) *face {
	for _, f := range t.faces {
		if !slices.ContainsFunc(character, func(r rune) bool { return !f.has(r) && !harfbuzz.IsDefaultIgnorable(r) }) {
			return f
		}
	}
	return nil
}

// needsShaping tells what fpdf does not write, or not right.
func (t *typesetter) needsShaping(r rune) bool {
	if r < unicode.MaxASCII {
		return false
	}
	switch classOf(r) {
	case classes.R, classes.AL, classes.AN, classes.NSM, classes.BN:
		return true
	}
	return r > 0xFFFF || unicode.Is(unicode.Cf, r) || !unicode.In(r, upright...) || !t.faces[0].has(r)
}

// upright are scripts whose letters stand one after the other and never change.
var upright = []*unicode.RangeTable{unicode.Common, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian}

// lay lays out characters.
func (t *typesetter) lay(characters []run, p pen) (l line) {
	var text []rune
	for _, c := range characters {
		text = append(text, c.text...)
	}
	l.runs = joined(characters, text, t.levels(text))
	t.advances = t.advances[:0]
	for i := range l.runs {
		r := &l.runs[i]
		if r.plain {
			r.width = p.width(string(r.text))
			for _, one := range r.text {
				t.advances = append(t.advances, p.width(string(one)))
			}
		} else {
			r.width = t.shape(r, text, p.size)
		}
		l.width += r.width
	}
	visual(l.runs)
	return l
}

// joined are the runs of characters of the same kind. What no script has to
// itself, such as digits, goes with the script before it.
func joined(characters []run, text []rune, levels []bidi.Level) (all []run) {
	at, script := 0, language.Common
	for _, c := range characters {
		if s := language.LookupScript(c.text[0]); s.Strong() {
			script = s
		}
		c.level, c.script = levels[at], script
		c.plain = c.plain && c.level%2 == 0
		from, to := at, at+len(c.text)
		if n := len(all); n > 0 && all[n-1].joins(c) {
			from, all = at-len(all[n-1].text), all[:n-1]
		}
		c.text = text[from:to]
		all = append(all, c)
		at = to
	}
	return all
}

func (r run) joins(next run) bool {
	return r.level == next.level && r.face == next.face && r.plain == next.plain && (r.plain || r.script == next.script)
}

// shape finds the glyphs of a run of a text, the next whose advances are not
// known, and returns its width.
func (t *typesetter) shape(r *run, text []rune, size mm) mm {
	b, at := t.buffer, len(t.advances)
	b.Clear()
	b.AddRunes(text, at, len(r.text))
	b.Props = harfbuzz.SegmentProperties{Script: r.script, Direction: harfbuzz.LeftToRight}
	if r.level%2 == 1 {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Shape(r.face.shaper, nil)
	t.advances = append(t.advances, make([]mm, len(r.text))...)
	var x harfbuzz.Position
	for i, info := range b.Info {
		p := b.Pos[i]
		r.glyphs = append(r.glyphs, glyph{info.Glyph, r.face.em(mm(x + p.XOffset)), r.face.em(mm(p.YOffset))})
		t.advances[info.Cluster] += size * r.face.em(mm(p.XAdvance))
		x += p.XAdvance
	}
	return size * r.face.em(mm(x))
}

// direction is that of a text's first letter or digit: an id before a name stays
// before it.
func direction(text []rune) bidi.Direction {
	for _, r := range text {
		switch classOf(r) {
		case classes.R, classes.AL, classes.AN:
			return bidi.RightToLeft
		case classes.L, classes.EN:
			return bidi.LeftToRight
		}
	}
	return bidi.LeftToRight
}

// levels tell of each rune how deep it is in text of the other direction, as
// Unicode's annex 9 says.
func (t *typesetter) levels(text []rune) []bidi.Level {
	whole := direction(text)
	levels := make([]bidi.Level, len(text))
	found := t.paragraph.Segment(text, whole)
	for i := range found.NumRuns() {
		r := found.Run(i)
		part := levels[r.Start:r.End]
		for j := range part {
			part[j] = r.Level
		}
		if whole == bidi.LeftToRight && r.Level%2 == 0 {
			numbers(text[r.Start:r.End], part)
		}
	}
	return levels
}

// numbers tells levels 0 and 2 apart. The library gives a run the level of its
// first rune, and takes two that go the same way for one (go-text/typesetting
// issue 249); but a number after right-to-left letters is a part of what they say,
// and the letters after it are not.
func numbers(text []rune, levels []bidi.Level) {
	after := levels[0] == 2 // right-to-left letters, and nothing but numbers since
	number := after
	for i, r := range text {
		switch classOf(r) {
		case classes.NSM, classes.BN: // as what they are on
		case classes.AN:
			number = true
		case classes.EN, classes.ET:
			number = after
		case classes.ES, classes.CS: // if between digits
			next := classes.ON
			if i+1 < len(text) {
				next = classOf(text[i+1])
			}
			number = number && (next == classes.AN || next == classes.EN)
			after = after && number
		default:
			number, after = false, false
		}
		levels[i] = 0
		if number {
			levels[i] = 2
		}
	}
}

func classOf(r rune) classes.Class {
	p, _ := classes.LookupRune(r)
	return p.Class()
}

// visual puts runs from left to right: rule L2 of the annex.
func visual(runs []run) {
	deepest := bidi.Level(0)
	for _, r := range runs {
		deepest = max(deepest, r.level)
	}
	for level := deepest; level > 0; level-- {
		for from := 0; from < len(runs); from++ {
			to := from
			for to < len(runs) && runs[to].level >= level {
				to++
			}
			slices.Reverse(runs[from:to])
			from = to
		}
	}
}

// fit lays out a text, and cuts it if there is not room for it.
func (t *typesetter) fit(s string, room mm, p pen) line {
	s = shown(s)
	text := []rune(s)
	if !slices.ContainsFunc(text, t.needsShaping) { // as most are
		if w := p.width(s); w <= room {
			return line{[]run{{text: text, plain: true, width: w}}, w}
		}
	}
	all := t.characters(text[:min(len(text), longest)])
	if l := t.lay(all, p); l.width <= room && len(text) <= longest {
		return l
	}
	for n := t.fitting(all, room-p.width("…")); ; n-- {
		// Letters may be wider at the end of a text than within it.
		if l := t.lay(slices.Concat(all[:n], t.dots(all[:n])), p); l.width <= room || n == 0 {
			return l
		}
	}
}

// fitting is how many of the characters that were laid out last there is room for.
func (t *typesetter) fitting(characters []run, room mm) int {
	at := 0
	for n, c := range characters {
		for range c.text {
			room -= t.advances[at]
			at++
		}
		if room < 0 {
			return n
		}
	}
	return len(characters)
}

// longest is how many runes of a text are looked at: no line has room for more.
const longest = 1000

// dots stand at the end of what was cut. After right-to-left letters they need a
// mark to go their way.
func (t *typesetter) dots(before []run) []run {
	for _, c := range slices.Backward(before) {
		switch classOf(c.text[0]) {
		case classes.R, classes.AL:
			return t.characters([]rune("…\u200F"))
		case classes.L:
			return t.characters([]rune("…"))
		}
	}
	return t.characters([]rune("…"))
}

// box stands for what cannot be shown.
const box = '□'

// shown is a text without what steers its reader instead of being shown.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case plain.Control(r):
			return -1
		case r == unicode.ReplacementChar:
			return box
		}
		return r
	}, strings.ToValidUTF8(s, string(box)))
}
