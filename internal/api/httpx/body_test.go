package httpx

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestADuplicateNameIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"amount":"1","amount":"2"}`:                           "amount",
		`{"amount":"1","Amount":"2"}`:                           "Amount",
		`{"a":{"b":1,"c":[{"d":1},{"d":2,"d":3}]}}`:             "d",
		`{"a":{"b":1},"c":[{"x":[]},2],"a":3}`:                  "a",
		`{"am\u006funt":"1", "amount" : "2"}`:                   "amount",
		`{"sid":1,"ſid":2}`:                                     "ſid",
		`{"a\"":1,"a":2,"a\"":3}`:                               `a"`,
		`{"a":"b","b":"a","c":["a","a"],"d":{"a":1}}`:           "",
		`{"a":{"x":1},"b":{"x":1}}`:                             "",
		`{"a":"\\","b":"}{\"a\":1","c":[true,null,-1.5e3,"a"]}`: "",
		`["a","a"]`:  "",
		`{"a":1,`:    "",
		`}}]]{"a":1`: "",
		`"a"`:        "",
		`"a`:         "",
		``:           "",
	} {
		got := ""
		if err := scanBody([]byte(text), 1000); err != nil {
			var e *errs.Error
			if !asError(err, &e) || len(e.Fields) != 1 {
				t.Errorf("%s: %v", text, err)
				continue
			}
			got = e.Fields[0].Name
		}
		if got != want {
			t.Errorf("in %s %q stands twice, not %q", text, got, want)
		}
	}
}

func asError(err error, e **errs.Error) bool { x, ok := err.(*errs.Error); *e = x; return ok } //nolint:errorlint // made here

// guarded is an API with a public call, one for members and one for operators, and a token
// for each of the latter two.
func guarded(t *testing.T) *API {
	t.Helper()
	typed := func(path string) func(huma.API) {
		return func(api huma.API) {
			huma.Register(api, huma.Operation{OperationID: path, Method: http.MethodPost, Path: path},
				func(context.Context, *echoInput) (*echoOutput, error) { return &echoOutput{}, nil })
		}
	}
	a, _ := testAPI(t, Options{
		Session: func(_ context.Context, token string) (auth.Session, string, error) {
			switch token {
			case "member":
				return auth.Session{ID: "m", Kind: auth.KindMember, Owner: 7}, "", nil
			case "operator":
				return auth.Session{ID: "o", Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: auth.RoleOwner}, "", nil
			}
			return auth.Session{}, "", errs.New(errs.Unauthenticated, "session.required", pleaseLogin)
		},
		Routes: []func(huma.API){typed("/api/echo"), typed("/api/own"), typed("/api/operator/me")},
	}, echoRoute)
	return a
}

// calls are one for each kind of caller: its path and token.
var bodyCalls = [][2]string{{"/api/echo", ""}, {"/api/own", "member"}, {"/api/operator/me", "operator"}}

func TestADuplicateNameIsRejectedForEveryCaller(t *testing.T) {
	t.Parallel()
	a := guarded(t)
	for _, c := range bodyCalls {
		for _, kind := range []string{"application/json", "application/json; charset=utf-8", "application/vnd.x+json", "text/json"} {
			w := do(a, "POST", c[0], `{"name":"Ada","amount":"1","Amount":"2"}`, "Authorization", c[1], "Content-Type", kind)
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "stands twice") {
				t.Errorf("%s as %s: %d %s", c[0], kind, w.Code, w.Body)
			}
		}
		if w := do(a, "POST", c[0], goodBody, "Authorization", c[1]); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", c[0], w.Code, w.Body)
		}
	}
}

func TestADuplicateParameterIsRejectedForEveryCaller(t *testing.T) {
	t.Parallel()
	a := guarded(t)
	for _, c := range bodyCalls {
		for query, name := range map[string]string{
			"mode=a&mode=b": "mode", "mode=a&mode=a": "mode", "mode=a&m%6fde=b": "mode", "mode=&mode": "mode",
			"other=1&mode=a&other=2": "other", // whether or not the call has it
			"mode=a":                 "",
			"mode=a&other=mode":      "",
		} {
			w := do(a, "POST", c[0]+"?"+query, goodBody, "Authorization", c[1])
			if name == "" {
				if w.Code != http.StatusOK {
					t.Errorf("%s?%s: %d %s", c[0], query, w.Code, w.Body)
				}
				continue
			}
			if p := problem(t, w); w.Code != http.StatusBadRequest || len(p.Errors) != 1 || p.Errors[0].Name != name || p.Errors[0].Code != "field.twice" {
				t.Errorf("%s?%s: %+v", c[0], query, p)
			}
		}
	}
	if w := do(a, "GET", "/api/version?a=1&a=2", ""); w.Code != http.StatusBadRequest {
		t.Errorf("a call that reads: %d", w.Code)
	}
	if w := do(a, "POST", "/api/own?mode=a&mode=b", goodBody); w.Code != http.StatusUnauthorized {
		t.Errorf("without a session: %d", w.Code)
	}
	if w := do(a, "GET", "/healthz?a=1&a=2", ""); w.Code != http.StatusOK {
		t.Errorf("what is no call: %d", w.Code)
	}
}

