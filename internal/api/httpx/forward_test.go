package httpx

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// pair is a leader and a standby, both real.
type pair struct {
	writer, reader       *httptest.Server
	writerLog, readerLog *logBuffer
	peer                 netip.Addr  // the client's address at the leader
	header               http.Header // the last request at the leader
}

func newPair(t *testing.T, readerTrusts ...string) *pair {
	t.Helper()
	p := &pair{}
	writerAPI, writerLog := testAPI(t, Options{
		TrustedProxies: proxies("127.0.0.1/32"),
		Routes: []func(huma.API){echo(func(ctx context.Context, in *echoInput) error {
			p.peer = Peer(ctx)
			if in.Body.Name == "taken" {
				return errs.New(errs.Conflict, "test.error", "The name is taken.")
			}
			return nil
		})},
	}, echoRoute)
	p.writer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.header = r.Header.Clone()
		writerAPI.ServeHTTP(w, r)
	}))
	readerAPI, readerLog := testAPI(t, Options{
		TrustedProxies: proxies(readerTrusts...),
		MaxBodyBytes:   10_000,
		Forward:        to(t, p.writer.URL),
		Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
			t.Error("the reader carried a change out")
			return nil
		})},
	}, echoRoute)
	p.reader = httptest.NewServer(readerAPI)
	p.writerLog, p.readerLog = writerLog, readerLog
	t.Cleanup(func() { p.reader.Close(); p.writer.Close() })
	return p
}

// to forwards every mutating call to one address.
func to(t *testing.T, address string) func(*http.Request) (*url.URL, bool) {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return func(*http.Request) (*url.URL, bool) { return target, true }
}

func send(t *testing.T, method, address, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func TestAChangeSentToAReaderIsMadeByTheWriter(t *testing.T) {
	p := newPair(t, "127.0.0.1/32")
	res, text := send(t, "POST", p.reader.URL+"/api/echo?mode=a", goodBody,
		"X-Request-Id", "one", "Authorization", "Bearer t", "Idempotency-Key", "k")
	if res.StatusCode != 200 || strings.TrimSpace(text) != `{"data":"Ada"}` {
		t.Errorf("status %d: %s", res.StatusCode, text)
	}
	if p.header.Get("Authorization") != "Bearer t" || p.header.Get("Idempotency-Key") != "k" || p.header.Get("X-Bifolia-Forwarded") != "1" {
		t.Errorf("the writer got %v", p.header)
	}
	for name, values := range res.Header {
		if len(values) != 1 {
			t.Errorf("%s was sent %d times", name, len(values))
		}
	}
	if res.Header.Get("X-Request-Id") != "one" || p.writerLog.records(t, "request")[0]["request_id"] != "one" {
		t.Error("the request has two ids")
	}
	if got := p.readerLog.records(t, "request"); len(got) != 1 || got[0]["route"] != routeForwarded {
		t.Errorf("the reader logged %v", got)
	}
}

func TestTheWritersProblemReachesTheCallerAsItIs(t *testing.T) {
	p := newPair(t, "127.0.0.1/32")
	res, text := send(t, "POST", p.reader.URL+"/api/echo", `{"name":"taken","amount":"1"}`, "X-Request-Id", "one")
	if res.StatusCode != 409 || !strings.Contains(text, "The name is taken.") || !strings.Contains(text, `"request_id":"one"`) {
		t.Errorf("status %d: %s", res.StatusCode, text)
	}
	if res.Header.Get("Content-Type") != problemType {
		t.Errorf("Content-Type %q", res.Header.Get("Content-Type"))
	}
}

func TestReadsAreAnsweredHere(t *testing.T) {
	p := newPair(t)
	for _, method := range []string{"GET", "HEAD", "OPTIONS"} {
		send(t, method, p.reader.URL+"/api/version", "")
	}
	send(t, "POST", p.reader.URL+"/Login", "") // not the API's
	if got := p.writerLog.records(t, "request"); len(got) != 0 {
		t.Errorf("the writer was asked: %v", got)
	}
}

func TestTheLeaderSeesTheClientsAddress(t *testing.T) {
	for _, c := range []struct {
		why     string
		trusted []string
		claims  []string
		want    string
	}{
		{"the client itself", nil, nil, "127.0.0.1"},
		{"the client lies", nil, []string{"203.0.113.5"}, "127.0.0.1"},
		{"a trusted proxy passes it on", []string{"127.0.0.1/32"}, []string{"203.0.113.5"}, "203.0.113.5"},
		{"the client lies to a trusted proxy", []string{"127.0.0.1/32"}, []string{"1.1.1.1", "203.0.113.5"}, "203.0.113.5"},
	} {
		p := newPair(t, c.trusted...)
		var header []string
		for _, claim := range c.claims {
			header = append(header, "X-Forwarded-For", claim)
		}
		if res, text := send(t, "POST", p.reader.URL+"/api/echo", goodBody, header...); res.StatusCode != 200 {
			t.Fatalf("%s: status %d: %s", c.why, res.StatusCode, text)
		}
		if p.peer.String() != c.want {
			t.Errorf("%s: the writer sees %s, want %s (X-Forwarded-For %q)", c.why, p.peer, c.want, p.header["X-Forwarded-For"])
		}
	}
}

func TestHTTPSAtATrustedProxyIsStillHTTPSAtTheWriter(t *testing.T) {
	for _, c := range []struct{ trusts, want string }{{"127.0.0.1/32", "https"}, {"192.0.2.1/32", "http"}} {
		p := newPair(t, c.trusts)
		send(t, "POST", p.reader.URL+"/api/echo", goodBody, "X-Forwarded-Proto", "https")
		if got := p.header.Get("X-Forwarded-Proto"); got != c.want {
			t.Errorf("trusting %s: the writer was told %s", c.trusts, got)
		}
	}
}

func TestACallIsNotForwardedTwice(t *testing.T) {
	var first *httptest.Server
	second, _ := testAPI(t, Options{Forward: func(*http.Request) (*url.URL, bool) {
		u, _ := url.Parse(first.URL)
		return u, true
	}})
	secondServer := httptest.NewServer(second)
	defer secondServer.Close()
	api, _ := testAPI(t, Options{Forward: to(t, secondServer.URL)})
	first = httptest.NewServer(api)
	defer first.Close()
	res, text := send(t, "POST", first.URL+"/api/echo", goodBody)
	if res.StatusCode != 503 || !strings.Contains(text, `"code":"server.writer_replaced"`) || res.Header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", res.StatusCode, text)
	}
}

