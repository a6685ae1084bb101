package passwords

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Secrets that follow a rule are guessed by the rule, so no list needs them.

// patternLines are the rows of a keyboard, the lines of a number pad and the alphabet.
// Any three neighbours of one, in either direction, are a piece of a pattern.
var patternLines = []string{
	"qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertz", "azerty",
	"1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm",
	"147", "2580", "369", "159", "357",
	"01234567890", "abcdefghijklmnopqrstuvwxyz",
}

const (
	minPiece   = 3
	oldestYear = 1920
	lastYear   = 2035
)

// isPattern reports whether all of s, in lower case, follows a rule: a constant step, a
// repeated block, lines of keys, or a date.
func isPattern(s string) bool {
	for _, form := range []string{s, bare(s)} {
		r := []rune(form)
		if len(r) >= minMember && (isSteps(r) || isSteps(firstOfGroups(r)) || isRepeated(r) || isPieces(r) || isDate(form)) {
			return true
		}
	}
	return isWrittenDate(s)
}

// isSteps reports whether consecutive characters differ by one step: digits by any,
// where 0 follows 9, letters by one or two.
func isSteps(r []rune) bool {
	if len(r) < minPiece {
		return false
	}
	digits := isNumber(string(r))
	step := func(i int) int {
		d := int(r[i]) - int(r[i-1])
		if digits {
			return (d + 10) % 10
		}
		return d
	}
	first := step(1)
	if !digits && (first < -2 || first > 2 || slices.ContainsFunc(r, func(c rune) bool { return !unicode.IsLetter(c) })) {
		return false
	}
	for i := 2; i < len(r); i++ {
		if step(i) != first {
			return false
		}
	}
	return true
}

// firstOfGroups is 123 of 112233 and of 111222333; nil if the groups differ in length.
func firstOfGroups(r []rune) []rune {
	n := 1
	for n < len(r) && r[n] == r[0] {
		n++
	}
	if n == 1 || len(r)%n != 0 {
		return nil
	}
	var out []rune
	for group := range slices.Chunk(r, n) {
		if slices.ContainsFunc(group, func(c rune) bool { return c != group[0] }) {
			return nil
		}
		out = append(out, group[0])
	}
	return out
}

// isRepeated reports whether r repeats a block, the last one perhaps cut off. A block
// long enough to be a secret is as weak as it is alone.
func isRepeated(r []rune) bool {
	for n := 1; n <= len(r)/2; n++ {
		if slices.Equal(r[n:], r[:len(r)-n]) {
			return n < minMember || isWeak(string(r[:n]))
		}
	}
	return false
}

// isPieces reports whether r consists of pieces of patternLines and of runs of one
// character, three or more. Two pieces may share the key where the line turns.
func isPieces(r []rune) bool {
	for at := 0; at < len(r); {
		n := pieceAt(r[at:])
		if turned := at; n < minPiece && at > 0 {
			turned--
			if n = pieceAt(r[turned:]); n >= minPiece {
				at = turned
			}
		}
		if n < minPiece {
			return false
		}
		at += n
	}
	return true
}

// pieceAt is the length of the longest piece at the beginning of r.
func pieceAt(r []rune) (n int) {
	for n = 1; n < len(r) && r[n] == r[0]; n++ {
	}
	for _, line := range patternLines {
		for _, way := range []string{line, reversed(line)} {
			for k := min(len(r), len(way)); k > n; k-- {
				if strings.Contains(way, string(r[:k])) {
					n = k
				}
			}
		}
	}
	return n
}

// isDate reports whether s is a date in digits: day first, month first, or year first.
func isDate(s string) bool {
	if !isNumber(s) {
		return false
	}
	switch len(s) {
	case len("ddmmyy"):
		return isDay(s[:2], s[2:4], s[4:])
	case len("ddmmyyyy"):
		return isDay(s[:2], s[2:4], s[4:]) || isDay(s[2:4], s[:2], s[4:]) || isDay(s[6:], s[4:6], s[:4])
	}
	return false
}

// isWrittenDate is isDate with separators, where leading zeros may be missing.
func isWrittenDate(s string) bool {
	p := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(p) != 3 || strings.ContainsFunc(s, unicode.IsLetter) {
		return false
	}
	return isDay(p[0], p[1], p[2]) || isDay(p[1], p[0], p[2]) || isDay(p[2], p[1], p[0])
}

// isDay reports whether the day exists, in a year within living memory. For a two-digit
// year it allows the leap day of the century that has it.
func isDay(day, month, year string) bool {
	d, wrongDay := strconv.Atoi(day)
	m, wrongMonth := strconv.Atoi(month)
	y, wrongYear := strconv.Atoi(year)
	if wrongDay != nil || wrongMonth != nil || wrongYear != nil || len(day) > 2 || len(month) > 2 {
		return false
	}
	switch {
	case len(year) == 2:
		y += 2000
	case len(year) != 4 || y < oldestYear || y > lastYear:
		return false
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return t.Day() == d && int(t.Month()) == m
}
