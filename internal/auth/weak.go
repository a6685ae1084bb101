package auth

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The words that everybody tries first: passwords that leaked, names and common
// words, in lower case, one to a line and sorted; scripts/weakwords.mjs writes the
// file. It is unpacked when a password is first chosen and kept as one text.
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

const textWeak = " is one of those that everybody tries first: choose another"

// isWeak tells whether s is one of those words, or one character again and again.
func isWeak(s string) bool {
	low := strings.ToLower(s)
	if strings.Trim(low, string([]rune(low)[:1])) == "" {
		return true
	}
	_, found := slices.BinarySearch(weakWords(), low)
	return found
}

// Person is whose secret it is to be: what others know of them is no secret.
type Person struct {
	UID                 string // "" while there is none
	Name, Email, Mobile string
}

// leastOwn is how long something known of a person must be for a secret to be made
// of it: shorter ones are in too many words.
const leastOwn = 4

// CheckPassword is Invalid, at the password's field, if a password is made of what
// others know of the person.
func (p Person) CheckPassword(s string) error { return p.check(fieldPassword, "Password", s) }

// CheckTransactionPassword is CheckPassword for a transaction password.
func (p Person) CheckTransactionPassword(s string) error {
	return p.check(fieldTransaction, "Transaction password", s)
}

func (p Person) check(field, what, s string) error {
	local, _, _ := strings.Cut(p.Email, "@")
	plain := strings.TrimRightFunc(local, unicode.IsDigit)
	for _, own := range append(strings.Fields(p.Name), p.Name, p.Email, local, plain, p.UID, p.Mobile) {
		if madeOf(s, own) {
			return invalid(field, what+" must not be made of your user id, name, e-mail or mobile number")
		}
	}
	return nil
}

// madeOf tells whether s is own as it stands or reversed, whatever the case and
// without signs in between, with no more than digits and signs before or after; or, of
// a number, a part of it.
func madeOf(s, own string) bool {
	low, own := bare(s), bare(own)
	if len([]rune(own)) < leastOwn {
		return false
	}
	for _, o := range []string{own, reversed(own)} {
		if before, after, found := strings.Cut(low, o); found && isNumber(before) && isNumber(after) {
			return true
		}
		if isNumber(o) && len(low) >= minPassword && strings.Contains(o, low) {
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
