package auth

import (
	"net/netip"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/clock"
)

const (
	pairTries    = 5 // of one account from one address
	pairEvery    = time.Minute
	accountTries = 100 // of one account from everywhere
	accountEvery = 6 * time.Second
	addressTries = 30
	addressEvery = 10 * time.Minute / addressTries
	throttleSize = 65536
	busyWait     = 3 * time.Second // what to wait when too many sign in at once
)

// Limiter lets each key through burst times, and then once per every. It
// remembers the size keys used last, so that strangers cannot fill the memory.
type Limiter struct {
	burst int
	every time.Duration
	clock clock.Clock

	mu sync.Mutex
	// full is, by key, when the key's whole burst is there again. That one
	// time is all there is to remember; a key not kept has its whole burst.
	full *lru[string, time.Time]
}

// NewLimiter makes one. Time is clock's Latest.
func NewLimiter(burst int, every time.Duration, size int, c clock.Clock) *Limiter {
	return &Limiter{burst: burst, every: every, clock: c, full: newLRU[string, time.Time](size)}
}

// Allow takes one of key's tries. Limited, with RetryAfter, if there is none.
func (l *Limiter) Allow(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Latest()
	full, ok := l.full.get(key)
	if !ok || full.Before(now) {
		full = now
	}
	if wait := full.Sub(now) - time.Duration(l.burst-1)*l.every; wait > 0 {
		return limited(wait, "Too many tries. Wait a little and try again.")
	}
	l.full.put(key, full.Add(l.every))
	return nil
}

// giveBack returns a try that was taken.
func (l *Limiter) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, ok := l.full.get(key); ok {
		l.full.put(key, full.Add(-l.every))
	}
}

// reset gives key its whole burst again.
func (l *Limiter) reset(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full.drop(key)
}

// throttle slows guessing of passwords: per account as asked, known or not, per
// address, and much sooner per account and address together. So one stranger is
// stopped after a few guesses and does not keep the account's owner out.
type throttle struct {
	pairs, accounts, addresses *Limiter
}

func newThrottle(c clock.Clock) *throttle {
	return &throttle{
		pairs:     NewLimiter(pairTries, pairEvery, throttleSize, c),
		accounts:  NewLimiter(accountTries, accountEvery, throttleSize, c),
		addresses: NewLimiter(addressTries, addressEvery, throttleSize, c),
	}
}

// try is a guess under way. It counts as wrong from the start, so that guesses
// side by side cannot outnumber the limit; one of right and void may be called
// when it turns out not to be one.
type try struct{ taken []taken }

// taken is one count that the try went into.
type taken struct {
	from *Limiter
	key  string
}

// take begins a try. An empty account is not counted: what it guesses cannot be
// guessed. Limited if there have been too many.
func (t *throttle) take(account string, peer netip.Addr) (try, error) {
	address := addressKey(peer)
	counts := []taken{{t.addresses, address}}
	if account != "" {
		counts = append(counts, taken{t.pairs, account + " " + address}, taken{t.accounts, account})
	}
	var y try
	for _, c := range counts {
		if err := c.from.Allow(c.key); err != nil {
			y.void()
			return try{}, err
		}
		y.taken = append(y.taken, c)
	}
	return y, nil
}

// right: the guess was none. The account starts afresh for this address.
func (y try) right() {
	y.void()
	if len(y.taken) > 1 {
		y.taken[1].from.reset(y.taken[1].key)
	}
}

// void: it never came to verifying the guess.
func (y try) void() {
	for _, c := range y.taken {
		c.from.giveBack(c.key)
	}
}

// addressKey is an IPv4 address, or the /64 of an IPv6 address: whoever has one
// address of it has them all. Peers without an address share one key.
func addressKey(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.String()
}