func TestTheWriterItselfTakesAForwardedCall(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	if w := do(a, "POST", "/api/echo", goodBody, "X-Bifolia-Forwarded", "1"); w.Code != 200 {
		t.Errorf("status %d", w.Code)
	}
}

func TestWhenTheWriterIsGoneTheCallerKnowsWhetherAnythingChanged(t *testing.T) {
	// A port that a listener gave back may be taken by anyone; no system hands out port 1.
	const closed = "http://127.0.0.1:1"
	hangsUp := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer hangsUp.Close()
	nobody := func(*http.Request) (*url.URL, bool) { return nil, true }
	for name, c := range map[string]struct {
		forward func(*http.Request) (*url.URL, bool)
		says    string
	}{
		"nobody writes":       {nobody, "Nothing was changed"},
		"nothing listens":     {to(t, closed), "Nothing was changed"},
		"it hangs up midways": {to(t, hangsUp.URL), "may or may not have been made"},
	} {
		a, log := testAPI(t, Options{Forward: c.forward})
		w := do(a, "POST", "/api/echo", goodBody)
		p := problem(t, w)
		if w.Code != 503 || !strings.HasPrefix(p.Code, "server.") || !strings.Contains(p.Detail, c.says) {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "127.0.0.1") {
			t.Errorf("%s: the inside is shown: %s", name, w.Body)
		}
		if len(log.records(t, "request failed")) != 1 {
			t.Errorf("%s: the log has %s", name, log)
		}
	}
}

func TestTheBodyLimitHoldsBeforeForwarding(t *testing.T) {
	p := newPair(t)
	body := `{"amount":"1","name":"` + strings.Repeat("x", 20_000) + `"}`
	res, text := send(t, "POST", p.reader.URL+"/api/echo", body)
	if res.StatusCode != 413 {
		t.Errorf("announced: status %d: %s", res.StatusCode, text)
	}
	// In chunks the length is known only when it is too late to refuse at once.
	conn, err := net.Dial("tcp", p.reader.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = fmt.Fprintf(conn, "POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	answer := make([]byte, 12)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 413" {
		t.Errorf("in chunks: %q, %v", answer, err)
	}
}

func TestALargeBodyWithinTheLimitArrivesWhole(t *testing.T) {
	p := newPair(t)
	name := strings.Repeat("x", 9_000)
	res, text := send(t, "PUT", p.reader.URL+"/api/echo", "{}")
	if res.StatusCode != 405 {
		t.Errorf("the writer's 405 did not arrive: status %d: %s", res.StatusCode, text)
	}
	res, text = send(t, "POST", p.reader.URL+"/api/echo", `{"amount":"1","name":"`+name+`"}`)
	if res.StatusCode != 200 || !strings.Contains(text, name) {
		t.Errorf("status %d: %.100s", res.StatusCode, text)
	}
}
