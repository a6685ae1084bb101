package httpx

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func proxies(list ...string) (prefixes []netip.Prefix) {
	for _, text := range list {
		prefixes = append(prefixes, netip.MustParsePrefix(text))
	}
	return prefixes
}

func TestAStrangersRequestIDIsReplaced(t *testing.T) {
	a, _ := testAPI(t, Options{TrustedProxies: proxies("10.0.0.0/8")})
	if got := do(a, "GET", "/healthz", "", "X-Request-Id", "chosen", "peer", "192.0.2.9:1").Header().Get("X-Request-Id"); got == "chosen" {
		t.Error("a stranger chose the id under which the log has the call")
	}
}

func TestASaneRequestIDOfATrustedProxyIsKeptAndAnyOtherReplaced(t *testing.T) {
	a, _ := testAPI(t, Options{TrustedProxies: proxies("192.0.2.0/24")})
	for id, kept := range map[string]bool{
		"abc-DEF_123":           true,
		strings.Repeat("x", 64): true,
		strings.Repeat("x", 65): false,
		"":                      false,
		"a b":                   false,
		"a\tb":                  false,
		"päivä":                 false,
		"a=\"b\"":               false,
	} {
		got := do(a, "GET", "/healthz", "", "X-Request-Id", id).Header().Get("X-Request-Id")
		if (got == id) != kept || !isSaneID(got) {
			t.Errorf("%q: echoed %q", id, got)
		}
	}
	one := do(a, "GET", "/healthz", "").Header().Get("X-Request-Id")
	if two := do(a, "GET", "/healthz", "").Header().Get("X-Request-Id"); one == two {
		t.Errorf("two requests share the id %s", one)
	}
}

func TestTheAccessLogHasMetadataOnly(t *testing.T) {
	fake := clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	a, log := testAPI(t, Options{
		Clock: fake, TrustedProxies: proxies("192.0.2.9/32"),
		Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
			fake.Advance(250 * time.Millisecond)
			return nil
		})},
	}, echoRoute)
	w := do(a, "POST", "/api/echo?token=hunter22", `{"name":"hunter22","amount":"1"}`,
		"peer", "192.0.2.9:4711", "Authorization", "Bearer hunter22", "X-Request-Id", "one")
	got := log.records(t, "request")
	if len(got) != 1 {
		t.Fatalf("the log has %v", got)
	}
	for key, want := range map[string]any{
		"method": "POST", "route": "POST /api/echo", "status": 200.0, "bytes": float64(w.Body.Len()),
		"duration": 250e6, "request_id": "one", "peer": "192.0.2.9", "level": "INFO",
	} {
		if got[0][key] != want {
			t.Errorf("%s is %v, want %v", key, got[0][key], want)
		}
	}
	if strings.Contains(log.String(), "hunter22") {
		t.Errorf("the log repeats a secret: %s", log)
	}
}

func TestTheAccessLogNamesTheCallerTheSessionAndTheRefusal(t *testing.T) {
	session := auth.Session{ID: "s1", Kind: auth.KindVisit, Owner: 123456, Operator: 3, Role: auth.RoleSupport}
	a, log := testAPI(t, Options{
		Session: func(_ context.Context, token string) (auth.Session, string, error) {
			if token != "good" {
				return auth.Session{}, "", errs.New(errs.Unauthenticated, "session.required", pleaseLogin)
			}
			return session, "", nil
		},
		Routes: []func(huma.API){echo(nil)},
	})
	do(a, "POST", "/api/echo", goodBody, "Authorization", "Bearer good")
	do(a, "POST", "/api/echo", goodBody, "Authorization", "Bearer stolen")
	got := log.records(t, "request")
	if got[0]["caller"] != "visit 123456 by operator 3" || got[0]["session"] != "s1" || got[0]["code"] != "session.visit_read_only" {
		t.Errorf("a visit that may only look: %v", got[0])
	}
	if _, named := got[1]["caller"]; named || got[1]["code"] != "session.required" {
		t.Errorf("a stranger: %v", got[1])
	}
}

func TestInventedMethodsAndPathsDoNotReachTheLogAsNames(t *testing.T) {
	a, log := testAPI(t, Options{})
	do(a, "GET", "/api/members/hunter22", "")
	do(a, "HUNTER22", "/", "")
	if strings.Contains(strings.ToLower(log.String()), "hunter22") {
		t.Errorf("got %s", log)
	}
}

