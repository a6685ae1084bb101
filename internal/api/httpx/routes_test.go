package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

var page = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the page") })

func TestTheWebAppServesEveryPathOutsideTheAPI(t *testing.T) {
	a, _ := testAPI(t, Options{WebUI: page})
	for path, isPage := range map[string]bool{
		"/": true, "/Login": true, "/apiary": true, "/API/version": true,
		"/api": false, "/api/": false, "/api/nothing": false, "/api/version/": false, "/api%2Fversion": false,
	} {
		w := do(a, "GET", path, "")
		if got := w.Body.String() == "the page"; got != isPage {
			t.Errorf("%s: the page: %t", path, got)
		}
		if !isPage {
			if p := problem(t, w); w.Code != 404 || p.Code != "request.unknown_call" {
				t.Errorf("%s: status %d", path, w.Code)
			}
		}
	}
}

func TestAWrongMethodListsTheAllowedOnes(t *testing.T) {
	a, _ := testAPI(t, Options{WebUI: page, Routes: []func(huma.API){echo(nil)}}, echoRoute)
	for _, c := range [][3]string{
		{"POST", "/api/version", "GET, HEAD"},
		{"OPTIONS", "/api/version", "GET, HEAD"},
		{"GET", "/api/echo", "POST"},
		{"PUT", "/healthz", "GET, HEAD"},
		{"POST", "/Login", "GET, HEAD"},
	} {
		w := do(a, c[0], c[1], "")
		_ = problem(t, w)
		if w.Code != 405 || w.Header().Get("Allow") != c[2] {
			t.Errorf("%s %s: status %d, Allow %q", c[0], c[1], w.Code, w.Header().Get("Allow"))
		}
	}
}

func TestVersionReturnsTheRelease(t *testing.T) {
	a, _ := testAPI(t, Options{Version: "1.2.3"})
	w := do(a, "GET", "/api/version", "")
	if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != `{"data":{"version":"1.2.3"}}` {
		t.Errorf("status %d: %s", w.Code, got)
	}
}

func TestTheContractIsOpenAPI31WithFullPathsAndProblems(t *testing.T) {
	a, _ := testAPI(t, Options{Version: "1.2.3", Routes: []func(huma.API){echo(nil)}})
	w := do(a, "GET", "/api/openapi.json", "")
	var doc struct {
		OpenAPI    string                    `json:"openapi"`
		Paths      map[string]map[string]any `json:"paths"`
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Paths["/api/version"]["get"] == nil || doc.Paths["/api/echo"]["post"] == nil {
		t.Errorf("openapi %s, paths %v", doc.OpenAPI, doc.Paths)
	}
	for _, field := range []string{"type", "title", "status", "detail", "code", "request_id", "errors", "showableMessage"} {
		if doc.Components.Schemas["Problem"].Properties[field] == nil {
			t.Errorf("the contract's Problem lacks %s", field)
		}
	}
	if string(a.Contract()) != w.Body.String() {
		t.Error("Contract is not what is served")
	}
	for _, path := range []string{"/docs", "/api/schemas/Problem.json", "/schemas/Problem.json", "/openapi.json"} {
		if w := do(a, "GET", path, ""); w.Code != 404 {
			t.Errorf("%s: status %d", path, w.Code)
		}
	}
}

func TestHealthChecksTheProcessAndReadinessItsDependencies(t *testing.T) {
	var broken atomic.Bool
	a, log := testAPI(t, Options{Ready: func(context.Context) error {
		if broken.Load() {
			return errors.New("dial tcp 10.1.2.3:5432: refused")
		}
		return nil
	}})
	for _, c := range []struct {
		broken bool
		path   string
		status int
		text   string
	}{
		{false, "/healthz", 200, "ok\n"},
		{false, "/readyz", 200, "ready\n"},
		{true, "/healthz", 200, "ok\n"},
		{true, "/readyz", 503, "Bifolia cannot serve requests at the moment.\n"},
		{false, "/readyz", 200, "ready\n"},
	} {
		broken.Store(c.broken)
		if w := do(a, "GET", c.path, ""); w.Code != c.status || w.Body.String() != c.text {
			t.Errorf("broken %t, %s: status %d: %s", c.broken, c.path, w.Code, w.Body)
		}
	}
	if got := log.records(t, "not ready"); len(got) != 1 || !strings.Contains(log.String(), "10.1.2.3") {
		t.Errorf("the log has %v", got)
	}
}

func TestReadinessAnswersInTimeAndChecksDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		stuck := make(chan struct{})
		a, _ := testAPI(t, Options{Ready: func(context.Context) error { // does not look at its context
			most.Store(max(most.Load(), running.Add(1)))
			<-stuck
			running.Add(-1)
			return nil
		}})
		start := time.Now()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if w := do(a, "GET", "/readyz", ""); w.Code != 503 {
					t.Errorf("status %d", w.Code)
				}
			})
		}
		wg.Wait()
		if took := time.Since(start); took != readyLimit {
			t.Errorf("took %v", took)
		}
		if most.Load() != 1 {
			t.Errorf("%d checks ran at once", most.Load())
		}
		close(stuck)
	})
}

func TestAPanickingCheckIsNotReady(t *testing.T) {
	a, _ := testAPI(t, Options{Ready: func(context.Context) error { panic("no") }})
	for range 2 {
		if w := do(a, "GET", "/readyz", ""); w.Code != 503 {
			t.Errorf("status %d", w.Code)
		}
	}
}

func TestABareProxyShowsNoMetrics(t *testing.T) {
	a, _ := testAPI(t, Options{}) // as a proxy that adds no headers asks
	for _, header := range [][]string{nil, {"Authorization", "Bearer "}, {"Authorization", "Bearer x"}} {
		if w := do(a, "GET", "/metrics", "", append([]string{"peer", "127.0.0.1:1"}, header...)...); w.Code != 404 || strings.Contains(w.Body.String(), "bifolia_http") {
			t.Errorf("%v: status %d", header, w.Code)
		}
	}
	const token = "a-token-of-some-length"
	a, _ = testAPI(t, Options{MetricsToken: token})
	for given, status := range map[string]int{"": 401, "Bearer": 401, "Bearer " + token[1:]: 401, "Basic " + token: 401, "Bearer " + token: 200} {
		for at, handler := range map[string]http.Handler{"beside the API": a, "apart": a.Metrics()} {
			if w := do(handler, "GET", "/metrics", "", "Authorization", given); w.Code != status || strings.Contains(w.Body.String(), "bifolia_http") != (status == 200) {
				t.Errorf("%s, %q: status %d", at, given, w.Code)
			}
		}
	}
}

func TestConcurrentFirstReadersOfTheContract(t *testing.T) {
	a, _ := testAPI(t, Options{})
	server := httptest.NewServer(a)
	defer server.Close()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			res, err := http.Get(server.URL + "/api/openapi.json")
			if err != nil {
				t.Error(err)
				return
			}
			_ = res.Body.Close()
		})
	}
	wg.Wait()
}
