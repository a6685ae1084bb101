package passwords

import (
	"slices"
	"testing"
)

func TestTenThousandCommonPasswordsAreRefused(t *testing.T) {
	t.Parallel()
	words := weakWords()
	if len(words) < 10_000 || !slices.IsSorted(words) {
		t.Fatalf("%d words, in order: %t", len(words), slices.IsSorted(words))
	}
	for _, w := range words {
		if len(w) >= minMember && len(w) <= maxTransaction && (Check(w) == nil || CheckTransaction(w) == nil || Check(reCase(w)) == nil) {
			t.Fatalf("%q is taken", w)
		}
	}
}

// reCase is a word with a capital.
func reCase(w string) string {
	if w[0] >= 'a' && w[0] <= 'z' {
		return string(w[0]-32) + w[1:]
	}
	return w
}

func TestPatternsAreRefusedByRule(t *testing.T) {
	t.Parallel()
	for what, all := range map[string][]string{
		"runs":         {"987654", "234567", "890123", "321098", "135791", "246802", "97531975", "bcdefg", "zyxwvu", "ACEGIK", "абвгде", "112233", "99887766", "111222333", "aabbcc"},
		"blocks":       {"252525", "232323", "147147", "12341234", "789789", "abcabc", "2525252", "k7k7k7", "1471471", "#a#a#a", "ab-ab-ab", "K7dwk7DW", "p4p4p4p4p"},
		"lines":        {"147258", "159357", "258369", "963852", "1478963", "147896321", "123698", "789456123", "2580852", "qazwsx", "1qaz2wsx", "qweasd", "asd123", "abc123", "123qwe", "123321", "111222", "qwe-123"},
		"dates":        {"19900101", "01011990", "010190", "311299", "29022000", "290204", "12251985", "20350630", "01-01-1990", "1.1.1990", "1990/1/31", "31.12.99", "01011920"},
		"with signs":   {"987654!", "*234567*", "252525."},
		"twice a word": {"PasswordPassword", "dragonsdragons"},
	} {
		for _, s := range all {
			if Check(s) == nil {
				t.Errorf("%s: %q is taken as a password", what, s)
			}
			if CheckTransaction(s) == nil {
				t.Errorf("%s: %q is taken as a transaction password", what, s)
			}
		}
	}
}

// A password is refused only if one rule covers it from the first character to the last.
func TestAPartialPatternIsAccepted(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"482915", "730164", "907153", "k7dw2p", "Pin4you", "Mine4me7", "Own4pass", "leaf-and-stem", "horse 1990", "abc 7k9", "1234k7p", "qwe7rt9x",
		"321399", "300219", "01011919", "01012036", "19901332", "99999-x7", "a1b9c3d4", "kw7dkw8d", "Correct1Correct1", "leaf by leaf 42", "abcabd71",
	} {
		if err := Check(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestAPasswordMadeOfPersonalDataIsRefused(t *testing.T) {
	t.Parallel()
	p := Person{UID: "482915", Name: "Anna van Berg", Email: "anna.berg77@example.org", Mobile: "9876501234"}
	for _, s := range []string{
		"482915", "4829151", "x!482915", "519284", "annavanberg", "Anna van Berg", "anna2031", "2031ANNA!", "greb.anna", "anna.berg77", "anna.berg77@example.org",
		"77greb.anna", "9876501234", "98765012", "4321056789", "501234", "vanberg1", "482915a", "ab482915cd", "BergAnna", "berg-van-anna7",
	} {
		if err := p.Check(s); err == nil {
			t.Errorf("%q is taken", s)
		}
		if err := p.CheckTransaction(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
	for _, s := range []string{"482915 horses", "Correct horse 1", "joanna-of-k7", "bergamot 19q", "van98k2"} {
		if err := p.Check(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	if err := (Person{Name: "Li"}).Check("li2031x"); err != nil {
		t.Error(err)
	}
}
