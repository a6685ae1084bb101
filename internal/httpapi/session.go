package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// pleaseLogin is the sentence by which clients know that the session is over.
const pleaseLogin = "Please login to access this resource"

// sessionRequired is the code of that sentence.
const sessionRequired = "session.required"

// renewedHeader carries a fresh token when the one that was sent is about to
// end.
const renewedHeader = "X-Renewed-Token"

// operatorPrefix is what operators' calls begin with. All other guarded calls
// are members'.
const operatorPrefix = "/api/operator/"

type sessionKey struct{}

// sessionOf is the session of the request that ctx belongs to. Only guarded
// routes have one.
func sessionOf(ctx context.Context) auth.Session {
	s, _ := ctx.Value(sessionKey{}).(auth.Session)
	return s
}

// bearer is the token of an Authorization header, which may come bare.
func bearer(header string) string {
	if scheme, token, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return strings.TrimSpace(header)
}

// sessionScheme is what the contract calls the session that guarded calls need.
const sessionScheme = "session"

// declareAccess writes into the contract what the router does: a call that is
// not public needs a session, and one that is registered so a proof besides.
func (a *API) declareAccess(_ *huma.OpenAPI, op *huma.Operation) {
	op.Security = nil
	if _, open := a.router.public[op.Method+" "+op.Path]; !open {
		op.Security = []map[string][]string{{sessionScheme: {}}}
	}
	if op.Metadata[needsProof] == true {
		a.proofs[op.Path] = true
		op.Extensions = map[string]any{"x-needs-proof": true}
		op.Description = "Needs a proof of the last five minutes, given to /api/operator/prove in the same session; without one it answers 403 with the code proof_required."
	}
}

// needsProof is the metadata of operations that a session alone does not open.
const needsProof = "proof"

// mayProceed refuses a call that needs a fresh proof to a session without one.
func (a *API) mayProceed(ctx context.Context, s auth.Session, path string) error {
	switch {
	case !a.proofs[path]:
		return nil
	case a.opts.Proved == nil:
		return auth.ErrUnproved
	}
	return a.opts.Proved(ctx, s)
}

// guard lets only those through whose session is of the kind that the route is
// for, and nobody while nothing can tell who has one.
func (a *API) guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if a.opts.Session == nil {
			a.fail(w, r, errs.New(errs.Unauthenticated, "session.required", pleaseLogin))
			return
		}
		session, renewed, err := a.opts.Session(r.Context(), bearer(r.Header.Get("Authorization")))
		if c := callOf(r.Context()); c != nil {
			c.session = session
		}
		if err == nil {
			err = mayUse(session, r.Method, r.URL.Path)
		}
		if err == nil {
			err = a.mayProceed(r.Context(), session, r.URL.Path)
		}
		if err != nil {
			a.fail(w, r, err)
			return
		}
		if renewed != "" {
			w.Header().Set(renewedHeader, renewed)
		}
		next(w, r.WithContext(context.WithValue(r.Context(), sessionKey{}, session)))
	}
}

// duringTemporary are the calls that a session of a temporary password may
// make before the password is changed.
var duringTemporary = map[string]bool{
	"/api/UpdateProfile": true, "/api/logout": true, "/api/userDashboard": true, "/api/userdashboard": true,
}

// duringEnrolment are the calls that an operator may make who has no second
// factor yet.
var duringEnrolment = map[string]bool{
	"/api/operator/me": true, "/api/operator/factor/begin": true, "/api/operator/factor/confirm": true, "/api/operator/logout": true,
}

// mayUse keeps sessions to the calls that they are for. A visit looks: what it
// may not do is everything that is not a read, calls of later days included.
func mayUse(s auth.Session, method, path string) error {
	switch {
	case strings.HasPrefix(path, operatorPrefix) != (s.Kind == auth.KindOperator):
		return errs.New(errs.Forbidden, "session.wrong_audience", "This call is not for you.")
	case s.Kind == auth.KindOperator && s.MustChange && !duringEnrolment[path]:
		return errs.New(errs.Forbidden, "session.factor_required", "Set a second factor first.")
	case s.Kind == auth.KindOperator:
		return MayOperate(s, path)
	case s.MustChange && !duringTemporary[path]:
		return errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
	case s.Kind == auth.KindVisit && !isSafe(method) && !reading[path] && path != "/api/logout":
		return errs.New(errs.Forbidden, "session.visit_read_only", "An operator's visit may look and not change anything.")
	}
	return nil
}

// own refuses an id that is not the caller's.
func own(ctx context.Context, uid int64) error {
	if s := sessionOf(ctx); s.Kind == auth.KindOperator || s.Owner == 0 || s.Owner != uid {
		return errs.New(errs.Forbidden, "session.own_account_only", "You may ask about your own account only.")
	}
	return nil
}
