package app

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const annasMail = "anna.alpha@mail.example"

func profileForm(uid int64, pin string) m {
	return m{
		"type": "profile", "uid": id(uid), "f_name": "Anna Alpha", "l_name": "Alphason", "father": "Adam Alpha", "counrtyid": "99",
		"email": annasMail, "mobile": "9876543210", "DOB": "1990-02-28", "gender": "Female", "address": "1 First Street",
		"aboutUser": "I am here", "NomineeName": "Abel Alpha", "nomineerelation": "Brother", "ctrans_password": pin,
		"profile_img": "", "Accountaddress": "",
	}
}

func bankForm(uid int64, pin string) m {
	return m{
		"type": "Bank", "uid": id(uid), "holder": "Anna Alpha", "accountnumber": "12345678901", "ifsc": "HDFC0000001", "bank_name": "HDFC",
		"branch": "Fort", "PAN": "ABCDE1234F", "AAdhar": "234123412346", "ctrans_password": pin,
	}
}

// anna is a member with her transaction password.
func (s *site) anna() (me client, pin string) {
	s.t.Helper()
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	return s.login(uid, password), s.pin(annasMail)
}

// outcome is the text of UpdateProfile and the field it is about.
func (c client) outcome(body m, header ...string) (text, field string) {
	c.s.t.Helper()
	data, _ := c.post("UpdateProfile", body, header...).data().(m)
	text, _ = data["Result"].(string)
	field, _ = data["field"].(string)
	return text, field
}

func with(form m, more m) m {
	out := m{}
	for k, v := range form {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// profileChecks are the checks of the profile in their order: the wrong input and the
// message.
var profileChecks = []struct {
	field string
	value any
	want  string
}{
	{"f_name", "", "User Name is required"},
	{"f_name", "Ann", "User Name must be at least 4 characters"},
	{"f_name", strings.Repeat("a", 21), "User Name should not be greater than 20 characters"},
	{"f_name", "Anna 2", "User Name must have letters and spaces only"},
	{"l_name", "", "Last Name is required"},
	{"l_name", "Abc", "Last Name must be at least 4 characters"},
	{"father", "", "Father/Husband Name is required"},
	{"father", "Abc", "Father/Husband Name must be at least 4 characters"},
	{"counrtyid", "", "Country is required"},
	{"counrtyid", 100000, "Country is required"},
	{"email", "", "Please enter email address"},
	{"email", "ab@mail.example", "Please enter a valid email address"},
	{"email", "abc@mail", "Please enter a valid email address"},
	{"email", "abc@" + strings.Repeat("a", 40) + ".example", "Please enter a valid email address"},
	{"mobile", "", "Mobile Number is required"},
	{"mobile", "12345678", "Enter Valid Mobile Number !!"},
	{"mobile", "1234567890123", "Enter Valid Mobile Number !!"},
	{"mobile", "+919876543210", "Enter Valid Mobile Number !!"},
	{"DOB", "", "Date of Birth is required"},
	{"DOB", "28.02.1990", "Enter a valid Date of Birth"},
	{"DOB", "2026-11-14", "You must be at least 18 years old"},
	{"gender", "", "Gender is required"},
	{"gender", "male", "Gender is required"},
	{"address", "", "Address is required"},
	{"address", strings.Repeat("a", 101), "Address should not be greater than 100 characters"},
	{"aboutUser", "", "About Us is required"},
	{"aboutUser", strings.Repeat("a", 101), "About Us should not be greater than 100 characters"},
	{"NomineeName", "", "Nominee Name is required"},
	{"NomineeName", "Abc", "Nominee Name must be at least 4 characters"},
	{"nomineerelation", "", "Nominee Relation is required"},
	{"nomineerelation", "Cousin", "Nominee Relation is required"},
	{"ctrans_password", "", "Transction Password is required"},
	{"ctrans_password", "12345678901", "Transction Password should not be greater than 10 characters"},
}

func TestProfileErrorsFollowTheForm(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, pin := s.anna()
	before := s.counts()
	for i, c := range profileChecks {
		// This field is wrong, and every later one too: this one is reported.
		form := with(profileForm(me.uid, pin), m{c.field: c.value})
		for _, later := range profileChecks[i+1:] {
			if later.field != c.field {
				form[later.field] = later.value
			}
		}
		if text, field := me.outcome(form); text != c.want || field != c.field {
			t.Errorf("%s = %v: %q about %s, want %q", c.field, c.value, text, field, c.want)
		}
	}
	if after := s.counts(); after != before {
		t.Errorf("something was left behind:\n%s\n%s", before, after)
	}
	if row := me.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m); row["l_name"] != "" {
		t.Errorf("the profile is %v", row)
	}
	me.post("UpdateProfile", m{"uid": me.uid}).names("type")
	me.post("UpdateProfile", with(profileForm(me.uid, pin), m{"type": "Profile"})).names("type")
}

func TestTheSurnameStaysInListsAfterTheProfileIsFilledIn(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		if text, _ := me.outcome(with(profileForm(me.uid, pin), m{"f_name": "Anna", "l_name": "Alpha"})); text != "Profile Update Successfully" {
			t.Fatal(text)
		}
		root := s.login(s.root.UID, rootPassword)
		row := root.post("DirectReport", m{"uid": id(root.uid), "status": 2, "position": 0}).rows()[0].(m)
		if row["f_name"] != "Anna Alpha" {
			t.Errorf("the sponsor's list says %v", row["f_name"])
		}
		var shown struct{ Data [][]m }
		s.login(me.uid, password).post("userDashboard", m{"uid": id(me.uid)}).into(&shown)
		if name := shown.Data[0][0]["f_name"]; name != "Anna Alpha" {
			t.Errorf("the dashboard says %v", name)
		}
	})
}

