package auth_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestALimiterLetsABurstThroughAndThenOnePerInterval(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(testkit.Epoch)
	l := auth.NewLimiter(3, time.Minute, 100, c)
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
	c.SetWall(testkit.Epoch.Add(-24 * time.Hour)) // sets nothing back
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
	l := auth.NewLimiter(5, time.Minute, 100, clock.NewFake(testkit.Epoch))
	if got := parallel(50, func() error { return l.Allow("k") }); got["ok"] != 5 {
		t.Errorf("%v", got)
	}
}

// Guesses from one address stop that address; guesses from everywhere stop in
// the end as well.
func TestAStrangersGuessesDoNotKeepTheOwnerOut(t *testing.T) {
	h := onSQLite(t)
	guess := func(from netip.Addr) error {
		_, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: "wrong-guess", From: auth.From{Peer: from}})
		return err
	}
	stranger := netip.MustParseAddr("198.51.100.7")
	for range 5 {
		h.wants(guess(stranger), auth.ErrWrongPassword)
	}
	retryAfter(t, guess(stranger))
	h.mustLogin()
	for i := range 95 {
		h.wants(guess(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})), auth.ErrWrongPassword)
	}
	retryAfter(t, guess(netip.MustParseAddr("192.0.2.99")))
	h.wants(guess(home), auth.ErrWrongPassword) // where the owner was before, only guesses from there count
	h.mustLogin()
}
