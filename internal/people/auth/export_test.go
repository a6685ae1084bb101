package auth

import "time"

// Crowd lets do have one turn in the queue of strangers and no second: others wait
// there when it begins, and the queue stays full behind it. It needs a hasher of one
// slot.
func (s *Service) Crowd(do func()) {
	q := s.anonymous
	q.slots <- struct{}{} // somebody hashes
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
