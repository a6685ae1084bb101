package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// logBuffer collects log records from any goroutine.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// records are the log's records with the given message.
func (l *logBuffer) records(t *testing.T, message string) (found []map[string]any) {
	t.Helper()
	for line := range strings.Lines(l.String()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("log line %q: %v", line, err)
		}
		if record["msg"] == message {
			found = append(found, record)
		}
	}
	return found
}

// testAPI builds an API whose routes may be public for the test, and its log.
func testAPI(t *testing.T, o Options, public ...string) (*API, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	o.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	open := maps.Clone(publicRoutes)
	for _, pattern := range public {
		open[pattern] = "for this test"
	}
	a := newAPI(o, open)
	t.Cleanup(func() { _ = a.Close() })
	return a, log
}

// do sends one request without a network.
func do(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "peer" {
			r.RemoteAddr = header[i+1]
			continue
		}
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problem reads a problem document and checks what holds for all of them.
func problem(t *testing.T, w *httptest.ResponseRecorder) Problem {
	t.Helper()
	var p Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("status %d, not a problem: %v: %s", w.Code, err, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("Content-Type %q", got)
	}
	if p.Status != w.Code || p.Title != http.StatusText(w.Code) || p.Type != "about:blank" {
		t.Errorf("status %d: %+v", w.Code, p)
	}
	if p.Detail == "" || p.ShowableMessage == "" || p.Code == "" {
		t.Errorf("something is missing: %+v", p)
	}
	if p.RequestID == "" || p.RequestID != w.Header().Get("X-Request-Id") {
		t.Errorf("request id %q, header %q", p.RequestID, w.Header().Get("X-Request-Id"))
	}
	return p
}

type echoInput struct {
	Mode string `query:"mode" enum:"a,b"`
	Body struct {
		Name   string   `json:"name" minLength:"2"`
		Amount string   `json:"amount"`
		Tags   []string `json:"tags,omitempty"`
	}
}

type echoOutput struct {
	Body struct {
		Data string `json:"data"`
	}
}

const echoRoute = "POST /api/echo"

// echo is a typed call that answers the name, or what answer says.
func echo(answer func(ctx context.Context, in *echoInput) error) func(huma.API) {
	return func(api huma.API) {
		huma.Register(api, huma.Operation{OperationID: "echo", Method: http.MethodPost, Path: "/api/echo"},
			func(ctx context.Context, in *echoInput) (*echoOutput, error) {
				if answer != nil {
					if err := answer(ctx, in); err != nil {
						return nil, err
					}
				}
				out := &echoOutput{}
				out.Body.Data = in.Body.Name
				return out, nil
			})
	}
}

const goodBody = `{"name":"Ada","amount":"1.5"}`

// doTyped sends a good body under another content type.
func doTyped(h http.Handler, contentType string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/api/echo", strings.NewReader(goodBody))
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
