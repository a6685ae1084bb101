package export

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-text/typesetting/font"
)

// tenPoints writes at 10 points, every letter of fpdf's 2 mm wide.
var tenPoints = pen{10 * 25.4 / 72, func(s string) mm { return 2 * mm(utf8.RuneCountInString(s)) }}

func setter(t testing.TB) *typesetter {
	t.Helper()
	letters, err := newTypesetter()
	if err != nil {
		t.Fatal(err)
	}
	return letters
}

// seen are a line's runs from left to right, each as it is read; those that are
// drawn are in brackets.
func seen(l line) string {
	var parts []string
	for _, r := range l.runs {
		s := string(r.text)
		if !r.plain {
			s = "[" + s + "]"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "|")
}

// glyphOf is a letter that stands alone.
func glyphOf(f *face, r rune) font.GID {
	g, _ := f.NominalGlyph(r)
	return g
}

func TestDevanagariLettersGrowTogetherAndChangePlaces(t *testing.T) {
	t.Parallel()
	letters := setter(t)
	deva := letters.faces[1]
	one := func(s string) []glyph {
		l := letters.fit(s, 100, tenPoints)
		if len(l.runs) != 1 || l.runs[0].plain || l.runs[0].face != deva {
			t.Fatalf("%s is %s", s, seen(l))
		}
		return l.runs[0].glyphs
	}
	if g := one("क्ष"); len(g) != 1 || g[0].id == glyphOf(deva, 'क') || g[0].id == glyphOf(deva, 'ष') {
		t.Errorf("क्ष has %d glyphs, not one of its own", len(g))
	}
	if g := one("कि"); len(g) != 2 || g[1].id != glyphOf(deva, 'क') || g[0].x >= g[1].x {
		t.Errorf("the sign of कि is not before its letter: %v", g)
	}
	if g := one("र्क"); len(g) != 2 || g[0].id != glyphOf(deva, 'क') {
		t.Errorf("the first letter of र्क is not above its second: %v", g)
	}
}

func TestArabicLettersAreJoinedAndBeginAtTheRight(t *testing.T) {
	t.Parallel()
	letters := setter(t)
	l := letters.fit("سلام", 100, tenPoints)
	if seen(l) != "[سلام]" {
		t.Fatal(seen(l))
	}
	g, f := l.runs[0].glyphs, l.runs[0].face
	if len(g) != 3 {
		t.Fatalf("لا is not one glyph: %v", g)
	}
	if g[0].id != glyphOf(f, 'م') || g[0].x != 0 {
		t.Error("the last letter is not at the left, or is joined to one that joins none")
	}
	if g[2].id == glyphOf(f, 'س') || g[2].x <= g[1].x {
		t.Error("the first letter is not at the right, or not joined")
	}
	if alone := letters.fit("س", 100, tenPoints).runs[0].glyphs; alone[0].id != glyphOf(f, 'س') {
		t.Error("a letter alone is joined")
	}
}

// wantSeen lays texts out where there is room for them.
func wantSeen(t *testing.T, texts map[string]string) {
	t.Helper()
	letters := setter(t)
	for text, want := range texts {
		if got := seen(letters.fit(text, 500, tenPoints)); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
}

func TestPartsOfATextAreInTheOrderInWhichTheyAreSeen(t *testing.T) {
	t.Parallel()
	wantSeen(t, map[string]string{
		"Anna Müller":           "Anna Müller",
		"Ελένη Ωραία, Юлия №5":  "Ελένη Ωραία, Юлия №5",
		"Ram राम":               "Ram |[राम]",
		"राम Ram 2":             "[राम ]|Ram 2",
		"Zoe\u0301 Ng":          "Zo|[e\u0301]| Ng",
		"123 علي":               "123 |[علي]",
		"علي 12":                "12|[علي ]",
		"علي 12 Ali":            "Ali|[ ]|12|[علي ]",
		"7 علي 12 Ali":          "7 |12|[علي ]| Ali",
		"7 علي 12.50, Ali":      "7 |12.50|[علي ]|, Ali",
		"Ali ٣ علي":             "Ali |[ علي]|[٣]",
		"Ali (علي) 5":           "Ali (|[علي]|) 5",
		"שלום (עולם)":           "[שלום (עולם)]",
		"علي राम שלום":          "[שלום]|[ ]|[राम]|[علي ]",
		"\u202Ecod.exe\u202C":   "cod.exe",
		"two\nlines\u2029three": "two lines three",
	})
}

func TestACharacterThatNoFontHasIsOneBox(t *testing.T) {
	t.Parallel()
	wantSeen(t, map[string]string{
		"👩‍👩‍👧 Zoë":  "□ Zoë",
		"漢字":         "□□",
		"நி":         "□",
		"👍🏽":         "□",
		"राम 👍":      "[राम ]|□",
		"a\xffb":     "a□b",
		"\uFFFD":     "□",
		"\U0010FFFF": "□",
	})
}

func TestATextTooLongIsCutByTheWidthThatIsSeen(t *testing.T) {
	t.Parallel()
	letters := setter(t)
	const room = 30
	for text, want := range map[string]string{
		"Anna-Maria von Hohenheim":    "Anna-Maria von…",
		strings.Repeat("क्ष", 20):     "[" + strings.Repeat("क्ष", 12) + "]|…", // 2.26 mm each, not 5.6
		"راشد الحسيني ابن عبد الرحمن": "[راشد الحسيني ابن …\u200F]",
		"12345 راشد الحسيني ابن":      "12345 |[راشد الح…\u200F]",
	} {
		l := letters.fit(text, room, tenPoints)
		if l.width > room || seen(l) != want {
			t.Errorf("%s is %s, %.1f mm", text, seen(l), l.width)
		}
	}
	if l := letters.fit(strings.Repeat("राम ", 100_000), room, tenPoints); l.width > room || len(l.runs) > 2 {
		t.Errorf("a very long text is %.1f mm in %d runs", l.width, len(l.runs))
	}
	if l := letters.fit("राम", 0, tenPoints); seen(l) != "…" {
		t.Errorf("without room it is %s", seen(l))
	}
}

// made is a PDF of names, and what its pages draw.
func made(t *testing.T, names ...string) (file, page string) {
	t.Helper()
	var rows [][]Cell
	for i, n := range names {
		rows = append(rows, []Cell{Count(int64(i) + 1), Text(n)})
	}
	tab, source := table(rows...)
	var b bytes.Buffer
	if err := Write(&b, PDF, tab, source); err != nil {
		t.Fatal(err)
	}
	for _, part := range bytes.Split(b.Bytes(), []byte("stream\n")) {
		if z, err := zlib.NewReader(bytes.NewReader(part)); err == nil {
			if text, _ := io.ReadAll(z); bytes.Contains(text, []byte("Tj")) {
				page += string(text)
			}
		}
	}
	return b.String(), page
}

// written is a text as fpdf writes it.
func written(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		b.Write([]byte{byte(u >> 8), byte(u)})
	}
	return b.String()
}

func TestTextThatFpdfCanWriteIsNotDrawn(t *testing.T) {
	t.Parallel()
	file, page := made(t, "Anna Müller", "Ελένη", "Юлия")
	for _, name := range []string{"Anna Müller", "Ελένη", "Юлия"} {
		if !strings.Contains(page, "("+written(name)+")Tj") {
			t.Errorf("%s is no text", name)
		}
	}
	if strings.Contains(page, " Do") || strings.Contains(file, "/Subtype /Form") {
		t.Error("something is drawn")
	}
	if _, page = made(t, "12345 राम"); !strings.Contains(page, "("+written("12345 ")+") Tj") || strings.Count(page, " Do Q") != 3 {
		t.Error("the id is no text, or the name is not drawn as its three letters")
	}
}

func TestAGlyphIsInTheFileOnce(t *testing.T) {
	t.Parallel()
	once, _ := made(t, "राम", "علي")
	often, page := made(t, strings.Split(strings.Repeat("राम,علي,", 100), ",")...)
	want := strings.Count(once, "/Subtype /Form")
	if got := strings.Count(often, "/Subtype /Form"); got != want || want != 6 {
		t.Errorf("there are %d outlines, and %d in a short file", got, want)
	}
	if got := strings.Count(page, " Do Q"); got != 600 {
		t.Errorf("%d are drawn, not 600", got)
	}
}

var (
	textAt  = regexp.MustCompile(`BT ([\d.]+) ([\d.]+) Td \(\x00A\x00n`)
	glyphAt = regexp.MustCompile(`q ([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([\d.]+) cm\n/TPLf1g(\d+) Do Q`)
)

func TestADrawnNameIsPlacedLikeText(t *testing.T) {
	t.Parallel()
	_, page := made(t, "Anna", "राम")
	number := func(s string) mm {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	text, glyph := textAt.FindStringSubmatch(page), glyphAt.FindStringSubmatch(page)
	if text == nil || glyph == nil {
		t.Fatal("a name is missing")
	}
	deva := setter(t).faces[1]
	if want := fmt.Sprint(glyphOf(deva, 'र')); glyph[5] != want {
		t.Fatalf("the first glyph is %s, not %s", glyph[5], want)
	}
	f := deva.form(glyphOf(deva, 'र'))
	if glyph[1] != "0.0800" || glyph[2] != "0.0800" {
		t.Errorf("its size is %s of 100 points", glyph[1])
	}
	x, y := number(glyph[3])-f.from.X*smallPoints, number(glyph[4])-f.from.Y*smallPoints
	if math.Abs(x-number(text[1])) > 0.02 || math.Abs(y+lineHeight*72/25.4-number(text[2])) > 0.02 {
		t.Errorf("it begins at %.2f, %.2f; the line above at %s, %s", x, y, text[1], text[2])
	}
}

func FuzzEveryTextFits(f *testing.F) {
	for _, n := range append(names, "12345 راشد 5 Ali", "क्षत्रिय (ज्ञान)", "a\u0300\u200dक", "٣%,٤ ש") {
		f.Add(n)
	}
	letters := setter(f)
	f.Fuzz(func(t *testing.T, s string) {
		const room = 40
		l := letters.fit(s, room, tenPoints)
		if l.width > room {
			t.Errorf("%q is %.1f mm wide", s, l.width)
		}
		for _, r := range l.runs {
			for _, g := range r.glyphs {
				r.face.form(g.id)
			}
		}
	})
}
