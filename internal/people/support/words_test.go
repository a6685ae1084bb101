package support_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/support"
)

func TestWordsAreSpelledOneWay(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 50)
	for text, want := range map[string][]string{
		"":                             nil,
		" - _ % <> ":                   nil,
		"Where is it? WHERE!":          {"is", "it", "where"},
		"asha@example.org 100% 0xAB-9": {"0xab", "100", "9", "asha", "example", "org"},
		"re\u0301sume\u0301 RÉSUMÉ":    {"résumé"},
		"मेरा पैसा क्\u200dषमा": {"क्षमा", "पैसा", "मेरा"},
		"a\nb\u00a0c": {"a", "b", "c"},
		"ﬁne １２":      {"12", "fine"},
		long:          {strings.Repeat("é", 40)},
	} {
		if got := support.Words(text); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
	if got, want := (support.Ticket{Query: "One two", Reply: "two three"}).Words(), []string{"one", "three", "two"}; !slices.Equal(got, want) {
		t.Errorf("a ticket has %q, want %q", got, want)
	}
}

func TestASearchSkipsAWordThatBeginsAnother(t *testing.T) {
	t.Parallel()
	for search, want := range map[string][]string{"fund funds fun a": {"a", "funds"}, "ab ac a": {"ab", "ac"}, "%": nil} {
		if got := (support.Filter{Search: search}).Words(); !slices.Equal(got, want) {
			t.Errorf("%q looks for %q, want %q", search, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "Where is it?", "İstanbul", "ﬁ \u200d", "e\u0301", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := support.Words(s)
		if !slices.IsSorted(words) || slices.Contains(words, "") || len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("%q has %q", s, words)
		}
		// The words of a ticket find it.
		if again := support.Words(strings.Join(words, " ")); !slices.Equal(again, words) {
			t.Errorf("%q has %q, and that has %q", s, words, again)
		}
	})
}
