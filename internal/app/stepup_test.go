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

// bare is c without the helper that gives a proof when a call asks for it.
func (c client) bare() client {
	c.s.t.Helper()
	c.s.proofs.Delete(c.token)
	return c
}

// lacksProof fails unless the answer asks for a proof.
func (a answer) lacksProof() {
	a.t.Helper()
	a.refused(http.StatusForbidden)
	if !strings.Contains(a.text, `"code":"session.proof_required"`) {
		a.t.Errorf("%s: %s", a.call, a.text)
	}
}

// A stolen token, however young, makes no sensitive call: that needs the operator's
// password or app, for five minutes and in that session.
func TestStolenTokenApprovesNothing(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Victim")
		block := m{"uid": id(uid), "reason": "the thief says so"}
		stolen, other := s.hire(auth.RoleOwner).bare(), s.operator().bare()

		stolen.post("operator/block", block).lacksProof() // signed in a moment ago
		stolen.post("operator/invite", m{"email": "x"}).lacksProof()
		for range 5 {
			stolen.post("operator/prove", m{"proof": "a-wrong-password"}).refused(http.StatusUnprocessableEntity)
		}
		stolen.post("operator/prove", m{"proof": operatorPassword}).refused(http.StatusUnauthorized) // it has ended
		stolen.post("operator/block", block).refused(http.StatusUnauthorized)

		stolen = s.hire(auth.RoleOwner).bare()
		stolen.post("operator/prove", m{"proof": ""}).refused(http.StatusBadRequest)
		other.post("operator/prove", m{"proof": operatorPassword}).into(&m{})
		stolen.post("operator/block", block).lacksProof() // another session's proof
		second := s.operator().bare()
		second.post("operator/block", block).lacksProof() // the same operator's
		other.post("operator/block", block, "Idempotency-Key", "once").into(&m{})
		s.clock.Advance(auth.ProofLife - time.Second)
		other.post("operator/unblock", block).into(&m{})
		s.clock.Advance(time.Second)
		other.post("operator/block", block).lacksProof()
		other.get("operator/me").into(&m{}) // the session continues
	})
}

// A code of the app works once, for signing in or for a proof.
func TestUsedCodeProvesNothing(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	c := s.operator().bare()
	c.post("operator/prove", m{"proof": code(t, s.clock.Now())}).refused(http.StatusUnprocessableEntity) // it was used to sign in
	s.clock.Advance(time.Minute)
	fresh := m{"proof": code(t, s.clock.Now())}
	c.post("operator/prove", fresh).into(&m{})
	s.clock.Advance(auth.ProofLife)
	c.post("operator/prove", fresh).refused(http.StatusUnprocessableEntity)
	c.post("operator/block", m{"uid": "1", "reason": "none at all"}).lacksProof()
}

// Proofs are stored with a keyed hash over session, operator and time.
func TestPlantedProofIsNotAccepted(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner, stolen := s.operator().bare(), s.hire(auth.RoleOwner).bare()
		owner.post("operator/prove", m{"proof": operatorPassword}).into(&m{})
		raw := testkit.Raw(t, dsn)
		run := func(query string) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		const sessions = "SELECT s.id, p.at, p.mac FROM session s, session_proof p WHERE s.kind = 'operator' AND s.id <> p.session"
		run("INSERT INTO session_proof (session, at, mac) " + sessions) // the owner's proof for the other session
		block := m{"uid": id(s.register(s.root.UID, tree.Left, "Anna Victim")), "reason": "the thief says so"}
		stolen.post("operator/block", block).lacksProof()
		owner.post("operator/block", block).into(&m{})
		s.clock.Advance(auth.ProofLife)
		run("UPDATE session_proof SET at = at + 290000000") // made younger
		owner.post("operator/block", block).lacksProof()
	})
}
