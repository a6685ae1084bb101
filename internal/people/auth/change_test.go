package auth_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const newPassword = "Another horse 2"

func (h *fixture) change(old, new, keep string) error {
	return h.told(h.applied(h.PrepareChange(ctx, auth.ChangeRequest{UID: uid, Old: h.hide(old), New: h.hide(new), Keep: keep, Peer: home})))
}

func (h *fixture) credential() auth.CredentialRow {
	h.t.Helper()
	c, found, err := h.DB.Auth().Credential(ctx, uid)
	h.must(err)
	if !found {
		h.t.Fatal("no credential")
	}
	return c
}

func TestAChangedPasswordEndsEveryOtherSession(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		mine, other, visit := h.mustLogin(), h.mustLogin(), h.visit(h.operator("owner"))
		h.Clock.Advance(time.Minute)
		h.must(h.change(password, newPassword, mine.Session.ID))
		h.good(h.Service, mine.Token)
		h.bad(h.Service, other.Token)
		h.bad(h.Service, visit.Token)
		_, err := h.login(uid, password)
		h.wants(err, auth.ErrWrongPassword)
		_, err = h.login(uid, newPassword)
		h.must(err)
		if c := h.credential(); !c.PasswordAt.Equal(h.Clock.Now()) {
			t.Errorf("changed at %s", c.PasswordAt)
		}
	})
}

func TestAPasswordIsNotChangedToAShortOrTheSameOneOrByAWrongOldOne(t *testing.T) {
	h := onSQLite(t)
	keep := h.mustLogin().Session.ID
	before := h.hasher.Verifications()
	h.code(h.change(password, "short", keep), errs.Invalid)
	h.code(h.change(password, password, keep), errs.Invalid)
	if h.hasher.Verifications() != before {
		t.Error("what can never work was verified")
	}
	for range 5 {
		h.wants(h.change("wrong-password", newPassword, keep), auth.ErrWrongOldPassword)
	}
	retryAfter(t, h.change(password, newPassword, keep))
	_, err := h.login(uid, password) // signing in is counted apart
	h.must(err)
	keep = h.mustLogin().Session.ID // the former one has ended
	h.Clock.Advance(time.Minute)
	h.must(h.change(password, newPassword, keep))
}

// A thief with a stolen session could guess the password in the profile.
func TestAStolenSessionThatGuessesThePasswordInTheProfileEnds(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		var told []auth.Warning
		warn := func(_ context.Context, _ *ledger.Tx, w auth.Warning) error {
			told = append(told, w)
			return nil
		}
		h.Service = h.service(auth.Options{Warn: warn})
		stolen, mine := h.mustLogin(), h.mustLogin()
		for range 4 {
			h.wants(h.change("wrong-password", newPassword, stolen.Session.ID), auth.ErrWrongOldPassword)
		}
		h.good(h.Service, stolen.Token)
		if len(told) != 0 {
			t.Fatalf("after four wrong ones: %+v", told)
		}
		h.restart() // they stay counted
		h.Service = h.service(auth.Options{Warn: warn})
		h.wants(h.change("wrong-password", newPassword, stolen.Session.ID), auth.ErrWrongOldPassword)
		h.bad(h.Service, stolen.Token)
		if len(told) != 1 || !told[0].Guessed || told[0].Owner != (auth.Owner{Kind: auth.KindMember, ID: uid}) || told[0].Address != home.String() {
			t.Errorf("the owner's notification is %+v", told)
		}
		h.good(h.Service, mine.Token)
		h.Clock.Advance(time.Minute)
		h.must(h.change(password, newPassword, mine.Session.ID)) // in a session of the owner's nothing is counted
	})
}

// A right password resets the count, so that typing errors do not end a session.
func TestARightOldPasswordClearsTheWrongOnesOfItsSession(t *testing.T) {
	h := onSQLite(t)
	keep := h.mustLogin()
	old, next := password, newPassword
	for range 3 {
		for range 3 {
			h.wants(h.change("wrong-password", next, keep.Session.ID), auth.ErrWrongOldPassword)
		}
		h.must(h.change(old, next, keep.Session.ID))
		old, next = next, old
	}
	h.good(h.Service, keep.Token)
}

func TestOnlyASessionOfTheMembersOwnChangesThePassword(t *testing.T) {
	h := onSQLite(t)
	h.join(uid + 1)
	foreign, err := h.login(uid+1, password)
	h.must(err)
	ended := h.mustLogin()
	h.must(h.Logout(ctx, ended.Session))
	for _, keep := range []string{"", foreign.Session.ID, ended.Session.ID, h.visit(h.operator("owner")).Session.ID} {
		h.code(h.change(password, newPassword, keep), errs.Forbidden)
	}
	h.mustLogin()
}

func TestAChangeIsRefusedWhenThePasswordWasChangedSinceItWasProved(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		keep := h.mustLogin().Session.ID
		prepare := func(new string) auth.Change {
			c, err := h.PrepareChange(ctx, auth.ChangeRequest{UID: uid, Old: password, New: h.hide(new), Keep: keep, Peer: home})
			h.must(err)
			return c
		}
		first, second := prepare(newPassword), prepare("A third horse 3")
		apply := func(c auth.Change, more error) error {
			return h.command(func(tx *ledger.Tx) error { return errors.Join(c.Apply(ctx, tx), more) })
		}
		h.code(apply(first, errs.New(errs.Refused, "test.error", "the mail could not be queued")), errs.Refused)
		h.mustLogin() // nothing was changed
		h.must(apply(first, nil))
		h.code(apply(second, nil), errs.Conflict)
		_, err := h.login(uid, newPassword)
		h.must(err)
	})
}

func TestPreparingAppliesThePasswordRules(t *testing.T) {
	h := onSQLite(t)
	_, err := h.Prepare(ctx, "abc", pin)
	h.code(err, errs.Invalid)
	_, err = h.Prepare(ctx, password, "abc")
	h.code(err, errs.Invalid)
	_, err = h.Prepare(ctx, "12345", pin)
	h.code(err, errs.Invalid)
	c, err := h.Prepare(ctx, password, passwords.NewTransaction())
	h.must(err)
	h.code(h.command(func(tx *ledger.Tx) error { return h.Add(ctx, tx, uid, c) }), errs.Conflict)
}
