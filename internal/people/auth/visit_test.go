package auth_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// visit enters the member's session as the operator.
func (h *fixture) visit(email string) auth.Grant {
	h.t.Helper()
	enpass, err := h.MintTicket(ctx, h.loginOperator(email).Session, uid, "  asked for help by phone ")
	h.must(err)
	g, err := h.enter(uid, enpass)
	h.must(err)
	return g
}

func (h *fixture) enter(uid int64, enpass string) (auth.Grant, error) {
	h.hide(enpass)
	g, err := h.Visit(ctx, auth.VisitRequest{UID: uid, Enpass: enpass, From: auth.From{Peer: home}})
	h.hide(g.Token)
	return g, h.told(err)
}

func TestATicketOpensOneVisitThatNamesOperatorAndReason(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		op := h.loginOperator(h.operator("support")).Session
		enpass, err := h.MintTicket(ctx, op, uid, "  asked for help by phone ")
		h.must(err)
		if url.QueryEscape(enpass) != enpass {
			t.Errorf("not fit for a link: %s", enpass)
		}
		got := parallel(10, func() error { _, err := h.enter(uid, enpass); return err })
		if got["ok"] != 1 || got[auth.ErrWrongTicket.Error()] != 9 {
			t.Errorf("%v", got)
		}
		visits, err := h.Sessions(ctx, auth.KindVisit, uid)
		h.must(err)
		if len(visits) != 1 {
			t.Fatalf("%d visits", len(visits))
		}
		s := visits[0]
		if s.Owner != uid || s.Operator != op.Operator || s.Reason != "asked for help by phone" || s.Role != auth.RoleSupport || s.MayMoveMoney() || s.MayChangePassword() {
			t.Errorf("%+v", s)
		}
		log := h.out.String()
		for _, want := range []string{"visit ticket minted", "an operator visits", "asked for help by phone"} {
			if !strings.Contains(log, want) {
				t.Errorf("not logged: %s", want)
			}
		}
		_, err = h.enter(uid, enpass)
		h.wants(err, auth.ErrWrongTicket)
	})
}

func TestEveryWrongTicketGivesTheSameError(t *testing.T) {
	h := onSQLite(t)
	op := h.loginOperator(h.operator("owner")).Session
	h.join(uid + 1)
	mint := func() string {
		enpass, err := h.MintTicket(ctx, op, uid, "a question")
		h.must(err)
		return enpass
	}
	foreign, err := h.service(auth.Options{Secret: []byte("fedcba9876543210fedcba9876543210")}).MintTicket(ctx, op, uid, "a question")
	h.must(err)
	late := mint()
	h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
	h.Clock.Advance(2 * time.Minute)
	for why, c := range map[string]struct {
		uid    int64
		enpass string
	}{
		"another member's": {uid + 1, mint()}, "nobody's": {stranger, mint()}, "late": {uid, late}, "a foreign key's": {uid, foreign},
		"a session token": {uid, h.mustLogin().Token}, "empty": {uid, ""}, "a password": {uid, password}, "changed": {uid, mint() + "x"},
	} {
		t.Log(why)
		_, err := h.enter(c.uid, c.enpass)
		h.wants(err, auth.ErrWrongTicket)
	}
	last := mint()
	h.Clock.Advance(2*time.Minute - time.Second)
	_, err = h.enter(uid, last)
	h.must(err)
}

func TestWrongTicketsAreLimitedByAddress(t *testing.T) {
	h := onSQLite(t)
	for range 30 {
		_, err := h.enter(uid, "wrong ticket")
		h.wants(err, auth.ErrWrongTicket)
	}
	_, err := h.enter(uid, "wrong ticket")
	retryAfter(t, err)
}

func TestOnlySomeOperatorsMayVisitAndOnlyWithAReason(t *testing.T) {
	h := onSQLite(t)
	for role, may := range map[auth.Role]bool{
		auth.RoleOwner: true, auth.RoleSupport: true, auth.RoleCompliance: true, auth.RoleFinance: false, auth.RoleReadOnly: false,
	} {
		op := h.loginOperator(h.operator(string(role))).Session
		_, err := h.MintTicket(ctx, op, uid, "a question")
		if may {
			h.must(err)
		} else {
			h.code(err, errs.Forbidden)
		}
	}
	op := h.loginOperator("owner@example.com").Session
	for _, reason := range []string{"", "abcd", "  abcd  ", strings.Repeat("x", 201), "two\nlines", "zero\x00byte", "broken\xff"} {
		_, err := h.MintTicket(ctx, op, uid, reason)
		h.code(err, errs.Invalid)
	}
	_, err := h.MintTicket(ctx, op, uid, strings.Repeat("ä", 200))
	h.must(err)
	_, err = h.MintTicket(ctx, op, stranger, "a question")
	h.code(err, errs.NotFound)
	_, err = h.MintTicket(ctx, h.mustLogin().Session, uid, "a question")
	h.code(err, errs.Forbidden)
	_, err = h.MintTicket(ctx, h.visit("owner@example.com").Session, uid, "a question")
	h.code(err, errs.Forbidden)
}
