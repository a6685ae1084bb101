// Package app puts the parts of one Bifolia process together.
//
// New opens the parts in order, Listen takes the address, Run serves until its
// context ends. Then readiness turns false, no connection is accepted any
// more, accepted requests finish, and the parts close in reverse order. Tests
// start the same App.
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

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/depositwatch"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/httpapi"
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
	api      *httpapi.API
	server   *http.Server
	listener net.Listener

	db         *store.DB
	ledger     *ledger.Sequencer
	publicKeys map[string]ed25519.PublicKey
	signer     *ledger.Signer
	people     people
	second     *approvalmail.Service
	paying     payout.Chain // nil where no chain is configured
	funds      *fund.Service
	closing    *closing.Service
	hasher     *auth.Hasher // nil is the real one; tests take a cheap one
	desk       bool         // the command line: nothing is closed by schedule
	firstPlan  []byte       // what a new installation begins with; nil is the default plan
	existing   bool         // the installation must be there: nothing is begun
	building   bool         // a demo's history, which nobody else opens before it is whole
	deposits   *deposit.Service
	hotAddress string // of the hot wallet; "" for none
	watching   depositwatch.Options
	watch      *depositwatch.Service // nil when no chain is configured
	reconcile  *job.Reconciler
	anchor     *job.Anchorer
	tasks      []job.Task // what else is done by schedule

	secret  string // of the address of a demo's outbox
	metrics net.Listener

	stopping atomic.Bool
	checks   []check
	closers  []closer
	close    sync.Once
	closeErr error
}

// check says why a part cannot serve at the moment; nil means it can.
type check struct {
	name string
	run  func(context.Context) error
}

// closer ends a part. It should be done when ctx is.
type closer struct {
	name string
	run  func(ctx context.Context) error
}

// Option changes how New builds the App. It runs when the ledger is there and
// the API is not yet.
type Option func(*App, *httpapi.Options)

// WithVersion sets what the App says of itself.
func WithVersion(version string) Option {
	return func(_ *App, o *httpapi.Options) { o.Version = version }
}

// New opens the parts. When one cannot be opened, those that were are closed.
func New(ctx context.Context, cfg config.Config, log *slog.Logger, opts ...Option) (*App, error) {
	return build(ctx, &App{cfg: cfg, log: log}, opts...)
}

// Open is New for an installation that is there already, or a demo: a mistyped --db
// or --data-dir must not make a new one, with a key of its own.
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

// open is the order of the parts. Each adds its closer as soon as it is open,
// and its check when requests need it.
func (a *App) open(ctx context.Context, opts []Option) error {
	if a.existing {
		if err := unmade(a.cfg, true); err != nil {
			return err
		}
	}
	if err := makeDataDir(a.cfg); err != nil {
		return err
	}
	if err := unmade(a.cfg, a.existing); err != nil {
		return err
	}
	shut, err := shutDataDir(a.cfg)
	if err != nil {
		return err
	}
	// The address first: other processes are told it when this one writes.
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
	a.mended(shut)

	o := httpapi.Options{
		Logger:         a.log,
		Clock:          a.clock,
		Registry:       registry,
		Ready:          a.ready,
		WebUI:          webui.Handler(a.people.calls.BrandData),
		MaxBodyBytes:   a.cfg.MaxBodyBytes,
		TrustedProxies: a.cfg.TrustedProxies,
		Demo:           a.cfg.Demo,
		MetricsToken:   a.cfg.MetricsToken,
		Forward:        a.forward,
		Session:        a.people.calls.Auth.Check,
		Proved:         a.people.calls.Auth.Proved,
		Routes:         []func(huma.API){a.people.calls.Routes},
	}
	if a.cfg.Demo {
		a.secret = rand.Text()
		o.Outbox, o.OutboxSecret = a.outbox, a.secret
	}
	for _, set := range opts {
		set(a, &o)
	}
	a.api = httpapi.New(o)
	a.onClose("api", func(context.Context) error { return a.api.Close() })
	a.server = newServer(a.api, a.log)
	return a.openMetrics()
}

// newServer sets limits for everything a client can make the process wait for.
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

// onReady adds a check that must pass before requests are sent here.
func (a *App) onReady(name string, run func(context.Context) error) {
	a.checks = append(a.checks, check{name, run})
}

// onClose adds what ends a part. Parts end in reverse order of being added.
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

// Listen takes the configured address. Conflict if something else has it.
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

// openMetrics serves the metrics at their own address, if there is one.
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
	go func() { _ = server.Serve(a.metrics) }() // it ends when it is shut down
	a.onClose("metrics", server.Shutdown)
	return nil
}

// OutboxURL is where the mails of a demo can be read; "" when it is none.
func (a *App) OutboxURL() string {
	if a.secret == "" {
		return ""
	}
	return a.URL() + httpapi.OutboxPath(a.secret)
}

// URL is where a browser on this machine finds the App once it listens.
func (a *App) URL() string { return config.BaseURL(a.address()) }

// AdvertiseURL is where other processes reach this one once it listens.
func (a *App) AdvertiseURL() string {
	if a.cfg.AdvertiseURL == config.BaseURL(a.cfg.Addr) {
		return a.URL() // it followed from Addr, whose port may have been 0
	}
	return a.cfg.AdvertiseURL
}

// address is the configured one with the port that was really taken.
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

// Handler is what the App serves, for tests that need no network.
func (a *App) Handler() http.Handler { return a.api }

// Run serves until ctx is done, then stops in order and closes the App. It
// returns nil when every accepted request was finished and every part closed.
func (a *App) Run(ctx context.Context) error {
	if _, err := a.Listen(); err != nil {
		return errors.Join(err, a.Close())
	}
	// Requests live on when ctx ends: they are what shutting down waits for.
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

// errCutOff is why a request ends that was not finished in time: not because its
// caller hung up.
var errCutOff = errors.New("cut off: the server stops")

// stop finishes accepted requests within the configured time and cuts off
// those that take longer.
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
	_ = a.server.Close() // Shutdown's error says what matters
	if errors.Is(err, context.DeadlineExceeded) {
		return errs.New(errs.Unavailable, "server.cut_off", "Some requests did not finish within {timeout} and were cut off.", "timeout", a.cfg.ShutdownTimeout)
	}
	return fmt.Errorf("stopping the server: %w", err)
}

// Close ends what New and Listen opened, in reverse order, and gives all of it
// together as long as requests had. Calling it again returns the first result.
// After Run there is nothing left to close.
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

// reason is what went wrong without the calls and paths that the standard
// library puts before it: the sentence around it names them already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}
