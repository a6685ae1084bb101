package auth_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestTheRightPasswordOpensASessionThatNotesWhereItCameFrom(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		g, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: home, ClaimedIP: "10.9.8.7\x00\n", Agent: "Mozilla\xff"}})
		h.must(err)
		s, _ := h.good(h.Service, g.Token)
		if s.Kind != auth.KindMember || s.Owner != uid || s.MustChange || g.MustChange || s.Peer != "192.0.2.1" || s.ClaimedIP != "10.9.8.7" || s.Agent != "Mozilla" {
			t.Errorf("%+v", s)
		}
	})
}

func TestAWrongIdAndAWrongPasswordLookAndCostTheSame(t *testing.T) {
	h := onSQLite(t)
	cost := func(uid int64, given string) (int64, error) {
		before := h.hasher.Verifications()
		_, err := h.login(uid, given)
		return h.hasher.Verifications() - before, err
	}
	for _, c := range []struct {
		uid   int64
		given string
	}{{uid, h.hide("wrong-password-1")}, {stranger, h.hide("wrong-password-2")}, {0, password}, {-1, password}, {uid, ""}} {
		if n, err := cost(c.uid, c.given); !errors.Is(err, auth.ErrWrongPassword) || n != 2 {
			t.Errorf("uid %d: %v after %d verifications", c.uid, err, n)
		}
	}
	if n, err := cost(uid, password); err != nil || n != 1 {
		t.Errorf("the right one: %v after %d", err, n)
	}
	h.temporary(uid)
	if n, err := cost(uid, "wrong-password-3"); !errors.Is(err, auth.ErrWrongPassword) || n != 2 {
		t.Errorf("with a temporary password set: %v after %d verifications", err, n)
	}
	if errs.KindOf(auth.ErrWrongPassword) == errs.Unauthenticated {
		t.Error("a wrong password would sign the caller out")
	}
}

func TestFiveWrongTriesThenOneAMinuteForKnownAndUnknownIdsAlike(t *testing.T) {
	h := onSQLite(t)
	for _, id := range []int64{uid, stranger} {
		for range 5 {
			_, err := h.login(id, "wrong-password")
			h.wants(err, auth.ErrWrongPassword)
		}
		before := h.hasher.Verifications()
		_, err := h.login(id, password)
		if after := retryAfter(t, err); after != time.Minute || errs.MessageOf(err) != "Too many tries. Wait a little and try again." {
			t.Errorf("%d: %v, retry after %s", id, err, after)
		}
		if h.hasher.Verifications() != before {
			t.Error("a refused try was verified")
		}
	}
	for range 40 { // what is refused for the account's sake does not count against the address
		_, err := h.login(stranger, "wrong-password")
		h.code(err, errs.Limited)
	}
	h.Clock.Advance(time.Minute)
	h.mustLogin() // and starts afresh
	for range 5 {
		_, err := h.login(uid, "wrong-password")
		h.wants(err, auth.ErrWrongPassword)
	}
}

func TestAnAddressHasThirtyWrongTriesInTenMinutes(t *testing.T) {
	h := onSQLite(t)
	wrong := func(peer string, id int64) error {
		_, err := h.Login(ctx, auth.LoginRequest{UID: id, Password: "wrong-password", From: auth.From{Peer: netip.MustParseAddr(peer)}})
		return h.told(err)
	}
	for i := range int64(30) {
		h.wants(wrong("2001:db8::1", 1000+i), auth.ErrWrongPassword)
	}
	if after := retryAfter(t, wrong("2001:db8::2", 2000)); after != 20*time.Second {
		t.Errorf("a neighbour in the /64: retry after %s", after)
	}
	h.wants(wrong("2001:db8:0:1::1", 2000), auth.ErrWrongPassword)
	for range 40 { // right ones do not count
		h.mustLogin()
	}
	h.Clock.Advance(10 * time.Minute)
	for i := range int64(30) {
		h.wants(wrong("2001:db8::3", 3000+i), auth.ErrWrongPassword)
	}
	h.code(wrong("2001:db8::3", 4000), errs.Limited)
}

func TestFiftyParallelWrongLoginsGetFiveVerified(t *testing.T) {
	h := onSQLite(t)
	before := h.hasher.Verifications()
	got := parallel(50, func() error { _, err := h.login(uid, "wrong-password"); return err })
	if got[auth.ErrWrongPassword.Error()] != 5 || h.hasher.Verifications()-before != 10 {
		t.Errorf("%v, %d verifications", got, h.hasher.Verifications()-before)
	}
}

func TestALoginWithoutAResultIsNotCounted(t *testing.T) {
	h := onSQLite(t)
	h.Sequencer.Close() // the right password, but no session can be written
	for range 50 {
		_, err := h.login(uid, password)
		h.code(err, errs.Unavailable)
	}
	h.Ledger = restartLedger(h)
	h.Service = h.service(auth.Options{})
	h.mustLogin()
}

// interrupted lets something happen just before each command runs.
type interrupted struct {
	*ledger.Sequencer
	before func()
}

func (i interrupted) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	i.before()
	return i.Sequencer.Do(ctx, cmd)
}

func TestALoginThatOverlapsAChangeOfPasswordOpensNothing(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		keep := h.mustLogin().Session.ID
		change := sync.OnceFunc(func() { h.must(h.change(password, newPassword, keep)) })
		elsewhere := h.service(auth.Options{Do: interrupted{h.Sequencer, change}})
		_, err := elsewhere.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: home}})
		h.wants(err, auth.ErrWrongPassword)
		if open, err := h.Sessions(ctx, auth.KindMember, uid); err != nil || len(open) != 1 {
			t.Errorf("%d sessions, %v", len(open), err)
		}
	})
}

func TestACheckThatCannotReadSignsNobodyOut(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	h.Close()
	h.Sequencer.Close()
	h.must(h.DB.Close())
	_, _, err := h.Check(ctx, g.Token)
	h.code(err, errs.Unavailable)
	_, err = h.login(uid, password)
	h.code(err, errs.Unavailable)
}
