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

// fpdf writes one character after the other, from left to right. That is wrong for scripts
// whose letters change with their neighbours (Devanagari, Arabic) or run from right to left.
// Such parts of a text are shaped here and drawn as outlines; the rest is written as text,
// which can be selected.

// line is a laid-out text, its runs from left to right.
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
	glyphs []glyph // if fpdf does not write it
	width  mm
}

// glyph is one outline; its position is relative to the start of its run, in em, upwards.
type glyph struct {
	id   font.GID
	x, y mm
}

// pen is the style of a text.
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

// characters returns a text's graphemes, each in a separate run. A character that no face
// has becomes a box.
func (t *typesetter) characters(text []rune) (all []run) {
	t.graphemes.Init(text)
	last := t.faces[0]
	for each := t.graphemes.GraphemeIterator(); each.Next(); {
		g := each.Grapheme() // its storage is reused
		one := run{text: text[g.Offset : g.Offset+len(g.Text)], face: last}
		if !unicode.IsSpace(one.text[0]) { // a space stays with the character before it
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

// faceOf returns the first face that has all visible runes of a character.
func (t *typesetter) faceOf(character []rune) *face {
	for _, f := range t.faces {
		if !slices.ContainsFunc(character, func(r rune) bool { return !f.has(r) && !harfbuzz.IsDefaultIgnorable(r) }) {
			return f
		}
	}
	return nil
}

// needsShaping reports whether fpdf cannot write a rune correctly.
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

// upright are scripts whose letters are written one after the other without changes.
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

// joined joins characters of the same kind into runs. Characters common to all scripts,
// such as digits, join the script before them.
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

// shape finds the glyphs of a run of a text, the first run without advances, and returns
// its width.
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

// direction returns the direction of a text's first letter or digit, so that an id before a
// name stays before it.
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

// levels returns the embedding level of each rune, as in Unicode's annex 9.
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

// numbers separates levels 0 and 2. The library gives a run the level of its first rune and
// joins two runs of the same direction (go-text/typesetting issue 249); but a number after
// right-to-left letters belongs to them, and the letters after it do not.
func numbers(text []rune, levels []bidi.Level) {
	after := levels[0] == 2 // right-to-left letters, and nothing but numbers since
	number := after
	for i, r := range text {
		switch classOf(r) {
		case classes.NSM, classes.BN: // like the character they are attached to
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

// visual orders runs from left to right: rule L2 of the annex.
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

// fit lays out a text, and cuts it if it is too long.
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

// fitting returns how many of the characters laid out last fit.
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

// longest is the maximum number of runes of a text: no line has room for more.
const longest = 1000

// dots returns the dots at the end of a cut text. After right-to-left letters they need a
// directional mark.
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

// box replaces a character that cannot be shown.
const box = '□'

// shown returns a text without control characters.
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
