package httpx_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/core/mail"
)

func TestThePublicListNamesOnlyRoutesThatExist(t *testing.T) {
	outbox := func(context.Context) ([]mail.Message, error) { return nil, nil }
	routes := httpx.EveryRoute(httpx.New(httpx.Options{Routes: []func(huma.API){new(api.Calls).Routes}, Handlers: publicapi.Handlers(), Outbox: outbox}))
	for pattern, reason := range httpx.PublicRoutes {
		if _, ok := routes[pattern]; !ok {
			t.Errorf("%s is public but is no route", pattern)
		}
		if reason == "" {
			t.Errorf("%s is public without a reason", pattern)
		}
	}
}

// A call that takes a list in its query would be refused above.
func TestNoCallTakesAParameterTwice(t *testing.T) {
	t.Parallel()
	raw, err := httpx.Contract(new(api.Calls).Routes)
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				In, Name string
				Explode  bool
				Schema   struct{ Type any }
			}
		}
	}
	if err := json.Unmarshal(raw, &contract); err != nil {
		t.Fatal(err)
	}
	queries := 0
	for path, methods := range contract.Paths {
		for method, call := range methods {
			for _, p := range call.Parameters {
				if p.In != "query" {
					continue
				}
				if queries++; p.Explode || p.Schema.Type == "array" || p.Schema.Type == "object" {
					t.Errorf("%s %s takes %q more than once", method, path, p.Name)
				}
			}
		}
	}
	if queries < 20 {
		t.Errorf("the contract has %d parameters only", queries)
	}
}
