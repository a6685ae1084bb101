package app

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	thiefsMail = "thief@mail.example"
	linkOver   = "This link is not valid any more. Sign in to ask for a new one, or contact support."
)

// linkIn is the secret of the newest letter to an address with a link of that purpose.
func (s *site) linkIn(to, purpose string) m {
	s.t.Helper()
	for _, l := range s.letters(to) {
		if _, rest, found := strings.Cut(l.Text, "/ConfirmEmail#"); found {
			v, err := url.ParseQuery(strings.Fields(rest)[0])
			if err == nil && v.Get(purpose) != "" {
				return m{"uid": v.Get("userid"), "token": v.Get(purpose)}
			}
		}
	}
	s.t.Fatalf("no link to %s was mailed to %s", purpose, to)
	return nil
}

// unconfirmed is a member who has just registered, signed in.
func (s *site) unconfirmed() client {
	s.t.Helper()
	uid := s.registered(s.visitor().post("registration", form(s.root.UID, tree.Left, "Anna Alpha")))
	return s.login(uid, password)
}

func (s *site) emailOf(me client) (a struct{ Email, Confirmed, Pending string }) {
	s.t.Helper()
	var got struct {
		Data struct{ Email, Confirmed, Pending string }
	}
	me.get("account").into(&got)
	return got.Data
}

// A member mistypes the address, which belongs to a stranger, who would get a reset.
func TestUnconfirmedEmailIsSentNoSecrets(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		s.pin(annasMail)
		secrets := func() (n int) {
			for _, l := range s.letters(annasMail) {
				if strings.Contains(l.Text, "#reset=") || strings.Contains(l.Text, "Temporary password") || strings.Contains(l.Text, "OTP: ") || strings.Contains(l.Subject, "new") && strings.Contains(l.Text, "ransaction password:") {
					n++
				}
			}
			return n
		}
		if got := s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).data(); got != "Password sent to Email Id" {
			t.Errorf("the caller gets %v", got)
		}
		s.visitor().post("Withdrawalupdate", m{"uid": id(me.uid), "Email": annasMail}).into(&m{})
		if got := me.post("Withdrawalupdate", m{"Email": annasMail}).word(); !strings.HasPrefix(got, "Confirm your e-mail address first") {
			t.Errorf("a code for a withdrawal: %s", got)
		}
		s.hire(auth.RoleSupport).post("operator/member/transactionPassword", m{"uid": me.uid, "reason": "it never arrived"}).says(http.StatusUnprocessableEntity, "has not confirmed this e-mail address")
		if n := secrets(); n != 0 {
			t.Errorf("%d secrets were mailed: %+v", n, s.letters(annasMail))
		}
		link := s.linkIn(annasMail, "confirm") // of the letter that the forgotten password brought
		if got := s.visitor().post("email/confirm", with(link, m{"password": password})).data(); got != "Successfull" {
			t.Fatalf("the link: %v", got)
		}
		if got := s.emailOf(me); got.Confirmed == "" || got.Email != annasMail {
			t.Errorf("told of the address: %+v", got)
		}
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{})
		if n := secrets(); n != 1 {
			t.Errorf("once it is confirmed %d secrets are mailed", n)
		}
		s.verified()
	})
}

func TestConfirmationLinkWorksOnceForThreeDays(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		first := s.linkIn(annasMail, "confirm")
		try := func(link m, want string) {
			t.Helper()
			if got := s.visitor().post("email/confirm", with(link, m{"password": password})).data(); got != want {
				t.Errorf("%v: %v, want %s", link, got, want)
			}
		}
		try(with(first, m{"uid": id(s.root.UID)}), linkOver)
		try(with(first, m{"token": "x"}), linkOver)
		if got := s.visitor().post("email/undo", first).data(); got != linkOver {
			t.Errorf("as a link that undoes: %v", got)
		}
		me.post("email/send", nil).into(&m{})
		try(first, linkOver) // a newer link was mailed
		second := s.linkIn(annasMail, "confirm")
		s.clock.Advance(72 * time.Hour)
		try(second, linkOver)
		me = s.login(me.uid, password)
		me.post("email/send", nil).into(&m{})
		third := s.linkIn(annasMail, "confirm")
		try(third, "Successfull")
		before := s.counts("outbox")
		if got := s.visitor().post("email/confirm", third).data(); got != "Successfull" { // its response was lost
			t.Errorf("a link whose address is confirmed, opened again: %v", got)
		}
		if after := s.counts("outbox"); after != before {
			t.Errorf("opened again, %s became %s", before, after)
		}
		if _, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE email_link SET used_at = 0"); err != nil {
			t.Fatal(err)
		}
		try(third, linkOver) // changed outside the program
		me.post("email/send", nil).refused(http.StatusConflict)
	})
}

