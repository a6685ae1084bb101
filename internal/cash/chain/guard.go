package chain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// CheckURL checks the URL of a node: https, or http to a private address if those are
// allowed. Invalid otherwise.
func CheckURL(text string, allowPrivate bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.Fragment != "":
		return errs.New(errs.Invalid, "chain.node_address_invalid", "A node's address begins with https:// and a host.")
	case u.Scheme == "http" && !allowPrivate:
		return errs.New(errs.Invalid, "chain.node_https_needed", "A node is asked over https: what it says moves money. http is for private addresses, which must be allowed.")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !allowPrivate && !public(ip) {
		return errs.New(errs.Invalid, "chain.node_private", "The node's address is a private one, which must be allowed.")
	}
	return nil
}

// special are networks that are neither private nor on the public internet.
var special = func() (list []netip.Prefix) {
	for _, p := range []string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"} {
		list = append(list, netip.MustParsePrefix(p))
	}
	return list
}()

// public reports whether ip is on the public internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, p := range special {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// guarded returns a client that reaches one host. It follows no redirects, uses no proxy,
// and checks the resolved address when it connects, so that a name cannot lead into the
// private network.
func guarded(host string, allowPrivate bool, timeout time.Duration) *http.Client {
	dialer := &net.Dialer{Timeout: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if !allowPrivate && !public(to.Addr()) {
			return errors.New("the name stands for a private address, which is not allowed")
		}
		return nil
	}}
	return &http.Client{
		Timeout: timeout,
		Transport: onlyHost{host, &http.Transport{
			DialContext:            dialer.DialContext,
			TLSHandshakeTimeout:    timeout,
			ResponseHeaderTimeout:  timeout,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 16 << 10,
			ForceAttemptHTTP2:      true,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// onlyHost refuses requests to other hosts.
type onlyHost struct {
	host string
	next *http.Transport
}

func (o onlyHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.EqualFold(r.URL.Host, o.host) {
		return nil, fmt.Errorf("%s is not a configured node", r.URL.Host)
	}
	return o.next.RoundTrip(r)
}

// plain returns err without its URL, which may contain a secret key.
func plain(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
