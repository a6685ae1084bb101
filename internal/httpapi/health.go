package httpapi

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

// healthz says that the process lives. It asks nobody: a slow database is no
// reason to kill the process.
func (a *API) healthz(w http.ResponseWriter, _ *http.Request) {
	plainText(w, http.StatusOK, "ok")
}

// readiness says whether to send requests here. At most one check runs at a
// time, also when checks hang: probes must not pile up.
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

// run holds the limit even when the check does not look at its context.
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

// proxyHeaders give away that a request came through a proxy.
var proxyHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// direct tells whether a program on this machine asks, and no proxy for others.
func direct(r *http.Request) bool {
	here := remote(r).IsLoopback()
	for _, name := range proxyHeaders {
		here = here && len(r.Header[name]) == 0
	}
	return here
}

// Metrics shows the numbers, at an address of their own. With a token only to who
// sends it.
func (a *API) Metrics() http.Handler {
	page := a.metricsPage()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.opts.MetricsToken != "" && !a.mayRead(w, r) {
			return
		}
		page.ServeHTTP(w, r)
	})
}

// metricsHere shows the numbers beside everything else, if there is a token for it:
// what a proxy on this machine passes on looks as if this machine asked.
func (a *API) metricsHere(w http.ResponseWriter, r *http.Request) {
	if a.opts.MetricsToken == "" {
		a.fail(w, r, errs.New(errs.NotFound, "request.unknown_page", "There is no such page."))
		return
	}
	if a.mayRead(w, r) {
		a.metricsPage().ServeHTTP(w, r)
	}
}

func (a *API) metricsPage() http.Handler {
	return promhttp.HandlerFor(a.opts.Registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	})
}

// mayRead tells whether a request has the metrics' token, and answers it if not.
func (a *API) mayRead(w http.ResponseWriter, r *http.Request) bool {
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if same(given, a.opts.MetricsToken) {
		return true
	}
	a.fail(w, r, errs.New(errs.Unauthenticated, "request.metrics_token", "The metrics take a bearer token."))
	return false
}

// same compares secrets without telling by its time how much of them is right.
func same(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return secret != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
