package member_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var (
	today = time.Date(2026, 11, 15, 8, 30, 0, 0, time.UTC)

	goodProfile = member.ProfileForm{
		Name: "Asha", LastName: "Kulkarni", Father: "Ravi Kulkarni", Country: "99", Email: "asha@example.com", Mobile: "9876543210",
		Birthday: "1990-02-28", Gender: "Female", Address: "12 Lake Road\nPune", About: "I trade.", Nominee: "Ravi", NomineeRelation: "Father",
		TransactionPassword: "1234",
	}
)

// formField is a field of a form by its name on the wire.
type formField struct {
	name  string
	value *string
}

// profileFields are the form's fields in the order in which they are checked.
func profileFields(f *member.ProfileForm) []formField {
	return []formField{
		{"f_name", &f.Name},
		{"l_name", &f.LastName},
		{"father", &f.Father},
		{"counrtyid", &f.Country},
		{"email", &f.Email},
		{"mobile", &f.Mobile},
		{"DOB", &f.Birthday},
		{"gender", &f.Gender},
		{"address", &f.Address},
		{"aboutUser", &f.About},
		{"NomineeName", &f.Nominee},
		{"nomineerelation", &f.NomineeRelation},
		{"ctrans_password", &f.TransactionPassword},
	}
}

// wantFirst checks that err has text as its message and names field alone.
func wantFirst(t *testing.T, what string, err error, field, text string) {
	t.Helper()
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid || e.Message != text || !slices.Equal(said(e.Fields), []string{field + ": " + text}) {
		t.Errorf("%s: %v, want %s: %s", what, err, field, text)
	}
}

func TestAProfileIsReadAsItIsMeant(t *testing.T) {
	t.Parallel()
	form := goodProfile
	form.Address = " 12 Lake Road\r\nPune "
	form.Email = "asha@EXAMPLE.com"
	got, err := member.ParseProfile(form, today)
	want := member.Profile{
		Name: "Asha", LastName: "Kulkarni", Father: "Ravi Kulkarni", Country: 99, Email: "asha@example.com", Mobile: "9876543210",
		Birthday: "1990-02-28", Gender: "Female", Address: "12 Lake Road\nPune", About: "I trade.", Nominee: "Ravi", NomineeRelation: "Father",
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestTheFirstWrongFieldOfAProfileIsReported(t *testing.T) {
	t.Parallel()
	required := []string{
		"User Name is required", "Last Name is required", "Father/Husband Name is required", "Country is required", "Please enter email address",
		"Mobile Number is required", "Date of Birth is required", "Gender is required", "Address is required", "About Us is required",
		"Nominee Name is required", "Nominee Relation is required", "Transction Password is required",
	}
	var form member.ProfileForm // everything is missing, and is filled in from the top
	good := goodProfile
	for i, f := range profileFields(&form) {
		_, err := member.ParseProfile(form, today)
		wantFirst(t, "before "+f.name, err, f.name, required[i])
		*f.value = *profileFields(&good)[i].value
	}
	if _, err := member.ParseProfile(form, today); err != nil {
		t.Error(err)
	}
}

func TestEachFieldOfAProfileHasItsLimitsAndTexts(t *testing.T) {
	t.Parallel()
	cases := []struct{ field, value, want string }{
		{"f_name", "Ash", "User Name must be at least 4 characters"},
		{"f_name", strings.Repeat("a", 21), "User Name should not be greater than 20 characters"},
		{"f_name", "Asha9", "User Name must have letters and spaces only"},
		{"l_name", "Rao", "Last Name must be at least 4 characters"},
		{"l_name", strings.Repeat("a", 21), "Last Name should not be greater than 20 characters"},
		{"l_name", "Rao!", "Last Name must have letters and spaces only"},
		{"father", "Ram", "Father/Husband Name must be at least 4 characters"},
		{"father", strings.Repeat("a", 21), "Father/Husband Name should not be greater than 20 characters"},
		{"father", "Ram.R", "Father/Husband Name must have letters and spaces only"},
		{"counrtyid", "777", "Country is required"},
		{"email", "a@b.c", "Please enter a valid email address"},
		{"mobile", "12345", "Enter Valid Mobile Number !!"},
		{"mobile", "1234567890123", "Enter Valid Mobile Number !!"},
		{"DOB", "15/11/1990", "Enter a valid Date of Birth"},
		{"DOB", "1990-02-30", "Enter a valid Date of Birth"},
		{"DOB", "1990-2-3", "Enter a valid Date of Birth"},
		{"DOB", "2026-11-16", "Enter a valid Date of Birth"},
		{"DOB", "2026-11-15", "Enter a valid Date of Birth"},
		{"DOB", "2026-11-14", "You must be at least 18 years old"},
		{"DOB", "2008-11-16", "You must be at least 18 years old"},
		{"DOB", "2008-11-15", ""},
		{"DOB", "1905-11-16", ""},
		{"DOB", "1905-11-15", "Enter a valid Date of Birth"},
		{"DOB", "9999-01-01", "Enter a valid Date of Birth"},
		{"gender", "male", "Gender is required"},
		{"gender", "Male", ""},
		{"address", " \n ", "Address is required"},
		{"address", strings.Repeat("é", 100), ""},
		{"address", strings.Repeat("é", 101), "Address should not be greater than 100 characters"},
		{"address", "a\x00b", "Address must not have control characters"},
		{"address", "a\xffb", "Address must not have control characters"},
		{"aboutUser", strings.Repeat("a", 101), "About Us should not be greater than 100 characters"},
		{"aboutUser", "a\x1bb", "About Us must not have control characters"},
		{"NomineeName", "Ram", "Nominee Name must be at least 4 characters"},
		{"NomineeName", strings.Repeat("a", 21), "Nominee Name should not be greater than 20 characters"},
		{"NomineeName", "Ram 2", "Nominee Name must have letters and spaces only"},
		{"nomineerelation", "Friend", "Nominee Relation is required"},
		{"ctrans_password", "12345678901", "Transction Password should not be greater than 10 characters"},
		{"ctrans_password", "1234567890", ""},
	}
	for _, c := range cases {
		form := goodProfile
		for _, f := range profileFields(&form) {
			if f.name == c.field {
				*f.value = c.value
			}
		}
		_, err := member.ParseProfile(form, today)
		if c.want != "" {
			wantFirst(t, c.field+" "+c.value, err, c.field, c.want)
		} else if err != nil {
			t.Errorf("%s %q: %v, want none", c.field, c.value, err)
		}
	}
}

func TestEveryRelationAndGenderOfferedIsTaken(t *testing.T) {
	t.Parallel()
	if n := len(member.Relations()); n != 10 {
		t.Errorf("%d relations, want 10", n)
	}
	for _, r := range member.Relations() {
		for _, g := range member.Genders() {
			form := goodProfile
			form.NomineeRelation, form.Gender = r, g
			if p, err := member.ParseProfile(form, today); err != nil || p.NomineeRelation != r || p.Gender != g {
				t.Errorf("%s, %s: %+v, %v", r, g, p, err)
			}
		}
	}
}

func TestWhoIsBornOnALeapDayComesOfAgeOnTheFirstOfMarch(t *testing.T) {
	t.Parallel()
	form := goodProfile
	form.Birthday = "2008-02-29"
	_, err := member.ParseProfile(form, time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC))
	wantFirst(t, "28 February", err, "DOB", "You must be at least 18 years old")
	if _, err := member.ParseProfile(form, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Errorf("1 March: %v", err)
	}
}
