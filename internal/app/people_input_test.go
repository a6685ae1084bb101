package app

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// wrongInputs are the rejected inputs of registration by field, with the message.
var wrongInputs = []struct {
	field string
	value any
	want  string
}{
	{"sid", "", "Sponsor ID is required"},
	{"sid", "1234567890123456", "Sponsor Id should not be greater than 15 characters"},
	{"sid", "12a456", "Invalid Sponsor Id"},
	{"sid", "-123456", "Invalid Sponsor Id"},
	{"sid", "0123456", "Invalid Sponsor Id"},
	{"sid", "１２３４５６", "Invalid Sponsor Id"},
	{"sid", 12, "Invalid Sponsor Id"},
	{"name", "", "User Name is required"},
	{"name", "    ", "User Name is required"},
	{"name", "Ann", "User Name must be at least 4 characters"},
	{"name", strings.Repeat("ä", 21), "User Name should not be greater than 20 characters"},
	{"name", "Anna 2", "User Name must have letters and spaces only"},
	{"name", "Anna 😀", "User Name must have letters and spaces only"},
	{"name", "Anna\nBcc", "User Name must have letters and spaces only"},
	{"name", "Anna\x00", "User Name must have letters and spaces only"},
	{"name", "<b>Anna</b>", "User Name must have letters and spaces only"},
	{"name", "Anna\u200b\u200bx", "User Name must have letters and spaces only"},
	{"position", "", "Position is required"},
	{"position", 0, "Position is required"},
	{"position", 3, "Position is required"},
	{"position", "Left", "Position is required"},
	{"email", "", "Please enter email address"},
	{"email", "anna", "Please enter a valid email address"},
	{"email", "an@mail.example", "Please enter a valid email address"},
	{"email", "anna@mail", "Please enter a valid email address"},
	{"email", "anna@mail.example\nBcc: all@mail.example", "Please enter a valid email address"},
	{"email", "anna@mail.example\r\n", "Please enter a valid email address"},
	{"email", "Anna <anna@mail.example>", "Please enter a valid email address"},
	{"email", "anna@mail.example,bert@mail.example", "Please enter a valid email address"},
	{"email", strings.Repeat("a", 43) + "@a.test", ""}, // 50 characters: the longest
	{"email", strings.Repeat("a", 44) + "@a.test", "Please enter a valid email address"},
	{"password", "", "Password is required"},
	{"password", "12345", "Password must be at least 6 characters"},
	{"password", strings.Repeat("x", 21), "Password should not be greater than 20 characters"},
	{"password", "with\x00zero", "Password must not have control characters"},
	{"mobile", "", "Enter Valid Mobile Number !!"},
	{"mobile", "12345678", "Enter Valid Mobile Number !!"},
	{"mobile", "1234567890123", "Enter Valid Mobile Number !!"},
	{"mobile", "98765x3210", "Enter Valid Mobile Number !!"},
	{"countryid", "", "Country is required"},
	{"countryid", 0, "Country is required"},
	{"countryid", 100000, "Country is required"},
	{"countryid", "India", "Country is required"},
}

func TestInvalidRegistrationNamesItsField(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	good := form(s.root.UID, tree.Left, "Anna Alpha")
	before := s.counts()
	all := m{}
	for _, c := range wrongInputs {
		if c.want == "" {
			continue
		}
		all[c.field] = c.value
		a := s.visitor().post("registration", with(good, m{c.field: c.value}))
		if a.names(c.field); !strings.Contains(a.text, c.want) {
			t.Errorf("%s = %q: %s, want %q", c.field, c.value, a.text, c.want)
		}
	}
	s.visitor().post("registration", all).names("sid", "name", "position", "email", "password", "mobile", "countryid")
	s.visitor().post("registration", m{}).names("sid", "name", "position", "email", "password", "mobile", "countryid")
	if after := s.counts(); after != before {
		t.Errorf("something was left behind:\n%s\n%s", before, after)
	}
	for i, c := range wrongInputs {
		if c.want == "" {
			s.registered(s.visitor().post("registration", with(good, m{c.field: c.value, "name": "Longest " + letters[i%8]})))
		}
	}
}

