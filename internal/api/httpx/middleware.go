package httpx

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// call is the state of one request and the response writer that records the response.
type call struct {
	http.ResponseWriter
	id      string
	peer    netip.Addr // the client
	trusted bool       // whether the connection comes from a trusted proxy
	secure  bool       // whether the client's connection is encrypted
	started time.Time
	route   string       // set if it differs from the matched pattern
	session auth.Session // set after the guard
	code    string       // of the problem sent; "" for a success
	status  int
	bytes   int64
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// RequestID returns the id of the request of ctx, or "".
func RequestID(ctx context.Context) string {
	if c := callOf(ctx); c != nil {
		return c.id
	}
	return ""
}

// Peer returns the client's address of the request of ctx, as far as trusted proxies vouch
// for it; invalid if unknown.
func Peer(ctx context.Context) netip.Addr {
	if c := callOf(ctx); c != nil {
		return c.peer
	}
	return netip.Addr{}
}

// OverTLS tells whether the request of ctx is encrypted.
func OverTLS(ctx context.Context) bool {
	c := callOf(ctx)
	return c != nil && c.secure
}

// WriteHeader records the final status, not an informational one.
func (c *call) WriteHeader(status int) {
	if c.status == 0 && (status >= http.StatusOK || status == http.StatusSwitchingProtocols) {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *call) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (c *call) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// ServeHTTP handles every request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := a.begin(w, r)
	r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	a.metrics.inFlight.Inc()
	defer func() { a.end(c, r, recover()) }()
	a.inside.ServeHTTP(c, r)
}

func (a *API) begin(w http.ResponseWriter, r *http.Request) *call {
	p := peers(a.opts.TrustedProxies)
	direct := remote(r)
	c := &call{ResponseWriter: w, started: a.clock.Latest(), trusted: p.trusts(direct)}
	c.peer = p.client(direct, r.Header["X-Forwarded-For"])
	if a.opts.Demo && c.peer.Unmap().IsLoopback() && viaProxy(r) {
		c.peer = netip.Addr{} // unknown behind a proxy
	}
	// An id chosen by a stranger could repeat that of another call in the log.
	if c.id = r.Header.Get("X-Request-Id"); !c.trusted || !isSaneID(c.id) {
		c.id = newID()
	}
	header := w.Header()
	for name, value := range fixedHeaders {
		header[name] = value
	}
	header["X-Request-Id"] = []string{c.id}
	if c.secure = secure(r, c.trusted); c.secure {
		header["Strict-Transport-Security"] = hsts
	}
	a.note(r, c, direct)
	if isAPIPath(r.URL.Path) {
		header["Cache-Control"] = noStore
	}
	return c
}

// statusClientClosed is counted and logged for a call whose client disconnects before the
// response, as browsers do when the user leaves a page.
const statusClientClosed = 499

func clientClosed(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), context.Canceled)
}

// end recovers from a panic, counts the call and logs it. A panic after the response has
// started breaks the connection, so that no client takes half a response for a whole one.
func (a *API) end(c *call, r *http.Request, panicked any) {
	aborted := panicked != nil
	err, _ := panicked.(error)
	crashed := aborted && !errors.Is(err, http.ErrAbortHandler)
	if crashed {
		a.log.LogAttrs(r.Context(), slog.LevelError, "panic",
			slog.String("request_id", c.id),
			slog.String("panic", fmt.Sprint(panicked)),
			slog.String("stack", string(debug.Stack())))
		if c.status == 0 {
			p := newProblem(http.StatusInternalServerError, errs.Internal, errs.Text{})
			a.writeProblem(c, r, p)
			aborted = false
		}
	}
	if c.status == 0 {
		c.status = http.StatusOK // what net/http sends by default
	}
	if !crashed && clientClosed(r.Context()) && (aborted || c.status >= http.StatusInternalServerError) {
		c.status = statusClientClosed
	}
	if c.route == "" {
		c.route = r.Pattern
	}
	took := a.clock.Latest().Sub(c.started)
	a.metrics.inFlight.Dec()
	a.metrics.observe(c.route, c.status, took)
	a.logAccess(c, r, took, aborted)
	if aborted {
		panic(http.ErrAbortHandler)
	}
}

