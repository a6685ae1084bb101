package newsletter_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// An address that is taken has one spelling, and cannot end the header of a mail.
func FuzzParseEmail(f *testing.F) {
	for _, s := range []string{"Ann@Example.test", " a@b.c ", "a@b", `"a b"@c.d`, "a@[1.2.3.4]", "a@b.c\r\nBcc: d@e.f", "Ann <a@b.c>", "ä@b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		email, err := newsletter.ParseEmail(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		if again, err := newsletter.ParseEmail(email); err != nil || again != email || strings.ContainsAny(email, " \r\n\x00<>\"") || strings.Count(email, "@") != 1 {
			t.Errorf("%q became %q, and that %q, %v", s, email, again, err)
		}
	})
}
