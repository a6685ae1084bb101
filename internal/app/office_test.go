package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// operatorSecret is the secret of every operator's authenticator app in tests.
const operatorSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

// code is what the app shows at t.
func code(t *testing.T, at time.Time) string {
	t.Helper()
	c, err := totp.GenerateCode(operatorSecret, at)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// signIn signs in an operator. A code works once and the clock is fixed, so the second
// factor is reset first.
func (s *site) signIn(email string) client {
	s.t.Helper()
	f, err := auth.PrepareFactor(operatorSecret)
	if err != nil {
		s.t.Fatal(err)
	}
	access := s.services.Auth
	all, err := access.Operators(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, o := range all {
		if o.Email == email {
			s.command(func(ctx context.Context, tx *ledger.Tx) error {
				return access.SetFactor(ctx, tx, o.ID, f)
			})
		}
	}
	c := s.home(email)
	var got struct{ Token string }
	c.post("operator/login", m{"email": email, "password": operatorPassword, "code": code(s.t, s.clock.Now())}).into(&got)
	c.token = got.Token
	s.proofs.Store(c.token, operatorPassword)
	return c
}

// enter signs in an operator by password and code, and returns the result.
func (s *site) enter(email, password, code string) (client, string, bool) {
	s.t.Helper()
	c := s.visitor()
	var got struct {
		Data struct {
			Result    string
			MustEnrol bool
		}
		Token string
	}
	c.post("operator/login", m{"email": email, "password": password, "code": code}).into(&got)
	c.token = got.Token
	return c, got.Data.Result, got.Data.MustEnrol
}

func TestResetFactorIsEnrolledAgain(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		owner, helper := s.operator(), s.hire(auth.RoleSupport)
		var me struct {
			Data struct{ ID, Email, Role string }
		}
		helper.get("operator/me").into(&me)
		helper.post("operator/factor/reset", m{"operator": "1", "reason": "just because"}).refused(403)
		owner.post("operator/factor/reset", m{"operator": "1", "reason": "just because"}).says(403, "Another owner")
		owner.post("operator/factor/reset", m{"operator": me.Data.ID, "reason": "x"}).names("reason")
		owner.post("operator/factor/reset", m{"operator": "99", "reason": "just because"}).refused(404)
		owner.post("operator/factor/reset", m{"operator": me.Data.ID, "reason": "the phone is lost"}).into(&m{})
		helper.get("operator/me").unauthenticated()
		if l := s.letters(me.Data.Email); len(l) != 1 || !strings.Contains(l[0].Text, "the phone is lost") || !strings.Contains(l[0].Text, operatorEmail) {
			t.Errorf("mailed %+v", l)
		}

		helper, result, must := s.enter(me.Data.Email, operatorPassword, "")
		if result != "Successfull" || !must {
			t.Fatalf("%q, %v", result, must)
		}
		helper.get("operator/close/days").says(403, "Set a second factor first")
		helper.post("operator/ticket", m{"uid": s.root.UID, "reason": "to look around"}).says(403, "Set a second factor first")
		var begun struct{ Data struct{ Secret, URI string } }
		helper.post("operator/factor/begin", nil).into(&begun)
		if !strings.HasPrefix(begun.Data.URI, "otpauth://totp/Bifolia:") {
			t.Errorf("the link is %q", begun.Data.URI)
		}
		now, err := totp.GenerateCode(begun.Data.Secret, s.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		helper.post("operator/factor/confirm", m{"code": "000000"}).says(422, "code is wrong")
		var done struct{ Data struct{ Recovery []string } }
		helper.post("operator/factor/confirm", m{"code": now}).into(&done)
		helper.get("operator/close/days").into(&m{})
		if l := s.letters(me.Data.Email); len(done.Data.Recovery) != 10 || len(l) != 2 || !strings.Contains(l[0].Subject, "was set") {
			t.Errorf("%d codes, mailed %+v", len(done.Data.Recovery), l)
		}
		for _, code := range []string{"", now} {
			if _, result, _ := s.enter(me.Data.Email, operatorPassword, code); result != auth.ErrWrongOperator.Error() {
				t.Errorf("%q: %q", code, result)
			}
		}
		if _, result, must := s.enter(me.Data.Email, operatorPassword, done.Data.Recovery[0]); result != "Successfull" || must {
			t.Errorf("by a recovery code: %q, %v", result, must)
		}
	})
}

func TestOperatorsEndTheirSessionsAndOwnersAll(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	owner, first := s.operator(), s.hire(auth.RoleFinance)
	var me struct{ Data struct{ ID, Email string } }
	first.get("operator/me").into(&me)
	second := s.signIn(me.Data.Email)
	type sessions struct {
		Data [][]struct {
			ID      string
			Current bool
		}
	}
	var mine, theirs sessions
	if first.get("operator/sessions").into(&mine); len(mine.Data[0]) != 2 {
		t.Fatalf("%+v", mine)
	}
	first.get("operator/sessions?operator=1").refused(403)
	first.post("operator/sessions/end", m{"id": mine.Data[0][0].ID, "operator": 1}).refused(403)
	first.post("operator/sessions/endOthers", nil).into(&m{})
	second.get("operator/me").unauthenticated()
	if owner.get("operator/sessions?operator=" + me.Data.ID).into(&theirs); len(theirs.Data[0]) != 1 || theirs.Data[0][0].Current {
		t.Fatalf("%+v", theirs)
	}
	owner.post("operator/sessions/end", m{"id": theirs.Data[0][0].ID}).refused(404)
	owner.post("operator/sessions/end", m{"id": theirs.Data[0][0].ID, "operator": 2}).into(&m{})
	first.get("operator/me").unauthenticated()
	var page auditPage
	if owner.get("operator/audit?act=session%20end").into(&page); len(page.Data[0]) != 1 || page.Data[0][0].Subject != "operator:2" {
		t.Errorf("the record says %+v", page)
	}
}

func TestOperatorSessionEndsAfterItsIdleTime(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--operator-idle", "2m")
	operator := s.operator()
	for range 5 {
		s.clock.Advance(119 * time.Second)
		operator.get("operator/me").into(&m{})
	}
	s.clock.Advance(2 * time.Minute)
	operator.get("operator/me").unauthenticated()
}
