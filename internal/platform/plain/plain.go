// Package plain says which characters plain text may have.
package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Control tells whether a character steers what shows a text instead of being
// shown: the control characters, and those that turn the direction of what
// follows, by which a text reads otherwise than it is stored. The marks that
// only hint at a direction stay: right-to-left writing needs them.
func Control(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// Printable reports whether s is valid text of printable characters only.
func Printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
