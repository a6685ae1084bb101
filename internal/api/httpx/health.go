package httpx

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// healthz reports that the process is alive. It does not check the database: a slow
// database is no reason to restart the process.
func (a *API) healthz(w http.ResponseWriter, _ *http.Request) {
	plainText(w, http.StatusOK, "ok")
}

// readiness reports whether the process can serve requests. At most one check runs at a
// time, even when checks hang, so that probes do not pile up.
type readiness struct {
	api   *API
	check func(context.Context) error
	turn  chan struct{}
}

const readyLimit = 2 * time.Second

func newReadiness(a *API, check func(context.Context) error) *readiness {
	return &readiness{api: a, check: check, turn: make(chan struct{}, 1)}
}

func (rd *readiness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyLimit)
	defer cancel()
	if err := rd.run(ctx); err != nil {
		rd.api.log.LogAttrs(ctx, slog.LevelWarn, "not ready",
			slog.String("request_id", RequestID(ctx)), slog.String("cause", err.Error()))
		plainText(w, http.StatusServiceUnavailable, "Bifolia cannot serve requests at the moment.")
		return
	}
	plainText(w, http.StatusOK, "ready")
}

// run enforces the limit even if the check ignores its context.
func (rd *readiness) run(ctx context.Context) error {
	select {
	case rd.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-rd.turn }()
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("the check panicked: %v", p)
			}
		}()
		done <- rd.check(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func plainText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

// proxyHeaders reveal that a request came through a proxy.
var proxyHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// direct tells whether a request comes from this machine and not through a proxy.
func direct(r *http.Request) bool {
	here := remote(r).IsLoopback()
	for _, name := range proxyHeaders {
		here = here && len(r.Header[name]) == 0
	}
	return here
}

// Metrics serves the metrics on a separate address. If a token is configured, it is
// required.
func (a *API) Metrics() http.Handler {
	page := a.metricsPage()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.opts.MetricsToken != "" && !a.checkMetricsToken(w, r) {
			return
		}
		page.ServeHTTP(w, r)
	})
}

// metricsOnAPI serves the metrics on the API's address, only if a token is configured:
// requests through a local proxy look like local ones.
func (a *API) metricsOnAPI(w http.ResponseWriter, r *http.Request) {
	if a.opts.MetricsToken == "" {
		a.fail(w, r, errs.New(errs.NotFound, "request.unknown_page", "There is no such page."))
		return
	}
	if a.checkMetricsToken(w, r) {
		a.metricsPage().ServeHTTP(w, r)
	}
}

func (a *API) metricsPage() http.Handler {
	return promhttp.HandlerFor(a.opts.Registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	})
}

// checkMetricsToken checks the token of the metrics and answers the request if it is
// wrong.
func (a *API) checkMetricsToken(w http.ResponseWriter, r *http.Request) bool {
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if sameSecret(given, a.opts.MetricsToken) {
		return true
	}
	a.fail(w, r, errs.New(errs.Unauthenticated, "request.metrics_token", "The metrics take a bearer token."))
	return false
}

// sameSecret compares secrets in constant time.
func sameSecret(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return secret != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
