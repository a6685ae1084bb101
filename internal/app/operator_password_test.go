package app

import (
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const otherPassword = "another-whole-phrase-9"

// changePassword requests a new password with the given proofs.
func (c client) changePassword(more m) answer {
	c.s.t.Helper()
	body := c.s.proof(m{"newPassword": otherPassword})
	for k, v := range more {
		body[k] = v
	}
	return c.post("operator/password", body)
}

// A stolen session, even with either the password or the app, cannot change the password,
// which would lock out its operator.
func TestStolenSessionCannotChangeAnOperatorsPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator()
		owner.post("operator/prove", m{"proof": operatorPassword}).into(&m{}) // a step-up is not enough
		for what, wrong := range map[string]m{
			"nothing": {"password": "", "code": ""}, "the password alone": {"code": ""}, "a code alone": {"password": ""},
			"a wrong password": {"password": "wrong-horse-22"}, "a wrong code": {"code": "000000"},
		} {
			if got := owner.changePassword(wrong); got.status != 422 {
				t.Errorf("%s: %d %s", what, got.status, got.text)
			}
		}
		s.clock.Advance(15 * time.Minute) // wrong codes are counted
		owner = s.operator()
		for what, weak := range map[string]string{
			"too short": "short-9", "one that everybody tries": "password1234", "the e-mail": operatorEmail, "the old one": operatorPassword,
		} {
			if got := owner.changePassword(m{"newPassword": weak}); got.status != 400 || !strings.Contains(got.text, "newPassword") {
				t.Errorf("%s: %d %s", what, got.status, got.text)
			}
		}
		spent := s.proof(m{"newPassword": "a-third-whole-phrase"})
		owner.post("operator/password", spent).into(&m{})
		spent["password"], spent["newPassword"] = "a-third-whole-phrase", otherPassword
		owner.post("operator/password", spent).says(422, "is wrong") // the code is used up
		me, _ := s.anna()
		for what, other := range map[string]client{"a member": me, "a stranger": s.visitor()} {
			if got := other.changePassword(nil); got.status != 401 && got.status != 403 {
				t.Errorf("%s: %d", what, got.status)
			}
		}
	})
}

func TestNewOperatorPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.root.UID
		other, colleague := s.operator(), s.hire(auth.RoleSupport)
		me := s.operator()
		visit := s.visit(other, uid)
		me.changePassword(nil).into(&m{})

		me.get("operator/me").into(&m{})
		colleague.get("operator/me").into(&m{})
		other.get("operator/me").unauthenticated()
		visit.post("UserInformation", m{"uid": uid}).unauthenticated()
		s.clock.Advance(time.Minute)
		if _, result, _ := s.enter(operatorEmail, operatorPassword, code(t, s.clock.Now())); result == "Successfull" {
			t.Error("the old password signs in")
		}
		s.clock.Advance(time.Minute)
		if _, result, _ := s.enter(operatorEmail, otherPassword, code(t, s.clock.Now())); result != "Successfull" {
			t.Errorf("the new password: %q", result)
		}
		if l := s.letters(operatorEmail); len(l) == 0 || !strings.Contains(l[len(l)-1].Text+l[0].Text, "password of your operator's account was changed") {
			t.Errorf("mailed %+v", l)
		}
		var page auditPage
		if me.get("operator/audit?act=password%20changed").into(&page); len(page.Data[0]) != 1 {
			t.Errorf("the record says %+v", page)
		}
		if text := me.get("operator/audit").text; strings.Contains(text, otherPassword) {
			t.Error("the record tells the password")
		}
		s.verified()
	})
}