func TestProfileChangeIsMailedToTheFormerAddress(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		if text, _ := me.outcome(profileForm(me.uid, "wrong-one")); text != "Invalid transaction password." {
			t.Errorf("with a wrong transaction password: %q", text)
		}
		form := with(profileForm(me.uid, pin), m{"f_name": "Änne Müller", "mobile": 919876543210, "counrtyid": 99, "address": "Ümlaut 1\nBerlin"})
		if text, field := me.outcome(form); text != "Profile Update Successfully" || field != "" {
			t.Errorf("the change: %q about %s", text, field)
		}
		row := me.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m)
		for field, want := range map[string]any{
			"f_name": "Änne Müller", "l_name": "Alphason", "father": "Adam Alpha", "countryid": 99.0, "email": annasMail, "mobile": "919876543210",
			"dob": "1990-02-28", "gender": "Female", "address": "Ümlaut 1\nBerlin", "aboutUser": "I am here", "nomineename": "Abel Alpha", "nominerelation": "Brother",
		} {
			if row[field] != want {
				t.Errorf("%s is %v, want %v", field, row[field], want)
			}
		}
		if mails := s.letters(annasMail); len(mails) != 1 {
			t.Errorf("a change of nothing that matters was mailed: %+v", mails[0])
		}
		form["email"] = "new.anna@mail.example"
		if text, _ := me.outcome(form); text != "Profile Update Successfully" {
			t.Errorf("the new address: %q", text)
		}
		s.visitor().post("email/confirm", s.linkIn("new.anna@mail.example", "confirm")).into(&m{})
		mails := s.letters(annasMail)
		if len(mails) != 3 || !strings.Contains(mails[0].Subject, "email address was changed") || !strings.Contains(mails[1].Subject, "Request to change") || strings.Contains(mails[0].Text, "new.anna@") {
			t.Errorf("the old address has %+v", mails)
		}
		if row := me.post("userDashboard", m{"uid": me.uid}).rows()[0].(m); row["email"] != "new.anna@mail.example" || row["f_name"] != "Änne Müller Alphason" {
			t.Errorf("the dashboard shows %v", row)
		}
		if rows := s.login(s.root.UID, rootPassword).post("DirectReport", m{"uid": s.root.UID}).rows(); rows[0].(m)["f_name"] != "Änne Müller Alphason" {
			t.Errorf("the sponsor sees %v", rows)
		}
	})
}

func TestIdempotencyKeyIsForOneChange(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, pin := s.anna()
	form := with(profileForm(me.uid, pin), m{"email": "new.anna@mail.example"})
	for range 3 {
		if text, _ := me.outcome(form, "Idempotency-Key", "k1"); text != "Profile Update Successfully" {
			t.Errorf("the change: %q", text)
		}
	}
	if mails := s.letters(annasMail); len(mails) != 2 {
		t.Errorf("the old address has %d mails", len(mails))
	}
	form["email"] = "third.anna@mail.example"
	me.post("UpdateProfile", form, "Idempotency-Key", "k1").refused(http.StatusConflict)
	me.post("UpdateProfile", form, "Idempotency-Key", strings.Repeat("k", 101)).names("Idempotency-Key")
	if row := me.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m); row["email"] != annasMail {
		t.Errorf("the address is %v", row["email"])
	}
}

func TestWalletChangeTakesTheTransactionPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
		form := m{"type": "ecurrency", "uid": me.uid, "accountaddress": address, "ctrans_password": pin}
		for _, c := range []struct {
			more        m
			field, want string
		}{
			{m{"accountaddress": "", "ctrans_password": ""}, "accountaddress", "Please enter ecurrency address !!"},
			{m{"accountaddress": "TXYZ"}, "accountaddress", "Enter a valid USDT (BEP-20) address"},
			{m{"accountaddress": strings.Replace(address, "aA", "Aa", 1)}, "accountaddress", "Enter a valid USDT (BEP-20) address"},
			{m{"ctrans_password": ""}, "ctrans_password", "Transction Password is required"},
			{m{"ctrans_password": "wrong-one"}, "ctrans_password", "Invalid transaction password."},
		} {
			if text, field := me.outcome(with(form, c.more)); text != c.want || field != c.field {
				t.Errorf("%v: %q about %q", c.more, text, field)
			}
		}
		if text, _ := me.outcome(form); text != "Wallet Address Update Successfully" {
			t.Errorf("the change: %q", text)
		}
		if row := me.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m); row["accountaddress"] != address {
			t.Errorf("the wallet is %v", row["accountaddress"])
		}
		if mails := s.letters(annasMail); len(mails) != 2 || !strings.Contains(mails[0].Subject, "wallet address was changed") {
			t.Errorf("the mails are %+v", mails)
		}
	})
}

func TestPasswordChangeTakesTheOldPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		other := s.login(me.uid, password)
		try := func(more m, want string) {
			t.Helper()
			if text, _ := me.outcome(with(m{"uid": me.uid}, more)); text != want {
				t.Errorf("%v: %q, want %q", more, text, want)
			}
		}
		try(m{"type": "password", "password": "brand-new-one"}, "All the fields are required !!")
		try(m{"type": "password", "cpassword": password}, "All the fields are required !!")
		try(m{"type": "password", "cpassword": password, "password": "short"}, "Password must be at least 6 characters")
		try(m{"type": "password", "cpassword": password, "password": strings.Repeat("x", 21)}, "Password must be at most 20 characters")
		try(m{"type": "password", "cpassword": password, "password": password}, "The new password must differ from the old one")
		try(m{"type": "password", "cpassword": "wrong-one", "password": "brand-new-one"}, "The old password is wrong.")
		other.post("userDashboard", m{"uid": me.uid}).into(&m{})
		try(m{"type": "password", "cpassword": password, "password": "brand-new-one"}, "Changes Password Update Successfully")
		other.post("userDashboard", m{"uid": me.uid}).unauthenticated()
		me.post("userDashboard", m{"uid": me.uid}).into(&m{})
		s.login(me.uid, "brand-new-one")

		try(m{"type": "trans_password", "trans_password": "newpin1"}, "All the fields are required !!")
		try(m{"type": "trans_password", "ctrans_password": pin}, "All the fields are required !!")
		try(m{"type": "trans_password", "ctrans_password": pin, "trans_password": "short"}, "Transaction password must be at least 6 characters")
		try(m{"type": "trans_password", "ctrans_password": pin, "trans_password": "12345678901"}, "Transaction password must be at most 10 characters")
		try(m{"type": "trans_password", "ctrans_password": "wrong-one", "trans_password": "newpin1"}, "Invalid transaction password.")
		try(m{"type": "trans_password", "ctrans_password": pin, "trans_password": "newpin1"}, "Changes Password Update Successfully")
		try(profileForm(me.uid, pin), "Invalid transaction password.")
		try(profileForm(me.uid, "newpin1"), "Profile Update Successfully")
		mails := s.letters(annasMail)
		if len(mails) != 3 || !strings.Contains(mails[0].Subject, "transaction password was changed") || !strings.Contains(mails[1].Subject, "password was changed") {
			t.Errorf("the mails are %+v", mails)
		}
	})
}

