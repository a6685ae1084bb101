// Package clock provides two times, which differ after the machine's clock is set. Now
// is the wall clock, for users and business days. Latest never goes back and keeps
// running while the wall clock is in the past: deadlines (holds, one-time codes,
// sessions) use it, so that no jump of the clock can extend one.
package clock

import (
	"sync"
	"time"
)

// Clock is the only source of time.
type Clock interface {
	// Now is the wall clock, in UTC.
	Now() time.Time
	// Latest is the later of the wall clock and the steady clock, which started at
	// the wall clock (or at the time of Raise) and counts elapsed real time.
	Latest() time.Time
	// Raise makes Latest at least t, the last time recorded by an earlier process.
	Raise(t time.Time)
}

// System is the machine's clock.
func System() Clock { return Ahead(0) }

// Ahead is the machine's clock plus d, for a demo that runs in the future.
func Ahead(d time.Duration) Clock {
	start := time.Now()
	return newSteady(func() time.Time { return time.Now().Add(d) }, func() time.Duration { return time.Since(start) })
}

// steady derives Latest from a wall clock and a count of elapsed real time.
type steady struct {
	wall    func() time.Time
	elapsed func() time.Duration

	mu   sync.Mutex
	base time.Time // steady time when elapsed was zero
}

func newSteady(wall func() time.Time, elapsed func() time.Duration) *steady {
	return &steady{wall: wall, elapsed: elapsed, base: strip(wall()).Add(-elapsed())}
}

// strip removes the monotonic reading, so that comparisons use the wall clock.
func strip(t time.Time) time.Time { return t.Round(0).UTC() }

func (s *steady) Now() time.Time { return strip(s.wall()) }

func (s *steady) Latest() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	ran := s.elapsed()
	if now := strip(s.wall()); now.After(s.base.Add(ran)) {
		s.base = now.Add(-ran) // follow the wall forward, and stay there
	}
	return s.base.Add(ran)
}

func (s *steady) Raise(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ran := s.elapsed(); t.After(s.base.Add(ran)) {
		s.base = strip(t).Add(-ran)
	}
}

// Fake is a clock that tests and simulations set.
type Fake struct {
	*steady
	mu   sync.Mutex
	now  time.Time
	real time.Duration
}

// NewFake starts at t.
func NewFake(t time.Time) *Fake {
	f := &Fake{now: strip(t)}
	f.steady = newSteady(
		func() time.Time { f.mu.Lock(); defer f.mu.Unlock(); return f.now },
		func() time.Duration { f.mu.Lock(); defer f.mu.Unlock(); return f.real },
	)
	return f
}

// Advance lets real time pass: both clocks move.
func (f *Fake) Advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.real = f.now.Add(d), f.real+d
}

// SetWall sets the wall clock, as an administrator or a time server would; no real time
// passes.
func (f *Fake) SetWall(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = strip(t)
}
