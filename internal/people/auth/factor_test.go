package auth_test

import (
	"bytes"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

const factorSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

// codeAt is what the app shows after d.
func (h *fixture) codeAt(d time.Duration) string { return h.codeOf(factorSecret, d) }

func (h *fixture) codeOf(secret string, d time.Duration) string {
	h.t.Helper()
	c, err := totp.GenerateCode(secret, h.Clock.Now().Add(d))
	h.must(err)
	return c
}

// setFactor gives an operator the app's secret, and tells the recovery codes.
func (h *fixture) setFactor(id int64) []string {
	h.t.Helper()
	f, err := auth.PrepareFactor(h.hide(factorSecret))
	h.must(err)
	for _, c := range f.Recovery {
		h.hide(c)
	}
	h.must(h.command(func(tx *ledger.Tx) error { return h.SetFactor(ctx, tx, id, f) }))
	return f.Recovery
}

func TestACodeSignsInOnceAndOnlyAroundItsTime(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		email := h.operator("owner")
		h.setFactor(1)
		for _, wrong := range []string{"", "000000", h.codeAt(2 * time.Minute), h.codeAt(-2 * time.Minute)} {
			_, err := h.signIn(email, operatorPassword, wrong)
			h.wants(err, auth.ErrWrongOperator)
		}
		code := h.codeAt(0)
		got := parallel(3, func() error { _, err := h.signIn(email, operatorPassword, code[:3]+" "+code[3:]); return err })
		if got["ok"] != 1 {
			t.Errorf("side by side: %v", got)
		}
		h.Clock.Advance(10 * time.Second)
		_, err := h.signIn(email, operatorPassword, code)
		h.wants(err, auth.ErrWrongOperator)
		_, err = h.signIn(email, operatorPassword, h.codeAt(-30*time.Second)) // older than the one taken
		h.wants(err, auth.ErrWrongOperator)
		_, err = h.signIn(email, operatorPassword, h.codeAt(30*time.Second)) // the app's clock is ahead
		h.must(err)
		h.restart()
		_, err = h.signIn(email, operatorPassword, h.codeAt(30*time.Second))
		h.wants(err, auth.ErrWrongOperator)
	})
}

func TestFiveWrongCodesLockWithoutDisclosingTheRightPassword(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		email := h.operator("owner")
		recovery := h.setFactor(1)
		for i := range 5 {
			_, err := h.signIn(email, operatorPassword, "000000")
			h.wants(err, auth.ErrWrongOperator)
			if i == 3 {
				h.restart() // the count is stored
			}
		}
		for _, code := range []string{h.codeAt(0), recovery[0]} { // elsewhere, where nobody has guessed
			_, err := h.LoginOperator(ctx, auth.OperatorLogin{Email: email, Password: operatorPassword, Code: code, From: auth.From{Peer: netip.MustParseAddr("198.51.100.7")}})
			h.wants(err, auth.ErrWrongOperator)
		}
		h.Clock.Advance(15 * time.Minute)
		_, err := h.signIn(email, operatorPassword, h.codeAt(0))
		h.must(err)
		_, err = h.signIn(email, operatorPassword, recovery[0]) // it was not consumed
		h.must(err)
		if !strings.Contains(h.out.String(), "locked") {
			t.Error("the lock is not logged")
		}
	})
}

func TestWrongPasswordsDoNotLockAnOperatorOut(t *testing.T) {
	h := onSQLite(t)
	email := h.operator("owner")
	h.setFactor(1)
	for range 4 {
		for range 5 {
			_, err := h.signIn(email, h.hide("not the phrase"), "000000")
			h.wants(err, auth.ErrWrongOperator)
		}
		h.Clock.Advance(5 * time.Minute)
	}
	_, err := h.signIn(email, operatorPassword, h.codeAt(0))
	h.must(err)
}

