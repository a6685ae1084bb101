package httpx

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Several processes may serve one installation, but only the leader writes. The others
// answer reads and forward every mutating call to the leader.

// forwardedHeader marks a forwarded call. A forwarded call is never forwarded again, so
// that two processes that take each other for the leader do not loop.
const forwardedHeader = "X-Bifolia-Forwarded"

// forwardLimit is shorter than the server's write timeout, so that the client gets a
// problem instead of a broken connection.
const forwardLimit = 50 * time.Second

func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:   2 * time.Second,
		ResponseHeaderTimeout: 45 * time.Second,
		ExpectContinueTimeout: time.Second,
		// Shorter than the leader's idle timeout, so that a connection that the leader is
		// about to close is not used for a new call.
		IdleConnTimeout:     60 * time.Second,
		MaxIdleConns:        128,
		MaxIdleConnsPerHost: 128,
		DisableCompression:  true, // bytes are passed through
	}
}

func (a *API) forward(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isAPIPath(r.URL.Path) || (isSafe(r.Method) && !a.has(LeaderOnly, r.URL.Path)) || a.has(ReadOnly, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		target, elsewhere := a.opts.Forward(r)
		if !elsewhere {
			next.ServeHTTP(w, r)
			return
		}
		if c := callOf(r.Context()); c != nil {
			c.route = routeForwarded
		}
		switch {
		case target == nil:
			a.fail(w, r, errs.New(errs.Unavailable, "server.no_writer", "No process can take changes at the moment. Nothing was changed; please try again."))
		case r.Header.Get(forwardedHeader) != "":
			a.fail(w, r, errs.New(errs.Unavailable, "server.writer_replaced", "The process that takes changes is being replaced. Nothing was changed; please try again."))
		default:
			a.forwardTo(target, w, r)
		}
	})
}

func isSafe(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	return false
}

func (a *API) forwardTo(target *url.URL, w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), forwardLimit)
	defer cancel()
	proxy := &httputil.ReverseProxy{
		Transport:      a.transport,
		Rewrite:        func(pr *httputil.ProxyRequest) { rewrite(pr, target) },
		ModifyResponse: dropDuplicateHeaders,
		ErrorHandler:   a.forwardFailed,
		ErrorLog:       slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	proxy.ServeHTTP(w, r.WithContext(ctx))
}

// rewrite addresses a request to the leader. The proxy has removed the client's
// X-Forwarded-* headers; those of trusted proxies are restored, and this process's view of
// the client is added.
func rewrite(pr *httputil.ProxyRequest, target *url.URL) {
	pr.Out.URL.Scheme, pr.Out.URL.Host, pr.Out.Host = target.Scheme, target.Host, ""
	c := callOf(pr.In.Context())
	trusted := c != nil && c.trusted
	if trusted {
		pr.Out.Header["X-Forwarded-For"] = pr.In.Header["X-Forwarded-For"]
	}
	pr.SetXForwarded()
	pr.Out.Header.Set("X-Forwarded-Proto", "http")
	if secure(pr.In, trusted) {
		pr.Out.Header.Set("X-Forwarded-Proto", "https")
	}
	if c != nil {
		pr.Out.Header.Set("X-Request-Id", c.id) // one id in both logs
	}
	pr.Out.Header.Set(forwardedHeader, "1")
}

// dropDuplicateHeaders removes headers of the response that both processes set.
func dropDuplicateHeaders(res *http.Response) error {
	for name := range fixedHeaders {
		res.Header.Del(name)
	}
	for _, name := range []string{"X-Request-Id", "Strict-Transport-Security", "Cache-Control"} {
		res.Header.Del(name)
	}
	return nil
}

// forwardFailed distinguishes for the client whether the leader can have seen the call.
func (a *API) forwardFailed(w http.ResponseWriter, r *http.Request, err error) {
	var size *http.MaxBytesError
	var op *net.OpError
	switch {
	case errors.As(err, &size):
		a.writeProblem(w, r, tooLarge(size.Limit))
	case errors.As(err, &op) && op.Op == "dial":
		a.fail(w, r, errs.Wrap(errs.Unavailable, err,
			"server.writer_unreachable", "The process that takes changes cannot be reached. Nothing was changed; please try again."))
	default:
		a.fail(w, r, errs.Wrap(errs.Unavailable, err,
			"server.writer_silent", "The process that takes changes did not answer. The change may or may not have been made: "+
				"look before you try again, or repeat the call with the same Idempotency-Key."))
	}
}
