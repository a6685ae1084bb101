package member

import (
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bifolia/bifolia/internal/people/country"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Each parser reads one field and returns what is wrong with it; the zero Text if
// nothing is.

const (
	minName   = 4
	maxName   = 20
	maxHolder = 30
	maxEmail  = 50
	minMobile = 9
	maxMobile = 12
	minAge    = 18
	maxAge    = 120
	maxText   = 100
)

// nameTexts are the errors of one kind of name.
type nameTexts struct{ required, short, long, letters errs.Text }

var (
	userNameTexts = nameTexts{TextUserNameRequired, TextUserNameShort, TextUserNameLong, TextUserNameLetters}
	lastNameTexts = nameTexts{TextLastNameRequired, TextLastNameShort, TextLastNameLong, TextLastNameLetters}
	fatherTexts   = nameTexts{TextFatherRequired, TextFatherShort, TextFatherLong, TextFatherLetters}
	nomineeTexts  = nameTexts{TextNomineeRequired, TextNomineeShort, TextNomineeLong, TextNomineeLetters}
	holderTexts   = nameTexts{TextHolderRequired, errs.Text{}, TextHolderLong, TextHolderLetters}
)

// parseName reads letters with single spaces between them. NFC gives each name one
// spelling; characters are counted, not bytes.
func parseName(s string, least, most int, texts nameTexts) (name string, wrong errs.Text) {
	name = strings.Join(strings.FieldsFunc(norm.NFC.String(s), func(r rune) bool { return r == ' ' }), " ")
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", texts.required
	case n < least:
		return "", texts.short
	case n > most:
		return "", texts.long
	case !letters(name):
		return "", texts.letters
	}
	return name, errs.Text{}
}

// letters reports whether every character is a letter, a mark on a letter, or a space. An
// apostrophe or a hyphen after a letter counts as one: O'Neill, D’Souza, Anne-Marie.
// Invisible characters are refused, though Unicode classifies some as letters or marks:
// two different names must not look the same.
func letters(name string) bool {
	before := ' '
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return false
		case unicode.IsLetter(r), r == ' ':
		case unicode.In(r, unicode.Mn, unicode.Mc) && !strings.ContainsRune(" "+joining, before):
		case strings.ContainsRune(joining, r) && !strings.ContainsRune(" "+joining, before):
		default:
			return false
		}
		before = r
	}
	return true
}

// joining are the apostrophes and the hyphen within names.
const joining = "'’-"

// parseEmail reads a bare address. The part before the @ belongs to the receiving server
// and is kept as written; the domain is stored in lower case.
func parseEmail(s string) (email string, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextEmailRequired
	}
	at := strings.LastIndexByte(s, '@')
	if at < 0 || !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxEmail || strings.ContainsFunc(s, invisible) {
		return "", TextEmailInvalid
	}
	local, host := s[:at], strings.Map(lower, s[at+1:])
	if utf8.RuneCountInString(local) < 3 || !domain(host) {
		return "", TextEmailInvalid
	}
	email = local + "@" + host
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Name != "" || parsed.Address != email {
		return "", TextEmailInvalid
	}
	return email, errs.Text{}
}

// invisible reports whether r is a space, a control character or has no shape.
func invisible(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// domain reports whether s has at least two labels of ASCII letters, digits and inner
// hyphens, the last not a number.
func domain(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	return len(labels) > 1 && !digits(labels[len(labels)-1])
}

func parseMobile(s string, required errs.Text) (mobile string, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", required
	}
	if len(s) < minMobile || len(s) > maxMobile || !digits(s) {
		return "", TextMobileInvalid
	}
	return s, errs.Text{}
}

func parseCountry(s string) (id int64, wrong errs.Text) {
	id, err := strconv.ParseInt(strings.Trim(s, " "), 10, 64)
	if err != nil {
		return 0, TextCountryRequired
	}
	if _, ok := country.ByID(id); !ok {
		return 0, TextCountryRequired
	}
	return id, errs.Text{}
}

// parseBirthday reads a day 18 to 120 years before today. A person born on 29 February
// comes of age on 1 March.
func parseBirthday(s string, today time.Time) (day string, wrong errs.Text) {
	s = strings.Trim(s, " ")
	if s == "" {
		return "", TextBirthdayRequired
	}
	born, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return "", TextBirthdayInvalid
	}
	age := today.Year() - born.Year()
	if today.Month() < born.Month() || today.Month() == born.Month() && today.Day() < born.Day() {
		age--
	}
	switch {
	case age < 0 || age > maxAge || s == today.Format(time.DateOnly):
		return "", TextBirthdayInvalid
	case age < minAge:
		return "", TextBirthdayYoung
	}
	return s, errs.Text{}
}

// parseChoice reads one of a few words, written as offered.
func parseChoice(s string, among []string, required errs.Text) (choice string, wrong errs.Text) {
	if !slices.Contains(among, s) {
		return "", required
	}
	return s, errs.Text{}
}

// textTexts are the errors of one kind of free text; required is zero if it may be
// empty.
type textTexts struct{ required, long, control errs.Text }

// parseText reads free text of up to maxText characters, in lines.
func parseText(s string, texts textTexts) (text string, wrong errs.Text) {
	text = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	switch {
	case text == "":
		return "", texts.required
	case !utf8.ValidString(text), strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && plain.Control(r) }):
		return "", texts.control
	}
	text = norm.NFC.String(text)
	if utf8.RuneCountInString(text) > maxText {
		return "", texts.long
	}
	return text, errs.Text{}
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// lower and upper change ASCII letters only, so that no look-alike becomes one of them.
func lower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r - 'A' + 'a'
	}
	return r
}

func upper(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r - 'a' + 'A'
	}
	return r
}