// A thief with the passwords enters another mailbox to receive the resets.
func TestThiefsEmailTakesConfirmationAndIsUndone(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		change := func(to string) {
			t.Helper()
			if text, _ := me.outcome(with(profileForm(me.uid, pin), m{"email": to})); text != "Profile Update Successfully" {
				t.Fatal(text)
			}
		}
		change(thiefsMail)
		if got := s.emailOf(me); got.Email != annasMail || got.Pending != thiefsMail {
			t.Errorf("before it is confirmed: %+v", got)
		}
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{})
		if l := s.letters(annasMail); !strings.Contains(l[0].Text, "#reset=") || !strings.Contains(l[1].Subject, "Request to change") {
			t.Errorf("the address in force hears %+v", l)
		}
		s.visitor().post("email/confirm", s.linkIn(thiefsMail, "confirm")).into(&m{})
		if got := s.emailOf(me); got.Email != thiefsMail || got.Pending != "" {
			t.Errorf("once it is confirmed: %+v", got)
		}
		if w, err := s.services.Auth.Wait(t.Context(), me.uid); err != nil || w.Over(s.clock.Now()) || w.For != auth.EmailChange {
			t.Errorf("money does not wait: %+v, %v", w, err)
		}
		undo := s.linkIn(annasMail, "undo")

		s.clock.Advance(6 * 24 * time.Hour)
		me = s.login(me.uid, password)
		change("second.thief@mail.example") // the thief changes it once more, and waits with a third
		s.visitor().post("email/confirm", s.linkIn("second.thief@mail.example", "confirm")).into(&m{})
		s.clock.Advance(23 * time.Hour)
		me = s.login(me.uid, password)
		change("third.thief@mail.example")
		if got := s.visitor().post("email/undo", undo).data(); got != "Successfull" {
			t.Fatalf("the owner undoes it: %v", got)
		}
		if l := s.letters("second.thief@mail.example"); !strings.Contains(l[0].Subject, "was removed") {
			t.Errorf("the address that is gone hears %+v", l[0])
		}
		me.get("account").unauthenticated()
		me = s.login(me.uid, password)
		if got := s.emailOf(me); got.Email != annasMail || got.Confirmed == "" || got.Pending != "" {
			t.Errorf("after it was undone: %+v", got)
		}
		for to, purpose := range map[string]string{"third.thief@mail.example": "confirm", thiefsMail: "undo"} {
			if got := s.visitor().post("email/"+purpose, s.linkIn(to, purpose)).data(); got != linkOver {
				t.Errorf("the thief's link to %s: %v", purpose, got)
			}
		}
		if got := s.visitor().post("email/undo", undo).data(); got != linkOver {
			t.Errorf("the owner's link a second time: %v", got)
		}
		s.verified()
	})
}

// The mail about a pending change of address advises a new password, which therefore
// cancels the change. Entering the current address again cancels it too.
func TestThiefsPendingEmailIsCancelled(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		enter := func(to string) {
			t.Helper()
			if text, _ := me.outcome(with(profileForm(me.uid, pin), m{"email": to})); text != "Profile Update Successfully" {
				t.Fatal(text)
			}
		}
		for name, remedy := range map[string]func(){
			"entering the address again": func() { enter(annasMail) },
			"the button":                 func() { me.post("email/cancel", nil).into(&m{}) },
			"another password": func() {
				me.post("UpdateProfile", m{"uid": me.uid, "type": "password", "cpassword": password, "password": "Another horse 1"}).into(&m{})
				me.post("UpdateProfile", m{"uid": me.uid, "type": "password", "cpassword": "Another horse 1", "password": password}).into(&m{})
			},
			"a reset": func() {
				s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{})
				_, rest, _ := strings.Cut(s.letters(annasMail)[0].Text, "#reset=")
				token, _, _ := strings.Cut(strings.Fields(rest)[0], "&")
				s.visitor().post("ResetPassword", m{"uid": id(me.uid), "token": token, "password": password}).into(&m{})
				me = s.login(me.uid, password)
			},
		} {
			enter(thiefsMail)
			link := s.linkIn(thiefsMail, "confirm")
			remedy()
			if got := s.emailOf(me); got.Pending != "" {
				t.Errorf("after %s %s waits", name, got.Pending)
			}
			if got := s.visitor().post("email/confirm", link).data(); got != linkOver {
				t.Errorf("after %s: %v", name, got)
			}
		}
		s.verified()
	})
}

func TestFormerEmailUndoesAChangeForSevenDays(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.anna()
	s.confirm(me.uid, "new.anna@mail.example") // without a mailed link
	me, pin := s.login(me.uid, password), ownPin
	me.outcome(with(profileForm(me.uid, pin), m{"email": thiefsMail}))
	s.visitor().post("email/confirm", s.linkIn(thiefsMail, "confirm")).into(&m{})
	undo := s.linkIn("new.anna@mail.example", "undo")
	s.clock.Advance(7 * 24 * time.Hour)
	if got := s.visitor().post("email/undo", undo).data(); got != linkOver {
		t.Errorf("after seven days: %v", got)
	}
}