func TestARecoveryCodeIsGoodOnceAndOnlyForItsOperator(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		owner, other := h.operator("owner"), h.operator("support")
		recovery := h.setFactor(1)
		h.setFactor(2)
		if len(recovery) != 10 {
			t.Fatalf("%d codes", len(recovery))
		}
		_, err := h.signIn(other, operatorPassword, recovery[0])
		h.wants(err, auth.ErrWrongOperator)
		_, err = h.signIn(owner, h.hide("not the phrase"), recovery[0]) // a wrong password uses nothing up
		h.wants(err, auth.ErrWrongOperator)
		typed := " " + strings.ToUpper(strings.ReplaceAll(recovery[0], "-", " "))
		got := parallel(4, func() error { _, err := h.signIn(owner, operatorPassword, typed); return err })
		if got["ok"] != 1 {
			t.Errorf("side by side: %v", got)
		}
		e, err := h.Enrolment(ctx, 1)
		h.must(err)
		if e.RecoveryLeft != 9 || e.Set.IsZero() {
			t.Errorf("%+v", e)
		}
	})
}

func TestAnOperatorWithoutAFactorCanOnlyEnrol(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		email := h.operator("owner")
		g, err := h.signIn(email, operatorPassword, "")
		h.must(err)
		if !g.MustChange || !g.Session.MustChange {
			t.Fatalf("%+v", g.Session)
		}
		rival, err := h.signIn(email, operatorPassword, "")
		h.must(err)
		_, err = h.ConfirmFactor(ctx, g.Session, "123456", auth.From{Peer: home}, nil)
		h.code(err, errs.Refused) // nothing was begun
		secret, uri, err := h.begin(g.Session, auth.Evidence{})
		h.must(err)
		h.hide(secret)
		if u, err := url.Parse(uri); err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Bifolia:account" || u.Query().Get("secret") != secret || u.Query().Get("issuer") != "Bifolia" {
			t.Errorf("the link is %s", uri)
		}
		_, err = h.ConfirmFactor(ctx, g.Session, "000000", auth.From{Peer: home}, nil)
		h.wants(err, auth.ErrWrongCode)
		codes, err := h.ConfirmFactor(ctx, g.Session, h.codeOf(secret, 0), auth.From{Peer: home}, nil)
		h.must(err)
		if s, _ := h.good(h.Service, g.Token); s.MustChange || len(codes) != 10 {
			t.Errorf("%+v, %d codes", s, len(codes))
		}
		h.bad(h.Service, rival.Token)
		_, _, err = h.begin(rival.Session, auth.Evidence{}) // as it was before it ended
		h.code(err, errs.Unauthenticated)
		_, err = h.signIn(email, operatorPassword, "")
		h.wants(err, auth.ErrWrongOperator)
		_, err = h.signIn(email, operatorPassword, h.codeOf(secret, 0)) // it has confirmed, and is consumed
		h.wants(err, auth.ErrWrongOperator)
		h.Clock.Advance(30 * time.Second)
		_, err = h.signIn(email, operatorPassword, h.codeOf(secret, 0))
		h.must(err)
		_, err = h.signIn(email, operatorPassword, codes[9])
		h.must(err)
	})
}

// begin asks for a new secret.
func (h *fixture) begin(s auth.Session, e auth.Evidence) (secret, uri string, err error) {
	return h.BeginFactor(ctx, s, auth.Account{Product: "Bifolia", Name: "account"}, e, auth.From{Peer: home})
}

