package app

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// limited fails unless the response is 429 with a Retry-After in this range.
func (a answer) limited(least, most time.Duration) {
	a.t.Helper()
	a.refused(http.StatusTooManyRequests)
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	if wait := time.Duration(seconds) * time.Second; err != nil || wait < least || wait > most {
		a.t.Errorf("%s says to come back after %q seconds, want %s to %s", a.call, a.header.Get("Retry-After"), least, most)
	}
}

func TestWrongPasswordsAreLimitedForAnyID(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	stranger := s.visitor()
	for _, who := range []int64{uid, 100000} {
		for range 5 {
			if _, result := stranger.login(who, "wrong-one"); result != "Invalid username or password." {
				t.Errorf("%d: %q", who, result)
			}
		}
		stranger.post("login", m{"uid": who, "password": "wrong-one"}).limited(time.Second, time.Minute)
		stranger.post("login", m{"uid": who, "password": password}).limited(time.Second, time.Minute)
	}
	s.login(uid, password)            // the member can sign in from another address
	s.login(s.root.UID, rootPassword) // and so can other members
	s.clock.Advance(time.Minute)
	if _, result := stranger.login(uid, password); result != "Successfull" {
		t.Errorf("after a minute: %q", result)
	}
	for range 5 {
		if _, result := stranger.login(uid, "wrong-one"); result != "Invalid username or password." {
			t.Errorf("after a right one the tries begin anew: %q", result)
		}
	}
}

func TestGuessesFromOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	c := s.visitor()
	for i := range 30 {
		if _, result := c.login(int64(200000+i), "wrong-one"); result != "Invalid username or password." {
			t.Errorf("try %d: %q", i, result)
		}
	}
	c.post("login", m{"uid": s.root.UID, "password": rootPassword}).limited(time.Second, time.Minute)
	c.post("operator/login", m{"email": operatorEmail, "password": operatorPassword}).limited(time.Second, time.Minute)
	s.login(s.root.UID, rootPassword)
}

func TestForgottenPasswordMailsAreLimitedForAnyID(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	for _, who := range []int64{uid, 100000} {
		for range 3 {
			s.visitor().post("ForgetPassword", m{"uid": who}).into(&m{})
		}
		s.visitor().post("ForgetPassword", m{"uid": who}).limited(time.Minute, 10*time.Minute)
	}
	if mails := s.letters(annasMail); len(mails) != 4 {
		t.Errorf("she has %d mails", len(mails))
	}
	c := s.visitor()
	for i := range 20 {
		c.post("ForgetPassword", m{"uid": 300000 + i}).into(&m{})
	}
	c.post("ForgetPassword", m{"uid": 400000}).limited(time.Second, time.Minute)
	s.clock.Advance(10 * time.Minute)
	s.visitor().post("ForgetPassword", m{"uid": uid}).into(&m{})
}

func TestFiveWrongTransactionPasswordsLockForFifteenMinutes(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		for range 4 {
			if text, _ := me.outcome(profileForm(me.uid, "wrong-one")); text != "Invalid transaction password." {
				t.Errorf("a wrong one: %q", text)
			}
		}
		if text, _ := me.outcome(profileForm(me.uid, pin)); text != "Profile Update Successfully" {
			t.Errorf("the right one: %q", text)
		}
		for range 5 {
			if text, _ := me.outcome(profileForm(me.uid, "wrong-one")); text != "Invalid transaction password." {
				t.Errorf("a wrong one: %q", text)
			}
		}
		me.post("UpdateProfile", profileForm(me.uid, pin)).limited(14*time.Minute, 15*time.Minute)
		me.post("UpdateProfile", m{"type": "trans_password", "uid": me.uid, "ctrans_password": pin, "trans_password": "newpin1"}).limited(14*time.Minute, 15*time.Minute)
		me.post("userDashboard", m{"uid": me.uid}).into(&m{})
		s.clock.Advance(15 * time.Minute)
		if text, _ := me.outcome(profileForm(me.uid, pin)); text != "Profile Update Successfully" {
			t.Errorf("a quarter of an hour later: %q", text)
		}
	})
}

func TestLookupsAndRegistrationsFromOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	c := s.visitor()
	for range 300 {
		c.get("newsletter/unsubscribe?token=x")
	}
	for range 600 {
		c.post("registration", m{}).refused(http.StatusBadRequest)
	}
	c.post("registration", form(s.root.UID, tree.Left, "Anna Alpha")).limited(time.Second, time.Second)
	s.register(s.root.UID, tree.Left, "Anna Alpha")
}

// The limit counts members: a retry of the same registration, after a lost response or a
// double click, does not count, and neither does one whose sponsor is rejected.
func TestConcurrentRegistrationsCountOnlyMembersWhoJoined(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--registrations-per-hour", "2")
		c := s.visitor()
		for range 3 {
			if a := c.post("registration", form(999999, tree.Left, "Anna Alpha")); !strings.Contains(a.text, tree.NoSponsor) {
				t.Error(a.text)
			}
		}
		for i, header := range [][]string{nil, {"Idempotency-Key", "one-of-a-kind"}} {
			who := form(s.root.UID, tree.Left, "Double "+letters[i])
			answers := make([]answer, 8)
			var clicks sync.WaitGroup
			for k := range answers {
				clicks.Go(func() { answers[k] = c.post("registration", who, header...) })
			}
			clicks.Wait()
			for _, a := range append(answers, c.post("registration", who, header...)) {
				if s.registered(a) != s.registered(answers[0]) {
					t.Errorf("%v: %s and %s", header, answers[0].text, a.text)
				}
			}
		}
		c.post("registration", form(s.root.UID, tree.Left, "Dora Delta")).limited(30*time.Minute, 30*time.Minute)
		c.post("registration", form(s.root.UID, tree.Left, "Dora Delta"), "Idempotency-Key", "another").limited(30*time.Minute, 30*time.Minute)
		c.post("registration", form(s.root.UID, tree.Left, "Dora Delta"), "Idempotency-Key", "one-of-a-kind").refused(http.StatusConflict)
		if got := s.counts("member"); got != "member 3, " {
			t.Errorf("the root and two joined: %s", got)
		}
	})
}

// Invalid registrations do not count, other networks are not limited, and a demo on this
// machine has no limit.
func TestRegistrationsFromOneAddressAreLimited(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--registrations-per-hour", "3")
	c := s.visitor()
	for range 4 {
		c.post("registration", m{"sid": id(s.root.UID), "name": "X"}).names("name", "position", "email", "password", "mobile", "countryid")
	}
	for _, name := range []string{"Anna Alpha", "Bert Beta", "Cora Gamma"} {
		s.registered(c.post("registration", form(s.root.UID, tree.Left, name)))
	}
	refused := c.post("registration", form(s.root.UID, tree.Left, "Dora Delta"))
	refused.limited(20*time.Minute, 20*time.Minute)
	refused.says(http.StatusTooManyRequests, "try again in 1200 seconds")
	s.register(s.root.UID, tree.Left, "Emil Epsilon") // from elsewhere
	s.clock.Advance(20 * time.Minute)
	s.registered(c.post("registration", form(s.root.UID, tree.Left, "Dora Delta")))

	c.post("registration", form(s.root.UID, tree.Left, "Fritz Phi")).limited(20*time.Minute, 20*time.Minute)
	c.peer = "127.0.0.1:4711"
	for _, name := range []string{"Gabi Eta", "Hans Theta", "Ines Iota", "Jens Kappa"} {
		s.registered(c.post("registration", form(s.root.UID, tree.Left, name)))
	}
}

func TestRegistrationsWithoutALimit(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false", "--registrations-per-hour", "0")
	c := s.visitor()
	for i := range 25 {
		s.registered(c.post("registration", form(s.root.UID, tree.Left, "Anna "+strings.Repeat("a", i%10+1))))
	}
}
