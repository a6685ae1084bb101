package auth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func (h *fixture) temporary(uid int64) auth.Temporary {
	h.t.Helper()
	t, err := h.PrepareTemporary(ctx)
	h.must(err)
	h.hide(t.Password)
	h.hide(t.ResetToken)
	h.must(h.command(func(tx *ledger.Tx) error { return h.SetTemporary(ctx, tx, uid, t) }))
	return t
}

func (h *fixture) reset(uid int64, token, new string) error {
	return h.told(h.applied(h.PrepareReset(ctx, auth.ResetRequest{UID: uid, Token: h.hide(token), New: h.hide(new), Peer: home})))
}

func TestATemporaryPasswordOpensOneSessionThatMustChangeIt(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		other := h.mustLogin()
		tmp := h.temporary(uid)
		got := parallel(4, func() error { _, err := h.login(uid, tmp.Password); return err })
		if got["ok"] != 1 || got[auth.ErrWrongPassword.Error()] != 3 {
			t.Fatalf("%v", got)
		}
		sessions, err := h.Sessions(ctx, auth.KindMember, uid)
		h.must(err)
		if len(sessions) != 2 || sessions[0].MustChange == sessions[1].MustChange {
			t.Fatalf("%+v", sessions)
		}
		must := sessions[0]
		if !must.MustChange {
			must = sessions[1]
		}
		h.Clock.Advance(10 * time.Minute) // tries enough for what follows
		for _, used := range []string{tmp.Password, password} {
			_, err = h.login(uid, used) // used up; and the old one is over
			h.wants(err, auth.ErrWrongPassword)
		}
		h.wants(h.reset(uid, tmp.ResetToken, newPassword), auth.ErrWrongReset)
		h.good(h.Service, other.Token)
		h.must(h.change(tmp.Password, newPassword, must.ID))
		h.bad(h.Service, other.Token)
		sessions, err = h.Sessions(ctx, auth.KindMember, uid)
		h.must(err)
		if len(sessions) != 1 || sessions[0].ID != must.ID || sessions[0].MustChange {
			t.Errorf("%+v", sessions)
		}
		g, err := h.login(uid, newPassword)
		h.must(err)
		if g.MustChange {
			t.Error("must change again")
		}
	})
}

func TestAChangeClearsMustChangeOfTheCachedSession(t *testing.T) {
	h := onSQLite(t)
	tmp := h.temporary(uid)
	g, err := h.login(uid, tmp.Password)
	h.must(err)
	if s, _ := h.good(h.Service, g.Token); !g.MustChange || !s.MustChange || s.MayMoveMoney() {
		t.Fatalf("%+v", s)
	}
	h.must(h.change(tmp.Password, newPassword, g.Session.ID))
	if s, _ := h.good(h.Service, g.Token); s.MustChange || !s.MayMoveMoney() {
		t.Errorf("%+v", s)
	}
}

func TestTheOldPasswordWorksUntilATemporaryOneIsUsed(t *testing.T) {
	h := onSQLite(t)
	tmp := h.temporary(uid)
	h.mustLogin()
	if c := h.credential(); c.Temporary != "" || len(c.Reset) != 0 || !c.TemporaryUntil.IsZero() {
		t.Errorf("who remembers the password needs no other: %+v", c)
	}
	_, err := h.login(uid, tmp.Password)
	h.wants(err, auth.ErrWrongPassword)
}

func TestATemporaryPasswordAndItsLinkLastHalfAnHour(t *testing.T) {
	h := onSQLite(t)
	tmp := h.temporary(uid)
	if len(tmp.Password) != 12 || tmp.Until.Sub(h.Clock.Latest()) != 30*time.Minute {
		t.Errorf("%d characters until %s", len(tmp.Password), tmp.Until)
	}
	h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
	h.Clock.Advance(30 * time.Minute)
	_, err := h.login(uid, tmp.Password)
	h.wants(err, auth.ErrWrongPassword)
	h.wants(h.reset(uid, tmp.ResetToken, newPassword), auth.ErrWrongReset)
	h.mustLogin()
	second := h.temporary(uid)
	third := h.temporary(uid) // takes the place of the second
	h.Clock.Advance(30*time.Minute - time.Second)
	_, err = h.login(uid, second.Password)
	h.wants(err, auth.ErrWrongPassword)
	h.wants(h.reset(uid, second.ResetToken, newPassword), auth.ErrWrongReset)
	h.must(h.reset(uid, third.ResetToken, newPassword))
}

