package member_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var goodForm = member.RegistrationForm{
	Sponsor: "100007", Name: "Asha Rao", Position: "1", Email: "asha@example.com", Password: "secret1", Mobile: "9876543210", Country: "99",
}

// fieldsOf are the field errors that err carries.
func fieldsOf(t testing.TB, err error) []errs.Field {
	t.Helper()
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid {
		t.Fatalf("error %v, want an invalid one", err)
	}
	return e.Fields
}

// said are fields with their sentences.
func said(fields []errs.Field) (all []string) {
	for _, f := range fields {
		all = append(all, f.Name+": "+f.Message)
	}
	return all
}

func TestARegistrationIsReadAsItIsMeant(t *testing.T) {
	t.Parallel()
	got, err := member.ParseRegistration(member.RegistrationForm{
		Sponsor: " 100007 ", Name: "  Asha   Rao ", Position: "2", Email: " Asha.Rao@Mail.EXAMPLE.com ", Password: " a b c ", Mobile: "9876543210", Country: "99",
	})
	want := member.Registration{
		Sponsor: 100007, Name: "Asha Rao", Position: 2, Email: "Asha.Rao@mail.example.com", Password: " a b c ", Mobile: "9876543210", Country: 99,
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestAllWrongFieldsAreNamedTogether(t *testing.T) {
	t.Parallel()
	got, err := member.ParseRegistration(member.RegistrationForm{})
	want := []string{
		"sid: Sponsor ID is required",
		"name: User Name is required",
		"countryid: Country is required",
		"mobile: Enter Valid Mobile Number !!",
		"email: Please enter email address",
		"password: Password is required",
		"position: Position is required",
	}
	if fields := said(fieldsOf(t, err)); !slices.Equal(fields, want) || got != (member.Registration{}) {
		t.Errorf("%+v with %v, want %v", got, fields, want)
	}
}

func TestEachFieldHasItsLimitsAndTexts(t *testing.T) {
	t.Parallel()
	const (
		longSponsor = "Sponsor Id should not be greater than 15 characters"
		badSponsor  = "Invalid Sponsor Id"
		shortName   = "User Name must be at least 4 characters"
		longName    = "User Name should not be greater than 20 characters"
		badName     = "User Name must have letters and spaces only"
		badEmail    = "Please enter a valid email address"
		shortPass   = "Password must be at least 6 characters"
		longPass    = "Password should not be greater than 20 characters"
		badPass     = "Password must not have control characters"
		badMobile   = "Enter Valid Mobile Number !!"
		noPosition  = "Position is required"
		noCountry   = "Country is required"
	)
	cases := []struct{ field, value, want string }{
		{"sid", "1000071000071000", longSponsor},
		{"sid", "100007100007100", badSponsor},
		{"sid", "12345", badSponsor},
		{"sid", "abc", badSponsor},
		{"sid", "012345", badSponsor},

		{"name", "   ", "User Name is required"},
		{"name", "Ash", shortName},
		{"name", "Asha", ""},
		{"name", strings.Repeat("a", 20), ""},
		{"name", strings.Repeat("a", 21), longName},
		{"name", strings.Repeat("é", 20), ""},
		{"name", strings.Repeat("e\u0301", 20), ""}, // composed, that is 20 characters
		{"name", strings.Repeat("é", 21), longName},
		{"name", "ééé", shortName},
		{"name", "नेहा", ""},
		{"name", "Nguyễn Văn", ""},
		{"name", "李小龍龍", ""},
		{"name", "Asha1", badName},
		{"name", "O'Neill", ""},
		{"name", "D’Souza", ""},
		{"name", "Anne-Marie", ""},
		{"name", "-Asha", badName},
		{"name", "Asha--Rao", badName},
		{"name", "Asha 'Rao", badName},
		{"name", "Asha'\u0301", badName},
		{"name", "Asha\tRao", badName},
		{"name", "Asha\nRao", badName},
		{"name", "Asha\u00a0Rao", badName},
		{"name", "Asha\u200bRao", badName},
		{"name", "Asha\u3164", badName},
		{"name", "Asha\ufe0f", badName},
		{"name", "\u0301Asha", badName},
		{"name", "Asha \u0301", badName},
		{"name", "Asha\xff", badName},
		{"name", "Asha\x00", badName},
		{"name", "Asha\u202eoaR", badName},

		{"position", "0", noPosition},
		{"position", "3", noPosition},
		{"position", "Left", noPosition},
		{"position", "2", ""},

		{"email", "ab@example.com", badEmail},
		{"email", "abc@example.com", ""},
		{"email", "ábc@example.com", ""},
		{"email", "áb@example.com", badEmail},
		{"email", "abc@example", badEmail},
		{"email", "abc@.com", badEmail},
		{"email", "abc@example.", badEmail},
		{"email", "abc@exa..mple.com", badEmail},
		{"email", "abc@-a.com", badEmail},
		{"email", "abc@1.2.3.4", badEmail},
		{"email", "abc@[1.2.3.4]", badEmail},
		{"email", "abc@bücher.de", badEmail},
		{"email", "abc@example.\u212aom", badEmail}, // a Kelvin sign is no k
		{"email", "abc@xn--bcher-kva.de", ""},
		{"email", "a b c@example.com", badEmail},
		{"email", `"a b c"@example.com`, badEmail},
		{"email", "a@b@example.com", badEmail},
		{"email", "Asha <asha@example.com>", badEmail},
		{"email", "<asha@example.com>", badEmail},
		{"email", "asha@example.com, b@example.com", badEmail},
		{"email", "asha@example.com\r\nBcc: b@example.com", badEmail},
		{"email", "asha@example.com\n", badEmail},
		{"email", "asha\x00@example.com", badEmail},
		{"email", "asha\u200b@example.com", badEmail},
		{"email", "asha\xff@example.com", badEmail},
		{"email", ".asha@example.com", badEmail},
		{"email", "asha@example.com(comment)", badEmail},
		{"email", "asha", badEmail},
		{"email", strings.Repeat("a", 38) + "@example.com", ""},
		{"email", strings.Repeat("a", 39) + "@example.com", badEmail},

		{"password", "12345", shortPass},
		{"password", "123456", ""},
		{"password", strings.Repeat("p", 20), ""},
		{"password", strings.Repeat("p", 21), longPass},
		{"password", "pässwörd", ""},
		{"password", "pass\x00word", badPass},
		{"password", "password\xff", badPass},

		{"mobile", "12345678", badMobile},
		{"mobile", "123456789", ""},
		{"mobile", "123456789012", ""},
		{"mobile", "1234567890123", badMobile},
		{"mobile", "+919876543", badMobile},
		{"mobile", "98765 43210", badMobile},
		{"mobile", "९८७६५४३२१०", badMobile},

		{"countryid", "0", noCountry},
		{"countryid", "250", noCountry},
		{"countryid", "249", ""},
		{"countryid", "India", noCountry},
		{"countryid", "99999999999999999999", noCountry},
	}
	for _, c := range cases {
		form := goodForm
		*map[string]*string{
			"sid": &form.Sponsor, "name": &form.Name, "position": &form.Position, "email": &form.Email,
			"password": &form.Password, "mobile": &form.Mobile, "countryid": &form.Country,
		}[c.field] = c.value
		_, err := member.ParseRegistration(form)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s %q: %v, want none", c.field, c.value, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s %q is accepted, want %q", c.field, c.value, c.want)
			continue
		}
		if got := said(fieldsOf(t, err)); !slices.Equal(got, []string{c.field + ": " + c.want}) {
			t.Errorf("%s %q: %v, want %q", c.field, c.value, got, c.want)
		}
	}
}

