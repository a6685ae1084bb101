package httpx_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
)

func TestTheRoleTableHasExactlyTheOperatorCalls(t *testing.T) {
	a, _ := httpx.TestAPI(t, httpx.Options{Routes: []func(huma.API){new(api.Calls).Routes}})
	known := map[string]bool{}
	for path, item := range a.Paths() {
		if _, open := httpx.PublicRoutes["POST "+path]; open || !strings.HasPrefix(path, httpx.OperatorPrefix) {
			continue
		}
		known[path] = true
		if len(httpx.OperatorRoles[path]) == 0 {
			t.Errorf("nobody may call %s: add it to httpx.OperatorRoles", path)
		}
		if item.Get == nil && item.Post == nil {
			t.Errorf("%s is no call", path)
		}
	}
	for path := range httpx.OperatorRoles {
		if !known[path] {
			t.Errorf("httpx.OperatorRoles has %s, which is no call", path)
		}
	}
	for _, role := range append(auth.Roles(), "") {
		if httpx.CheckRole(auth.Session{Kind: auth.KindOperator, Role: role}, "/api/operator/of-later-days") == nil {
			t.Errorf("%q may call what the table does not know", role)
		}
	}
}

func TestEveryOperatorCallIsDeniedToOtherRoles(t *testing.T) {
	session := auth.Session{}
	a, _ := httpx.TestAPI(t, httpx.Options{
		Routes:  []func(huma.API){new(api.Calls).Routes},
		Session: func(context.Context, string) (auth.Session, string, error) { return session, "", nil },
		Proved:  func(context.Context, auth.Session) error { return nil },
	})
	// The guard runs before the call: a call that passes it is not made here.
	reached := false
	handler := a.Guard(func(http.ResponseWriter, *http.Request) { reached = true })
	try := func(s auth.Session, method, path string) bool {
		session, reached = s, false
		handler(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
		return reached
	}
	for path, item := range a.Paths() {
		method := http.MethodGet
		if item.Post != nil {
			method = http.MethodPost
		}
		for _, role := range append(auth.Roles(), "", "king") {
			may := slices.Contains(httpx.OperatorRoles[path], role)
			if strings.HasPrefix(path, httpx.OperatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: role}, method, path) != may {
				t.Errorf("%s at %s %s: the table says %v", role, method, path, may)
			}
			if strings.HasPrefix(path, httpx.OperatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Role: role, MustChange: true}, method, path) && !httpx.DuringEnrolment[path] {
				t.Errorf("%s without a second factor is let through at %s", role, path)
			}
			if try(auth.Session{Kind: auth.KindVisit, Owner: 7, Operator: 1, Role: role}, method, path) && strings.HasPrefix(path, httpx.OperatorPrefix) {
				t.Errorf("a visit of %s is let through at %s", role, path)
			}
			if !strings.HasPrefix(path, httpx.OperatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: role}, method, path) {
				t.Errorf("%s is let through at the members' %s", role, path)
			}
		}
	}
}

func TestReadOnlyOperatorsChangeOnlyTheirSignIn(t *testing.T) {
	a, _ := httpx.TestAPI(t, httpx.Options{Routes: []func(huma.API){new(api.Calls).Routes}})
	own := []string{"logout", "prove", "password", "factor/begin", "factor/confirm", "sessions/end", "sessions/endOthers", "passkey/prove", "passkeys/begin", "passkeys/add", "passkeys/remove"}
	own = append(own, "close/replay/start") // changes nothing: it is a POST so that the leader runs it
	for path, roles := range httpx.OperatorRoles {
		item := a.Paths()[path]
		if item != nil && item.Post != nil && !a.ReadOnly(path) && slices.Contains(roles, auth.RoleReadOnly) && !slices.Contains(own, strings.TrimPrefix(path, httpx.OperatorPrefix)) {
			t.Errorf("readers may call %s", path)
		}
	}
}
