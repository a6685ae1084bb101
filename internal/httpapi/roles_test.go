package httpapi

import (
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/auth"
)

func TestTheTableOfRolesKnowsEveryOperatorsCallAndNoOther(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){new(Calls).Routes}})
	known := map[string]bool{}
	for path, item := range a.calls.OpenAPI().Paths {
		if !strings.HasPrefix(path, operatorPrefix) || path == operatorPrefix+"login" {
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
		if mayOperate(auth.Session{Kind: auth.KindOperator, Role: role}, "/api/operator/of-later-days") == nil {
			t.Errorf("%q may call what the table does not know", role)
		}
	}
}
