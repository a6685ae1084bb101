package support

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Tickets are searched by words. A word is a run of letters, digits and the marks that
// belong to them, normalized; a prefix finds it.

const (
	longestWord = 40 // stored characters of a word
	maxWords    = 8  // of a search
)

// Words are the distinct words of texts, in order.
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

// joins reports whether a character only affects how its neighbours are drawn.
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

// Words are the words of the search: each ticket found has, for each of them, a word
// with that prefix. A word that is the prefix of another one is left out.
func (f Filter) Words() []string {
	all := Words(f.Search)
	out := all[:0]
	for i, w := range all { // a word with the prefix w follows right after it
		if i+1 == len(all) || !strings.HasPrefix(all[i+1], w) {
			out = append(out, w)
		}
	}
	return out
}

// Number is the searched number of a ticket or a member, if it is one.
func (f Filter) Number() (int64, bool) {
	n, err := strconv.ParseInt(f.Search, 10, 64)
	return n, err == nil
}

// Words are the words by which a ticket is found: those of the query and its answers.
func (t Ticket) Words() []string { return Words(t.Query, t.Reply) }
