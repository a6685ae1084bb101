package app

import (
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const codeSent = "OTP sent successfully!"

// mailedCode is the last code mailed to an address.
func (s *site) mailedCode(email string) string {
	s.t.Helper()
	for _, l := range s.letters(email) {
		if strings.Contains(l.Subject, "one-time code") {
			return after(l.Text, "One-time code:")
		}
	}
	s.t.Fatalf("no code was mailed to %s", email)
	return ""
}

// other is a different code.
func other(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

func TestForgottenPasswordTakesACodeWhereConfigured(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--forgot-password-otp", "true")
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		const email = "anna.alpha@mail.example"
		forget := func(uid int64, otp string) any {
			return s.visitor().post("ForgetPassword", m{"uid": uid, "otp": otp}).data()
		}
		wrong := auth.ErrWrongMailedCode.Error()
		if got := forget(uid, "123456"); got != wrong {
			t.Errorf("before a code was mailed: %v", got)
		}
		if got := forget(uid, ""); got != codeSent {
			t.Fatalf("asking: %v", got)
		}
		if got := forget(999999, ""); got != codeSent { // unknown id
			t.Errorf("asking for a stranger: %v", got)
		}
		code := s.mailedCode(email)
		if got := forget(999999, code); got != wrong {
			t.Errorf("a stranger: %v", got)
		}
		if got := forget(uid, other(code)); got != wrong {
			t.Errorf("another code: %v", got)
		}
		before := len(s.letters(email))
		if got := forget(uid, code); got != "Password sent to Email Id" || len(s.letters(email)) != before+1 {
			t.Errorf("the code: %v, %d letters", got, len(s.letters(email))-before)
		}
		if got := forget(uid, code); got != wrong {
			t.Errorf("the code again: %v", got)
		}
		forget(uid, "")
		code = s.mailedCode(email)
		for range 5 {
			forget(uid, other(code))
		}
		if got := forget(uid, code); got != wrong {
			t.Errorf("after five wrong ones: %v", got)
		}
		s.clock.Advance(time.Hour)
		forget(uid, "")
		code = s.mailedCode(email)
		s.clock.Advance(10 * time.Minute)
		if got := forget(uid, code); got != wrong {
			t.Errorf("after ten minutes: %v", got)
		}
	})
}

func TestPasswordChangeTakesACodeWhereConfigured(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--forgot-password-otp", "true")
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		me := s.login(uid, password)
		change := func(old, otp string) string {
			var got struct{ Data struct{ Result string } }
			me.post("UpdateProfile", m{"uid": uid, "type": "password", "cpassword": old, "password": "another-one", "otp": otp}).into(&got)
			return got.Data.Result
		}
		if got := change(password, ""); got != codeSent {
			t.Fatalf("asking: %q", got)
		}
		code := s.mailedCode("anna.alpha@mail.example")
		if got := s.visitor().post("ForgetPassword", m{"uid": uid, "otp": code}).data(); got != auth.ErrWrongMailedCode.Error() {
			t.Errorf("for another purpose: %v", got)
		}
		if got := change("wrong-one", code); got != "The old password is wrong." {
			t.Errorf("a wrong old password: %q", got)
		}
		if got := change(password, other(code)); got != auth.ErrWrongMailedCode.Error() {
			t.Errorf("another code: %q", got)
		}
		if got := change(password, code); got != "Changes Password Update Successfully" {
			t.Errorf("the code: %q", got)
		}
		s.login(uid, "another-one")
		s.visit(s.operator(), uid).post("UpdateProfile", m{"uid": uid, "type": "password", "cpassword": password, "password": "yet-another"}).refused(403)
	})
}
