package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const newMail = "anna.new@mail.example"

// readdress changes a member's address and returns the link that undoes it.
func (s *site) readdress(me client, pin, from, to string) (undo m) {
	s.t.Helper()
	if text, _ := me.outcome(with(profileForm(me.uid, pin), m{"email": to})); text != "Profile Update Successfully" {
		s.t.Fatal(text)
	}
	s.visitor().post("email/confirm", s.linkIn(to, "confirm")).into(&m{})
	return s.linkIn(from, "undo")
}

// undoable returns until when a former address can undo a change, and from when the link
// can be removed.
func (c client) undoable() (until, removable time.Time) {
	c.s.t.Helper()
	var got struct {
		Data struct{ UndoUntil, UndoRemovable string }
	}
	c.get("account").into(&got)
	until, _ = time.Parse(time.RFC3339, got.Data.UndoUntil)
	removable, _ = time.Parse(time.RFC3339, got.Data.UndoRemovable)
	return until, removable
}

// A member leaves a mailbox that another person reads, who could undo the change by the
// mailed link.
func TestMemberRemovesTheUndoLink(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		proof := m{"password": password, "transactionPassword": pin}
		me.post("email/keep", proof).refused(http.StatusConflict)
		undo := s.readdress(me, pin, annasMail, newMail)
		changed := s.clock.Now()
		if until, from := me.undoable(); until.Sub(changed).Round(time.Minute) != 7*24*time.Hour || from.Sub(changed).Round(time.Minute) != 48*time.Hour {
			t.Errorf("changed at %s, it can be undone until %s, which can be removed from %s", changed, until, from)
		}
		// The member could be a thief who changed the address: its owner has two days.
		s.clock.Advance(47 * time.Hour)
		me = s.login(me.uid, password)
		me.post("email/keep", proof).says(http.StatusUnprocessableEntity, "This link can be removed from")
		s.clock.Advance(time.Hour)
		me = s.login(me.uid, password)
		for what, a := range map[string]answer{
			"without a session":            s.visitor().post("email/keep", proof),
			"in a visit":                   s.visit(s.operator(), me.uid).post("email/keep", proof),
			"without a password":           me.post("email/keep", with(proof, m{"password": ""})),
			"with a wrong password":        me.post("email/keep", with(proof, m{"password": "wrong horse 9"})),
			"without a transaction one":    me.post("email/keep", with(proof, m{"transactionPassword": ""})),
			"with a wrong transaction one": me.post("email/keep", with(proof, m{"transactionPassword": "wr0ngPin"})),
		} {
			if a.status < 400 {
				t.Errorf("%s: %d %s", what, a.status, a.text)
			}
		}
		if until, _ := me.undoable(); until.IsZero() {
			t.Fatal("the link is removed without a proof")
		}
		before := len(s.letters(annasMail))
		if got := me.post("email/keep", proof).data(); got != "Successfull" {
			t.Fatalf("with both: %v", got)
		}
		if len(s.letters(annasMail)) != before {
			t.Error("the former mailbox hears of it")
		}
		if until, from := me.undoable(); !until.IsZero() || !from.IsZero() {
			t.Errorf("removed, it can be undone until %s", until)
		}
		if got := s.visitor().post("email/undo", undo).data(); got != linkOver {
			t.Errorf("the removed link: %v", got)
		}
		if got := s.emailOf(me); got.Email != newMail {
			t.Errorf("the address is %s", got.Email)
		}
		me.post("email/keep", proof).refused(http.StatusConflict)
		s.verified()
	})
}

func TestOlderSecondFactorRemovesTheUndoLinkImmediately(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		s.readdress(me, pin, annasMail, newMail)
		p := me.app() // a thief could have set it: it is no older than the change
		proof := m{"password": password, "transactionPassword": pin}
		s.clock.Advance(time.Minute)
		me.post("email/keep", with(proof, m{"code": p.code()})).says(http.StatusUnprocessableEntity, "This link can be removed from")
		s.clock.Advance(48 * time.Hour)
		in, got := s.knock(me.uid, password)
		me, _ = in.second(got.Data.Second.Flow, m{"code": p.code()})
		undo := s.readdress(me, pin, newMail, "anna.newer@mail.example")
		me.post("email/keep", proof).says(http.StatusUnprocessableEntity, "is wrong")
		me.post("email/keep", with(proof, m{"code": p.code()})).into(&m{})
		if got := s.visitor().post("email/undo", undo).data(); got != linkOver {
			t.Errorf("the removed link: %v", got)
		}
	})
}

// The reader of the former mailbox gets the address back, and nothing more.
func TestUndoLinkNeitherSignsInNorMovesMoney(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		s.command(func(_ context.Context, tx *ledger.Tx) error {
			return fund.Deposit(tx, me.uid, fund.Robot, money.MustParse("100"), "d1")
		})
		undo := s.readdress(me, pin, annasMail, newMail)
		s.clock.Advance(48 * time.Hour)
		me = s.login(me.uid, password)
		if got := me.gives(pin); strings.Contains(got, "No money can leave") {
			t.Fatalf("two days after the change: %s", got)
		}
		s.visitor().post("ForgetPassword", m{"uid": id(me.uid)}).into(&m{}) // to the address that is about to change
		_, rest, _ := strings.Cut(s.letters(newMail)[0].Text, "#reset=")
		token, _, _ := strings.Cut(strings.Fields(rest)[0], "&")

		thief := s.visitor()
		a := thief.post("email/undo", undo)
		if a.data() != "Successfull" || a.header.Get("Set-Cookie") != "" || strings.Contains(a.text, "oken") {
			t.Errorf("the undo answers %v %s", a.header, a.text)
		}
		me.get("account").unauthenticated()
		thief.post("ResetPassword", m{"uid": id(me.uid), "token": token, "password": "Another horse 1"}).refused(http.StatusUnprocessableEntity)
		me = s.login(me.uid, password)
		if got := me.gives(pin); !strings.Contains(got, "No money can leave") {
			t.Errorf("after the undo: %s", got)
		}
		me.post("transactionPassword/send", m{"password": password}).says(http.StatusUnprocessableEntity, "within the last 48 hours")
		s.clock.Advance(23 * time.Hour)
		me = s.login(me.uid, password)
		if got := me.gives(pin); !strings.Contains(got, "No money can leave") {
			t.Errorf("23 hours after the undo: %s", got)
		}
		s.clock.Advance(time.Hour)
		me = s.login(me.uid, password)
		if got := me.gives(pin); strings.Contains(got, "No money can leave") {
			t.Errorf("24 hours after the undo: %s", got)
		}
		s.verified()
	})
}
