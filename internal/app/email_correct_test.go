package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// correctable tells whether the member may correct the address.
func (c client) correctable() bool {
	c.s.t.Helper()
	var got struct {
		Data struct{ Correctable bool }
	}
	c.get("account").into(&got)
	return got.Data.Correctable
}

// A member mistypes the address at sign-up: the transaction password, which a change of
// address needs, is in the wrong mailbox, and no other can be mailed.
func TestMistypedEmailIsCorrectedWithThePassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		mistyped := s.linkIn(annasMail, "confirm")
		if !me.correctable() {
			t.Fatal("it cannot be corrected")
		}
		for range 3 { // first the link is resent
			me.post("email/send", nil).into(&m{})
		}
		again := s.linkIn(annasMail, "confirm")
		if got := me.post("email/correct", m{"email": " anna.new@Mail.Example ", "password": password}).data(); got != "Successfull" {
			t.Fatalf("answered %v", got)
		}
		if got := s.emailOf(me); got.Email != newMail || got.Confirmed != "" || got.Pending != "" {
			t.Errorf("the address is %+v", got)
		}
		if l := s.letters(annasMail)[0]; !strings.Contains(l.Subject, "was changed") || strings.Contains(l.Text, newMail) || strings.Contains(l.Text, "#undo=") {
			t.Errorf("the mistyped address hears %+v", l)
		}
		for _, link := range []m{mistyped, again} {
			if got := me.post("email/confirm", with(link, m{"password": password})).data(); got != linkOver {
				t.Errorf("a link that was mailed to the mistyped address: %v", got)
			}
		}
		s.visitor().post("email/confirm", s.linkIn(newMail, "confirm")).refused(http.StatusBadRequest) // it is still a first address
		if got := me.post("email/confirm", s.linkIn(newMail, "confirm")).data(); got != "Successfull" {
			t.Fatalf("the new address: %v", got)
		}
		if got := s.emailOf(me); got.Email != newMail || got.Confirmed == "" {
			t.Errorf("once confirmed: %+v", got)
		}
		if w, err := s.services.Auth.Wait(t.Context(), me.uid); err != nil || w.For != auth.EmailChange || w.Until.Sub(s.clock.Now()) < 23*time.Hour {
			t.Errorf("money does not wait: %+v, %v", w, err)
		}
		me.post(askForPin, m{"password": password}).into(&m{})
		if got := me.choose(s.resentPin(newMail), ownPin); got != chosen {
			t.Errorf("the transaction password that was mailed there: %s", got)
		}
		s.verified()
	})
}

func TestConfirmedEmailIsNotCorrected(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		correct := m{"email": newMail, "password": password}
		me := s.unconfirmed()
		me.post("email/confirm", s.linkIn(annasMail, "confirm")).into(&m{})
		me.post("email/correct", correct).says(http.StatusConflict, "confirmed already")
		other := s.login(s.registered(s.visitor().post("registration", form(s.root.UID, tree.Right, "Ben Beta"))), password)
		s.pin("ben.beta@mail.example") // chooses a transaction password
		other.post("email/correct", correct).says(http.StatusUnprocessableEntity, "You have chosen a transaction password")
		for _, c := range []client{me, other} {
			if c.correctable() {
				t.Errorf("%d gets the answer that it can be corrected", c.uid)
			}
			if got := s.emailOf(c); got.Email == newMail || got.Pending != "" {
				t.Errorf("the address is %+v", got)
			}
		}
		if l := s.letters(newMail); len(l) != 0 {
			t.Errorf("mailed there: %+v", l)
		}
	})
}

// A helper who registers a member knows the password until it is changed: a correction
// must not give access to later deposits.
func TestLateCorrectionMailsNoTransactionPassword(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me := s.unconfirmed()
	s.clock.Advance(25 * time.Hour)
	me = s.login(me.uid, password)
	me.post("email/correct", m{"email": newMail, "password": password}).into(&m{})
	me.post("email/confirm", s.linkIn(newMail, "confirm")).into(&m{})
	me.post(askForPin, m{"password": password}).refused(http.StatusUnprocessableEntity)
	s.clock.Advance(48 * time.Hour)
	me = s.login(me.uid, password)
	me.post(askForPin, m{"password": password}).into(&m{})
}

// A stolen session without the password, and repeated attempts with other addresses.
func TestStolenSessionCannotCorrectTheEmail(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		correct := m{"email": thiefsMail, "password": password}
		s.visitor().post("email/correct", correct).unauthenticated()
		s.visit(s.operator(), me.uid).post("email/correct", correct).refused(http.StatusForbidden)
		s.operator().post("email/correct", with(correct, m{"password": operatorPassword})).refused(http.StatusForbidden)
		for _, email := range []string{"", "anna", annasMail} {
			me.post("email/correct", with(correct, m{"email": email})).refused(http.StatusBadRequest)
		}
		before := s.counts("outbox")
		for range 5 {
			me.post("email/correct", with(correct, m{"password": "wrong horse 9"})).says(http.StatusUnprocessableEntity, "is wrong")
		}
		me.get("account").unauthenticated() // the fifth wrong password ended the session
		s.toldOfGuesses(annasMail)
		if l := s.letters(thiefsMail); len(l) != 0 {
			t.Errorf("mailed: %+v; %s became %s", l, before, s.counts("outbox"))
		}
		s.clock.Advance(15 * time.Minute)
		me = s.login(me.uid, password)
		p := me.app()
		me.post("email/correct", correct).says(http.StatusUnprocessableEntity, "is wrong") // without the second factor
		me.post("email/correct", with(correct, m{"email": newMail, "code": p.code()})).into(&m{})
		if got := s.emailOf(me); got.Email != newMail {
			t.Errorf("the address is %+v", got)
		}
	})
}

func TestEmailCorrectionsAreLimitedToFiveADay(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me := s.unconfirmed()
	to := func(n int) m { return m{"email": "anna" + id(int64(n)) + "@mail.example", "password": password} }
	for n := range 5 {
		me.post("email/correct", to(n)).into(&m{})
	}
	before := s.counts("outbox")
	me.post("email/correct", to(5)).says(http.StatusTooManyRequests, "5 times a day")
	if got := s.emailOf(me); got.Email != "anna4@mail.example" || s.counts("outbox") != before {
		t.Errorf("after the sixth the address is %+v, %s became %s", got, before, s.counts("outbox"))
	}
}
