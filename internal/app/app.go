// Package app is the composition root of a Bifolia process.
//
// New opens the parts in order, Listen takes the address, Run serves until its context
// ends. Then readiness turns false, no new connections are accepted, accepted requests
// finish, and the parts close in reverse order. Tests start the same App.
package app

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/webui"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// App is one process.
type App struct {
	cfg      config.Config
	log      *slog.Logger
	clock    clock.Clock
	api      *httpx.API
	server   *http.Server
	listener net.Listener

	db         *store.DB
	ledger     *ledger.Sequencer
	publicKeys map[string]ed25519.PublicKey
	signer     *ledger.Signer
	services   services
	second     *approvalmail.Service
	paying     payout.Chain // nil if no chain is configured
	funds      *fund.Service
	closing    *closing.Service
	hasher     *auth.Hasher // nil for the real one; tests use a cheap one
	desk       bool         // opened by the command line: no scheduled closes
	firstPlan  []byte       // the first plan of a new installation; nil for the default plan
	existing   bool         // the installation must exist: none is created
	building   bool         // opened to build a demo's history; other opens wait until it is complete
	deposits   *deposit.Service
	hotAddress string // of the hot wallet; "" if there is none
	watching   depositwatch.Options
	watch      *depositwatch.Service // nil if no chain is configured
	reconcile  *job.Reconciler
	anchor     *job.Anchorer
	tasks      []job.Task // further scheduled tasks

	secret  string // in the address of a demo's outbox
	metrics net.Listener

	stopping atomic.Bool
	checks   []check
	closers  []closer
	close    sync.Once
	closeErr error
}

// check returns why a part cannot serve now; nil if it can.
type check struct {
	name string
	run  func(context.Context) error
}

// closer closes a part, and should return when ctx is done.
type closer struct {
	name string
	run  func(ctx context.Context) error
}

// Option changes how New builds the App. It runs after the ledger is open and before the
// API is built.
type Option func(*App, *httpx.Options)

// WithVersion sets the release.
func WithVersion(version string) Option {
	return func(_ *App, o *httpx.Options) { o.Version = version }
}

// New opens the parts. If one fails to open, those already open are closed.
func New(ctx context.Context, cfg config.Config, log *slog.Logger, opts ...Option) (*App, error) {
	return build(ctx, &App{cfg: cfg, log: log}, opts...)
}

// Open is New for an existing installation or a demo: a mistyped --db or --data-dir must
// not create a new installation with a new key.
func Open(ctx context.Context, cfg config.Config, log *slog.Logger, opts ...Option) (*App, error) {
	return build(ctx, &App{cfg: cfg, log: log, existing: !cfg.Demo}, opts...)
}

