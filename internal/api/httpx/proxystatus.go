package httpx

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// ProxyStatus tells how requests have reached the server, to detect a proxy that is not
// configured as trusted.
type ProxyStatus struct {
	// Proxy is an untrusted proxy that forwards requests: all clients behind it look like
	// one. Invalid if there was none.
	Proxy netip.Addr
	Seen  time.Time // its last request, to the second; zero without one
	// TLS is set once a trusted proxy has forwarded an encrypted request.
	TLS bool
}

type reached struct {
	proxy atomic.Pointer[proxySighting]
	tls   atomic.Bool
}

// proxySighting is an untrusted proxy and the time of its last request.
type proxySighting struct {
	at   netip.Addr
	seen time.Time
}

const (
	// proxySightingTTL bounds how long a single request counts: a stranger can fake the
	// headers once, but a proxy forwards requests all the time.
	proxySightingTTL      = 10 * time.Minute
	proxySightingInterval = time.Second // resolution of the time
)

// ProxyStatus returns the status so far.
func (a *API) ProxyStatus() ProxyStatus {
	r := ProxyStatus{TLS: a.reached.tls.Load()}
	if proxy := a.reached.proxy.Load(); proxy != nil && a.clock.Now().Before(proxy.seen.Add(proxySightingTTL)) {
		r.Proxy, r.Seen = proxy.at, proxy.seen
	}
	return r
}

// forwardHeaders are the headers by which a proxy describes the original request.
var forwardHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip"}

// note records how a request arrived. A stranger can also send the headers of a proxy, so
// an address of this machine or its network, where proxies are, takes precedence.
func (a *API) note(r *http.Request, c *call, direct netip.Addr) {
	if c.trusted {
		if c.secure && !a.reached.tls.Load() {
			a.reached.tls.Store(true)
		}
		return
	}
	if viaProxy(r) {
		a.noteProxy(direct)
	}
}

func viaProxy(r *http.Request) bool {
	return slices.ContainsFunc(forwardHeaders, func(name string) bool { return len(r.Header[name]) > 0 })
}

func (a *API) noteProxy(direct netip.Addr) {
	near := func(at netip.Addr) bool { return at.IsLoopback() || at.IsPrivate() || at.IsLinkLocalUnicast() }
	now, known := a.clock.Now(), a.reached.proxy.Load()
	if known != nil && now.Before(known.seen.Add(proxySightingTTL)) {
		if known.at == direct && now.After(known.seen.Add(proxySightingInterval)) {
			a.reached.proxy.CompareAndSwap(known, &proxySighting{direct, now})
		}
		if known.at == direct || near(known.at) || !near(direct) {
			return
		}
	}
	if a.reached.proxy.CompareAndSwap(known, &proxySighting{direct, now}) && (known == nil || known.at != direct) {
		a.log.Warn("requests come through an untrusted proxy: if it is yours, add its address to --trusted-proxies, or all clients behind it count as one",
			slog.String("peer", direct.String()))
	}
}
