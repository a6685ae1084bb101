package app

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// proposal is a change of an operator in responses.
type proposal struct{ ID, Kind, Operator, Was, Wanted, State, Alone, Digest, By string }

func (c client) proposals() []proposal {
	c.s.t.Helper()
	var got struct{ Data [][]proposal }
	c.get("operator/proposals").into(&got)
	return got.Data[0]
}

func (c client) decide(p proposal, approve bool) answer {
	c.s.t.Helper()
	return c.post("operator/proposals/decide", m{"id": p.ID, "digest": p.Digest, "approve": approve})
}

// invite invites an operator and returns the id and the proposal of the role.
func (c client) invite(email, role string) (string, proposal) {
	c.s.t.Helper()
	var got struct {
		Data struct {
			Operator string
			Proposal proposal
		}
	}
	c.post("operator/invite", m{"email": email, "name": "Some " + role, "role": role, "reason": "we need help"}).into(&got)
	return got.Data.Operator, got.Data.Proposal
}

// token is the token of the newest invitation to an address.
func (s *site) token(email string) (operator, token string) {
	s.t.Helper()
	for _, l := range s.letters(email) {
		if found := regexp.MustCompile(`http\S+/admin/accept#\S+`).FindString(l.Text); found != "" {
			_, fragment, _ := strings.Cut(found, "#")
			link, err := url.ParseQuery(fragment)
			if err != nil {
				s.t.Fatal(err)
			}
			return link.Get("operator"), link.Get("token")
		}
	}
	s.t.Fatalf("nobody invited %s", email)
	return "", ""
}

func (s *site) role(email string) string {
	s.t.Helper()
	all, err := s.services.Auth.Operators(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range all {
		if o.Email == email && o.Ended.IsZero() {
			return string(o.Role)
		}
	}
	return ""
}

func TestInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner := s.operator()
		const email = "fay@bifolia.example"
		owner.post("operator/invite", m{"email": "x", "name": "", "role": "king", "reason": ""}).names("email", "name", "role", "reason")
		number, p := owner.invite(email, "finance")
		if p.State != "approved" || p.Alone != "only owner" || s.role(email) != "finance" {
			t.Errorf("the only owner appoints: %+v, %s", p, s.role(email))
		}
		owner.post("operator/invite", m{"email": email, "name": "Again", "role": "support", "reason": "we need help"}).refused(409)
		operator, token := s.token(email)
		if operator != number {
			t.Errorf("invited %s, the link is for %s", number, operator)
		}
		accept := func(operator, token, password string) answer {
			return s.visitor().post("operator/accept", m{"operator": operator, "token": token, "password": password})
		}
		if _, result, _ := s.enter(email, " ", ""); result == "Successfull" {
			t.Error("an empty password signs in")
		}
		accept(operator, token, "short").names("password")
		accept("1", token, "a-whole-new-phrase").says(422, "not valid any more")
		accept(operator, token[:len(token)-2]+"AA", "a-whole-new-phrase").says(422, "not valid any more")
		owner.post("operator/invite/again", m{"operator": number, "reason": "the mail was lost"}).into(&m{})
		accept(operator, token, "a-whole-new-phrase").says(422, "not valid any more") // the newer link counts
		_, token = s.token(email)
		accept(operator, token, "a-whole-new-phrase").into(&m{})
		accept(operator, token, "another-phrase-then").says(422, "not valid any more")
		fay, result, must := s.enter(email, "a-whole-new-phrase", "")
		if result != "Successfull" || !must {
			t.Fatalf("%q, %v", result, must)
		}
		var begun struct{ Data struct{ Secret string } }
		fay.post("operator/factor/begin", nil).into(&begun)
		now, err := totp.GenerateCode(begun.Data.Secret, s.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		fay.post("operator/factor/confirm", m{"code": now}).into(&m{})
		fay.get("operator/close/days").into(&m{})
		fay.post("operator/invite", m{"email": "y@bifolia.example", "name": "Y", "role": "owner", "reason": "we need help"}).refused(403)

		// A password chosen by an operator cannot be replaced.
		owner.post("operator/invite/again", m{"operator": number, "reason": "the password is forgotten"}).says(409, "has chosen a password")
		owner.post("operator/invite", m{"email": "late@bifolia.example", "name": "Late", "role": "readonly", "reason": "we need help"}).into(&m{})
		late, token := s.token("late@bifolia.example")
		s.clock.Advance(73 * time.Hour)
		accept(late, token, "another-phrase-then").says(422, "not valid any more")

		var page auditPage
		s.operator().get("operator/audit?from=2026-11-15&size=20").into(&page)
		if got := fmt.Sprint(page.acts()); got != "[sign in invite factor set sign in password set invite again role approved invite sign in]" {
			t.Errorf("the record says %s", got)
		}
	})
}

