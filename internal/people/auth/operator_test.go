package auth_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const operatorPassword = "An operator's phrase"

// operator adds one with a role and gives the e-mail.
func (h *fixture) operator(role string) string {
	h.t.Helper()
	h.hide(operatorPassword)
	o, err := auth.ParseOperator(" "+strings.ToUpper(role)+"@Example.com ", "The "+role, role)
	h.must(err)
	hash, err := h.PrepareOperator(ctx, o, operatorPassword)
	h.must(err)
	h.must(h.command(func(tx *ledger.Tx) error { _, err := h.AddOperator(ctx, tx, o, hash); return err }))
	return o.Email
}

// tryOperator signs in with a valid code. A code is valid once and the clock does not
// advance, so the factor is set up again first.
func (h *fixture) tryOperator(email, password string) (auth.Grant, error) {
	h.t.Helper()
	all, err := h.Operators(ctx)
	h.must(err)
	for _, o := range all {
		if o.Email == strings.ToLower(strings.TrimSpace(email)) {
			h.setFactor(o.ID)
		}
	}
	return h.signIn(email, password, h.codeAt(0))
}

func (h *fixture) signIn(email, password, code string) (auth.Grant, error) {
	g, err := h.LoginOperator(ctx, auth.OperatorLogin{Email: email, Password: password, Code: code, From: auth.From{Peer: home}})
	h.hide(g.Token)
	return g, h.told(err)
}

func (h *fixture) loginOperator(email string) auth.Grant {
	h.t.Helper()
	g, err := h.tryOperator(email, operatorPassword)
	h.must(err)
	return g
}

func (h *fixture) endOperator(id int64) error {
	return h.command(func(tx *ledger.Tx) error { return h.EndOperator(ctx, tx, id) })
}

func restartLedger(h *fixture) *testkit.Ledger {
	return testkit.StartLedgerWith(h.t, h.DB, h.Signer, h.Clock)
}

func TestTheLogNamesTheOperatorWhoSignsIn(t *testing.T) {
	h := onSQLite(t)
	email := h.operator("owner")
	g := h.loginOperator(email)
	_, err := h.signIn(email, "wrong-password", h.codeAt(0))
	h.wants(err, auth.ErrWrongOperator)
	nobody := h.hide("nobody-" + email)
	_, err = h.signIn(nobody, "wrong-password", h.codeAt(0))
	h.wants(err, auth.ErrWrongOperator)
	h.hide(email)
	log := h.out.String()
	for _, want := range []string{
		fmt.Sprintf("msg=\"auth: an operator signed in\" operator=%d session=%s peer=%s\n", g.Session.Operator, g.Session.ID, home),
		fmt.Sprintf("msg=\"auth: a wrong sign-in as an operator\" operator=%d peer=%s\n", g.Session.Operator, home),
		fmt.Sprintf("msg=\"auth: a wrong sign-in as an operator\" peer=%s\n", home),
	} {
		if strings.Count(log, want) != 1 {
			t.Errorf("the log does not say %q once:\n%s", want, log)
		}
	}
}

func TestOperatorsSignInWithTheirRole(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		for _, role := range auth.Roles() {
			email := h.operator(string(role))
			g, err := h.tryOperator("  "+strings.ToUpper(email), operatorPassword)
			h.must(err)
			s, _ := h.good(h.Service, g.Token)
			if s.Kind != auth.KindOperator || s.Role != role || s.Owner != s.Operator || s.Owner == 0 {
				t.Errorf("%+v", s)
			}
		}
		all, err := h.Operators(ctx)
		h.must(err)
		if len(all) != 5 || all[0].ID != 1 || all[4].Role != auth.RoleReadOnly || all[0].Email != "owner@example.com" || all[0].Created.IsZero() || !all[0].Ended.IsZero() {
			t.Errorf("%+v", all)
		}
	})
}

func TestAWrongOperatorLooksAndCostsTheSame(t *testing.T) {
	h := onSQLite(t)
	h.operator("owner")
	ended := h.operator("support")
	h.must(h.endOperator(2))
	for _, c := range [][2]string{
		{"owner@example.com", "not the phrase"},
		{"nobody@example.com", operatorPassword},
		{ended, operatorPassword},
		{"not an e-mail \x00\xff", operatorPassword},
		{"", ""},
	} {
		before := h.hasher.Verifications()
		_, err := h.tryOperator(c[0], c[1])
		if n := h.hasher.Verifications() - before; !errors.Is(err, auth.ErrWrongOperator) || n != 1 {
			t.Errorf("%q: %v after %d verifications", c[0], err, n)
		}
	}
	for range 5 {
		_, _ = h.tryOperator("nobody@example.com", "x")
	}
	_, err := h.tryOperator("nobody@example.com", "x")
	retryAfter(t, err)
}

func TestAnEndedOperatorsSessionsAndVisitsEndAtOnce(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.operator("owner")
		email := h.operator("support")
		g, v := h.loginOperator(email), h.visit(email)
		h.good(h.Service, g.Token)
		h.good(h.Service, v.Token)
		ticket, err := h.MintTicket(ctx, g.Session, uid, "a question")
		h.must(err)
		h.must(h.endOperator(2))
		h.bad(h.Service, g.Token)
		h.bad(h.Service, v.Token)
		_, err = h.Visit(ctx, auth.VisitRequest{UID: uid, Enpass: ticket})
		h.wants(err, auth.ErrWrongTicket)
		_, err = h.MintTicket(ctx, g.Session, uid, "a question")
		h.code(err, errs.Forbidden)
		h.code(h.endOperator(2), errs.NotFound)
		h.code(h.endOperator(7), errs.NotFound)
		h.code(h.endOperator(1), errs.Refused) // the last owner
	})
}

func TestAnOperatorIsCheckedBeforeBecomingOne(t *testing.T) {
	h := onSQLite(t)
	h.operator("owner")
	_, err := auth.ParseOperator("no address", "", "king")
	h.code(err, errs.Invalid)
	for _, field := range []string{"email", "name", "role"} {
		if strings.Count(err.Error(), field+":") != 1 {
			t.Errorf("%s is not named once in %v", field, err)
		}
	}
	o, err := auth.ParseOperator("OWNER@example.com", "Another", "owner")
	h.must(err)
	_, err = h.PrepareOperator(ctx, o, h.hide("password12"))
	h.code(err, errs.Invalid)
	h.code(h.command(func(tx *ledger.Tx) error { _, err := h.AddOperator(ctx, tx, o, "x"); return err }), errs.Conflict)
}