func TestMalformedRequestIsRefused(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	before := s.counts()
	good := fmt.Sprintf(`{"sid":"%d","name":"Anna Alpha","position":"1","email":"anna@mail.example","password":"open-sesame","mobile":"9876543210","countryid":"99"}`, s.root.UID)
	send := func(body string, header ...string) answer {
		t.Helper()
		return s.visitor().send(http.MethodPost, "/api/registration", body, header...)
	}
	send(good, "Content-Type", "text/plain").refused(http.StatusUnsupportedMediaType)
	send(good, "Content-Type", "application/x-www-form-urlencoded").refused(http.StatusUnsupportedMediaType)
	send(good, "Content-Type", "application/xml").refused(http.StatusUnsupportedMediaType)
	send(good[:len(good)-1]).refused(http.StatusBadRequest)
	send("null").refused(http.StatusBadRequest)
	send("[]").refused(http.StatusBadRequest)
	send(`"sid"`).refused(http.StatusBadRequest)
	send("").refused(http.StatusBadRequest)
	send(strings.Replace(good, `"1"`, `["1"]`, 1)).names("position")
	send(strings.Replace(good, `"1"`, `1.5`, 1)).names("position")
	send(strings.Replace(good, `"1"`, `true`, 1)).names("position")
	send(strings.Replace(good, `"Anna Alpha"`, `5`, 1)).names("name")
	send(strings.Replace(good, `{`, `{"role":"owner",`, 1)).names("role")
	send(strings.Replace(good, "Anna Alpha", strings.Repeat("a", 1<<20), 1)).refused(http.StatusRequestEntityTooLarge)
	send(strings.Repeat("[", 10_000)).refused(http.StatusBadRequest)
	send(strings.Replace(good, "Anna Alpha", "Anna\xff\xfe", 1)).refused(http.StatusBadRequest)
	if after := s.counts(); after != before {
		t.Errorf("something was left behind:\n%s\n%s", before, after)
	}
	s.registered(send(good))
}

func TestNumbersAsTextAndNamesInAnyAlphabetAreAccepted(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		numbers := with(form(s.root.UID, tree.Left, "As Numbers"), m{"sid": s.root.UID, "position": 2, "mobile": 9876543210, "countryid": 99})
		uid := s.registered(s.visitor().post("registration", numbers))
		words := m{}
		for k, v := range numbers {
			words[k] = fmt.Sprint(v)
		}
		if again := s.registered(s.visitor().post("registration", words)); again != uid {
			t.Errorf("the same registration in words is another member: %d and %d", uid, again)
		}
		for i, name := range []string{"Änne Müller", "प्रिया शर्मा", "Иван Петров", "山田 太郎の子", "محمد علي"} {
			uid := s.registered(s.visitor().post("registration", with(form(s.root.UID, tree.Left, name), m{"email": fmt.Sprintf("any%d@mail.example", i)})))
			if row := s.login(uid, password).post("userDashboard", m{"uid": uid}).rows()[0].(m); row["f_name"] != name {
				t.Errorf("%s became %v", name, row["f_name"])
			}
		}
	})
}

func TestMissingOrBlockedSponsorIsRefused(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		blocked := s.register(s.root.UID, tree.Left, "Anna Alpha")
		s.block(blocked)
		before := s.counts()
		for sponsor, want := range map[int64]string{
			100000:  "Sponsor Id doesnot exists !!",
			blocked: "This sponsor is blocked and cannot invite. Please ask for another sponsor id.",
		} {
			a := s.visitor().post("registration", form(sponsor, tree.Left, "Bert Beta"), "Idempotency-Key", "k")
			if data, _ := a.data().(m); data["result"] != want || data["field"] != "sid" || data["uid_output"] != nil {
				t.Errorf("under %d: %s", sponsor, a.text)
			}
		}
		if after := s.counts(); after != before {
			t.Errorf("something was left behind:\n%s\n%s", before, after)
		}
	})
}

func TestListsRefuseInvalidFilters(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	c := s.login(s.root.UID, rootPassword)
	for _, report := range []string{"DirectReport", "DownlineReport", "LevelDetails", "DirectLegBusiness"} {
		for _, w := range []struct {
			field string
			value any
		}{
			{"uid", "12x"},
			{"uid", ""},
			{"uid", "-1"},
			{"page", 0},
			{"page", 1_000_001},
			{"page", "99999999999999999999"},
			{"page", "one"},
			{"size", 0},
			{"size", 501},
			{"status", 3},
			{"status", "Active"},
			{"position", 3},
			{"leveltype", 21},
			{"leveltype", -1},
			{"fdate", "31.01.2026"},
			{"fdate", "2026-02-30"},
			{"tdate", "yesterday"},
			{"sort", "password"},
			{"sort", "-"},
			{"sort", strings.Repeat("x", 41)},
		} {
			c.post(report, with(m{"uid": s.root.UID}, m{w.field: w.value})).names(w.field)
		}
		c.post(report, m{"uid": s.root.UID, "fdate": "2026-02-02", "tdate": "2026-02-01"}).names("tdate")
		c.post(report, m{"uid": s.root.UID, "page": "x", "size": "y", "fdate": "z"}).names("page", "size", "fdate")
		if rows := c.post(report, m{"uid": s.root.UID, "page": 1_000_000, "size": 500}).rows(); len(rows) != 0 {
			t.Errorf("%s: the last page has %v", report, rows)
		}
	}
	// A list rejects a filter that it does not have.
	c.post("LevelDetails", m{"uid": s.root.UID, "position": 1}).names("position")
	for _, report := range []string{"DirectReport", "DownlineReport", "DirectLegBusiness"} {
		c.post(report, m{"uid": s.root.UID, "leveltype": 3}).names("leveltype")
	}
	c.post("binaryTree", m{"loginId": s.root.UID, "searchId": "12x"}).names("searchId")
	c.post("binaryTree", m{}).names("loginId")
	c.post("GetDashRecentData", m{"uid": s.root.UID}).names("type")
	c.post("GetDashRecentData", m{"uid": s.root.UID, "type": 3}).names("type")
	s.visitor().get("check_sponsorid?sid=abc").names("sid")
	s.visitor().get("check_sponsorid").names("sid")
	s.visitor().get("WelcomeDetails?uid=%00").names("uid")
}