// However a name is typed, it is kept in one spelling.
func TestANameHasOneSpelling(t *testing.T) {
	t.Parallel()
	char := rapid.OneOf(rapid.RuneFrom(nil, unicode.Letter), rapid.RuneFrom(nil, unicode.Mn, unicode.Mc), rapid.RuneFrom([]rune(" aeiou\u0301\u0323")))
	rapid.Check(t, func(t *rapid.T) {
		form := goodForm
		form.Name = rapid.StringOfN(char, 1, 24, -1).Draw(t, "name")
		r, err := member.ParseRegistration(form)
		if err != nil {
			return
		}
		if n := utf8.RuneCountInString(r.Name); n < 4 || n > 20 || !norm.NFC.IsNormalString(r.Name) ||
			strings.Contains(r.Name, "  ") || strings.Trim(r.Name, " ") != r.Name {
			t.Errorf("%q is kept as %q", form.Name, r.Name)
		}
		for _, same := range []string{r.Name, norm.NFD.String(r.Name), "  " + strings.ReplaceAll(r.Name, " ", "   ") + " "} {
			form.Name = same
			if again, err := member.ParseRegistration(form); err != nil || again != r {
				t.Errorf("%q is kept as %q, %v, want %q", same, again.Name, err, r.Name)
			}
		}
	})
}
