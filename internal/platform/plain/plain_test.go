package plain_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/plain"
)

func TestTextThatTurnsItsDirectionIsNotPlain(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"a\u202eb", "\u202a", "x\u202d", "\u2066y\u2069", "tab\t", "\x00", "\u0085"} {
		if !strings.ContainsFunc(s, plain.Control) {
			t.Errorf("%q is taken for plain text", s)
		}
	}
	for _, s := range []string{"", "Anna Śliwa", "नमस्ते", "שלום\u200f", "\u2065\u206a\u2029\u202f", "👩‍🌾"} {
		if strings.ContainsFunc(s, plain.Control) {
			t.Errorf("%q is refused", s)
		}
	}
}
