package httpapi

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

// Several processes may serve one installation, but one of them writes. The
// others answer reads themselves and hand every mutating call to the writer.

// forwardedHeader marks a call that another process handed over. Such a call
// is never handed on: when two processes each take the other for the writer,
// the caller gets an answer instead of a loop.
const forwardedHeader = "X-Bifolia-Forwarded"

// forwardLimit ends before the server's own write timeout, so that the caller
// gets a problem rather than a broken connection.
const forwardLimit = 50 * time.Second

func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSHandshakeTimeout:   2 * time.Second,
		ResponseHeaderTimeout: 45 * time.Second,
		ExpectContinueTimeout: time.Second,
		// Shorter than the writer's idle timeout: a connection that the writer
		// is about to close must not be taken for a new call.
		IdleConnTimeout:     60 * time.Second,
		MaxIdleConns:        128,
		MaxIdleConnsPerHost: 128,
		DisableCompression:  true, // bytes pass through as they are
	}
}

func (a *API) forward(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isAPIPath(r.URL.Path) || (isSafe(r.Method) && !leadersOwn[r.URL.Path]) || reading[r.URL.Path] {
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

// leadersOwn are the reads that only the process that writes can answer: how far
// it has come with something, or what is assigned when it is first asked for.
var leadersOwn = map[string]bool{"/api/" + pathDeposit: true, "/api/operator/close/progress": true, "/api/operator/plan/whatif": true, "/api/operator/close/replay": true}

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
		ModifyResponse: dropOurHeaders,
		ErrorHandler:   a.forwardFailed,
		ErrorLog:       slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	proxy.ServeHTTP(w, r.WithContext(ctx))
}

// rewrite addresses the call to the writer. The proxy has removed what the
// sender said of itself in X-Forwarded-*; only what trusted proxies said is
// put back, and our own view of the sender is added to it.
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

// dropOurHeaders keeps headers that both processes set from being sent twice.
func dropOurHeaders(res *http.Response) error {
	for name := range fixedHeaders {
		res.Header.Del(name)
	}
	for _, name := range []string{"X-Request-Id", "Strict-Transport-Security", "Cache-Control"} {
		res.Header.Del(name)
	}
	return nil
}

// forwardFailed tells apart what a caller must know: whether the writer can
// have seen the call.
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
