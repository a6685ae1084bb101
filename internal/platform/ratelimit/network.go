package ratelimit

import (
	"net/netip"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

// NetworkLimiter is a Limiter of addresses. An IPv6 address counts as its /64, and
// also as its /56 and /48, with larger allowances: a provider's customer may have all
// 65,536 networks of a /48.
type NetworkLimiter struct {
	one *Limiter // of an IPv4 address, or a /64
	// Of a /56 and a /48 of IPv6.
	wide, wider *Limiter
}

const (
	wideTimes  = 4
	widerTimes = 16
)

// NewNetworkLimiter returns a limiter with burst and rate of a single address.
func NewNetworkLimiter(burst int, every time.Duration, size int, c clock.Clock) *NetworkLimiter {
	return &NetworkLimiter{
		one:   NewLimiter(burst, every, size, c),
		wide:  NewLimiter(burst*wideTimes, every/wideTimes, size, c),
		wider: NewLimiter(burst*widerTimes, every/widerTimes, size, c),
	}
}

// Counter is a key of a limiter.
type Counter struct {
	Limiter *Limiter
	Key     string
}

// Counters are the counters of an address.
func (l *NetworkLimiter) Counters(a netip.Addr) []Counter {
	counts := []Counter{{l.one, AddressKey(a)}}
	if a = plainAddress(a); a.Is6() {
		counts = append(counts, Counter{l.wide, prefix(a, 56)}, Counter{l.wider, prefix(a, 48)})
	}
	return counts
}

// Allow takes an attempt of an address. Limited, with RetryAfter, if there is none.
func (l *NetworkLimiter) Allow(a netip.Addr) error {
	counts := l.Counters(a)
	for i, c := range counts {
		if err := c.Limiter.Allow(c.Key); err != nil {
			for _, taken := range counts[:i] {
				taken.Limiter.GiveBack(taken.Key)
			}
			return err
		}
	}
	return nil
}

// Look is Allow without taking an attempt.
func (l *NetworkLimiter) Look(a netip.Addr) error {
	for _, c := range l.Counters(a) {
		if err := c.Limiter.Look(c.Key); err != nil {
			return err
		}
	}
	return nil
}

func plainAddress(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// AddressKey is an IPv4 address, or the /64 of an IPv6 address, whose owner has every
// address in it. Peers without an address share one key.
func AddressKey(a netip.Addr) string {
	if a = plainAddress(a); a.Is6() {
		return prefix(a, 64)
	}
	return a.String()
}

func prefix(a netip.Addr, bits int) string {
	p, err := a.Prefix(bits)
	if err != nil {
		return a.String()
	}
	return p.String()
}
