// Package clock tells the time in two ways, because they differ when somebody
// sets the machine's clock. Now is the wall clock: what people and business
// days go by. Latest never goes back and keeps running while the wall clock
// stands in the past: deadlines (holds, one-time codes, sessions) go by it, so
// that no jump of the clock can lengthen one.
package clock

import (
	"sync"
	"time"
)

// Clock is the only source of time in the product.
type Clock interface {
	// Now is the wall clock, in UTC.
	Now() time.Time
	// Latest is the largest of the wall clock and the steady clock, which
	// started at the wall clock (or where Raise put it) and counts real time.
	Latest() time.Time
	// Raise makes Latest at least t: what the store remembers of the time
	// before this process started.
	Raise(t time.Time)
}

// System is the machine's clock.
func System() Clock { return Ahead(0) }

// Ahead is the machine's clock with d added: a demo can live on a day to come.
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

// strip drops Go's monotonic reading, so that comparing two times compares
// what the wall clock said.
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

// Fake is a clock that a test or a simulation moves by hand.
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

// SetWall sets the wall clock, as an operator or a bad time server would; no
// real time passes.
func (f *Fake) SetWall(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = strip(t)
}
