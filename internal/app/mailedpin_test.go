package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const askForPin = "transactionPassword/send"

// resentPin is the transaction password of the newest mail with a new one.
func (s *site) resentPin(to string) string {
	s.t.Helper()
	for _, l := range s.letters(to) {
		if word := after(l.Text, "ransaction password:"); word != "" && strings.Contains(l.Subject, "new") {
			return word
		}
	}
	s.t.Fatalf("no new transaction password was mailed to %s", to)
	return ""
}

// resent counts the mails with a new one.
func (s *site) resent(to string) (n int) {
	s.t.Helper()
	for _, l := range s.letters(to) {
		if strings.Contains(l.Subject, "new") && strings.Contains(l.Text, "ransaction password:") {
			n++
		}
	}
	return n
}

// choose returns the message for a member who changes the transaction password.
func (c client) choose(old, new string) string {
	c.s.t.Helper()
	text, _ := c.outcome(m{"uid": id(c.uid), "type": "trans_password", "ctrans_password": old, "trans_password": new})
	return text
}

// gives returns the message for a member who sends a dollar to the first member.
func (c client) gives(pin string) string {
	c.s.t.Helper()
	return c.post("FundTransferToUser", m{"user_id": id(c.s.root.UID), "referby": id(c.uid), "amount": "1", "ctrans_password": pin, "wallettype": "FUNDS"}).told()
}

const chosen = "Changes Password Update Successfully"

// A member registers, and comes back a day later.
func TestNewMemberReplacesAnExpiredTransactionPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password)
		first, _ := s.mailedPin(annasMail)
		s.clock.Advance(24 * time.Hour)
		me = s.login(me.uid, password)
		if got := me.choose(first, ownPin); !strings.Contains(got, "ended after 24 hours. Ask for a new one under Settings") {
			t.Fatalf("the mailed one after a day: %s", got)
		}
		me.post(askForPin, m{"password": password}).into(&m{})
		again := s.resentPin(annasMail)
		if l := s.letters(annasMail)[0].Text; strings.Contains(l, "24 hours from now") || strings.Contains(l, "Our support team set") {
			t.Errorf("mailed: %s", l)
		}
		if got := me.choose(first, ownPin); got != "Invalid transaction password." {
			t.Errorf("the former one: %s", got)
		}
		if got := me.gives(again); !strings.Contains(got, "Choose your own first") {
			t.Errorf("the mailed one moves money: %s", got)
		}
		if got := me.choose(again, ownPin); got != chosen {
			t.Fatalf("the one that was asked for: %s", got)
		}
		if got := me.gives(ownPin); !strings.Contains(got, "balance") && !strings.Contains(got, "nsufficient") {
			t.Errorf("money waits for a member who never chose one before: %s", got)
		}
		if w, err := s.services.Auth.Wait(t.Context(), me.uid); err != nil || !w.Over(s.clock.Now()) {
			t.Errorf("money waits: %+v, %v", w, err)
		}
		s.verified()
	})
}

func TestMailedTransactionPasswordReplacesAChosenOneAfterADay(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		me.post(askForPin, m{"password": password}).into(&m{})
		if l := s.letters(annasMail)[0].Text; !strings.Contains(l, "24 hours from now") {
			t.Errorf("mailed: %s", l)
		}
		if got := me.choose(s.resentPin(annasMail), "Yours4u8"); got != chosen {
			t.Fatal(got)
		}
		s.clock.Advance(24*time.Hour - time.Second)
		me = s.login(me.uid, password)
		if got := me.gives("Yours4u8"); !strings.Contains(got, "A new transaction password was mailed to you") {
			t.Errorf("within a day: %s", got)
		}
		s.clock.Advance(time.Second)
		if got := me.gives("Yours4u8"); strings.Contains(got, "mailed to you") {
			t.Errorf("after a day: %s", got)
		}
		s.verified()
	})
}

