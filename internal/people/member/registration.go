package member

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	maxSponsor  = 15
	minPassword = 6
	maxPassword = 20
)

// RegistrationForm is a visitor's unparsed registration. Numbers are text here too,
// because some clients send them as text.
type RegistrationForm struct {
	Sponsor, Name, Position, Email, Password, Mobile, Country string
}

// Registration is a parsed registration, whose sponsor may not exist.
type Registration struct {
	Sponsor  int64
	Name     string
	Position int64 // 1 left, 2 right
	Email    string
	Password string
	Mobile   string
	Country  int64
}

// ParseRegistration checks every field in the screen's order. Invalid, with all wrong
// fields by their names on the wire.
func ParseRegistration(f RegistrationForm) (Registration, error) {
	var r Registration
	var fields []errs.Field
	note := func(field string, wrong errs.Text) {
		if wrong.Code != "" {
			fields = append(fields, errs.Field{Name: field, Text: wrong})
		}
	}
	var wrong errs.Text
	r.Sponsor, wrong = parseSponsor(f.Sponsor)
	note("sid", wrong)
	r.Name, wrong = parseName(f.Name, minName, maxName, userNameTexts)
	note("name", wrong)
	r.Country, wrong = parseCountry(f.Country)
	note("countryid", wrong)
	r.Mobile, wrong = parseMobile(f.Mobile, TextMobileInvalid)
	note("mobile", wrong)
	r.Email, wrong = parseEmail(f.Email)
	note("email", wrong)
	r.Password, wrong = parsePassword(f.Password)
	note("password", wrong)
	r.Position, wrong = parsePosition(f.Position)
	note("position", wrong)
	if err := errs.Fields(fields); err != nil {
		return Registration{}, err
	}
	return r, nil
}

func parseSponsor(s string) (uid int64, wrong errs.Text) {
	s = strings.Trim(s, " ")
	switch {
	case s == "":
		return 0, TextSponsorRequired
	case utf8.RuneCountInString(s) > maxSponsor:
		return 0, TextSponsorLong
	}
	uid, err := ParseUserID(s)
	if err != nil {
		return 0, TextSponsorInvalid
	}
	return uid, errs.Text{}
}

func parsePosition(s string) (position int64, wrong errs.Text) {
	switch s {
	case "1":
		return 1, errs.Text{}
	case "2":
		return 2, errs.Text{}
	}
	return 0, TextPositionRequired
}

// parsePassword takes the password unchanged: spaces count, and nothing is trimmed or
// composed, as at sign-in.
func parsePassword(s string) (password string, wrong errs.Text) {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		return "", TextPasswordRequired
	case n < minPassword:
		return "", TextPasswordShort
	case n > maxPassword:
		return "", TextPasswordLong
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return "", TextPasswordControl
	}
	return s, errs.Text{}
}