func TestADeeplyNestedBodyIsRefusedBeforeAnythingIsBuilt(t *testing.T) {
	a := guarded(t)
	for _, c := range bodyCalls {
		for _, open := range []string{"[", `{"a":`} {
			body := strings.Repeat(open, 3000)
			if w := do(a, "POST", c[0], body, "Authorization", c[1]); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "nests deeper") {
				t.Errorf("%s: %d %.200s", c[0], w.Code, w.Body)
			}
		}
	}
	deep := []byte(strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64))
	if err := scanBody(deep, 1000); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	hostile := []byte(strings.Repeat(`[`, 1<<20))
	if n := testing.AllocsPerRun(5, func() { _ = scanBody(hostile, 1000) }); n > 20 {
		t.Errorf("a megabyte of brackets takes %v allocations", n)
	}
}

// allocated is how much f allocates, all goroutines together.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// endless is a body of n bytes that costs its sender nothing.
func endless(head string, n int64) io.Reader {
	return io.MultiReader(strings.NewReader(head), io.LimitReader(filler{}, n-int64(len(head))))
}

type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "[1,"[i%3]
	}
	return len(p), nil
}

// Not parallel: what others allocate would count.
func TestTenMegabytesFromAStrangerTakeNoMemory(t *testing.T) {
	a := guarded(t)
	server := httptest.NewServer(a)
	defer server.Close()
	const requests, size = 40, 10 << 20
	for _, announce := range []bool{true, false} {
		for _, path := range []string{"/api/echo", "/api/own", "/api/operator/me", EvidencePath, "/api/nothing", "/"} {
			took := allocated(func() {
				var all sync.WaitGroup
				for range requests {
					all.Go(func() {
						r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, endless(`{"a":`, size))
						if err != nil {
							t.Error(err)
							return
						}
						if announce {
							r.ContentLength = size
						}
						r.Header.Set("Content-Type", "application/json")
						resp, err := http.DefaultClient.Do(r)
						if err != nil {
							return // the server hung up while the body was still being sent
						}
						_, _ = io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
						if resp.StatusCode < 400 || resp.StatusCode >= 500 {
							t.Errorf("%s: %d", path, resp.StatusCode)
						}
					})
				}
				all.Wait()
			})
			if most := uint64(requests * 400 << 10); took > most { // client and server together
				t.Errorf("%d requests of 10 MiB to %s (announced %t) allocate %d KiB", requests, path, announce, took>>10)
			}
		}
	}
}

func TestNinetyThousandUnknownNamesTakeNoMemory(t *testing.T) {
	a := guarded(t)
	var b bytes.Buffer
	b.WriteString(`{"x":1`)
	for i := range 90_000 {
		fmt.Fprintf(&b, `,"n%d":1`, i)
	}
	b.WriteString("}")
	body := b.String()
	for _, c := range bodyCalls {
		took := allocated(func() {
			for range 30 {
				w := do(a, "POST", c[0], body, "Authorization", c[1])
				if w.Code != http.StatusBadRequest && w.Code != http.StatusRequestEntityTooLarge {
					t.Errorf("%s: %d", c[0], w.Code)
				}
				if w.Body.Len() > 2000 {
					t.Errorf("%s answers %d bytes", c[0], w.Body.Len())
				}
			}
		})
		// An operator's body is read, and the names that it may have are remembered.
		if most := uint64(30 * (len(body) + 4<<20)); took > most {
			t.Errorf("30 calls of %s allocate %d KiB", c[0], took>>10)
		}
	}
}

func TestOnlyTheFirstUnknownFieldsAreNamed(t *testing.T) {
	t.Parallel()
	a := guarded(t)
	body := `{"name":"Ada"`
	for i := range 60 {
		body += fmt.Sprintf(`,"%s%d":1`, strings.Repeat("x", 100), i)
	}
	w := do(a, "POST", "/api/echo", body+"}")
	p := problem(t, w)
	if w.Code != http.StatusBadRequest || len(p.Errors) != 6 || w.Body.Len() > 2500 {
		t.Errorf("%d fields in %d bytes: %+v", len(p.Errors), w.Body.Len(), p.Errors)
	}
	if !strings.Contains(w.Body.String(), `"amount"`) {
		t.Errorf("the field that is missing is not named: %s", w.Body)
	}
}
