package httpapi

import (
	"strings"
	"testing"
)

func TestAProxyThatIsNotTrustedIsNoticed(t *testing.T) {
	a, log := testAPI(t, Options{TrustedProxies: proxies("10.0.0.1/32")})
	ask := func(peer string, header ...string) Reached {
		do(a, "GET", "/healthz", "", append([]string{"peer", peer}, header...)...)
		return a.Reached()
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
	if n := strings.Count(log.String(), "--trusted-proxies"); n != 2 {
		t.Errorf("it is logged %d times", n)
	}
}
