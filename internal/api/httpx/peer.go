package httpx

import (
	"net/http"
	"net/netip"
	"strings"
)

// peers are the trusted proxies, whose X-Forwarded-* headers are believed.
type peers []netip.Prefix

// remote is the address of the TCP connection; invalid when there is none.
func remote(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return plainAddr(ap.Addr())
}

// plainAddr is the canonical form of an address for comparing and showing.
func plainAddr(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

func (p peers) trusts(a netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(a) {
			return true
		}
	}
	return false
}

// client returns the address of the client. Each trusted proxy appends the address it saw
// to X-Forwarded-For, so the list is read from its end: the first address that is not a
// trusted proxy is the client, and entries before it are only the client's claims.
func (p peers) client(direct netip.Addr, forwardedFor []string) netip.Addr {
	at := direct
	if !p.trusts(at) {
		return at
	}
	for i := len(forwardedFor) - 1; i >= 0; i-- {
		line := forwardedFor[i]
		for line != "" {
			var entry string
			if j := strings.LastIndexByte(line, ','); j >= 0 {
				line, entry = line[:j], line[j+1:]
			} else {
				line, entry = "", line
			}
			next, ok := parseForwarded(entry)
			if !ok {
				return at // the last address that a trusted proxy vouches for
			}
			at = next
			if !p.trusts(at) {
				return at
			}
		}
	}
	return at
}

// parseForwarded reads one entry: an address, with or without a port.
func parseForwarded(entry string) (netip.Addr, bool) {
	entry = strings.TrimSpace(entry)
	if a, err := netip.ParseAddr(entry); err == nil {
		return plainAddr(a), true
	}
	if inside, ok := strings.CutPrefix(entry, "["); ok {
		if inside, ok = strings.CutSuffix(inside, "]"); ok {
			a, err := netip.ParseAddr(inside)
			return plainAddr(a), err == nil
		}
	}
	ap, err := netip.ParseAddrPort(entry)
	return plainAddr(ap.Addr()), err == nil
}

// secure reports whether the client uses TLS, to this server or to a trusted proxy.
func secure(r *http.Request, directIsTrusted bool) bool {
	if r.TLS != nil {
		return true
	}
	if !directIsTrusted {
		return false
	}
	proto := r.Header.Get("X-Forwarded-Proto")
	if i := strings.LastIndexByte(proto, ','); i >= 0 {
		proto = proto[i+1:]
	}
	return strings.EqualFold(strings.TrimSpace(proto), "https")
}
