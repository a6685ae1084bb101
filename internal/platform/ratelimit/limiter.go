// Package ratelimit limits how often a key, such as an account or an address, may do
// something.
package ratelimit

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Limiter allows each key burst times, and then once per every. It keeps the size most
// recently used keys, which bounds its memory.
type Limiter struct {
	burst int
	every time.Duration
	clock clock.Clock

	mu sync.Mutex
	// full is, by key, when the whole burst is available again; a missing key has its
	// whole burst.
	full   *simplelru.LRU[string, time.Time]
	resets int
}

// NewLimiter returns a limiter that runs by clock's Latest.
func NewLimiter(burst int, every time.Duration, size int, c clock.Clock) *Limiter {
	full, err := simplelru.NewLRU[string, time.Time](max(size, 1), nil)
	if err != nil {
		panic(err) // a size below one only
	}
	return &Limiter{burst: burst, every: every, clock: c, full: full}
}

// Allow takes an attempt of key. Limited, with RetryAfter, if there is none.
func (l *Limiter) Allow(key string) error { return l.AllowKnown(key, time.Time{}) }

// Every is the time in which an attempt comes back.
func (l *Limiter) Every() time.Duration { return l.every }

// Look is Allow without taking an attempt.
func (l *Limiter) Look(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.next(key, time.Time{})
	return err
}

// AllowKnown is Allow for a key whose burst, as the database knows, is not whole before a
// time. It delays nobody by more than a burst.
func (l *Limiter) AllowKnown(key string, known time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	full, err := l.next(key, known)
	if err == nil {
		l.full.Add(key, full)
	}
	return err
}

// next is when the burst of key is whole again after one more attempt; the caller
// holds the lock.
func (l *Limiter) next(key string, known time.Time) (time.Time, error) {
	now := l.clock.Latest()
	if most := now.Add(time.Duration(l.burst) * l.every); known.After(most) {
		known = most
	}
	full, ok := l.full.Get(key)
	if !ok || full.Before(now) {
		full = now
	}
	if known.After(full) {
		full = known
	}
	if wait := full.Sub(now) - time.Duration(l.burst-1)*l.every; wait > 0 {
		return time.Time{}, NewLimited(wait, "auth.too_many_tries", "Too many tries. Wait a little and try again.")
	}
	return full.Add(l.every), nil
}

// GiveBack returns an attempt.
func (l *Limiter) GiveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, ok := l.full.Get(key); ok {
		l.full.Add(key, full.Add(-l.every))
	}
}

// Reset restores key's whole burst.
func (l *Limiter) Reset(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full.Remove(key)
	l.resets++
}

// Mark changes when any key is reset.
func (l *Limiter) Mark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.resets
}

// LimitedError is errs.Limited with the time after which to retry.
type LimitedError struct {
	err   *errs.Error
	after time.Duration
}

// NewLimited is errs.Limited with the time after which to retry.
func NewLimited(after time.Duration, code, text string, params ...any) error {
	return &LimitedError{errs.New(errs.Limited, code, text, params...), after}
}

func (e *LimitedError) Error() string { return e.err.Error() }

// Unwrap returns the errs.Error.
func (e *LimitedError) Unwrap() error { return e.err }

// RetryAfter is how long to wait before the next attempt.
func (e *LimitedError) RetryAfter() time.Duration { return e.after }
