package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
)

// Reached is how requests have come since the start, as far as it says that the
// server stands behind something that it does not know.
type Reached struct {
	// Proxy has passed a request on and is not among the trusted proxies: everybody
	// behind it looks like one caller. Invalid if there was none.
	Proxy netip.Addr
	// TLS: a trusted proxy has passed on a request that came encrypted.
	TLS bool
}

type reached struct {
	proxy atomic.Pointer[netip.Addr]
	tls   atomic.Bool
}

// Reached is how requests have come so far.
func (a *API) Reached() Reached {
	r := Reached{TLS: a.reached.tls.Load()}
	if proxy := a.reached.proxy.Load(); proxy != nil {
		r.Proxy = *proxy
	}
	return r
}

// passedOn are the headers by which a proxy says whose request it is.
var passedOn = []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Proto"}

// note remembers how a request came. A stranger can send the headers of a proxy
// too; an address of this machine or its network, where proxies are, goes first.
func (a *API) note(r *http.Request, c *call, direct netip.Addr) {
	if c.trusted {
		if c.secure && !a.reached.tls.Load() {
			a.reached.tls.Store(true)
		}
		return
	}
	for _, name := range passedOn {
		if len(r.Header[name]) > 0 {
			a.noteProxy(direct)
			return
		}
	}
}

func (a *API) noteProxy(direct netip.Addr) {
	near := func(at netip.Addr) bool { return at.IsLoopback() || at.IsPrivate() || at.IsLinkLocalUnicast() }
	known := a.reached.proxy.Load()
	if known != nil && (near(*known) || !near(direct)) {
		return
	}
	if a.reached.proxy.CompareAndSwap(known, &direct) {
		a.log.Warn("requests come through a proxy that is not trusted: if it is yours, name its address in --trusted-proxies, or everybody behind it counts as one caller",
			slog.String("peer", direct.String()))
	}
}