func TestAPanicIsAProblemWithTheStackInTheLogOnly(t *testing.T) {
	a, log := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
		panic("the roof is on fire")
	})}}, echoRoute)
	w := do(a, "POST", "/api/echo", goodBody)
	p := problem(t, w)
	if w.Code != 500 || p.Code != "internal" || strings.Contains(w.Body.String(), "roof") || strings.Contains(w.Body.String(), ".go") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	got := log.records(t, "panic")
	if len(got) != 1 || got[0]["request_id"] != p.RequestID || got[0]["panic"] != "the roof is on fire" ||
		!strings.Contains(fmt.Sprint(got[0]["stack"]), "middleware_test.go") {
		t.Errorf("the log has %v", got)
	}
	if w := do(a, "GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("the process does not go on: status %d", w.Code)
	}
}

func TestADisconnectedClientIsNotAServerError(t *testing.T) {
	leave := func(context.Context) error { return nil }
	a, log := testAPI(t, Options{
		Routes: []func(huma.API){echo(func(ctx context.Context, _ *echoInput) error { return leave(ctx) })},
	}, echoRoute)
	ask := func(hangUp func(context.CancelCauseFunc)) (level, status any) {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		leave = func(ctx context.Context) error {
			hangUp(cancel)
			return fmt.Errorf("reading rows: %w", ctx.Err())
		}
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/echo", strings.NewReader(goodBody))
		r.Header.Set("Content-Type", "application/json")
		a.ServeHTTP(httptest.NewRecorder(), r)
		all := log.records(t, "request")
		return all[len(all)-1]["level"], all[len(all)-1]["status"]
	}
	if level, status := ask(func(cancel context.CancelCauseFunc) { cancel(nil) }); level != "INFO" || status != 499.0 {
		t.Errorf("who hung up is logged %v with %v", level, status)
	}
	if got := log.String(); strings.Contains(got, "WARN") || strings.Contains(got, "ERROR") {
		t.Errorf("the log alarms: %s", got)
	}
	page := do(a.Metrics(), "GET", "/metrics", "").Body.String()
	if !strings.Contains(page, `bifolia_http_requests_total{class="4xx",route="POST /api/echo"} 1`) || strings.Contains(page, "5xx") {
		t.Errorf("it counts as a failure: %s", page)
	}
	for name, fails := range map[string]func(context.CancelCauseFunc){
		"nobody hung up":            func(context.CancelCauseFunc) {},
		"the server cut it off":     func(cancel context.CancelCauseFunc) { cancel(io.EOF) },
		"it crashed, and they left": func(cancel context.CancelCauseFunc) { cancel(nil); panic("the roof is on fire") },
	} {
		if level, status := ask(fails); level != "WARN" || status != 500.0 {
			t.Errorf("%s: logged %v with %v", name, level, status)
		}
	}
}

func TestAPanicAfterTheAnswerBeganBreaksTheConnection(t *testing.T) {
	a, log := testAPI(t, Options{WebUI: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic("too late")
	})})
	server := httptest.NewServer(a)
	defer server.Close()
	res, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("the reader takes %q for a whole answer", body)
	}
	server.Close()
	if got := log.records(t, "request"); len(got) != 1 || got[0]["aborted"] != true {
		t.Errorf("the log has %v", got)
	}
}

func TestABodyMayBeAsLargeAsTheLimitAndNoLarger(t *testing.T) {
	const limit = 1000
	a, _ := testAPI(t, Options{MaxBodyBytes: limit, Routes: []func(huma.API){echo(nil)}}, echoRoute)
	server := httptest.NewServer(a)
	defer server.Close()
	for _, c := range []struct {
		size     int
		announce bool
		status   int
	}{{limit, true, 200}, {limit, false, 200}, {limit + 1, true, 413}, {limit + 1, false, 413}, {limit * 100, false, 413}} {
		body := `{"amount":"1","name":"` + strings.Repeat("x", c.size-len(`{"amount":"1","name":""}`)) + `"}`
		var reader io.Reader = strings.NewReader(body)
		if !c.announce {
			reader = io.MultiReader(reader) // hides the length: sent in chunks
		}
		res, err := http.Post(server.URL+"/api/echo", "application/json", reader)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != c.status || (c.status == 413 && !strings.Contains(string(text), "larger than 1000 bytes")) {
			t.Errorf("%d bytes, announced %t: status %d: %.200s", c.size, c.announce, res.StatusCode, text)
		}
	}
}

