package httpx

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Routes that are not patterns of the router.
const (
	routeForwarded = "forwarded"
	routeUnknown   = "unknown"
)

// metrics counts calls by route pattern and class of status. Both sets are fixed, so that
// clients cannot create new series.
type metrics struct {
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	routes   map[string]*routeSeries // fixed after newMetrics: read without a lock
}

// routeSeries holds a route's series by class; a class that never occurred has none.
type routeSeries [6]atomic.Pointer[series]

type series struct {
	requests prometheus.Counter
	seconds  prometheus.Observer
}

var classes = [6]string{"other", "1xx", "2xx", "3xx", "4xx", "5xx"}

func newMetrics(registry *prometheus.Registry, routes []string) *metrics {
	m := &metrics{
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bifolia_http_requests_in_flight", Help: "Requests being answered now.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bifolia_http_requests_total", Help: "Requests answered, by route and class of status.",
		}, []string{"route", "class"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "bifolia_http_request_duration_seconds",
			Help:    "How long requests took, by route and class of status.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route", "class"}),
		routes: make(map[string]*routeSeries, len(routes)),
	}
	registry.MustRegister(m.inFlight, m.requests, m.seconds)
	for _, route := range routes {
		m.routes[route] = &routeSeries{}
	}
	return m
}

func (m *metrics) observe(route string, status int, took time.Duration) {
	known, ok := m.routes[route]
	if !ok {
		route = routeUnknown
		known = m.routes[route]
	}
	class := status / 100
	if class < 0 || class >= len(classes) {
		class = 0
	}
	s := known[class].Load()
	if s == nil {
		s = &series{
			requests: m.requests.WithLabelValues(route, classes[class]),
			seconds:  m.seconds.WithLabelValues(route, classes[class]),
		}
		known[class].Store(s) // concurrent first calls store the same series
	}
	s.requests.Inc()
	s.seconds.Observe(took.Seconds())
}