func TestAStolenYoungTokenCannotReplaceTheSecondFactor(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		email := h.operator("owner")
		recovery := h.setFactor(1)
		g, err := h.signIn(email, operatorPassword, h.codeAt(0))
		h.must(err)
		h.Clock.Advance(time.Minute)
		for what, e := range map[string]auth.Evidence{
			"the token alone":                {},
			"the password alone":             {Password: operatorPassword},
			"a code alone":                   {Code: h.codeAt(0)},
			"a recovery code alone":          {Code: recovery[0]},
			"a code in the password's place": {Password: h.codeAt(0), Code: h.codeAt(0)},
			"a wrong code":                   {Password: operatorPassword, Code: "000000"},
		} {
			_, _, err := h.begin(g.Session, e)
			if !errors.Is(err, auth.ErrWrongProof) {
				t.Errorf("%s: %v", what, err)
			}
			h.Clock.Advance(2 * time.Minute)
			g, err = h.signIn(email, operatorPassword, h.codeAt(0)) // five wrong ones would end the session
			h.must(err)
		}
		h.Clock.Advance(time.Minute)
		_, err = h.ConfirmFactor(ctx, g.Session, "000000", auth.From{Peer: home}, nil)
		h.code(err, errs.Refused) // nothing was begun
		_, err = h.signIn(email, operatorPassword, recovery[0])
		h.must(err) // it was not consumed by a wrong proof
		secret, _, err := h.begin(g.Session, auth.Evidence{Password: operatorPassword, Code: recovery[1]})
		h.must(err)
		_, _, err = h.begin(g.Session, auth.Evidence{Password: operatorPassword, Code: recovery[1]})
		h.wants(err, auth.ErrWrongProof) // a recovery code is consumed
		stolen, err := h.signIn(email, operatorPassword, h.codeAt(0))
		h.must(err) // the old one is good still
		_, err = h.ConfirmFactor(ctx, stolen.Session, h.codeOf(secret, 0), auth.From{Peer: home}, nil)
		h.code(err, errs.Refused) // begun in another session
		_, err = h.ConfirmFactor(ctx, g.Session, h.codeOf(h.hide(secret), 0), auth.From{Peer: home}, nil)
		h.must(err)
		h.bad(h.Service, stolen.Token)
		_, _, err = h.begin(h.mustLogin().Session, auth.Evidence{})
		h.wants(err, auth.ErrWrongProof) // a member's, without the password
	})
}

func TestAResetFactorEndsEverySessionAndAllowsANewOne(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.operator("owner")
		email := h.operator("support")
		g, v := h.loginOperator(email), h.visit(email)
		reset := func(id int64) error {
			return h.command(func(tx *ledger.Tx) error { _, _, err := h.ResetFactor(ctx, tx, id); return err })
		}
		h.must(reset(2))
		h.bad(h.Service, g.Token)
		h.bad(h.Service, v.Token)
		h.code(reset(2), errs.Conflict)
		h.code(reset(7), errs.NotFound)
		anew, err := h.signIn(email, operatorPassword, "")
		h.must(err)
		if !anew.MustChange {
			t.Error("the session may do everything")
		}
	})
}

func TestSecretsAreSealedForTheirOperator(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		owner, other := h.operator("owner"), h.operator("support")
		h.setFactor(1)
		h.setFactor(2)
		f, _, err := h.DB.Auth().Factor(ctx, nil, auth.Owner{Kind: auth.KindOperator, ID: 1})
		h.must(err)
		if len(f.Secret) < 40 || bytes.Contains(f.Secret, []byte(factorSecret[:8])) {
			t.Errorf("stored as %q", f.Secret)
		}
		f.ID = 2 // somebody who writes to the database gives their own secret to another
		h.must(h.command(func(tx *ledger.Tx) error { return h.DB.Auth().PutFactor(ctx, tx, f) }))
		_, err = h.signIn(other, operatorPassword, h.codeAt(0))
		h.wants(err, auth.ErrWrongOperator)
		_, err = h.signIn(owner, operatorPassword, h.codeAt(0))
		h.must(err)
	})
}

func TestEveryFailedSignInWritesOnceAndVerifiesOnce(t *testing.T) {
	h := onSQLite(t)
	email := h.operator("owner")
	h.setFactor(1)
	for _, c := range [][3]string{
		{email, h.hide("not the phrase"), "000000"},
		{email, operatorPassword, "000000"},
		{"nobody@example.com", operatorPassword, "000000"},
	} {
		verified, batch := h.hasher.Verifications(), h.State().Head.Batch
		_, err := h.signIn(c[0], c[1], c[2])
		if v, b := h.hasher.Verifications()-verified, h.State().Head.Batch-batch; !errors.Is(err, auth.ErrWrongOperator) || v != 1 || b != 1 {
			t.Errorf("%s: %v after %d verifications and %d commits", c[0], err, v, b)
		}
	}
}

func TestAnInvalidSecretIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"ABC", "not base32!", strings.Repeat("A", 24), strings.Repeat("A", 200)} {
		if _, err := auth.PrepareFactor(bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	f, err := auth.PrepareFactor(" jbsw y3dp ehpk 3pxp jbsw y3dp ehpk 3pxp ")
	if err != nil || f.Secret != factorSecret {
		t.Errorf("%q, %v", f.Secret, err)
	}
}

// Database access could remove an operator's factor, change the role,
// allow a code twice or end a lock: none of it signs in.
func TestATamperedOperatorCannotSignIn(t *testing.T) {
	for _, change := range []string{
		"UPDATE factor SET secret = pending", "UPDATE factor SET owner = owner + 7", "UPDATE operator SET role = 'owner'",
		"UPDATE factor SET step = step - 9", "UPDATE factor SET locked = 1",
	} {
		t.Run(change, func(t *testing.T) {
			testkit.Site(t, func(t *testing.T, dsn string) {
				h := newFixture(t, testkit.StartLedger(t, dsn))
				email := h.operator("readonly")
				h.setFactor(1)
				_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), change)
				h.must(err)
				_, err = h.signIn(email, "wrong "+operatorPassword, "") // tells nothing
				h.wants(err, auth.ErrWrongOperator)
				_, err = h.signIn(email, operatorPassword, h.codeAt(0))
				h.code(err, errs.Conflict)
				if !errors.As(err, new(*ledger.TamperedError)) || h.State().Head.Frozen == "" {
					t.Errorf("%v, and payments are frozen for %q", err, h.State().Head.Frozen)
				}
			})
		})
	}
}

// A used recovery code restored in the database is invalid.
func TestARestoredRecoveryCodeIsDetected(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		email := h.operator("readonly")
		recovery := h.setFactor(1)
		_, err := h.signIn(email, operatorPassword, recovery[0])
		h.must(err)
		h.must(closing.CheckBooks(t.Context(), h.DB.Books()))
		_, err = testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE factor_recovery SET used_at = 0")
		h.must(err)
		if err := closing.CheckBooks(t.Context(), h.DB.Books()); err == nil || !strings.Contains(err.Error(), "factor_recovery of operator 1") {
			t.Errorf("verify says %v", err)
		}
		_, err = h.signIn(email, operatorPassword, recovery[0])
		h.code(err, errs.Conflict)
		if !errors.As(err, new(*ledger.TamperedError)) || !strings.Contains(h.State().Head.Frozen, "recovery codes") {
			t.Errorf("%v, and payments are frozen for %q", err, h.State().Head.Frozen)
		}
	})
}

// A tampered role is refused as soon as the cached session expires, and payments are
// frozen. A role changed by the server is accepted.
func TestATamperedRoleIsRefusedAtTheNextRequest(t *testing.T) {
	for name, change := range map[string][]string{
		"another role":   {"UPDATE operator SET role = 'owner'"},
		"the former one": {"UPDATE operator SET role = 'owner'", "UPDATE witness_at SET batch = (SELECT batch FROM former) WHERE what = 'operator/1 1'"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Site(t, func(t *testing.T, dsn string) {
				h := newFixture(t, testkit.StartLedger(t, dsn))
				raw := func(query string) {
					t.Helper()
					_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), query)
					h.must(err)
				}
				email := h.operator("owner")
				h.setFactor(1)
				raw("CREATE TABLE former AS SELECT batch FROM witness_at WHERE what = 'operator/1 1'")
				grant, err := h.signIn(email, operatorPassword, h.codeAt(0))
				h.must(err)
				check := func() (auth.Session, error) {
					h.Clock.Advance(2 * time.Second)
					s, _, err := h.Check(t.Context(), grant.Token)
					return s, err
				}
				if s, err := check(); err != nil || s.Role != auth.RoleOwner {
					t.Fatalf("signed in: %s, %v", s.Role, err)
				}
				h.must(h.command(func(tx *ledger.Tx) error {
					o, _, err := h.DB.Auth().OperatorIn(t.Context(), tx, 1)
					o.Role = auth.RoleReadOnly
					return errors.Join(err, h.DB.Auth().PutOperator(t.Context(), tx, o))
				}))
				if s, err := check(); err != nil || s.Role != auth.RoleReadOnly {
					t.Fatalf("with another role: %s, %v", s.Role, err)
				}
				for _, query := range change {
					raw(query)
				}
				_, err = check()
				h.code(err, errs.Forbidden)
				if !strings.Contains(errs.MessageOf(err), "was changed directly in the database") || h.State().Head.Frozen == "" {
					t.Errorf("%v, and payments are frozen for %q", err, h.State().Head.Frozen)
				}
			})
		})
	}
}