func TestTheLimitOfOperatorsMayBeAboveTheLibrarys(t *testing.T) {
	a, _ := testAPI(t, Options{MaxBodyBytes: 4 << 20, Routes: []func(huma.API){func(api huma.API) {
		huma.Register(api, huma.Operation{OperationID: "operatorMe", Method: http.MethodPost, Path: "/api/operator/me"},
			func(context.Context, *echoInput) (*echoOutput, error) { return &echoOutput{}, nil })
	}}})
	a.opts.Session = func(context.Context, string) (auth.Session, string, error) {
		return auth.Session{ID: "o", Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: auth.RoleOwner}, "", nil
	}
	body := `{"amount":"1","name":"` + strings.Repeat("x", 3<<20) + `"}`
	if w := do(a, "POST", "/api/operator/me", body); w.Code != 200 {
		t.Errorf("status %d: %.200s", w.Code, w.Body)
	}
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	a, _ := testAPI(t, Options{WebUI: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no") })})
	for _, path := range []string{"/", "/healthz", "/api/version", "/api/nothing", "/api/openapi.json", "/metrics"} {
		header := do(a, "GET", path, "").Header()
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
				"connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer",
			"Permissions-Policy":     "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if strings.HasPrefix(path, "/api/") && header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept by caches", path)
		}
	}
}

func TestHSTSIsSentOnlyWhenTheClientCameByTLS(t *testing.T) {
	a, _ := testAPI(t, Options{TrustedProxies: proxies("10.0.0.0/8")})
	for _, c := range []struct {
		why, peer, proto string
		tls, want        bool
	}{
		{"plain", "192.0.2.1:1", "", false, false},
		{"TLS here", "192.0.2.1:1", "", true, true},
		{"a trusted proxy says https", "10.1.2.3:1", "https", false, true},
		{"a trusted proxy says http", "10.1.2.3:1", "http", false, false},
		{"a stranger says https", "192.0.2.1:1", "https", false, false},
		{"the client says https, the proxy http", "10.1.2.3:1", "https, http", false, false},
	} {
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.RemoteAddr = c.peer
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		want := ""
		if c.want {
			want = "max-age=31536000; includeSubDomains"
		}
		if got := w.Header().Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: sent %q", c.why, got)
		}
	}
}

func TestCallsAreCountedByRouteAndClass(t *testing.T) {
	registry := prometheus.NewRegistry()
	a, _ := testAPI(t, Options{Registry: registry, Routes: []func(huma.API){echo(nil)}}, echoRoute)
	do(a, "POST", "/api/echo", goodBody)
	do(a, "POST", "/api/echo", goodBody)
	do(a, "POST", "/api/echo", "{}")
	for _, path := range []string{"/api/a", "/api/b", "/api/c"} {
		do(a, "DELETE", path, "")
	}
	page := do(a.Metrics(), "GET", "/metrics", "").Body.String()
	for _, want := range []string{
		`bifolia_http_requests_total{class="2xx",route="POST /api/echo"} 2`,
		`bifolia_http_requests_total{class="4xx",route="POST /api/echo"} 1`,
		`bifolia_http_requests_total{class="4xx",route="unknown"} 3`,
		`bifolia_http_request_duration_seconds_count{class="2xx",route="POST /api/echo"} 2`,
		`bifolia_http_requests_in_flight 0`,
	} {
		if !strings.Contains(page, want+"\n") {
			t.Errorf("missing: %s\n%s", want, page)
		}
	}
}

// BenchmarkTypedCall is what the shell costs around a call that does nothing,
// access log included; about a third of it is the test's own request.
func BenchmarkTypedCall(b *testing.B) {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	a := newAPI(Options{Logger: log, Version: "1", Routes: []func(huma.API){echo(nil)}},
		map[string]string{echoRoute: "measured", "GET /api/version": "measured"})
	for name, c := range map[string]struct{ method, path, body string }{
		"get":  {"GET", "/api/version", ""},
		"post": {"POST", "/api/echo", goodBody},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := do(a, c.method, c.path, c.body)
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
