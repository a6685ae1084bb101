// Package httpx is how the world calls in over HTTP: the typed calls under
// /api, the health endpoints, and the web app for every other path.
//
// One request goes one way: it gets an id, its peer is found out, headers and
// limits are set (middleware.go); a process that does not write hands a
// mutating call to the one that does (forward.go); the router finds the route
// and lets nobody without a session past it unless the route is in the public
// list (access.go); the call answers, and whatever goes wrong becomes one kind
// of document by one table (errors.go).
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

// Options is what the API is made of. Every field may be left out.
type Options struct {
	Logger   *slog.Logger
	Clock    clock.Clock
	Registry *prometheus.Registry
	// Ready says why the process cannot serve at the moment; nil means it can.
	Ready func(context.Context) error
	// WebUI answers every path that is not the API's.
	WebUI http.Handler
	// MaxBodyBytes is the largest body of an operator's call; 0 means 1 MiB.
	MaxBodyBytes int64
	// Demo: whoever tries it out from this machine is not limited; a request that was
	// passed on is not taken for one from here.
	Demo bool
	// TrustedProxies are the only peers whose X-Forwarded-* is believed.
	TrustedProxies []netip.Prefix
	// Version is what /api/version answers.
	Version string
	// Forward tells, for a mutating call, whether another process must answer
	// it and which one; a nil target means that nobody knows at the moment.
	Forward func(*http.Request) (target *url.URL, forward bool)
	// Session tells whose token it is, and gives a fresh one when it is about
	// to end. Without it nobody has a session.
	Session func(ctx context.Context, token string) (s auth.Session, renewed string, err error)
	// Proved is nil if a session's owner has proved within the last minutes to be
	// there; calls that need that are nobody's without it.
	Proved func(ctx context.Context, s auth.Session) error
	// Outbox is what a demo shows of its mails, at an address that holds
	// OutboxSecret; nil when it is none.
	Outbox       func(context.Context) ([]mail.Message, error)
	OutboxSecret string
	// MetricsToken lets whoever sends it as a bearer token read the metrics; without
	// one only the handler of Metrics shows them.
	MetricsToken string
	// Handlers are further paths, by pattern.
	Handlers map[string]http.HandlerFunc
	// Routes add the calls. Operations name their whole path, /api included.
	Routes []func(huma.API)
}

// API is one http.Handler for everything the process serves.
type API struct {
	opts      Options
	log       *slog.Logger
	clock     clock.Clock
	metrics   *metrics
	router    *router
	proofs    map[string]bool // paths of calls that need a fresh proof
	calls     huma.API
	contract  func() []byte // made when first asked for, as is
	inside    http.Handler  // what ServeHTTP wraps
	reached   reached
	transport *http.Transport
}

const apiPrefix = "/api/"

// New builds the API. It panics on a route that cannot be: that is a mistake
// in the program, and every start would show it.
func New(o Options) *API { return newAPI(o, publicRoutes) }

func newAPI(o Options, public map[string]string) *API {
	o = o.withDefaults()
	a := &API{opts: o, log: o.Logger, clock: o.Clock, transport: newTransport(), proofs: map[string]bool{}}
	a.router = &router{mux: http.NewServeMux(), public: public, guard: a.guard, input: a.checkInput}
	a.calls = a.newCalls()

	a.router.HandleFunc("GET /healthz", a.healthz)
	a.router.HandleFunc("GET /readyz", newReadiness(a, o.Ready).ServeHTTP)
	a.router.HandleFunc("GET /metrics", a.metricsHere)
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
	}
	a.router.HandleFunc("/", a.fallback)
	a.registerVersion(a.calls)
	for _, add := range o.Routes {
		add(a.calls)
	}

	// Writing the contract takes longer than the rest of a start, and few ask for it.
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

// Contract is the OpenAPI 3.1 document of all calls, as JSON.
func (a *API) Contract() []byte { return slices.Clone(a.contract()) }

// Contract is the OpenAPI document of an API that has the given routes, for
// programs that need the contract and no server. Nothing is called, so the
// routes may stand on services that do not work. It is the same text for the
// same routes, whoever builds it: the version is always 0.
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

// Close lets go of connections to other processes.
func (a *API) Close() error {
	a.transport.CloseIdleConnections()
	return nil
}

// newCalls sets huma up for typed calls. Its own pages are off: its docs page
// loads scripts from other hosts (docs.go does not), the schema pages repeat the contract,
// and its contract page is not safe for concurrent first readers.
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

// adapter registers typed calls and takes huma's limits out of the way of
// ours: they would refuse a body of exactly the limit and cut slow senders
// earlier than the server does.
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

// release has a name because the contract names what is inside bodies by type,
// and takes each name once.
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

// fallback answers what no route matched: the web app, or for the API's paths
// a problem, since a program that asked for JSON must never get the page.
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
