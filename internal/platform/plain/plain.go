// Package plain defines the characters allowed in plain text.
package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Control reports whether a character controls the display of a text: control characters,
// and those that override the direction of the following text, which would then read
// differently than it is stored. Directional marks are allowed, because right-to-left
// scripts need them.
func Control(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// Printable reports whether s is valid text of printable characters only.
func Printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}
