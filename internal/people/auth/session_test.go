package auth_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// longTokens is a service whose tokens outlive the limits of sessions.
func (h *fixture) longTokens() { h.Service = h.service(auth.Options{TokenLife: 100 * time.Hour}) }

func TestASessionEndsWhenUnusedForItsIdleLimit(t *testing.T) {
	h := onSQLite(t)
	h.longTokens()
	op := h.operator("owner")
	for _, c := range []struct {
		login func() auth.Grant
		idle  time.Duration
	}{{h.mustLogin, time.Hour}, {func() auth.Grant { return h.loginOperator(op) }, 15 * time.Minute}} {
		used, unused := c.login().Token, c.login().Token
		for range 3 {
			h.Clock.Advance(c.idle - time.Second)
			h.good(h.Service, used)
		}
		h.bad(h.Service, unused)
		h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
		h.Clock.Advance(c.idle)
		h.bad(h.Service, used)
		h.bad(h.Service, used) // asking does not wake it up
	}
}

func TestASessionEndsAtItsAgeHoweverMuchItIsUsed(t *testing.T) {
	h := onSQLite(t)
	op := h.operator("owner")
	for _, c := range []struct {
		grant auth.Grant
		age   time.Duration
	}{{h.mustLogin(), 12 * time.Hour}, {h.loginOperator(op), 8 * time.Hour}, {h.visit(op), 30 * time.Minute}} {
		token, start := c.grant.Token, c.grant.Session.Created
		for steps := 0; ; steps++ {
			h.Clock.Advance(4 * time.Minute)
			if steps == 5 {
				h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
			}
			if !h.Clock.Latest().Before(start.Add(c.age)) {
				break
			}
			if _, renewed := h.good(h.Service, token); renewed != "" {
				token = renewed
			}
		}
		h.bad(h.Service, token)
	}
}

func TestAnEndedSessionIsKnownHereAtOnceAndElsewhereWithinASecond(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		elsewhere := h.service(auth.Options{})
		g := h.mustLogin()
		h.good(h.Service, g.Token)
		h.good(elsewhere, g.Token)
		h.must(h.Logout(ctx, g.Session))
		h.bad(h.Service, g.Token)
		h.good(elsewhere, g.Token) // it has just read the session
		h.Clock.Advance(time.Second)
		h.bad(elsewhere, g.Token)
		h.must(h.Logout(ctx, g.Session)) // once more does no harm
	})
}

// counting counts the reads of sessions.
type counting struct {
	auth.Store
	reads atomic.Int64
}

func (c *counting) Session(ctx context.Context, id string) (auth.Session, bool, error) {
	c.reads.Add(1)
	return c.Store.Session(ctx, id)
}

func TestASessionInUseIsReadOnceASecond(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	store := &counting{Store: h.DB.Auth()}
	s := h.service(auth.Options{Store: store})
	for second := range int64(3) {
		for range 10 {
			h.good(s, g.Token)
			h.Clock.Advance(time.Second / 10)
		}
		if n := store.reads.Load(); n != second+1 {
			t.Errorf("%d reads in %d seconds", n, second+1)
		}
	}
}

func TestMembersSeeAndEndTheirOwnSessionsOnly(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		other := uid + 1
		h.join(other)
		foreign, err := h.login(other, password)
		h.must(err)
		var mine []auth.Grant
		for range 3 {
			h.Clock.Advance(time.Second)
			mine = append(mine, h.mustLogin())
		}
		listed := func() (ids []string) {
			all, err := h.Sessions(ctx, auth.KindMember, uid)
			h.must(err)
			for _, s := range all {
				ids = append(ids, s.ID)
			}
			return ids
		}
		if got := listed(); len(got) != 3 || got[0] != mine[2].Session.ID || got[2] != mine[0].Session.ID {
			t.Fatalf("listed %v", got)
		}
		h.code(h.EndSession(ctx, auth.KindMember, uid, foreign.Session.ID), errs.NotFound)
		h.code(h.EndSession(ctx, auth.KindOperator, uid, mine[0].Session.ID), errs.NotFound)
		h.code(h.EndSession(ctx, auth.KindMember, uid, "no\x00id"), errs.NotFound)
		h.good(h.Service, foreign.Token)
		h.must(h.EndSession(ctx, auth.KindMember, uid, mine[0].Session.ID))
		h.code(h.EndSession(ctx, auth.KindMember, uid, mine[0].Session.ID), errs.NotFound)
		h.bad(h.Service, mine[0].Token)
		h.must(h.EndOthers(ctx, auth.KindMember, uid, mine[2].Session.ID))
		h.bad(h.Service, mine[1].Token)
		h.good(h.Service, mine[2].Token)
		h.good(h.Service, foreign.Token)
		if got := listed(); len(got) != 1 || got[0] != mine[2].Session.ID {
			t.Errorf("listed %v", got)
		}
		h.Clock.Advance(time.Hour)
		if got := listed(); len(got) != 0 {
			t.Errorf("an idle session is listed: %v", got)
		}
	})
}

func TestUseIsStoredEveryFiveMinutesAtMostAndOutlivesARestart(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.longTokens()
		g := h.mustLogin()
		stored := func() time.Duration {
			h.Close() // writes pending notes
			s, _, err := h.DB.Auth().Session(ctx, g.Session.ID)
			h.must(err)
			h.longTokens()
			return s.Seen.Sub(g.Session.Created)
		}
		h.Clock.Advance(4 * time.Minute)
		h.good(h.Service, g.Token)
		if got := stored(); got != 0 {
			t.Errorf("stored after %s", got)
		}
		h.Clock.Advance(time.Minute)
		h.good(h.Service, g.Token)
		h.Clock.Advance(2 * time.Minute)
		h.good(h.Service, g.Token)
		if got := stored(); got != 5*time.Minute {
			t.Errorf("stored after %s", got)
		}
		h.Clock.Advance(57 * time.Minute) // an hour and two minutes since sign-in
		h.good(h.Service, g.Token)
	})
}

func TestUseIsNotStoredByAProcessThatDoesNotLead(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	h.Sequencer.Close()
	h.Clock.Advance(10 * time.Minute)
	h.good(h.Service, g.Token) // does not block or fail
}

func TestSessionsHaveTheRightsOfTheirKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s                            auth.Session
		money, credentials, password bool
	}{
		{auth.Session{Kind: auth.KindMember}, true, true, true},
		{auth.Session{Kind: auth.KindMember, MustChange: true}, false, false, true},
		{auth.Session{Kind: auth.KindVisit}, false, false, false},
		{auth.Session{Kind: auth.KindOperator}, false, false, false},
	} {
		if c.s.MayMoveMoney() != c.money || c.s.MayChangeCredentials() != c.credentials || c.s.MayChangePassword() != c.password {
			t.Errorf("%+v", c.s)
		}
	}
}