func TestBankDetailsAreSavedOnlyWhereConfigured(t *testing.T) {
	t.Parallel()
	off := sqliteSite(t)
	me, pin := off.anna()
	me.post("UpdateProfile", bankForm(me.uid, pin)).refused(http.StatusForbidden)
	on := sqliteSite(t, "--bank-details", "true")
	me, pin = on.anna()
	checks := []struct{ field, want string }{
		{"holder", "Holder Name is required"},
		{"accountnumber", "Account No. is required"},
		{"ifsc", "Ifsc is required"},
		{"PAN", "Pan No. is required"},
		{"AAdhar", "Aadhar no. is required"},
		{"ctrans_password", "Transction Password is required"},
	}
	for i, c := range checks {
		form := bankForm(me.uid, pin)
		for _, wrong := range checks[i:] {
			form[wrong.field] = ""
		}
		if text, field := me.outcome(form); text != c.want || field != c.field {
			t.Errorf("without %s: %q about %s", c.field, text, field)
		}
	}
	if text, field := me.outcome(bankForm(me.uid, pin)); text != "Bank Update Successfully" {
		t.Errorf("the change: %q about %s", text, field)
	}
	row := me.post("UserInformation", m{"uid": me.uid}).data().([]any)[0].(m)
	for _, field := range []string{"holder", "accountnumber", "ifsc", "bank_name", "branch", "PAN", "AAdhar"} {
		if row[field] != bankForm(me.uid, pin)[field] {
			t.Errorf("%s is %v", field, row[field])
		}
	}
}

func TestABlockedMemberChangesNothing(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, pin := s.anna()
	s.block(me.uid)
	before := s.counts()
	if text, _ := me.outcome(profileForm(me.uid, pin)); text != "This member is blocked: nothing can be changed." {
		t.Errorf("the change: %q", text)
	}
	if after := s.counts(); after != before {
		t.Errorf("something was left behind:\n%s\n%s", before, after)
	}
}

func TestMembersSeeTheirTickets(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		root := s.login(s.root.UID, rootPassword)
		ask := func(query string, header ...string) any {
			t.Helper()
			return me.post("Helpdesk_By_User", m{"uid": me.uid, "query": query}, header...).data()
		}
		for query, want := range map[string]string{
			"": "Query is required", "\t\n": "Query is required", strings.Repeat("a", 1001): "Query should not be greater than 1000 characters",
			"a\x00b": "Query must not have control characters",
		} {
			if got := ask(query); got != want {
				t.Errorf("%.10q: %v", query, got)
			}
		}
		if n := s.counts("support_ticket"); n != "support_ticket 0, " {
			t.Errorf("refused queries left %s", n)
		}
		for i := range 20 {
			if got := ask("Where is my money? "+strings.Repeat("x", i), "Idempotency-Key", "k"+strings.Repeat("x", i)); got != "Successfully send query" {
				t.Fatalf("query %d: %v", i, got)
			}
			s.clock.Advance(time.Second)
		}
		if got := ask("Where is my money? ", "Idempotency-Key", "k"); got != "Successfully send query" {
			t.Errorf("the same query by the same key: %v", got)
		}
		if got := ask("And now?"); got == "Successfully send query" || s.counts("support_ticket") != "support_ticket 20, " {
			t.Errorf("a twenty-first open query: %v; %s", got, s.counts("support_ticket"))
		}
		var page struct {
			Data              [][]m
			Total, Page, Size int
		}
		me.post("UserHelpDeskHistory", m{"uid": me.uid, "page": 2, "size": "8"}).into(&page)
		if page.Total != 20 || page.Page != 2 || page.Size != 8 || len(page.Data[0]) != 8 {
			t.Fatalf("the history is %+v", page)
		}
		first := page.Data[0][0]
		want := m{
			"row": 9.0, "ticket_id": first["ticket_id"], "query": "Where is my money? " + strings.Repeat("x", 11), "reply_message": "", "status": "open",
			"ee": wireTime(testkit.Epoch.Add(11 * time.Second)), "rd": "",
		}
		if !reflect.DeepEqual(first, want) || first["ticket_id"] == "" {
			t.Errorf("a ticket is\n%v, want\n%v", first, want)
		}
		if rows := root.post("UserHelpDeskHistory", m{"uid": s.root.UID}).rows(); len(rows) != 0 {
			t.Errorf("another member sees %v", rows)
		}
		me.post("UserHelpDeskHistory", m{"uid": me.uid, "page": 0, "size": 501}).names("page", "size")
	})
}