func TestALinkSetsANewPasswordOnceAndEndsEverySession(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		open, visit := h.mustLogin(), h.visit(h.operator("owner"))
		tmp := h.temporary(uid)
		got := parallel(4, func() error { return h.reset(uid, tmp.ResetToken, newPassword) })
		if got["ok"] != 1 || got[auth.ErrWrongReset.Error()] != 3 {
			t.Fatalf("%v", got)
		}
		h.bad(h.Service, open.Token)
		h.bad(h.Service, visit.Token)
		h.Clock.Advance(10 * time.Minute)
		for _, old := range []string{password, tmp.Password} {
			_, err := h.login(uid, old)
			h.wants(err, auth.ErrWrongPassword)
		}
		g, err := h.login(uid, newPassword)
		h.must(err)
		if g.MustChange {
			t.Error("must change a password just chosen")
		}
	})
}

// A link cannot be guessed, so wrong ones are counted by address only: nobody can
// exhaust the tries of another member.
func TestEveryWrongLinkGivesTheSameErrorAndLocksNobodyOut(t *testing.T) {
	h := onSQLite(t)
	tmp := h.temporary(uid)
	h.code(h.reset(uid, tmp.ResetToken, "short"), errs.Invalid)
	flipped := []byte(tmp.ResetToken)
	flipped[0] ^= 1
	for _, token := range []string{"", "%%%", tmp.ResetToken + "A", string(flipped), tmp.Password} {
		h.wants(h.reset(uid, token, newPassword), auth.ErrWrongReset)
	}
	h.wants(h.reset(stranger, tmp.ResetToken, newPassword), auth.ErrWrongReset)
	h.must(h.reset(uid, tmp.ResetToken, newPassword))
}

func TestNoTemporaryPasswordIsSetForAnUnknownMember(t *testing.T) {
	h := onSQLite(t)
	tmp, err := h.PrepareTemporary(ctx)
	h.must(err)
	h.code(h.command(func(tx *ledger.Tx) error { return h.SetTemporary(ctx, tx, stranger, tmp) }), errs.NotFound)
}

func TestOnlyHashesAreStored(t *testing.T) {
	h := onSQLite(t)
	tmp := h.temporary(uid)
	c := h.credential()
	for _, s := range []string{password, pin, tmp.Password, tmp.ResetToken} {
		for _, stored := range []string{c.Password, c.Pin, c.Temporary, string(c.Reset)} {
			if stored == s || stored == "" {
				t.Errorf("stored %q", stored)
			}
		}
	}
}

// A password replaced in the database does not sign in, and no temporary or new
// password hides the change.
func TestATamperedPasswordIsNotReplaced(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		raw := testkit.Raw(t, dsn)
		stopped := func(what string, err error) {
			t.Helper()
			h.code(err, errs.Conflict)
			if !strings.Contains(errs.MessageOf(err), "Contact support") || !strings.Contains(h.State().Head.Frozen, "Credential") {
				t.Errorf("%s: %v, and payments are frozen for %q", what, err, h.State().Head.Frozen)
			}
			h.must(h.Unfreeze(t.Context()))
		}
		temporary, err := h.PrepareTemporary(t.Context())
		h.must(err)
		forgot := func() error {
			return h.command(func(tx *ledger.Tx) error { return h.SetTemporary(t.Context(), tx, uid, temporary) })
		}
		hash, err := h.hasher.Hash(t.Context(), "Another horse 2")
		h.must(err)
		_, err = raw.ExecContext(t.Context(), "UPDATE credential SET password = $1 WHERE uid = $2", hash, uid)
		h.must(err)
		stopped("forgotten, while the right one is kept", forgot())
		h.restart() // caches are empty
		_, err = h.login(uid, "Another horse 2")
		stopped("signed in", err)
		stopped("forgotten", forgot())
		_, err = raw.ExecContext(t.Context(), "DELETE FROM witness_at") // only a way to find the line
		h.must(err)
		_, err = h.login(uid, "Another horse 2")
		stopped("without a place", err)
	})
}

// A transaction password replaced in the database moves no money, even if its member is
// signed in and used the old one a moment ago.
func TestATamperedTransactionPasswordMovesNoMoney(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		raw := testkit.Raw(t, dsn)
		spend := func(given string) error {
			proof, err := h.pin(given)
			if err != nil {
				return err
			}
			_, err = proof.Do(t.Context(), ledger.Command{Actor: "test", Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }})
			return err
		}
		h.must(spend(pin))
		hash, err := h.hasher.Hash(t.Context(), "mine7777")
		h.must(err)
		_, err = raw.ExecContext(t.Context(), "UPDATE credential SET pin = $1 WHERE uid = $2", hash, uid)
		h.must(err)
		h.restart() // caches are empty
		err = spend("mine7777")
		h.code(err, errs.Conflict)
		if !strings.Contains(errs.MessageOf(err), "Contact support") || !strings.Contains(h.State().Head.Frozen, "Credential") {
			t.Errorf("%v, and payments are frozen for %q", err, h.State().Head.Frozen)
		}
	})
}
