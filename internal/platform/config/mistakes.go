package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mistakes is everything that is wrong with what was given.
type Mistakes struct{ List []string }

// Error is one sentence for one mistake and a list for several.
func (m *Mistakes) Error() string {
	if len(m.List) == 1 {
		return "1 mistake in the configuration: " + m.List[0]
	}
	return fmt.Sprintf("%d mistakes in the configuration:\n  %s", len(m.List), strings.Join(m.List, "\n  "))
}

// Help is not a failure: somebody asked how to call the command.
type Help struct{ Text string }

func (h *Help) Error() string { return "help was asked for" }

// quote shows a value in a message: escaped, and cut when it is long.
func quote(v string) string {
	const most = 60
	if r := []rune(v); len(r) > most {
		return strconv.Quote(string(r[:most])) + "…"
	}
	return strconv.Quote(v)
}

// clean shows a name as it is unless that would break the line or the screen.
func clean(name string) string {
	if q := quote(name); q != `"`+name+`"` {
		return q
	}
	return name
}

// Nearest are the words, at most three, that somebody who typed word may have
// meant, the likeliest first.
func Nearest(word string, words []string) []string {
	type near struct {
		word string
		dist int
	}
	limit := max(2, len(word)/3)
	if len(word) < 4 {
		limit = 1
	}
	var found []near
	for _, w := range words {
		d := distance(strings.ToLower(word), strings.ToLower(w))
		if word != "" && strings.HasPrefix(w, word) {
			d = min(d, 1)
		}
		if d <= limit {
			found = append(found, near{w, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.dist - b.dist })
	out := make([]string, 0, 3)
	for _, n := range found[:min(3, len(found))] {
		out = append(out, n.word)
	}
	return out
}

// didYouMean ends a sentence about an unknown name. What all names begin with
// is left out of the comparison: it would make every name near every other.
func didYouMean(prefix, word string, words []string) string {
	near := Nearest(word, words)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}

// distance is the number of bytes to insert, delete or replace to get from a
// to b. Long words are never near anything: the cost grows with the product
// of the lengths and the words come from outside.
func distance(a, b string) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
