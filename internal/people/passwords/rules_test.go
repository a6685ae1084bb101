package passwords

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestNewPasswordsFollowTheRules(t *testing.T) {
	t.Parallel()
	op := Person{Email: "grace.hopper@example.com", Name: "Grace Hopper"}
	operator := func(s string) error { return CheckOperator(op, s) }
	for _, c := range []struct {
		check    func(string) error
		password string
		want     string // "" when it may be
	}{
		{Check, "", "Password is required"},
		{Check, "abcde", "Password must be at least 6 characters"},
		{Check, "Ab3defgh", ""},
		{Check, "пароль", ""},
		{Check, strings.Repeat("ab", 10), "easy to guess"},
		{Check, strings.Repeat("ab", 9) + "7k", ""},
		{Check, strings.Repeat("ab", 9) + "7kc", "Password must be at most 20 characters"},
		{Check, "with\nbreak", "control characters"},
		{Check, "with\x00zero", "control characters"},
		{Check, "broken\xff\xfe", "control characters"},
		{Check, "PassW0rd", "easy to guess"},
		{Check, "zzzzzzz", "easy to guess"},
		{Check, "Passw0rd!", "easy to guess"},
		{Check, "P@$$w0rd", "easy to guess"},
		{CheckTransaction, "dr4g0n!", "easy to guess"},
		{CheckTransaction, "", "Transction Password is required"},
		{CheckTransaction, "abcd1", "Transaction password must be at least 6 characters"},
		{CheckTransaction, "k7dw2p", ""},
		{CheckTransaction, "123456", "easy to guess"},
		{CheckTransaction, "111111", "easy to guess"},
		{CheckTransaction, "k7dw2pk7dw2", "Transaction password must be at most 10 characters"},
		{CheckTransactionInput, "", "Transction Password is required"},
		{CheckTransactionInput, "1", ""},
		{CheckTransactionInput, "12345678901", "at most 10 characters"},
		{operator, "Short1234", "Password must be at least 10 characters"},
		{operator, "a long phrase that nobody guesses", ""},
		{operator, "Qwertyuiop", "easy to guess"},
		{operator, "éééééééééé", "easy to guess"},
		{operator, "GRACE.HOPPER", "must not be made of your user id, name, e-mail"},
		{operator, "grace hopper", "must not be made of your user id, name, e-mail"},
		{operator, op.Email, "must not be made of your user id, name, e-mail"},
		{operator, strings.Repeat("ab", 65), "at most 128"},
	} {
		err := c.check(c.password)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.password, err)
			}
			continue
		}
		if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), c.want) || len(c.password) > 5 && strings.Contains(err.Error(), c.password) {
			t.Errorf("%q: got %v, want %q", c.password, err, c.want)
		}
	}
}

func TestRandomPasswordsAreReadableAndMeetTheRules(t *testing.T) {
	t.Parallel()
	seen, letters := map[string]bool{}, map[rune]bool{}
	for range 2000 {
		s := NewTransaction()
		if seen[s] || len(s) != 10 || strings.ContainsAny(s, "0oO1iIlL") || CheckTransaction(s) != nil {
			t.Fatalf("%q", s)
		}
		seen[s] = true
		for _, r := range s {
			letters[r] = true
		}
	}
	if len(letters) != len(unambiguous) {
		t.Errorf("only %d letters in use", len(letters))
	}
}

// Chance draws a pattern too, which the rules refuse.
func TestARefusedTransactionPasswordIsGeneratedAgain(t *testing.T) {
	t.Parallel()
	drawn := []string{"2222222222", "abcdefghjk", "2345678234", "password22", "k7dw2pk9x4"}
	for _, s := range drawn[:3] {
		if CheckTransaction(s) == nil {
			t.Errorf("%q is taken", s)
		}
	}
	got := newTransaction(func(int) string {
		next := drawn[0]
		drawn = drawn[1:]
		return next
	})
	if CheckTransaction(got) != nil || len(drawn) > 1 {
		t.Errorf("%q was drawn, %d are left", got, len(drawn))
	}
}
