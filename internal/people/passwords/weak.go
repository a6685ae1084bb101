package passwords

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// The most guessed passwords: leaked ones, names and common words, in lower case, one
// to a line and sorted; scripts/weakwords.mjs writes the file. It is unpacked on first
// use.
//
//go:embed weak/words.gz
var weakPacked []byte

var weakWords = sync.OnceValue(func() []string {
	r, err := gzip.NewReader(bytes.NewReader(weakPacked))
	if err != nil {
		panic(err) // it is embedded, and a test reads it
	}
	all, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(all)), "\n")
})

// substituted reverts the usual substitutes of letters.
var substituted = []*strings.Replacer{
	strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i"),
	strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "l"),
}

// isWeak reports whether s is one of those words, also between signs and with the usual
// substitutes of letters, one repeated character, or a pattern.
func isWeak(s string) bool {
	low := strings.ToLower(s)
	if strings.Trim(low, string([]rune(low)[:1])) == "" || isPattern(low) {
		return true
	}
	letters := strings.TrimFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	tries := []string{low, letters}
	if strings.IndexFunc(low, unicode.IsLetter) >= 0 { // digits alone are no word
		for _, undo := range substituted {
			tries = append(tries, undo.Replace(low), undo.Replace(letters))
		}
	}
	return slices.ContainsFunc(tries, func(word string) bool {
		_, found := slices.BinarySearch(weakWords(), word)
		return found
	})
}

// Person is what others know of the owner of a secret.
type Person struct {
	UID                 string // "" while there is none
	Name, Email, Mobile string
}

// minPersonal is the minimum length of personal data that a secret must not contain:
// shorter data is part of too many words.
const minPersonal = 4

// Check is Invalid, at the password's field, if a password is derived from what
// others know of the person.
func (p Person) Check(s string) error { return p.check(Field, s) }

// CheckTransaction is Check for a transaction password.
func (p Person) CheckTransaction(s string) error {
	return p.check(FieldTransaction, s)
}

func (p Person) check(field, s string) error {
	local, _, _ := strings.Cut(p.Email, "@")
	letters := strings.TrimRightFunc(local, unicode.IsDigit)
	for _, own := range append(strings.Fields(p.Name), p.Name, p.Email, local, letters, p.UID, p.Mobile) {
		if isMadeOf(s, own) {
			return errPersonal(field)
		}
	}
	if isOfWords(s, p.Name) {
		return errPersonal(field)
	}
	return nil
}

func errPersonal(field string) error {
	if field == FieldTransaction {
		return errs.BadField(field, "auth.transaction_password_own", "Transaction password must not be made of your user id, name, e-mail or mobile number")
	}
	return errs.BadField(field, "auth.password_own", "Password must not be made of your user id, name, e-mail or mobile number")
}

// isOfWords reports whether s consists of words of a name, in any order, and digits.
func isOfWords(s, name string) bool {
	low, used := bare(s), 0
	words := strings.Fields(name)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	for _, word := range words {
		before, after, found := strings.Cut(low, bare(word))
		if found && word != "" {
			low, used = before+" "+after, used+len([]rune(word))
		}
	}
	return used >= minPersonal && isNumber(strings.ReplaceAll(low, " ", ""))
}

// isMadeOf reports whether s is own or own reversed, ignoring case and signs, with at most
// digits and signs before or after; or, of a number, a part of it, or all of it with
// fewer other characters than a password must have.
func isMadeOf(s, own string) bool {
	low, own := bare(s), bare(own)
	if len([]rune(own)) < minPersonal {
		return false
	}
	for _, o := range []string{own, reversed(own)} {
		if before, after, found := strings.Cut(low, o); found && isNumber(before) && isNumber(after) {
			return true
		}
		if isNumber(o) && strings.Contains(low, o) && len([]rune(low))-len(o) < minMember {
			return true
		}
		if isNumber(o) && len(low) >= minMember && strings.Contains(o, low) {
			return true
		}
	}
	return false
}

// bare is the letters and digits of a text, in lower case.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func isNumber(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}