// quiet routes are polled every few seconds; they are logged at debug level.
var quiet = map[string]bool{"GET /healthz": true, "GET /readyz": true, "GET /metrics": true}

// logAccess logs metadata only: query strings, bodies and headers hold names, passwords
// and tokens.
func (a *API) logAccess(c *call, r *http.Request, took time.Duration, aborted bool) {
	level := slog.LevelInfo
	if quiet[c.route] {
		level = slog.LevelDebug
	}
	if c.status >= http.StatusInternalServerError || (aborted && c.status != statusClientClosed) {
		level = slog.LevelWarn
	}
	if !a.log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", knownMethod(r.Method)),
		slog.String("route", c.route),
		slog.Int("status", c.status),
		slog.Int64("bytes", c.bytes),
		slog.Duration("duration", took),
		slog.String("request_id", c.id),
		slog.String("peer", c.peer.String()),
	}
	if c.session.ID != "" {
		attrs = append(attrs, slog.String("caller", callerOf(c.session)), slog.String("session", c.session.ID))
	}
	if c.code != "" {
		attrs = append(attrs, slog.String("code", c.code))
	}
	if aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	a.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// callerOf names the owner of a session in the access log. The session id is not secret:
// only a token opens the session.
func callerOf(s auth.Session) string {
	caller := string(s.Kind) + " " + strconv.FormatInt(s.Owner, 10)
	if s.Kind == auth.KindVisit {
		caller += " by operator " + strconv.FormatInt(s.Operator, 10)
	}
	return caller
}

// knownMethod keeps invented methods out of the log.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return m
	}
	return "OTHER"
}

// limitBody rejects bodies that are too large: at once if the length is announced, else as
// soon as the limit is exceeded.
func (a *API) limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most := a.bodyLimit(r.Method, r.URL.Path).bytes
		if r.ContentLength > most {
			a.writeProblem(w, r, tooLarge(most))
			return
		}
		if isAPIPath(r.URL.Path) && strings.Contains(r.URL.Path, "//") {
			a.fail(w, r, errs.New(errs.NotFound, "request.unknown_call", "There is no such call.")) // the mux would send a page
			return
		}
		if isAPIPath(r.URL.Path) && r.ContentLength != 0 && !isSafe(r.Method) && r.Header.Get("Content-Type") == "" {
			a.writeProblem(w, r, newProblem(http.StatusUnsupportedMediaType, errs.Invalid, mustBeJSON))
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			inner := w
			if c, ok := w.(*call); ok {
				inner = c.ResponseWriter // MaxBytesReader closes the connection only through the server's own writer
			}
			r.Body = http.MaxBytesReader(inner, r.Body, most)
		}
		next.ServeHTTP(w, r)
	})
}

// All responses share these values: a handler replaces a slice, as Header.Set does, and
// never modifies one.
var (
	fixedHeaders = map[string][]string{
		"Content-Security-Policy": {"default-src 'self'; script-src 'self'; style-src 'self'; " +
			"img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; " +
			"frame-ancestors 'none'; form-action 'self'"},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"no-referrer"}, // links may carry one-time tickets
		"Permissions-Policy":           {"camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}
	hsts    = []string{"max-age=31536000; includeSubDomains"}
	noStore = []string{"no-store"}
)

// isSaneID accepts ids that cannot break a log line or grow without bound.
func isSaneID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		switch b := id[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return false
		}
	}
	return true
}

// newID returns an id that is unique but not secret: it only ties a response to the log.
func newID() string {
	b := make([]byte, 0, 26)
	for range 2 {
		b = strconv.AppendUint(b, rand.Uint64()|1<<63, 36) //nolint:gosec // not a secret
	}
	return string(b)
}
