package seal

import (
	"strings"
	"testing"
)

func box(t *testing.T, key byte) *Box {
	t.Helper()
	b, err := New([]byte(strings.Repeat(string(key), 32)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestASealedValueOpensOnlyWhereItWasPut(t *testing.T) {
	b := box(t, 'a')
	s := b.Seal("1234 5678 9012", int64(7), "aadhar")
	if strings.Contains(s, "9012") || s != b.Seal("1234 5678 9012", int64(7), "aadhar") {
		t.Errorf("sealed as %q", s)
	}
	if got, ok := b.Open(s, int64(7), "aadhar"); !ok || got != "1234 5678 9012" {
		t.Errorf("got %q, %t", got, ok)
	}
	for name, open := range map[string]func() (string, bool){
		"another row":    func() (string, bool) { return b.Open(s, int64(8), "aadhar") },
		"another column": func() (string, bool) { return b.Open(s, int64(7), "pan") },
		"another key":    func() (string, bool) { return box(t, 'b').Open(s, int64(7), "aadhar") },
		"in clear":       func() (string, bool) { return b.Open("1234", int64(7), "aadhar") },
		"cut":            func() (string, bool) { return b.Open(s[:len(s)-2], int64(7), "aadhar") },
		"only a mark":    func() (string, bool) { return b.Open(mark, int64(7), "aadhar") },
	} {
		if got, ok := open(); ok || got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if s == b.Seal("1234 5678 9012", int64(8), "aadhar") {
		t.Error("two people with one number can be told")
	}
}

func TestNothingIsNothing(t *testing.T) {
	b := box(t, 'a')
	if got, ok := b.Open(b.Seal("", "x"), "x"); got != "" || !ok {
		t.Errorf("got %q, %t", got, ok)
	}
}

func TestAMarkIsOfItsThingsOnly(t *testing.T) {
	b := box(t, 'a')
	m := b.Mark("ab", "c", int64(1))
	if !b.Marked(m, "ab", "c", int64(1)) || b.Marked(m, "a", "bc", int64(1)) || b.Marked("", "ab", "c", int64(1)) || box(t, 'b').Marked(m, "ab", "c", int64(1)) {
		t.Error("a mark is of other things too")
	}
}