// A stolen session without the password, or an operator's visit, asks for one.
func TestStolenSessionGetsNoTransactionPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		for range 4 { // and does not block the owner
			me.post(askForPin, m{"password": "wrong horse 9"}).says(http.StatusUnprocessableEntity, "is wrong")
		}
		me.post(askForPin, m{"password": ""}).refused(http.StatusUnprocessableEntity)
		s.visitor().post(askForPin, m{"password": password}).unauthenticated()
		s.visit(s.operator(), me.uid).post(askForPin, m{"password": password}).refused(http.StatusForbidden)
		s.operator().post(askForPin, m{"password": operatorPassword}).refused(http.StatusForbidden)
		me.get("account").unauthenticated() // the fifth wrong proof ended the session
		s.clock.Advance(15 * time.Minute)
		me = s.login(me.uid, password)
		p := me.app()
		me.post(askForPin, m{"password": password}).says(http.StatusUnprocessableEntity, "is wrong")
		me.post(askForPin, m{"password": password, "code": "000000"}).says(http.StatusUnprocessableEntity, "is wrong")
		if n := s.resent(annasMail); n != 0 {
			t.Fatalf("%d were mailed", n)
		}
		if got := me.choose(pin, "Other4u8"); got != chosen {
			t.Errorf("the one in force: %s", got)
		}
		me.post(askForPin, m{"password": password, "code": p.code()}).into(&m{})
		if n := s.resent(annasMail); n != 1 {
			t.Errorf("with the second factor %d are mailed", n)
		}
	})
}

// An attacker with access to the mailbox resets the password and requests a transaction
// password, hoping that the account of a member who never chose one can pay out at once.
func TestMailedTransactionPasswordDoesNotShortenTheWait(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.login(s.register(s.root.UID, tree.Left, "Anna Alpha"), password)
		other := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
		s.pin("berta.beta@mail.example")
		for _, victim := range []struct {
			client
			mail string
		}{{me, annasMail}, {other, "berta.beta@mail.example"}} {
			s.visitor().post("ForgetPassword", m{"uid": id(victim.uid)}).into(&m{})
			letter := s.letters(victim.mail)[0].Text
			temporary, _ := s.visitor().login(victim.uid, after(letter, "Temporary password:"))
			temporary.post(askForPin, m{"password": after(letter, "Temporary password:")}).says(http.StatusForbidden, "Change your temporary password first")
			s.visitor().post("ForgetPassword", m{"uid": id(victim.uid)}).into(&m{})
			_, rest, _ := strings.Cut(s.letters(victim.mail)[0].Text, "#reset=")
			token, _, _ := strings.Cut(rest, "&")
			s.visitor().post("ResetPassword", m{"uid": id(victim.uid), "token": token, "password": "Another horse 2"}).into(&m{})
			before, err := s.services.Auth.Wait(t.Context(), victim.uid)
			if err != nil || before.Over(s.clock.Now()) {
				t.Fatalf("no wait after a reset: %+v, %v", before, err)
			}
			s.clock.Advance(time.Hour)
			thief, _ := s.visitor().login(victim.uid, "Another horse 2")
			thief.post(askForPin, m{"password": "Another horse 2"}).into(&m{})
			if got := thief.choose(s.resentPin(victim.mail), "Thief4u8"); got != chosen {
				t.Fatal(got)
			}
			if now, err := s.services.Auth.Wait(t.Context(), victim.uid); err != nil || now.Until.Before(before.Until) {
				t.Errorf("it waits until %s, before until %s, %v", now.Until, before.Until, err)
			}
			if got := thief.gives("Thief4u8"); !strings.Contains(got, "No money can leave") && !strings.Contains(got, "none is accepted before") {
				t.Errorf("the thief gives: %s", got)
			}
		}
	})
}

func TestTransactionPasswordMailsAreLimited(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		for range 4 { // which counts as nothing
			me.post(askForPin, m{"password": password}).says(http.StatusUnprocessableEntity, "Confirm your e-mail address first")
		}
		if n := s.resent(annasMail); n != 0 {
			t.Fatalf("%d were mailed to an address that nobody has confirmed", n)
		}
		me.post("email/confirm", s.linkIn(annasMail, "confirm")).into(&m{})
		for range 3 {
			me.post(askForPin, m{"password": password}).into(&m{})
		}
		me.post(askForPin, m{"password": password}).refused(http.StatusTooManyRequests)
		if n := s.resent(annasMail); n != 3 {
			t.Errorf("%d were mailed", n)
		}
		if got := me.choose(s.resentPin(annasMail), ownPin); got != chosen {
			t.Errorf("the last of three: %s", got)
		}
		s.clock.Advance(time.Hour)
		s.login(me.uid, password).post(askForPin, m{"password": password}).into(&m{})

		// An address that has just replaced another one gets no secrets yet.
		s.confirm(me.uid, thiefsMail)
		s.clock.Advance(47 * time.Hour)
		me = s.login(me.uid, password)
		me.post(askForPin, m{"password": password}).says(http.StatusUnprocessableEntity, "within the last 48 hours")
		s.clock.Advance(time.Hour)
		me = s.login(me.uid, password)
		me.post(askForPin, m{"password": password}).into(&m{})
	})
}
