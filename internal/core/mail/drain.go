package mail

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Sender opens connections to a mail server.
type Sender interface {
	// Open connects and logs in. No message has been tried when it fails.
	Open(ctx context.Context) (Connection, error)
}

// Connection hands messages over, one after the other.
type Connection interface {
	// Send returns nil when the server has taken the message, else a *Failure.
	// It does not stop half way when a process is asked to end: whether the
	// message was taken would then be unknown.
	Send(m Message, messageID string) error
	Close()
}

// Fault says what a failure means for the message and for those behind it.
type Fault int

const (
	// Later: the server does not take this message now.
	Later Fault = iota + 1
	// Never: the server will not take this message at all.
	Never
	// Broken: the connection ended while the message was under way.
	Broken
	// Closed: the server works for nobody, or not for us. Nothing was said of
	// this message, so it has not been tried.
	Closed
)

// Failure is why a message was not taken.
type Failure struct {
	Fault Fault
	Err   error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

const (
	batchSize = 50
	// lastTrouble bounds how long a server that failed is left alone. It is
	// short, because nobody's mail goes out meanwhile.
	lastTrouble = 5 * time.Minute
	// markTimeout bounds how long a stop waits until a try is written down.
	markTimeout = 10 * time.Second
)

// Drain sends messages that are due, some at a time, and tells how many. Only
// the process that leads may call it. A server that cannot be used is left
// alone for a while, in which Drain does nothing.
//
// Errors: Unavailable if this process does not lead, or if the server cannot be
// used; what the store returns.
func (s *Service) Drain(ctx context.Context) (sent int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opt.Sender == nil {
		return 0, nil
	}
	// Who cannot write down that a message is sent must not send it.
	if err := s.opt.Do.Ready(); err != nil {
		return 0, err
	}
	if err := s.markAll(ctx); err != nil {
		return 0, err
	}
	now := s.opt.Clock.Latest()
	if now.Before(s.rest) {
		return 0, nil
	}
	due, err := s.opt.Store.Due(ctx, now, batchSize)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	c, err := s.opt.Sender.Open(ctx)
	if err != nil {
		return 0, s.trouble(ctx, err)
	}
	defer c.Close()
	for _, m := range due {
		if ctx.Err() != nil {
			return sent, nil
		}
		if m.Forged {
			if err := s.refuse(ctx, m); err != nil {
				return sent, err
			}
			continue
		}
		err := s.send(c, m)
		if fault := faultOf(err); fault != Closed {
			if err := s.note(ctx, m, err, fault); err != nil {
				return sent, err
			}
			if fault == 0 {
				sent++
			}
			if fault != Broken {
				continue
			}
		}
		return sent, s.trouble(ctx, err)
	}
	s.troubles = 0
	return sent, nil
}

// refuse gives up a letter that somebody has changed, or given to another recipient.
// What is sealed stays, as evidence: it opens nowhere else.
func (s *Service) refuse(ctx context.Context, m Message) error {
	s.opt.Log.Error("mail: a letter was changed past the product and is not sent", "id", m.ID)
	s.unmarked = append(s.unmarked, Outcome{ID: m.ID, State: Failed, Tries: m.Tries, DueAt: m.DueAt, Error: TextForged})
	return s.markAll(ctx)
}

// send makes the page of a message and hands it over. A page that cannot be made
// does not keep back the text, which says the same.
func (s *Service) send(c Connection, m Message) error {
	if err := s.page(&m); err != nil {
		s.opt.Log.Warn("mail: sent without its page", "id", m.ID, "err", reason(err))
	}
	return c.Send(m, m.messageID(s.host))
}

// faultOf is 0 for success. An error that a Sender did not explain is taken for
// the worst: perhaps sent, and nothing more will be.
func faultOf(err error) Fault {
	if err == nil {
		return 0
	}
	if f := new(Failure); errors.As(err, &f) {
		return f.Fault
	}
	return Broken
}

// trouble leaves the server alone for a while, the longer the oftener. It is
// not remembered over a restart: who restarts may have changed the settings.
func (s *Service) trouble(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errs.Wrap(errs.Unavailable, ctx.Err(), "mail.stopping", "The process is stopping")
	}
	s.troubles++
	s.rest = s.opt.Clock.Latest().Add(backoff(s.troubles, lastTrouble))
	return errs.Wrap(errs.Unavailable, err, "mail.server_unusable", "The mail server cannot be used; mail waits until {until}", "until", s.rest.Format(time.RFC3339))
}

// note writes down what became of one try.
func (s *Service) note(ctx context.Context, m Message, err error, fault Fault) error {
	now := s.opt.Clock.Latest()
	o := Outcome{ID: m.ID, State: Waiting, Tries: m.Tries + 1, DueAt: m.DueAt}
	switch {
	case err == nil:
		o.State, o.SentAt = Sent, s.opt.Clock.Now()
	case fault == Never, o.Tries >= maxTries:
		o.State, o.Error = Failed, reason(err)
		s.opt.Log.Warn("mail: given up", "id", m.ID, "tries", o.Tries, "err", o.Error)
	default:
		o.DueAt, o.Error = now.Add(backoff(o.Tries, lastRetry)), reason(err)
	}
	o.Empty = o.State != Waiting && !s.opt.Keep
	s.unmarked = append(s.unmarked, o)
	return s.markAll(ctx)
}

// markAll writes down every try that is not yet. What cannot be written stays
// in memory and comes before the next message: a database that fails for a
// while must not make mails go out twice. It goes on when ctx ends, for the
// same reason.
func (s *Service) markAll(ctx context.Context) error {
	if len(s.unmarked) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), markTimeout)
	defer cancel()
	marks := s.unmarked
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "mail", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		for _, o := range marks {
			if err := s.opt.Store.Mark(ctx, tx, o); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}})
	if err == nil {
		s.unmarked = nil
	}
	return err
}
