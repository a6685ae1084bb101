package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
)

// ledgerMetrics registers the metrics of the ledger and returns the function that counts a
// group.
func ledgerMetrics(registry *prometheus.Registry, state func() ledger.State) func(commands, transfers, entries int, took time.Duration) {
	commands := prometheus.NewCounter(prometheus.CounterOpts{Name: "bifolia_ledger_commands_total", Help: "Commands that ran in committed groups."})
	entries := prometheus.NewCounter(prometheus.CounterOpts{Name: "bifolia_ledger_entries_total", Help: "Entries written."})
	groups := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "bifolia_ledger_group_seconds", Help: "How long a group took, from its first command to durable.",
		Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
	})
	gauge := func(name, help string, f func(ledger.State) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return f(state()) })
	}
	registry.MustRegister(commands, entries, groups,
		gauge("bifolia_ledger_leading", "1 when this process is the sequencer.", func(s ledger.State) float64 { return flag(s.Leading) }),
		gauge("bifolia_ledger_frozen", "1 while payments are frozen.", func(s ledger.State) float64 { return flag(s.Head.Frozen != "") }),
		gauge("bifolia_ledger_seq", "Number of the last transfer.", func(s ledger.State) float64 { return float64(s.Head.Seq) }),
	)
	return func(n, _, written int, took time.Duration) {
		commands.Add(float64(n))
		entries.Add(float64(written))
		groups.Observe(took.Seconds())
	}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// reconcileMetrics registers the metrics of the last reconciliation.
func reconcileMetrics(registry *prometheus.Registry) func(job.Status) {
	at := prometheus.NewGauge(prometheus.GaugeOpts{Name: "bifolia_reconcile_timestamp_seconds", Help: "When the last reconciliation ended."})
	wrong := prometheus.NewGauge(prometheus.GaugeOpts{Name: "bifolia_reconcile_wrong", Help: "1 when the last reconciliation found a wrong row."})
	registry.MustRegister(at, wrong)
	return func(s job.Status) {
		at.Set(float64(s.At.Unix()))
		wrong.Set(flag(s.Finding != ""))
	}
}
