package httpx

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// Reached is how requests have come since the start, as far as it says that the
// server stands behind something that it does not know.
type Reached struct {
	// Proxy has passed a request on and is not among the trusted proxies: everybody
	// behind it looks like one caller. Invalid if there was none.
	Proxy netip.Addr
	Seen  time.Time // its last request, to the second; zero without one
	// TLS: a trusted proxy has passed on a request that came encrypted.
	TLS bool
}

type reached struct {
	proxy atomic.Pointer[passer]
	tls   atomic.Bool
}

// passer is who has passed a request on, and when last.
type passer struct {
	at   netip.Addr
	seen time.Time
}

const (
	// passerFades is how long one request says that there is a proxy: a stranger can
	// send the headers of one, and a proxy passes requests on all the time.
	passerFades = 10 * time.Minute
	passerEvery = time.Second // how often the time is noted
)

// Reached is how requests have come so far.
func (a *API) Reached() Reached {
	r := Reached{TLS: a.reached.tls.Load()}
	if proxy := a.reached.proxy.Load(); proxy != nil && a.clock.Now().Before(proxy.seen.Add(passerFades)) {
		r.Proxy, r.Seen = proxy.at, proxy.seen
	}
	return r
}

// passedOn are the headers by which a proxy says whose request it is.
var passedOn = []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-Ip"}

// note remembers how a request came. A stranger can send the headers of a proxy
// too; an address of this machine or its network, where proxies are, goes first.
func (a *API) note(r *http.Request, c *call, direct netip.Addr) {
	if c.trusted {
		if c.secure && !a.reached.tls.Load() {
			a.reached.tls.Store(true)
		}
		return
	}
	if wasPassedOn(r) {
		a.noteProxy(direct)
	}
}

func wasPassedOn(r *http.Request) bool {
	return slices.ContainsFunc(passedOn, func(name string) bool { return len(r.Header[name]) > 0 })
}

func (a *API) noteProxy(direct netip.Addr) {
	near := func(at netip.Addr) bool { return at.IsLoopback() || at.IsPrivate() || at.IsLinkLocalUnicast() }
	now, known := a.clock.Now(), a.reached.proxy.Load()
	if known != nil && now.Before(known.seen.Add(passerFades)) {
		if known.at == direct && now.After(known.seen.Add(passerEvery)) {
			a.reached.proxy.CompareAndSwap(known, &passer{direct, now})
		}
		if known.at == direct || near(known.at) || !near(direct) {
			return
		}
	}
	if a.reached.proxy.CompareAndSwap(known, &passer{direct, now}) && (known == nil || known.at != direct) {
		a.log.Warn("requests come through a proxy that is not trusted: if it is yours, name its address in --trusted-proxies, or everybody behind it counts as one caller",
			slog.String("peer", direct.String()))
	}
}
