package httpx

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

func TestAProxyThatIsNotTrustedIsNoticed(t *testing.T) {
	c := clock.NewFake(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	a, log := testAPI(t, Options{Clock: c, TrustedProxies: proxies("10.0.0.1/32")})
	ask := func(peer string, header ...string) ProxyStatus {
		do(a, "GET", "/healthz", "", append([]string{"peer", peer}, header...)...)
		return a.ProxyStatus()
	}
	for _, header := range [][]string{nil, {"X-Forwarded-Proto", "http", "X-Forwarded-For", "192.0.2.1"}} {
		if got := ask("10.0.0.1:1", header...); got.Proxy.IsValid() || got.TLS {
			t.Errorf("a trusted proxy with %v: %+v", header, got)
		}
	}
	if got := ask("203.0.113.5:1"); got.Proxy.IsValid() {
		t.Errorf("a visitor: %+v", got)
	}
	if got := ask("203.0.113.5:1", "X-Forwarded-Proto", "https"); got.Proxy.String() != "203.0.113.5" || got.TLS {
		t.Errorf("a stranger who says https: %+v", got)
	}
	if got := ask("127.0.0.1:1", "Forwarded", "for=192.0.2.1"); got.Proxy.String() != "127.0.0.1" {
		t.Errorf("a proxy of this machine: %+v", got)
	}
	if got := ask("203.0.113.6:1", "X-Forwarded-For", "192.0.2.1"); got.Proxy.String() != "127.0.0.1" {
		t.Errorf("a stranger hides the proxy: %+v", got)
	}
	if got := ask("10.0.0.1:1", "X-Forwarded-Proto", "https"); !got.TLS {
		t.Errorf("a trusted proxy with https: %+v", got)
	}
	c.Advance(9 * time.Minute)
	if got := ask("127.0.0.1:1", "Forwarded", "for=192.0.2.1"); got.Proxy.String() != "127.0.0.1" {
		t.Errorf("a proxy that continues: %+v", got)
	}
	c.Advance(9 * time.Minute)
	if got := a.ProxyStatus(); got.Proxy.String() != "127.0.0.1" {
		t.Errorf("a proxy that has just passed on: %+v", got)
	}
	c.Advance(2 * time.Minute)
	if got := a.ProxyStatus(); got.Proxy.IsValid() {
		t.Errorf("what a stranger sent once stays for good: %+v", got)
	}
	if n := strings.Count(log.String(), "--trusted-proxies"); n != 2 {
		t.Errorf("it is logged %d times", n)
	}
}

// A bare proxy on the machine of a demo makes every client look local, and local clients
// are not limited.
func TestAProxyBeforeADemoMakesNoClientLocal(t *testing.T) {
	a, _ := testAPI(t, Options{Demo: true})
	for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip", "Forwarded"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", http.NoBody)
		r.RemoteAddr = "127.0.0.1:1"
		if c := a.begin(httptest.NewRecorder(), r); !c.peer.IsLoopback() {
			t.Errorf("from this machine: %v", c.peer)
		}
		r.Header.Set(name, "127.0.0.1")
		if c := a.begin(httptest.NewRecorder(), r); c.peer.IsLoopback() {
			t.Errorf("%s: taken for one of this machine", name)
		}
	}
}
