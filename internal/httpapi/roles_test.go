package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
)

func TestTheTableOfRolesKnowsEveryOperatorsCallAndNoOther(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){new(Calls).Routes}})
	known := map[string]bool{}
	for path, item := range a.calls.OpenAPI().Paths {
		if _, open := publicRoutes["POST "+path]; open || !strings.HasPrefix(path, operatorPrefix) {
			continue
		}
		known[path] = true
		if len(operatorRoles[path]) == 0 {
			t.Errorf("nobody may call %s: add it to operatorRoles", path)
		}
		if item.Get == nil && item.Post == nil {
			t.Errorf("%s is no call", path)
		}
	}
	for path := range operatorRoles {
		if !known[path] {
			t.Errorf("operatorRoles has %s, which is no call", path)
		}
	}
	for _, role := range append(auth.Roles(), "") {
		if MayOperate(auth.Session{Kind: auth.KindOperator, Role: role}, "/api/operator/of-later-days") == nil {
			t.Errorf("%q may call what the table does not know", role)
		}
	}
}

func TestEveryOperatorsCallIsRefusedToEveryRoleThatTheTableDoesNotName(t *testing.T) {
	session := auth.Session{}
	a, _ := testAPI(t, Options{
		Routes:  []func(huma.API){new(Calls).Routes},
		Session: func(context.Context, string) (auth.Session, string, error) { return session, "", nil },
		Proved:  func(context.Context, auth.Session) error { return nil },
	})
	// The guard stands before the call: a call that is let through is not made.
	reached := false
	handler := a.guard(func(http.ResponseWriter, *http.Request) { reached = true })
	try := func(s auth.Session, method, path string) bool {
		session, reached = s, false
		handler(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
		return reached
	}
	for path, item := range a.calls.OpenAPI().Paths {
		method := http.MethodGet
		if item.Post != nil {
			method = http.MethodPost
		}
		for _, role := range append(auth.Roles(), "", "king") {
			may := slices.Contains(operatorRoles[path], role)
			if strings.HasPrefix(path, operatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: role}, method, path) != may {
				t.Errorf("%s at %s %s: the table says %v", role, method, path, may)
			}
			if strings.HasPrefix(path, operatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Role: role, MustChange: true}, method, path) && !duringEnrolment[path] {
				t.Errorf("%s without a second factor is let through at %s", role, path)
			}
			if try(auth.Session{Kind: auth.KindVisit, Owner: 7, Operator: 1, Role: role}, method, path) && strings.HasPrefix(path, operatorPrefix) {
				t.Errorf("a visit of %s is let through at %s", role, path)
			}
			if !strings.HasPrefix(path, operatorPrefix) && try(auth.Session{Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: role}, method, path) {
				t.Errorf("%s is let through at the members' %s", role, path)
			}
		}
	}
}

func TestReadersChangeNothingButTheirOwnSignIn(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){new(Calls).Routes}})
	own := []string{"logout", "prove", "password", "factor/begin", "factor/confirm", "sessions/end", "sessions/endOthers", "passkey/prove", "passkeys/begin", "passkeys/add", "passkeys/remove"}
	own = append(own, "close/replay/start") // which changes nothing: it is a POST so that the process that leads runs it
	for path, roles := range operatorRoles {
		item := a.calls.OpenAPI().Paths[path]
		if item != nil && item.Post != nil && !reading[path] && slices.Contains(roles, auth.RoleReadOnly) && !slices.Contains(own, strings.TrimPrefix(path, operatorPrefix)) {
			t.Errorf("readers may call %s", path)
		}
	}
}
