package httpx

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// everyRoute is what the router knows and what the contract says, as method
// and a path that matches.
func everyRoute(a *API) map[string]string {
	routes := map[string]string{}
	for _, pattern := range a.router.patterns {
		_, path, ok := strings.Cut(pattern, " ")
		if !ok {
			path = pattern
		}
		routes[pattern] = placeholder.ReplaceAllString(path, "x")
	}
	for path, item := range a.calls.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{
			"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch,
			"DELETE": item.Delete, "HEAD": item.Head, "OPTIONS": item.Options, "TRACE": item.Trace,
		} {
			if op != nil {
				routes[method+" "+path] = placeholder.ReplaceAllString(path, "x")
			}
		}
	}
	return routes
}

func TestNoRouteAnswersWithoutASessionUnlessItIsInThePublicList(t *testing.T) {
	a := New(Options{Routes: []func(huma.API){echo(nil)}})
	for pattern, path := range everyRoute(a) {
		method, _, ok := strings.Cut(pattern, " ")
		if !ok {
			method = http.MethodGet
		}
		w := do(a, method, path, "", "peer", "127.0.0.1:1")
		_, public := publicRoutes[pattern]
		if refused := w.Code == http.StatusUnauthorized; refused == public {
			t.Errorf("%s: public %t, but status %d without a session", pattern, public, w.Code)
		}
	}
	if w := do(a, "POST", "/api/echo", goodBody); w.Code != http.StatusUnauthorized {
		t.Errorf("a call that nobody made public answers %d", w.Code)
	}
}

func TestTheContractHasOnlyRoutedCalls(t *testing.T) {
	a := New(Options{Routes: []func(huma.API){echo(nil)}})
	for _, route := range slices.Sorted(maps.Keys(everyRoute(a))) {
		if !slices.Contains(a.router.patterns, route) {
			t.Errorf("%s is in the contract only", route)
		}
	}
}

func TestWithoutASessionTheAnswerIsTheKnownMessage(t *testing.T) {
	a := New(Options{Routes: []func(huma.API){echo(nil)}})
	w := do(a, "POST", "/api/echo", goodBody)
	p := problem(t, w)
	if p.Code != "session.required" || p.ShowableMessage != "Please login to access this resource" {
		t.Errorf("got %+v", p)
	}
	if w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Error("401 does not say how to authenticate")
	}
}

func TestACallOutsideTheAPIPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was accepted")
		}
	}()
	New(Options{Routes: []func(huma.API){func(api huma.API) {
		huma.Register(api, huma.Operation{Method: "GET", Path: "/version"}, func() func(_ context.Context, _ *struct{}) (*echoOutput, error) {
			return nil
		}())
	}}})
}
