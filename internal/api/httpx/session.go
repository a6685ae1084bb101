package httpx

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// pleaseLogin is the message by which clients recognize that the session has ended.
const pleaseLogin = "Please login to access this resource"

// sessionRequired is the code of pleaseLogin.
const sessionRequired = "session.required"

// renewedHeader carries a fresh token if the token sent is about to expire.
const renewedHeader = "X-Renewed-Token"

// operatorPrefix is the prefix of operators' calls. All other guarded calls are members'.
const operatorPrefix = "/api/operator/"

type sessionKey struct{}

// SessionOf returns the session of the request of ctx. Only guarded routes have one.
func SessionOf(ctx context.Context) auth.Session {
	s, _ := ctx.Value(sessionKey{}).(auth.Session)
	return s
}

// bearer returns the token of an Authorization header, with or without the scheme.
func bearer(header string) string {
	if scheme, token, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return strings.TrimSpace(header)
}

// sessionScheme is the name of the session in the contract.
const sessionScheme = "session"

// declareAccess records the properties of a call and declares them in the contract: a call
// that is not public needs a session, and some calls also need a proof.
func (a *API) declareAccess(_ *huma.OpenAPI, op *huma.Operation) {
	op.Security = nil
	if _, open := a.router.public[op.Method+" "+op.Path]; !open {
		op.Security = []map[string][]string{{sessionScheme: {}}}
	}
	for property := range op.Metadata {
		a.properties[op.Path] = property
	}
	if a.has(NeedsProof, op.Path) {
		op.Extensions = map[string]any{"x-needs-proof": true}
		op.Description = "Needs a proof of the last five minutes, given to /api/operator/prove in the same session; without one it answers 403 with the code proof_required."
	}
}

// has tells whether the call of a path was registered with a property.
func (a *API) has(property, path string) bool { return a.properties[path] == property }

// checkProof rejects a call that needs a fresh proof from a session without one.
func (a *API) checkProof(ctx context.Context, s auth.Session, path string) error {
	switch {
	case !a.has(NeedsProof, path):
		return nil
	case a.opts.Proved == nil:
		return auth.ErrUnproved
	}
	return a.opts.Proved(ctx, s)
}

// guard requires a session of the kind that the route is for. Without Options.Session it
// denies everything.
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
			err = a.checkSession(session, r.Method, r.URL.Path)
		}
		if err == nil {
			err = a.checkProof(r.Context(), session, r.URL.Path)
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

// allowedWithTemporaryPassword are the calls that are allowed before a temporary password
// is changed.
var allowedWithTemporaryPassword = map[string]bool{
	"/api/UpdateProfile": true, "/api/logout": true, "/api/userDashboard": true, "/api/userdashboard": true,
}

// allowedBeforeEnrolment are the calls that are allowed to an operator without a second
// factor.
var allowedBeforeEnrolment = map[string]bool{
	"/api/operator/me": true, "/api/operator/factor/begin": true, "/api/operator/factor/confirm": true, "/api/operator/logout": true,
}

// checkSession checks that a session may make a call. An operator's visit may only read:
// every other call is denied by default.
func (a *API) checkSession(s auth.Session, method, path string) error {
	switch {
	case strings.HasPrefix(path, operatorPrefix) != (s.Kind == auth.KindOperator):
		return errs.New(errs.Forbidden, "session.wrong_audience", "Your account cannot use this call.")
	case s.Kind == auth.KindOperator && s.MustChange && !allowedBeforeEnrolment[path]:
		return errs.New(errs.Forbidden, "session.factor_required", "Set a second factor first.")
	case s.Kind == auth.KindOperator:
		return CheckRole(s, path)
	case s.MustChange && !allowedWithTemporaryPassword[path]:
		return errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
	case s.Kind == auth.KindVisit && !isSafe(method) && !a.has(ReadOnly, path) && path != "/api/logout":
		return errs.New(errs.Forbidden, "session.visit_read_only", "An operator's visit may look and not change anything.")
	}
	return nil
}

// RequireOwner rejects an id that is not the caller's.
func RequireOwner(ctx context.Context, uid int64) error {
	if s := SessionOf(ctx); s.Kind == auth.KindOperator || s.Owner == 0 || s.Owner != uid {
		return errs.New(errs.Forbidden, "session.own_account_only", "You may ask about your own account only.")
	}
	return nil
}

// ErrOrNotOwner returns the errors of the fields, or else rejects an id that is not the
// caller's.
func (f *FieldErrors) ErrOrNotOwner(ctx context.Context, uid int64) error {
	if err := f.Err(); err != nil {
		return err
	}
	return RequireOwner(ctx, uid)
}

// OwnUserID parses a user id and requires that it is the caller's.
func OwnUserID(ctx context.Context, named string) (int64, error) {
	var f FieldErrors
	uid := f.UserID("uid", StringOrInt(named))
	return uid, f.ErrOrNotOwner(ctx, uid)
}
