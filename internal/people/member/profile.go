package member

import (
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

const maxTransactionPassword = 10

// ProfileForm is a member's unparsed profile.
type ProfileForm struct {
	Name, LastName, Father, Country, Email, Mobile, Birthday, Gender string
	Address, About, Nominee, NomineeRelation                         string
	TransactionPassword                                              string
}

// Profile is the data that members change at will.
type Profile struct {
	Name, LastName, Father           string
	Country                          int64
	Email, Mobile                    string
	Birthday, Gender, Address, About string
	Nominee, NomineeRelation         string
}

var (
	addressTexts = textTexts{TextAddressRequired, TextAddressLong, TextAddressControl}
	aboutTexts   = textTexts{TextAboutRequired, TextAboutLong, TextAboutControl}
)

// ParseProfile checks the fields in the screen's order. Invalid with the first error as
// its message and the field by its name on the wire. today determines the member's age.
// It checks that there is a transaction password, not that it is right.
func ParseProfile(f ProfileForm, today time.Time) (Profile, error) {
	var p Profile
	var c checks
	c.text(&p.Name, "f_name")(parseName(f.Name, minName, maxName, userNameTexts))
	c.text(&p.LastName, "l_name")(parseName(f.LastName, minName, maxName, lastNameTexts))
	c.text(&p.Father, "father")(parseName(f.Father, minName, maxName, fatherTexts))
	country, wrong := parseCountry(f.Country)
	p.Country = country
	c.note("counrtyid", wrong)
	c.text(&p.Email, "email")(parseEmail(f.Email))
	c.text(&p.Mobile, "mobile")(parseMobile(f.Mobile, TextMobileRequired))
	c.text(&p.Birthday, "DOB")(parseBirthday(f.Birthday, today))
	c.text(&p.Gender, "gender")(parseChoice(f.Gender, genders, TextGenderRequired))
	c.text(&p.Address, "address")(parseText(f.Address, addressTexts))
	c.text(&p.About, "aboutUser")(parseText(f.About, aboutTexts))
	c.text(&p.Nominee, "NomineeName")(parseName(f.Nominee, minName, maxName, nomineeTexts))
	c.text(&p.NomineeRelation, "nomineerelation")(parseChoice(f.NomineeRelation, relations, TextRelationRequired))
	c.transactionPassword(f.TransactionPassword)
	if err := c.first(); err != nil {
		return Profile{}, err
	}
	return p, nil
}

// checks records the first wrong field.
type checks struct{ wrong *errs.Field }

func (c *checks) note(field string, wrong errs.Text) {
	if wrong.Code != "" && c.wrong == nil {
		c.wrong = &errs.Field{Name: field, Text: wrong}
	}
}

// text takes the two results of a field's parser.
func (c *checks) text(into *string, field string) func(value string, wrong errs.Text) {
	return func(value string, wrong errs.Text) {
		*into = value
		c.note(field, wrong)
	}
}

func (c *checks) transactionPassword(s string) {
	switch n := utf8.RuneCountInString(s); {
	case n == 0:
		c.note("ctrans_password", TextTransactionPasswordRequired)
	case n > maxTransactionPassword:
		c.note("ctrans_password", TextTransactionPasswordLong)
	}
}

// first is the error of the first wrong field, or nil. Its message is the text alone:
// screens show it as the outcome.
func (c *checks) first() error {
	if c.wrong == nil {
		return nil
	}
	return &errs.Error{Kind: errs.Invalid, Text: c.wrong.Text, Fields: []errs.Field{*c.wrong}}
}
