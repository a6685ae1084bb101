package support

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Tickets are searched by words. A word is a run of letters, digits and the marks
// that belong to them, in one spelling; its first letters find it too, what stands
// in its middle does not.

const (
	longestWord = 40 // characters that are kept of one
	maxWords    = 8  // of a search
)

// Words are the words of texts, each once, in order.
func Words(texts ...string) []string {
	var all []string
	for _, s := range texts {
		all = append(all, strings.FieldsFunc(norm.NFKC.String(strings.ToLower(norm.NFKC.String(s))), func(r rune) bool { return !inWord(r) })...)
	}
	out := all[:0]
	for _, w := range all {
		if w = cut(strings.Map(shown, w)); w != "" {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// joins says of a character that it only tells how its neighbours are drawn.
func joins(r rune) bool { return r == '\u200c' || r == '\u200d' || r == '\u00ad' }

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || joins(r)
}

func shown(r rune) rune {
	if joins(r) {
		return -1
	}
	return r
}

func cut(w string) string {
	n := 0
	for i := range w {
		if n == longestWord {
			return w[:i]
		}
		n++
	}
	return w
}

// Words are those that the tickets are searched for: each ticket found has, for
// each of them, a word that begins with it. What begins another need not be
// looked for.
func (f Filter) Words() []string {
	all := Words(f.Search)
	out := all[:0]
	for i, w := range all { // what begins with w comes right after it
		if i+1 == len(all) || !strings.HasPrefix(all[i+1], w) {
			out = append(out, w)
		}
	}
	return out
}

// Number is what is searched for if that is the number of a ticket or a member.
func (f Filter) Number() (int64, bool) {
	n, err := strconv.ParseInt(f.Search, 10, 64)
	return n, err == nil
}

// Words are what a ticket is found by: those of the query and of its answers.
func (t Ticket) Words() []string { return Words(t.Query, t.Reply) }
