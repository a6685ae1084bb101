// Package httpx serves HTTP: the typed calls under /api, the health endpoints, and the web
// app on every other path.
//
// Every request takes the same path. It gets an id, the client's address, headers and
// limits (middleware.go). A standby forwards a mutating call to the leader (forward.go).
// The router finds the route and requires a session unless the route is public
// (access.go). Errors become problem documents by one table (errors.go).
package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options configures the API. Every field is optional.
type Options struct {
	Logger   *slog.Logger
	Clock    clock.Clock
	Registry *prometheus.Registry
	// Ready returns why the process cannot serve now; nil if it can.
	Ready func(context.Context) error
	// WebUI serves every path outside the API.
	WebUI http.Handler
	// MaxBodyBytes is the body limit of operators' calls; 0 means 1 MiB.
	MaxBodyBytes int64
	// Demo lifts limits for requests from this machine, unless a proxy forwarded them.
	Demo bool
	// TrustedProxies are the only peers whose X-Forwarded-* headers are believed.
	TrustedProxies []netip.Prefix
	// Version is the response of /api/version.
	Version string
	// Forward tells for a mutating call whether another process must handle it; a nil
	// target means that the leader is unknown.
	Forward func(*http.Request) (target *url.URL, forward bool)
	// Session resolves a token and returns a fresh one if it is about to expire. If nil, no
	// request has a session.
	Session func(ctx context.Context, token string) (s auth.Session, renewed string, err error)
	// Proved returns nil if the owner of a session has given a proof within the last
	// minutes. If nil, calls that need a proof are denied.
	Proved func(ctx context.Context, s auth.Session) error
	// Outbox returns the mails of a demo, served at an address with OutboxSecret; nil if it
	// is not a demo.
	Outbox       func(context.Context) ([]mail.Message, error)
	OutboxSecret string
	// Samples are previews of a demo's mails in a language.
	Samples func(language string) ([]mail.Sample, error)
	// MetricsToken is the bearer token for the metrics; without it only the handler of
	// Metrics serves them.
	MetricsToken string
	// Handlers are further routes, by pattern.
	Handlers map[string]http.HandlerFunc
	// Routes add the calls. Operations have their whole path, /api included.
	Routes []func(huma.API)
}

// API is the http.Handler of the process.
type API struct {
	opts       Options
	log        *slog.Logger
	clock      clock.Clock
	metrics    *metrics
	router     *router
	properties map[string]string // of calls, by path
	calls      huma.API
	contract   func() []byte // built on first use
	inside     http.Handler  // wrapped by ServeHTTP
	reached    reached
	transport  *http.Transport
}

const apiPrefix = "/api/"

// New builds the API. It panics on an invalid route, which is a programming error that
// every start would show.
func New(o Options) *API { return newAPI(o, publicRoutes) }

