package auth

import "time"

// Crowd runs do with one slot in the queue of callers without a session and a full queue
// behind it, so that do cannot enter twice. It needs a hasher with one slot.
func (s *Service) Crowd(do func()) {
	q := s.anonymous
	q.slots <- struct{}{} // the slot is in use
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	for q.waiting.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	q.waiting.Add(q.limit)
	next := make(chan struct{})
	go func() { q.slots <- struct{}{}; close(next) }()
	time.Sleep(20 * time.Millisecond) // until it waits behind do
	<-q.slots
	<-done
	<-next
	<-q.slots
	q.waiting.Add(-q.limit)
}