func TestRoleChangeTakesAnotherOwnersApproval(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		maker, checker, helper := s.operator(), s.hire(auth.RoleOwner), s.hire(auth.RoleSupport)
		var me struct{ Data struct{ ID, Email string } }
		helper.get("operator/me").into(&me)
		change := m{"operator": me.Data.ID, "role": "finance", "reason": "she counts well"}
		helper.post("operator/role", change).refused(403)
		maker.post("operator/role", m{"operator": me.Data.ID, "role": "king", "reason": "x"}).names("role", "reason")
		maker.post("operator/role", m{"operator": me.Data.ID, "role": "support", "reason": "she is that"}).refused(409)
		maker.post("operator/role", m{"operator": "77", "role": "support", "reason": "who is that"}).refused(404)
		maker.post("operator/role", change, "Idempotency-Key", "k1").into(&m{})
		maker.post("operator/role", change, "Idempotency-Key", "k1").into(&m{}) // the same
		checker.post("operator/role", change).says(409, "waiting for approval")
		p := checker.proposals()[0]
		if p.State != "waiting" || p.Was != "support" || p.Wanted != "finance" || s.role(me.Data.Email) != "support" {
			t.Fatalf("%+v", p)
		}
		maker.decide(p, true).says(403, "Another owner must approve")
		checker.decide(proposal{ID: p.ID, Digest: strings.Repeat("0", 64)}, true).says(422, "has changed")
		checker.decide(proposal{ID: "99"}, true).refused(404)
		helper.decide(p, true).refused(403)
		if s.role(me.Data.Email) != "support" {
			t.Fatal("the role changed")
		}
		checker.decide(p, true).into(&m{})
		checker.decide(p, true).says(409, "already approved") // a replayed approval
		maker.decide(p, false).says(409, "already approved")
		if s.role(me.Data.Email) != "finance" {
			t.Error("the role did not change")
		}
		helper.get("operator/me").unauthenticated()

		change["role"] = "owner"
		maker.post("operator/role", change).into(&m{})
		maker.decide(maker.proposals()[0], false).into(&m{})
		change["role"] = "compliance"
		maker.post("operator/role", change).into(&m{})
		checker.decide(maker.proposals()[0], false).into(&m{})
		if got := maker.proposals(); got[0].State != "refused" || got[1].State != "withdrawn" || s.role(me.Data.Email) != "finance" {
			t.Errorf("%+v", got)
		}

		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if _, err := raw.Exec("UPDATE operator_proposal SET state = 'approved', decided_by = proposed_by WHERE id = 2"); err == nil {
			t.Error("the database takes an approval by who proposed it")
		}
	})
}

func TestOwnerLosesTheRoleByTwoOwnersOnly(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	first := s.operator()
	first.post("operator/end", m{"operator": "1", "reason": "I am leaving"}).refused(422)
	first.post("operator/role", m{"operator": "1", "role": "readonly", "reason": "I am leaving"}).refused(422)
	first.invite("late@bifolia.example", "owner") // never accepts, so decides nothing
	if _, p := first.invite("sue@bifolia.example", "support"); p.State != "approved" {
		t.Errorf("an owner who cannot sign in counts: %+v", p)
	}
	second := s.hire(auth.RoleOwner)
	var me struct{ Data struct{ ID, Email string } }
	second.get("operator/me").into(&me)
	first.post("operator/end", m{"operator": me.Data.ID, "reason": "I want it all"}).into(&m{})
	p := first.proposals()[0]
	if p.Kind != "end" || p.State != "waiting" {
		t.Fatalf("%+v", p)
	}
	first.decide(p, true).refused(403)
	second.get("operator/me").into(&m{})
	second.decide(p, false).into(&m{})
	first.post("operator/role", m{"operator": me.Data.ID, "role": "readonly", "reason": "I want it all"}).into(&m{})
	if s.role(me.Data.Email) != "owner" {
		t.Error("an owner lost the role alone")
	}
	second.decide(first.proposals()[0], true).into(&m{}) // by their own will
	if s.role(me.Data.Email) != "readonly" {
		t.Error("the role stayed")
	}
	helper := s.hire(auth.RoleSupport)
	helper.get("operator/me").into(&me)
	var done struct{ Data struct{ Done bool } }
	first.post("operator/end", m{"operator": me.Data.ID, "reason": "the contract is over"}).into(&done)
	helper.get("operator/me").unauthenticated()
	if !done.Data.Done || s.role(me.Data.Email) != "" {
		t.Error("the helper is there still")
	}
	first.post("operator/end", m{"operator": me.Data.ID, "reason": "the contract is over"}).refused(404)
}

func TestForgedRoleInATokenIsRefused(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	reader := s.hire(auth.RoleReadOnly)
	parts := strings.Split(reader.token, ".")
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	none := encode([]byte(`{"alg":"none","typ":"JWT"}`))
	for name, payload := range map[string]string{
		"a role":          strings.TrimSuffix(string(claims), "}") + `,"role":"owner","Role":"owner"}`,
		"another subject": strings.Replace(string(claims), `"sub":"2"`, `"sub":"1"`, 1),
		"another kind":    strings.Replace(string(claims), `"kind":"operator"`, `"kind":"member"`, 1),
	} {
		if payload == string(claims) {
			t.Fatalf("%s: nothing was forged in %s", name, claims)
		}
		for _, token := range []string{parts[0] + "." + encode([]byte(payload)) + "." + parts[2], none + "." + encode([]byte(payload)) + ".", none + "." + encode([]byte(payload)) + "." + parts[2]} {
			c := s.visitor()
			c.token = token
			c.post("operator/pnl", m{"line": "FOREX", "amount": "1", "reference": "mine"}).unauthenticated()
			c.get("operator/proposals").unauthenticated()
		}
	}
	reader.post("operator/pnl", m{"line": "FOREX", "amount": "1", "reference": "mine"}).refused(http.StatusForbidden)
	reader.get("operator/proposals", "X-Role", "owner").refused(http.StatusForbidden)
}
