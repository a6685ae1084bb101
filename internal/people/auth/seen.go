package auth

import (
	"context"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

const (
	seenEvery   = 5 * time.Minute
	seenQueue   = 1024
	seenGroup   = 100
	seenTimeout = 10 * time.Second
)

// seenWriter stores when sessions were last used, asynchronously. The data serves the
// idle limit after a restart and the lists of sessions, so notes are dropped when the
// queue is full or another process leads.
type seenWriter struct {
	s          *Service
	queue      chan seenNote
	stop, done chan struct{}
	once       sync.Once
}

type seenNote struct {
	id string
	at time.Time
}

func startSeen(s *Service) *seenWriter {
	w := &seenWriter{s: s, queue: make(chan seenNote, seenQueue), stop: make(chan struct{}), done: make(chan struct{})}
	go w.loop()
	return w
}

// note never waits; false if the note was dropped.
func (w *seenWriter) note(id string, at time.Time) bool {
	if w.s.opt.Do.Ready() != nil {
		return false
	}
	select {
	case w.queue <- seenNote{id, at}:
		return true
	default:
		return false
	}
}

func (w *seenWriter) loop() {
	defer close(w.done)
	for {
		select {
		case n := <-w.queue:
			w.write(w.drain(n))
		case <-w.stop:
			for len(w.queue) > 0 {
				w.write(w.drain(<-w.queue))
			}
			return
		}
	}
}

func (w *seenWriter) drain(first seenNote) []seenNote {
	notes := []seenNote{first}
	for len(notes) < seenGroup {
		select {
		case n := <-w.queue:
			notes = append(notes, n)
		default:
			return notes
		}
	}
	return notes
}

func (w *seenWriter) write(notes []seenNote) {
	ctx, cancel := context.WithTimeout(context.Background(), seenTimeout)
	defer cancel()
	err := w.s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		for _, n := range notes {
			if err := w.s.store.Saw(ctx, tx, n.id, n.at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.s.log.Debug("auth: when sessions were used last was not stored", "sessions", len(notes), "err", err)
	}
}

func (w *seenWriter) close() {
	w.once.Do(func() { close(w.stop) })
	<-w.done
}