func newAPI(o Options, public map[string]string) *API {
	o = o.withDefaults()
	a := &API{opts: o, log: o.Logger, clock: o.Clock, transport: newTransport(), properties: map[string]string{}}
	a.router = &router{mux: http.NewServeMux(), public: public, guard: a.guard, input: a.checkInput}
	a.calls = a.newCalls()

	a.router.HandleFunc("GET /healthz", a.healthz)
	a.router.HandleFunc("GET /readyz", newReadiness(a, o.Ready).ServeHTTP)
	a.router.HandleFunc("GET /metrics", a.metricsOnAPI)
	a.router.HandleFunc("GET /api/openapi.json", a.openAPI)
	a.router.HandleFunc("GET /api/docs", a.docsPage)
	a.router.HandleFunc("GET /api/docs.css", docsStyle)
	a.router.HandleFunc("GET /api/docs.js", docsScript)
	a.router.HandleFunc("GET /api/docs/{file}", a.docsViewer)
	for pattern, handle := range o.Handlers {
		a.router.HandleFunc(pattern, handle)
	}
	if o.Outbox != nil {
		a.router.HandleFunc("GET /dev/outbox/{secret}", a.outboxPage)
		a.router.HandleFunc("GET /dev/outbox/{secret}/letters.json", a.outboxJSON)
		a.router.HandleFunc("GET /dev/mails", a.mailsPage)
		a.router.HandleFunc("GET /dev/mails/{name}", a.mailPage)
	}
	a.router.HandleFunc("/", a.fallback)
	a.registerVersion(a.calls)
	for _, add := range o.Routes {
		add(a.calls)
	}

	// Building the contract takes longer than the rest of the start and is rarely needed.
	a.contract = sync.OnceValue(func() []byte {
		contract, err := json.Marshal(a.calls.OpenAPI())
		if err != nil {
			panic(fmt.Sprintf("the contract cannot be written: %v", err))
		}
		return contract
	})
	a.metrics = newMetrics(o.Registry, append([]string{routeForwarded, routeUnknown}, a.router.patterns...))
	a.inside = a.limitBody(a.forward(a.router.mux))
	return a
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	if o.Registry == nil {
		o.Registry = prometheus.NewRegistry()
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.WebUI == nil {
		o.WebUI = http.NotFoundHandler()
	}
	if o.MaxBodyBytes <= 0 {
		o.MaxBodyBytes = 1 << 20
	}
	if o.Forward == nil {
		o.Forward = func(*http.Request) (*url.URL, bool) { return nil, false }
	}
	return o
}

// Contract returns the OpenAPI 3.1 document of all calls as JSON.
func (a *API) Contract() []byte { return slices.Clone(a.contract()) }

// Contract returns the OpenAPI document of the given routes without a server. No call
// runs, so the services behind the routes may be nil. The version is always 0, so that the
// same routes give the same text.
func Contract(routes ...func(huma.API)) ([]byte, error) {
	a := New(Options{Version: "0", Routes: routes})
	defer func() { _ = a.Close() }() // it never fails
	var out bytes.Buffer
	if err := json.Indent(&out, a.contract(), "", "  "); err != nil {
		return nil, fmt.Errorf("the contract is no JSON: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// Close closes idle connections to other processes.
func (a *API) Close() error {
	a.transport.CloseIdleConnections()
	return nil
}

// newCalls configures huma for typed calls, without its pages: its docs page loads scripts
// from other hosts, its schema pages repeat the contract, and its contract page is not
// safe for concurrent first readers.
func (a *API) newCalls() huma.API {
	config := huma.DefaultConfig("Bifolia", a.opts.Version)
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{sessionScheme: {
		Type: "http", Scheme: "bearer", Description: "The token that logging in answers.",
	}}
	config.OnAddOperation = append(config.OnAddOperation, a.declareAccess)
	config.Transformers = []huma.Transformer{a.finishProblem}
	return huma.NewAPI(config, adapter{humago.NewAdapter(a.router, "")})
}

// adapter registers typed calls and disables huma's limits, which would reject a body of
// exactly the limit and cut off slow senders earlier than the server does.
type adapter struct{ huma.Adapter }

func (ad adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	if !strings.HasPrefix(op.Path, apiPrefix) {
		panic(fmt.Sprintf("the call %s %s is not under %s", op.Method, op.Path, apiPrefix))
	}
	const defaultBytes, defaultTimeout = 1 << 20, 5 * time.Second // huma's
	if op.MaxBodyBytes == defaultBytes {
		op.MaxBodyBytes = -1
	}
	if op.BodyReadTimeout == defaultTimeout {
		op.BodyReadTimeout = 0
	}
	ad.Adapter.Handle(op, handler)
}

func (a *API) openAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/openapi+json")
	_, _ = w.Write(a.contract())
}

// release is a named type because the contract names schemas by type.
type release struct {
	Version string `json:"version" example:"1.4.0" doc:"The release this process runs."`
}

type versionOutput struct {
	Body struct {
		Data release `json:"data"`
	}
}

func (a *API) registerVersion(api huma.API) {
	out := &versionOutput{}
	out.Body.Data.Version = a.opts.Version
	huma.Register(api, huma.Operation{
		OperationID: "version",
		Method:      http.MethodGet,
		Path:        "/api/version",
		Summary:     "Retrieve the release",
	}, func(context.Context, *struct{}) (*versionOutput, error) { return out, nil })
}

// fallback handles requests without a route: the web app, or a problem for paths of the
// API, because a program that expects JSON must never get a page.
func (a *API) fallback(w http.ResponseWriter, r *http.Request) {
	isAPI := isAPIPath(r.URL.Path)
	if !isAPI && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
		a.opts.WebUI.ServeHTTP(w, r)
		return
	}
	if c := callOf(r.Context()); c != nil {
		c.route = routeUnknown
	}
	allowed := a.router.allowed(r)
	if !isAPI && len(allowed) == 0 {
		allowed = []string{"GET", "HEAD"}
	}
	if len(allowed) == 0 {
		a.fail(w, r, errs.New(errs.NotFound, "request.unknown_call", "There is no such call."))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	a.writeProblem(w, r, newProblem(http.StatusMethodNotAllowed, errs.Invalid,
		errs.Say("request.method", "This path takes {methods}.", "methods", strings.Join(allowed, ", "))))
}

func isAPIPath(path string) bool {
	return strings.HasPrefix(path, apiPrefix) || path == "/api"
}
