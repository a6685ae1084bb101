package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// toldOfGuesses fails unless the owner was mailed that a session has ended.
func (s *site) toldOfGuesses(to string) {
	s.t.Helper()
	if l := s.letters(to); len(l) == 0 || !strings.Contains(l[0].Subject, "after failed attempts") {
		s.t.Errorf("mailed %+v", l)
	}
}

// Wrong proofs in a stolen session end that session and do not block its owner: wrong
// sign-ins are counted separately.
func TestStolenOperatorSessionDoesNotLockItsOwnerOut(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator().bare()
		stolen := owner
		stolen.peer = s.visitor().peer
		s.clock.Advance(time.Minute)
		for i := range 4 {
			stolen.post("operator/prove", m{"proof": fmt.Sprintf("00000%d", i)}).refused(http.StatusUnprocessableEntity)
		}
		owner.post("operator/prove", m{"proof": code(t, s.clock.Now())}).into(&m{}) // resets the count
		for i := range 5 {
			s.clock.Advance(time.Minute) // however slowly
			stolen.post("operator/prove", m{"proof": fmt.Sprintf("00000%d", i)}).refused(http.StatusUnprocessableEntity)
		}
		stolen.get("operator/me").refused(http.StatusUnauthorized)
		stolen.post("operator/prove", m{"proof": operatorPassword}).refused(http.StatusUnauthorized)
		s.toldOfGuesses(operatorEmail)
		if c, result, _ := s.enter(operatorEmail, operatorPassword, code(t, s.clock.Now())); c.token == "" {
			t.Errorf("the owner is answered %q", result)
		}
		var page auditPage
		s.clock.Advance(time.Minute)
		s.operator().get("operator/audit").into(&page)
		if !strings.Contains(fmt.Sprint(page.acts()), "session end") {
			t.Errorf("recorded: %v", page.acts())
		}
	})
}

func TestStolenMemberSessionDoesNotLockItsOwnerOut(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("200")
		p := me.app()
		stolen := me
		stolen.peer = s.visitor().peer
		for range 3 {
			got := stolen.post("Withdrawal", m{"Request_amount": "40", "Wtype": "LevelIncome", "withdrawlType": "USDT", "uid": id(me.uid), "otp": "000000"}).result()
			if got != auth.ErrWrongConfirmation.Error() {
				t.Errorf("a wrong code is answered %q", got)
			}
		}
		for range 2 { // whatever it is that the codes are for
			stolen.post("factor/disable", m{"password": password, "code": "000000"}).refused(http.StatusUnprocessableEntity)
		}
		stolen.get("factor").refused(http.StatusUnauthorized)
		s.toldOfGuesses(annasMail)
		c, got := s.knock(me.uid, password)
		if _, said := c.second(got.Data.Second.Flow, m{"code": p.code()}); said.Token == "" {
			t.Errorf("the owner is answered %+v", said)
		}
	})
}

// A session without the password guesses it at the change of the password.
func TestSessionEndedByWrongPasswordsIsMailed(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		stolen, _ := s.anna()
		mine := s.login(stolen.uid, password)
		guess := m{"uid": id(stolen.uid), "type": "password", "cpassword": "wrong horse 9", "password": "Thief's horse 3"}
		for range 5 {
			if text, field := stolen.outcome(guess); text != auth.ErrWrongOldPassword.Error() || field != "cpassword" {
				t.Errorf("a wrong one is answered %q at %q", text, field)
			}
		}
		stolen.post("UpdateProfile", guess).unauthenticated()
		s.toldOfGuesses(annasMail)
		mine.get("account").into(&m{})
	})
}
