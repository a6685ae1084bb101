package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mistakes are all mistakes of a configuration.
type Mistakes struct{ List []string }

// Error returns a sentence for one mistake and a list for several.
func (m *Mistakes) Error() string {
	if len(m.List) == 1 {
		return "1 mistake in the configuration: " + m.List[0]
	}
	return fmt.Sprintf("%d mistakes in the configuration:\n  %s", len(m.List), strings.Join(m.List, "\n  "))
}

// Help is the result of --help; it is not a failure.
type Help struct{ Text string }

func (h *Help) Error() string { return "help requested" }

// quote returns a value for a message, escaped and cut if it is long.
func quote(v string) string {
	const most = 60
	if r := []rune(v); len(r) > most {
		return strconv.Quote(string(r[:most])) + "…"
	}
	return strconv.Quote(v)
}

// clean returns a name, quoted if it contains characters that are not printable.
func clean(name string) string {
	if q := quote(name); q != `"`+name+`"` {
		return q
	}
	return name
}

// Nearest returns at most three words that are similar to a mistyped word, the most likely
// first.
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

// didYouMean returns the end of a sentence about an unknown name. The common prefix of all
// names is not compared, because it would make every name similar to every other.
func didYouMean(prefix, word string, words []string) string {
	near := Nearest(word, words)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}

// distance returns the number of bytes to insert, delete or replace to get from a to b. It
// does not compare long words, because the cost grows with the product of the lengths and
// the words are input.
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