func TestSignInRefusesImpossibleIDsAndPasswords(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	before := s.counts()
	for _, path := range []string{"login", "loginAdmin"} {
		s.visitor().post(path, m{}).names("uid", "password")
		if a := s.visitor().post(path, m{"uid": "123456"}); !strings.Contains(a.text, "Please enter both User ID and password.") {
			t.Errorf("%s without a password: %s", path, a.text)
		} else {
			a.names("password")
		}
		s.visitor().post(path, m{"uid": "12345678901", "password": "x"}).names("uid")
		s.visitor().post(path, m{"uid": "anna", "password": "x"}).names("uid")
		s.visitor().post(path, m{"uid": 1.5, "password": "x"}).names("uid")
	}
	s.visitor().post("login", m{"uid": "123456", "password": strings.Repeat("x", 31)}).names("password")
	s.visitor().post("loginAdmin", m{"uid": "123456", "password": strings.Repeat("x", 2001)}).names("password")
	s.visitor().post("ForgetPassword", m{"uid": "anna"}).names("uid")
	s.visitor().post("ForgetPassword", m{"uid": "123456", "otp": "1234567"}).names("otp")
	s.visitor().post("ResetPassword", m{"uid": "123456"}).names("token", "password")
	if after := s.counts(); after != before {
		t.Errorf("something was left behind:\n%s\n%s", before, after)
	}
}

func TestConcurrentRegistrationsUnderOneKeyAreOneMember(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		for i, header := range [][]string{nil, {"Idempotency-Key", "one-of-a-kind"}} {
			good := form(s.root.UID, tree.Left, "Double "+letters[i])
			answers := make([]answer, 20)
			c := s.visitor()
			var clicks sync.WaitGroup
			for k := range answers {
				clicks.Go(func() { answers[k] = c.post("registration", good, header...) })
			}
			clicks.Wait()
			uid := s.registered(answers[0])
			for _, a := range answers {
				if s.registered(a) != uid {
					t.Errorf("%v: two clicks answered %s and %s", header, answers[0].text, a.text)
				}
			}
			if got, want := s.counts("member", "place", "credential", "outbox"), fmt.Sprintf("member %d, place %d, credential %d, outbox %d, ", i+2, i+2, i+2, i+1); got != want {
				t.Errorf("%v: %s, want %s", header, got, want)
			}
		}
		other := form(s.root.UID, tree.Right, "Double Beta")
		s.visitor().post("registration", other, "Idempotency-Key", "one-of-a-kind").refused(http.StatusConflict)
		secret := with(form(s.root.UID, tree.Left, "Double Beta"), m{"password": "another-secret"})
		s.visitor().post("registration", secret, "Idempotency-Key", "one-of-a-kind").refused(http.StatusConflict)
		s.visitor().post("registration", other, "Idempotency-Key", strings.Repeat("k", 101)).names("Idempotency-Key")
		s.visitor().post("registration", other, "Idempotency-Key", "\xff\xfe").refused(http.StatusBadRequest)
		if got := s.counts("member"); got != "member 3, " {
			t.Errorf("a conflict left %s", got)
		}
		again := s.registered(s.visitor().post("registration", form(s.root.UID, tree.Left, "Double Alpha")))
		s.clock.Advance(10 * time.Minute)
		if later := s.registered(s.visitor().post("registration", form(s.root.UID, tree.Left, "Double Alpha"))); later == again {
			t.Error("ten minutes later it is still taken for a second click")
		}
	})
}
