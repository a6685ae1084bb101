package ifsc

import (
	_ "embed" // of the list
	"strconv"
	"strings"
)

// The codes that banks have published, as scripts/ifsc writes them. The list is
// searched as it is: who needs one code in a while need not keep them all.
//
//go:embed data/banks.txt
var published string

// bankOf is the bank of a published code, by the list alone; "" if the list has
// no name for it. exists is whether the code is published at all.
func bankOf(code string) (name string, exists bool) {
	rest, found := line(code[:4])
	if !found {
		return "", false
	}
	name, branches, _ := strings.Cut(rest, "\t")
	if !has(branches, code[5:]) {
		return "", false
	}
	// A bank may lend its codes, or all that begin alike, to a smaller one.
	for n := len(code); n > 4; n-- {
		if lent, found := line("=" + code[:n]); found {
			return lent, true
		}
	}
	return name, true
}

// line is what follows on a line's first word.
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

// has tells whether a branch is among some: numbers, spans of numbers and words.
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
