package auth

import (
	"slices"
	"testing"
)

func TestTenThousandWordsThatEverybodyTriesFirstAreRefused(t *testing.T) {
	t.Parallel()
	words := weakWords()
	if len(words) < 10_000 || !slices.IsSorted(words) {
		t.Fatalf("%d words, in order: %t", len(words), slices.IsSorted(words))
	}
	for _, w := range words {
		if len(w) >= minPassword && len(w) <= maxTransaction && (checkPassword(w) == nil || checkTransactionPassword(w) == nil || checkPassword(reCase(w)) == nil) {
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

func TestAPasswordMadeOfWhatOthersKnowOfOneIsRefused(t *testing.T) {
	t.Parallel()
	p := Person{UID: "482915", Name: "Anna van Berg", Email: "anna.berg77@example.org", Mobile: "9876501234"}
	for _, s := range []string{
		"482915", "4829151", "x!482915", "519284", "annavanberg", "Anna van Berg", "anna2031", "2031ANNA!", "greb.anna", "anna.berg77", "anna.berg77@example.org",
		"77greb.anna", "9876501234", "98765012", "4321056789", "501234", "vanberg1", "482915a", "ab482915cd", "BergAnna", "berg-van-anna7",
	} {
		if err := p.CheckPassword(s); err == nil {
			t.Errorf("%q is taken", s)
		}
		if err := p.CheckTransactionPassword(s); err == nil {
			t.Errorf("%q is taken", s)
		}
	}
	for _, s := range []string{"482915 horses", "Correct horse 1", "joanna-of-k7", "bergamot 19q", "van98k2"} {
		if err := p.CheckPassword(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	if err := (Person{Name: "Li"}).CheckPassword("li2031x"); err != nil {
		t.Error(err)
	}
}