func build(ctx context.Context, a *App, opts ...Option) (*App, error) {
	if a.clock == nil {
		a.clock = clock.Ahead(a.cfg.DemoAhead)
	}
	if err := a.open(ctx, opts); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open opens the parts in order. Each part adds its closer once it is open, and a check if
// requests need it.
func (a *App) open(ctx context.Context, opts []Option) error {
	if a.existing {
		if err := checkMissingDatabase(a.cfg, true); err != nil {
			return err
		}
	}
	if err := makeDataDir(a.cfg); err != nil {
		return err
	}
	if err := checkMissingDatabase(a.cfg, a.existing); err != nil {
		return err
	}
	shut, err := restrictDataDir(a.cfg)
	if err != nil {
		return err
	}
	// The address first, because it is announced to other processes when this one leads.
	if _, err := a.Listen(); err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, part := range []func(context.Context, *prometheus.Registry) error{a.openStore, a.openLedger, a.openPeople, a.openMarket, a.openBrand, a.openCashier, a.openChain, a.openWhatIf, a.openReplay, a.openJobs} {
		if err := part(ctx, registry); err != nil {
			return err
		}
	}
	a.logRestricted(shut)

	calls := a.calls()
	o := httpx.Options{
		Logger:         a.log,
		Clock:          a.clock,
		Registry:       registry,
		Ready:          a.ready,
		WebUI:          webui.Handler(a.cfg.PublicURL, calls.Public.BrandData),
		MaxBodyBytes:   a.cfg.MaxBodyBytes,
		TrustedProxies: a.cfg.TrustedProxies,
		Demo:           a.cfg.Demo,
		MetricsToken:   a.cfg.MetricsToken,
		Forward:        a.forward,
		Session:        a.services.Auth.Check,
		Proved:         a.services.Auth.Proved,
		Routes:         []func(huma.API){calls.Routes},
		Handlers:       publicapi.Handlers(),
	}
	if a.cfg.Demo {
		a.secret = rand.Text()
		o.Outbox, o.OutboxSecret, o.Samples = a.outbox, a.secret, a.services.Mail.Samples
	}
	for _, set := range opts {
		set(a, &o)
	}
	a.api = httpx.New(o)
	a.onClose("api", func(context.Context) error { return a.api.Close() })
	a.server = newServer(a.api, a.log)
	return a.openMetrics()
}

// newServer sets timeouts for everything that a client can delay.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// onReady adds a readiness check.
func (a *App) onReady(name string, run func(context.Context) error) {
	a.checks = append(a.checks, check{name, run})
}

// onClose adds a closer. Closers run in reverse order.
func (a *App) onClose(name string, run func(context.Context) error) {
	a.closers = append(a.closers, closer{name, run})
}

func (a *App) ready(ctx context.Context) error {
	if a.stopping.Load() {
		return errs.New(errs.Unavailable, "server.process_stopping", "the process is stopping")
	}
	for _, c := range a.checks {
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// Listen takes the configured address. It returns Conflict if the address is in use.
func (a *App) Listen() (net.Addr, error) {
	if a.listener != nil {
		return a.listener.Addr(), nil
	}
	l, err := listenAt(a.cfg.Addr, "--addr")
	if err != nil {
		return nil, err
	}
	a.listener = l
	return l.Addr(), nil
}

func listenAt(addr, flag string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, errs.New(errs.Conflict,
			"server.address_in_use", "Address {address} is already in use: stop what listens there or choose another with {flag}.", "address", addr, "flag", flag)
	case err != nil:
		return nil, errs.New(errs.Refused, "server.cannot_listen", "Cannot listen at {address}: {reason}.", "address", addr, "reason", reason(err))
	}
	return l, nil
}

// openMetrics serves the metrics on their own address, if configured.
func (a *App) openMetrics() (err error) {
	if a.cfg.MetricsAddr == "" || a.desk {
		return nil
	}
	if a.metrics, err = listenAt(a.cfg.MetricsAddr, "--metrics-addr"); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.api.Metrics())
	server := newServer(mux, a.log)
	go func() { _ = server.Serve(a.metrics) }() // ends with Shutdown
	a.onClose("metrics", server.Shutdown)
	return nil
}

// OutboxURL is the address of a demo's mails; "" otherwise.
func (a *App) OutboxURL() string {
	if a.secret == "" {
		return ""
	}
	return a.URL() + httpx.OutboxPath(a.secret)
}

// URL is the address for a browser on this machine, once the App listens.
func (a *App) URL() string { return config.BaseURL(a.address()) }

// AdvertiseURL is the address for other processes, once the App listens.
func (a *App) AdvertiseURL() string {
	if a.cfg.AdvertiseURL == config.BaseURL(a.cfg.Addr) {
		return a.URL() // derived from Addr, whose port may have been 0
	}
	return a.cfg.AdvertiseURL
}

// address is the configured address with the actual port.
func (a *App) address() string {
	host, port, err := net.SplitHostPort(a.cfg.Addr)
	if err != nil {
		return a.cfg.Addr
	}
	if a.listener != nil {
		if tcp, ok := a.listener.Addr().(*net.TCPAddr); ok {
			port = strconv.Itoa(tcp.Port)
		}
	}
	return net.JoinHostPort(host, port)
}

// Handler returns the handler of the App, for tests without a network.
func (a *App) Handler() http.Handler { return a.api }

// Run serves until ctx is done, then stops in order and closes the App. It returns nil if
// every accepted request finished and every part closed.
func (a *App) Run(ctx context.Context) error {
	if _, err := a.Listen(); err != nil {
		return errors.Join(err, a.Close())
	}
	// Requests outlive ctx: shutting down waits for them.
	requests, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	a.server.BaseContext = func(net.Listener) context.Context { return requests }

	served := make(chan error, 1)
	go func() { served <- a.server.Serve(a.listener) }()
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("serving ended: %w", err), a.Close())
	case <-ctx.Done():
	}
	err := a.stop(cut)
	<-served
	return errors.Join(err, a.Close())
}

// errCutOff is the cause that ends unfinished requests, to distinguish them from requests
// whose client disconnected.
var errCutOff = errors.New("cut off: the server stops")

// stop finishes accepted requests within the configured time and cuts off longer ones.
func (a *App) stop(cut context.CancelCauseFunc) error {
	a.stopping.Store(true)
	a.log.Info("stopping", "timeout", a.cfg.ShutdownTimeout)
	limit, cancel := context.WithTimeout(context.Background(), a.cfg.ShutdownTimeout)
	defer cancel()
	err := a.server.Shutdown(limit)
	if err == nil {
		return nil
	}
	cut(errCutOff)
	_ = a.server.Close() // Shutdown's error is the one that matters
	if errors.Is(err, context.DeadlineExceeded) {
		return errs.New(errs.Unavailable, "server.cut_off", "Some requests did not finish within {timeout} and were cut off.", "timeout", a.cfg.ShutdownTimeout)
	}
	return fmt.Errorf("stopping the server: %w", err)
}

// Close closes what New and Listen opened, in reverse order, within the same time as
// requests have. Repeated calls return the first result. After Run there is nothing left
// to close.
func (a *App) Close() error {
	a.close.Do(func() {
		a.stopping.Store(true)
		limit, cancel := context.WithTimeout(context.Background(), a.cfg.ShutdownTimeout)
		defer cancel()
		var all []error
		if a.listener != nil {
			if err := a.listener.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
				all = append(all, err)
			}
		}
		for i := len(a.closers) - 1; i >= 0; i-- {
			c := a.closers[i]
			if err := c.run(limit); err != nil {
				all = append(all, fmt.Errorf("closing %s: %w", c.name, err))
			}
		}
		a.closeErr = errors.Join(all...)
	})
	return a.closeErr
}

// reason strips the calls and paths that the standard library puts before an error: the
// surrounding message names them already.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err
	}
	return err
}
