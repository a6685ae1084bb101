package ifsc

import (
	_ "embed" // of the list
	"strconv"
	"strings"
)

// published are the codes that banks have published, as written by scripts/ifsc. It is
// searched in place, because lookups are rare.
//
//go:embed data/banks.txt
var published string

// bankOf is the bank of a published code; "" if the list has no name for it. exists
// reports whether the code is published.
func bankOf(code string) (name string, exists bool) {
	rest, found := line(code[:4])
	if !found {
		return "", false
	}
	name, branches, _ := strings.Cut(rest, "\t")
	if !has(branches, code[5:]) {
		return "", false
	}
	// A bank may lend its codes, or all with one prefix, to a smaller one.
	for n := len(code); n > 4; n-- {
		if lent, found := line("=" + code[:n]); found {
			return lent, true
		}
	}
	return name, true
}

// line is the rest of the line that begins with first.
func line(first string) (string, bool) {
	at := 0
	if !strings.HasPrefix(published, first+"\t") {
		if at = strings.Index(published, "\n"+first+"\t") + 1; at == 0 {
			return "", false
		}
	}
	rest, _, _ := strings.Cut(published[at+len(first)+1:], "\n")
	return rest, true
}

// has reports whether a branch is among branches: numbers, ranges of numbers and words.
func has(branches, branch string) bool {
	number, err := strconv.Atoi(branch)
	for one := range strings.FieldsSeq(branches) {
		if one == branch {
			return true
		}
		first, last, isSpan := strings.Cut(one, "-")
		if !isSpan {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err == nil && err1 == nil && err2 == nil && from <= number && number <= to {
			return true
		}
	}
	return false
}