// An attacker with write access to the database points a known link elsewhere, extends it,
// or marks an address as confirmed.
func TestPlantedConfirmationIsNotAccepted(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		link := s.linkIn(annasMail, "confirm")
		raw := testkit.Raw(t, dsn)
		run := func(query string, args ...any) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		for column, value := range map[string]any{"email": thiefsMail, "until_at": s.clock.Now().Add(9999 * time.Hour).UnixMicro(), "uid": s.root.UID} {
			var was any
			if err := raw.QueryRowContext(t.Context(), "SELECT "+column+" FROM email_link").Scan(&was); err != nil {
				t.Fatal(err)
			}
			if b, ok := was.([]byte); ok {
				was = string(b)
			}
			run("UPDATE email_link SET "+column+" = $1", value)
			if got := s.visitor().post("email/confirm", link).data(); got != linkOver {
				t.Errorf("with another %s: %v", column, got)
			}
			run("UPDATE email_link SET "+column+" = $1", was)
		}
		// A planted pending address would be mailed a valid link.
		run("INSERT INTO email_link (uid, mark, purpose, email, made_at, until_at) VALUES ($1, $2, 'confirm', $3, $4, $5)",
			me.uid, bytes.Repeat([]byte("x"), 64), thiefsMail, s.clock.Now().UnixMicro(), s.clock.Now().Add(time.Hour).UnixMicro())
		if got := s.emailOf(me); got.Pending != "" {
			t.Errorf("a planted address waits: %s", got.Pending)
		}
		me.post("email/send", nil).into(&m{})
		if got := s.letters(thiefsMail); len(got) != 0 {
			t.Errorf("a planted address was mailed %+v", got)
		}
		run("UPDATE member SET email_ok = 1 WHERE uid = $1", me.uid)
		before := len(s.letters(annasMail))
		if a := s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}); !strings.Contains(a.text, "Contact support") || len(s.letters(annasMail)) != before {
			t.Errorf("an address that was never confirmed: %s", a.text)
		}
	})
}

// A member mistypes the address. The owner of that address opens the link and requests a
// new password to open the account.
func TestConfirmationTakesThePassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me := s.unconfirmed()
		link := s.linkIn(annasMail, "confirm")
		other := s.login(s.register(s.root.UID, tree.Right, "Ben Beta"), password)
		for what, who := range map[string]client{"a stranger": s.visitor(), "another member": other, "an operator": s.operator(), "a visit": s.visit(s.operator(), me.uid)} {
			if a := who.post("email/confirm", link); a.status != http.StatusBadRequest || !strings.Contains(a.text, "Enter your password to confirm") {
				t.Errorf("%s confirms it: %d %s", what, a.status, a.text)
			}
		}
		if got := s.visitor().post("email/confirm", with(link, m{"password": "wrong horse 9"})).data(); got != "Invalid username or password." {
			t.Errorf("with a wrong password: %v", got)
		}
		if got := s.visitor().post("email/confirm", with(link, m{"token": "x"})).data(); got != linkOver {
			t.Errorf("a link that is not good asks for a password: %v", got)
		}
		if got := s.emailOf(me); got.Confirmed != "" {
			t.Fatalf("it is confirmed: %+v", got)
		}
		guesser, limited := s.visitor(), 0
		for range 10 {
			if guesser.post("email/confirm", with(link, m{"password": "wrong horse 9"})).status == http.StatusTooManyRequests {
				limited++
			}
		}
		if limited == 0 {
			t.Error("the holder of a link guesses the password without end")
		}
		if got := me.post("email/confirm", link).data(); got != "Successfull" {
			t.Errorf("in the member's session: %v", got)
		}
		s.verified()
	})
}

// Each change mails an address of the member's choice.
func TestEmailChangesAreLimitedToFiveADay(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		enter := func(n int, key string) answer {
			return me.post("UpdateProfile", with(profileForm(me.uid, pin), m{"email": "anna" + id(int64(n)) + "@mail.example"}), "Idempotency-Key", key)
		}
		for n := range 5 {
			enter(n, "k"+id(int64(n))).into(&m{})
			enter(n, "k"+id(int64(n))).into(&m{}) // the same, whose answer was lost
		}
		before := s.counts("outbox")
		if a := enter(6, "k6"); a.status != http.StatusTooManyRequests || !strings.Contains(a.text, "5 times a day. Please try again in 24 hours.") || !strings.Contains(a.text, `"code":"email.too_many_asks"`) {
			t.Errorf("the sixth: %d %s", a.status, a.text)
		}
		if after := s.counts("outbox"); after != before {
			t.Errorf("%s became %s", before, after)
		}
		if text, _ := me.outcome(profileForm(me.uid, pin)); text != "Profile Update Successfully" { // with the address in force
			t.Errorf("the rest of the profile: %s", text)
		}
		s.clock.Advance(24 * time.Hour)
		me = s.login(me.uid, password)
		enter(6, "k7").into(&m{})
		enter(7, "k8").refused(http.StatusTooManyRequests)
	})
}

// Strangers request passwords for an id until no more are mailed.
func TestPasswordRequestsDoNotUseUpConfirmationMails(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me := s.unconfirmed()
	for range 5 {
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)})
	}
	for range 3 {
		me.post("email/send", nil).into(&m{})
	}
	me.post("email/send", nil).refused(http.StatusTooManyRequests)
}
