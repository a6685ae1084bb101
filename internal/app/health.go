package app

import (
	"context"
	"net"
	"net/url"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	operatorapi "github.com/bifolia/bifolia/internal/api/operator"
	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// lowDisk is the free space below which operators are warned: some days of logs and data
// of a busy installation.
const lowDisk = 2 << 30

// openHealth exposes the health to operators and in the metrics.
func (a *App) openHealth(registry *prometheus.Registry) {
	a.services.Health = a
	gauge := func(name, help string, f func(context.Context) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			return f(ctx)
		})
	}
	registry.MustRegister(
		gauge("bifolia_disk_free_bytes", "Free bytes where the data folder and an SQLite database are; -1 if unknown.", func(context.Context) float64 { return float64(a.freeDisk()) }),
		gauge("bifolia_database_bytes", "Size of the database; -1 if unknown.", func(ctx context.Context) float64 {
			n, err := a.db.Size(ctx)
			if err != nil {
				return -1
			}
			return float64(n)
		}),
		gauge("bifolia_mail_waiting", "Mails that wait to be sent; -1 if unknown.", func(ctx context.Context) float64 {
			n, _, err := a.services.Mail.Waiting(ctx)
			if err != nil {
				return -1
			}
			return float64(n)
		}),
		gauge("bifolia_mail_oldest_timestamp_seconds", "When the oldest waiting mail was queued; 0 if none waits.", func(ctx context.Context) float64 {
			n, oldest, err := a.services.Mail.Waiting(ctx)
			if err != nil || n == 0 {
				return 0
			}
			return float64(oldest.Unix())
		}),
		gauge("bifolia_reach_problems", "What is wrong with how the server is reached: an untrusted proxy, a plain-http address, no TLS in front.", func(context.Context) float64 {
			r := a.reach()
			return flag(r.Proxy != "") + flag(r.URL != "") + flag(r.Listen != "")
		}),
		gauge("bifolia_chain_watch_timestamp_seconds", "When the chain's watcher last ended a round; 0 before the first or without a chain.", func(context.Context) float64 {
			if a.watch == nil || a.watch.Status().At.IsZero() {
				return 0
			}
			return float64(a.watch.Status().At.Unix())
		}),
	)
}

// Health returns the health of the process and its dependencies.
func (a *App) Health(ctx context.Context) (h operatorapi.Health, err error) {
	state, last := a.ledger.State(), a.reconcile.Status()
	frozen, err := a.db.Frozen(ctx)
	if err != nil {
		return h, err
	}
	h = operatorapi.Health{
		Leading: state.Leading, CheckedAt: last.At, Finding: last.Finding, Frozen: frozen, Anchor: a.anchorProblem(),
		MailServer: a.cfg.SMTPAddr != "" || a.cfg.Demo, Free: a.freeDisk(), LowBelow: lowDisk, Reach: a.reach(),
	}
	if h.MailWaiting, h.MailOldest, err = a.services.Mail.Waiting(ctx); err != nil {
		return h, err
	}
	if h.MailFailed, err = a.services.Mail.Failed(ctx); err != nil {
		return h, err
	}
	if h.MailForged, err = a.services.Mail.Forged(ctx); err != nil {
		return h, err
	}
	if h.Database, err = a.db.Size(ctx); err != nil {
		return h, err
	}
	if h.Held, err = a.services.Payout.HeldFor(ctx); err != nil {
		return h, err
	}
	if a.watch != nil {
		look := a.watch.Status()
		h.Chain, h.LookedAt, h.LookError = true, look.At, look.Error
		if s, ok := a.services.Chain.(*chainStatus); ok {
			for _, n := range s.client.Health() {
				h.Nodes++
				if !n.Up && n.Err != chain.NotAsked {
					h.Down++
				}
			}
		}
	}
	return h, a.closeHealth(ctx, &h)
}

func (a *App) closeHealth(ctx context.Context, h *operatorapi.Health) error {
	days, err := a.closing.Days(ctx, 0, 1)
	if err != nil {
		return err
	}
	for _, d := range days {
		h.Closed, h.ClosedAt = d.Day, d.At
	}
	next, err := a.closing.Next(ctx)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	h.NextDay, h.NextOver = next.Day, next.Over
	return err
}

// reach returns problems with how the server is reached.
func (a *App) reach() (r operatorapi.Reach) {
	seen := a.api.ProxyStatus()
	r.PassedOn(seen)
	if u, err := url.Parse(a.publicURL()); err == nil && u.Scheme == "http" && !config.OnThisMachine(u.Hostname()) {
		r.URL = a.publicURL()
	}
	if host, _, err := net.SplitHostPort(a.cfg.Addr); err == nil && !config.OnThisMachine(host) && !seen.TLS {
		r.Listen = a.cfg.Addr
	}
	return r
}

// freeDisk returns the smaller free space of the disks of the data folder and an SQLite
// database; -1 if unknown.
func (a *App) freeDisk() int64 {
	free := int64(-1)
	dirs := []string{a.cfg.DataDir}
	if path := a.db.Path(); path != "" {
		dirs = append(dirs, filepath.Dir(path))
	}
	for _, dir := range dirs {
		var s syscall.Statfs_t
		if err := syscall.Statfs(dir, &s); err != nil {
			return -1
		}
		n := int64(min(uint64(s.Bavail)*uint64(s.Bsize), 1<<62)) //nolint:unconvert // the types differ between systems
		if free < 0 || n < free {
			free = n
		}
	}
	return free
}
