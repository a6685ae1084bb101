package member_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// storable: text that both engines keep as it is and that no log or mail
// header can be broken with.
func storable(t *testing.T, what, s string, most int) {
	t.Helper()
	control := func(r rune) bool { return r != '\n' && unicode.IsControl(r) }
	if !utf8.ValidString(s) || strings.ContainsFunc(s, control) || utf8.RuneCountInString(s) > most {
		t.Errorf("%s is %q", what, s)
	}
}

func FuzzParseUserID(f *testing.F) {
	for _, s := range []string{"100000", "9999999999", "012345", "-12345", "", "１２３４５６"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := member.ParseUserID(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) || id != 0 {
				t.Errorf("ParseUserID(%q) = %d, %v", s, id, err)
			}
			return
		}
		if strconv.FormatInt(id, 10) != s || id < 100_000 || id > 9_999_999_999 {
			t.Errorf("ParseUserID(%q) = %d", s, id)
		}
	})
}

func FuzzParseRegistration(f *testing.F) {
	f.Add("100007", "Asha Rao", "1", "asha@example.com", "secret1", "9876543210", "99")
	f.Add("", "", "", "", "", "", "")
	f.Add("1000071000071000", "e\u0301e\u0301e\u0301e\u0301", "2", `"a b"@[1.2.3.4]`, "\x00\x00\x00\x00\x00\x00", "+91", "-1")
	f.Add("100007", "\u1100\u1161\u11a8 \u0344\u0344aaa", "1", "abc@EXAMPLE.com", "pass word", "123456789", "1")
	f.Fuzz(func(t *testing.T, sponsor, name, position, email, password, mobile, country string) {
		r, err := member.ParseRegistration(member.RegistrationForm{
			Sponsor: sponsor, Name: name, Position: position, Email: email, Password: password, Mobile: mobile, Country: country,
		})
		if err != nil {
			if len(fieldsOf(t, err)) == 0 || r != (member.Registration{}) {
				t.Errorf("%+v, %v", r, err)
			}
			return
		}
		storable(t, "name", r.Name, 20)
		storable(t, "email", r.Email, 50)
		storable(t, "password", r.Password, 20)
		storable(t, "mobile", r.Mobile, 12)
		if strings.ContainsAny(r.Email, " \n<>,;\"") || strings.Count(r.Email, "@") != 1 {
			t.Errorf("email %q", r.Email)
		}
		again, err := member.ParseRegistration(member.RegistrationForm{
			Sponsor: strconv.FormatInt(r.Sponsor, 10), Name: r.Name, Position: strconv.FormatInt(r.Position, 10), Email: r.Email,
			Password: r.Password, Mobile: r.Mobile, Country: strconv.FormatInt(r.Country, 10),
		})
		if err != nil || again != r {
			t.Errorf("read again: %+v, %v, want %+v", again, err, r)
		}
	})
}

func FuzzParseProfile(f *testing.F) {
	f.Add("Asha", "asha@example.com", "1990-02-28", "12 Lake Road\r\nPune", "Female")
	f.Add("", "", "", "", "")
	f.Add("\u0301", "abc@a.b", "0000-00-00", "\r\r\n\r", "male")
	f.Add("Asha", "abc@a.bc", "2008-02-29", "e\u0301\x7f", "Male")
	f.Fuzz(func(t *testing.T, name, email, birthday, text, gender string) {
		form := member.ProfileForm{
			Name: name, LastName: name, Father: name, Country: "99", Email: email, Mobile: "9876543210", Birthday: birthday, Gender: gender,
			Address: text, About: text, Nominee: name, NomineeRelation: "Wife", TransactionPassword: "1234",
		}
		p, err := member.ParseProfile(form, today)
		if err != nil {
			if fields := fieldsOf(t, err); len(fields) != 1 || errs.MessageOf(err) != fields[0].Message || p != (member.Profile{}) {
				t.Errorf("%+v, %v", p, err)
			}
			return
		}
		storable(t, "name", p.Name, 20)
		storable(t, "address", p.Address, 100)
		if p.Birthday < "1905-11-16" || p.Birthday > "2008-11-15" || len(p.Birthday) != 10 {
			t.Errorf("birthday %q", p.Birthday)
		}
		form.Name, form.LastName, form.Father, form.Nominee = p.Name, p.LastName, p.Father, p.Nominee
		form.Email, form.Birthday, form.Address, form.About = p.Email, p.Birthday, p.Address, p.About
		if again, err := member.ParseProfile(form, today); err != nil || again != p {
			t.Errorf("read again: %+v, %v, want %+v", again, err, p)
		}
	})
}

func FuzzParseWallet(f *testing.F) {
	for _, s := range append([]string{"", "0x", "0x" + strings.Repeat("0", 40), "0X" + strings.Repeat("a", 40)}, eip55...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, err := member.ParseWallet(wallet(s))
		if err != nil {
			if len(fieldsOf(t, err)) != 1 || w != "" {
				t.Errorf("ParseWallet(%q) = %q, %v", s, w, err)
			}
			return
		}
		if !strings.EqualFold(string(w), strings.Trim(s, " ")) || len(w) != 42 {
			t.Errorf("ParseWallet(%q) = %q", s, w)
		}
		if again, err := member.ParseWallet(wallet(string(w))); err != nil || again != w {
			t.Errorf("ParseWallet(%q) = %q, %v", w, again, err)
		}
	})
}

func FuzzParseBank(f *testing.F) {
	f.Add("Asha Rao", "00112233445566", "HDFC0000001", "HDFC Bank", "ABCDE1234F", goodAadhar)
	f.Add("", "", "", "", "", "")
	f.Add("A\u0301", "1", "\u017fBIN0000001", "\x00", "abcde1234\u0131", "999999999999")
	f.Fuzz(func(t *testing.T, holder, account, ifsc, name, pan, aadhar string) {
		b, err := member.ParseBank(member.BankForm{
			Holder: holder, Account: account, IFSC: ifsc, Name: name, Branch: name, PAN: pan, Aadhar: aadhar, TransactionPassword: "1234",
		})
		if err != nil {
			if len(fieldsOf(t, err)) != 1 || b != (member.Bank{}) {
				t.Errorf("%+v, %v", b, err)
			}
			return
		}
		storable(t, "holder", b.Holder, 30)
		storable(t, "bank", b.Name, 100)
		if len(b.IFSC) != 11 || len(b.PAN) != 10 || len(b.Aadhar) != 12 || len(b.Account) > 30 {
			t.Errorf("%+v", b)
		}
		again, err := member.ParseBank(member.BankForm{
			Holder: b.Holder, Account: b.Account, IFSC: b.IFSC, Name: b.Name, Branch: b.Branch, PAN: b.PAN, Aadhar: b.Aadhar, TransactionPassword: "1234",
		})
		if err != nil || again != b {
			t.Errorf("read again: %+v, %v, want %+v", again, err, b)
		}
	})
}
