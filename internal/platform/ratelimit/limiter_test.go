package ratelimit

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var epoch = time.Unix(1_800_000_000, 0)

func TestAnAddressIsAnIPv4AddressOrA64OfIPv6(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::1": "2001:db8:1:2::/64", "2001:db8:1:3::1": "2001:db8:1:3::/64",
		"fe80::1%eth0": "fe80::/64",
	} {
		if got := AddressKey(netip.MustParseAddr(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if AddressKey(netip.Addr{}) == "" {
		t.Error("peers without an address are not counted")
	}
}

func TestALimiterKeepsABoundedNumberOfKeys(t *testing.T) {
	t.Parallel()
	l := NewLimiter(1, time.Hour, 10, clock.NewFake(time.Unix(0, 0)))
	for i := range 1000 {
		_ = l.Allow(strings.Repeat("x", i))
	}
	if l.full.Len() != 10 {
		t.Errorf("%d keys kept", l.full.Len())
	}
}

func TestALimiterLetsABurstThroughAndThenOnePerInterval(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(epoch)
	l := NewLimiter(3, time.Minute, 100, c)
	allowed := func() (n int) {
		for l.Allow("k") == nil {
			n++
		}
		return n
	}
	if n := allowed(); n != 3 {
		t.Fatalf("a burst of %d", n)
	}
	if after := retryAfter(t, l.Allow("k")); after != time.Minute {
		t.Errorf("retry after %s", after)
	}
	if err := l.Allow("other"); err != nil {
		t.Errorf("another key: %v", err)
	}
	c.Advance(59 * time.Second)
	if after := retryAfter(t, l.Allow("k")); after != time.Second {
		t.Errorf("retry after %s", after)
	}
	c.SetWall(epoch.Add(-24 * time.Hour)) // sets nothing back
	c.Advance(time.Second)
	if n := allowed(); n != 1 {
		t.Errorf("%d after a minute", n)
	}
	c.Advance(24 * time.Hour)
	if n := allowed(); n != 3 {
		t.Errorf("%d after a day", n)
	}
}

func TestParallelCallersGetNoMoreThanTheBurst(t *testing.T) {
	t.Parallel()
	l := NewLimiter(5, time.Minute, 100, clock.NewFake(epoch))
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if l.Allow("k") == nil {
				allowed.Add(1)
			}
		})
	}
	wg.Wait()
	if n := allowed.Load(); n != 5 {
		t.Errorf("%d allowed", n)
	}
}

func TestTheNetworksOfOneCustomerCountAsOneCaller(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(epoch)
	l := NewNetworkLimiter(3, time.Hour, 1000, c)
	allowed := func(format string) (n int) {
		for i := range 2000 {
			if l.Allow(netip.MustParseAddr(fmt.Sprintf(format, i))) == nil {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		what, addresses string
		want            int
	}{
		{"a /64", "2001:db8:0:1::%x", 3},
		{"a /56", "2001:db8:1:%x::1", 48}, // 2,000 of its networks are of eight /56, which share a /48
		{"another /48", "2001:db8:2::%x", 3},
	} {
		if got := allowed(c.addresses); got != c.want {
			t.Errorf("%s: %d, not %d", c.what, got, c.want)
		}
	}
	l = NewNetworkLimiter(3, time.Hour, 1000, c)
	n := 0
	for i := range 256 {
		if l.Allow(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))) == nil {
			n++
		}
	}
	if n != 12 {
		t.Errorf("the networks of one /56 may ask %d times", n)
	}
}

func retryAfter(t *testing.T, err error) time.Duration {
	t.Helper()
	limited, ok := errors.AsType[*LimitedError](err)
	if !ok || !errs.Is(err, errs.Limited) {
		t.Fatalf("got %v, want Limited with RetryAfter", err)
	}
	return limited.RetryAfter()
}
