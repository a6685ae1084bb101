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
	// Open connects and logs in. If it fails, no message has been tried.
	Open(ctx context.Context) (Connection, error)
}

// Connection sends messages, one after the other.
type Connection interface {
	// Send returns nil if the server has accepted the message, else a *Failure. It
	// does not stop when the process is asked to end, because the outcome would
	// then be unknown.
	Send(m Message, messageID string) error
	Close()
}

// Fault is the meaning of a failure for the message and for the following ones.
type Fault int

const (
	// Later: the server does not accept this message now.
	Later Fault = iota + 1
	// Never: the server will never accept this message.
	Never
	// Broken: the connection ended while the message was being sent.
	Broken
	// Closed: the server accepts no messages, or none from us. This message has not
	// been tried.
	Closed
)

// Failure is the reason why a message was not accepted.
type Failure struct {
	Fault Fault
	Err   error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

const (
	batchSize = 50
	// maxPause bounds the pause after failures of the server. It is short, because
	// no mail is sent in the meantime.
	maxPause = 5 * time.Minute
	// markTimeout bounds how long a stop waits until a try is recorded.
	markTimeout = 10 * time.Second
)

// Drain sends a batch of due messages and returns their number. Only the leading
// process may call it. After a failure of the server, Drain does nothing for a while.
//
// Errors: Unavailable if this process does not lead, or if the server cannot be
// used; those of the store.
func (s *Service) Drain(ctx context.Context) (sent int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opt.Sender == nil {
		return 0, nil
	}
	// A process that cannot record that a message is sent must not send it.
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

// refuse gives up a message that was changed in the database, or moved to another
// recipient. Its encrypted content is kept as evidence.
func (s *Service) refuse(ctx context.Context, m Message) error {
	s.opt.Log.Error("mail: a message was changed outside Bifolia and is not sent", "id", m.ID)
	s.unmarked = append(s.unmarked, Outcome{ID: m.ID, State: Failed, Tries: m.Tries, DueAt: m.DueAt, Error: TextForged})
	return s.markAll(ctx)
}

// send writes a message from its data and sends it. If writing fails, it sends the text that
// was queued.
func (s *Service) send(c Connection, m Message) error {
	if err := s.write(&m); err != nil {
		s.opt.Log.Warn("mail: sent without HTML", "id", m.ID, "err", reason(err))
	}
	return c.Send(m, m.messageID(s.host))
}

// faultOf returns 0 for success. It treats an error that is not a *Failure as Broken:
// the message may have been sent, and the connection cannot be used any more.
func faultOf(err error) Fault {
	if err == nil {
		return 0
	}
	if f := new(Failure); errors.As(err, &f) {
		return f.Fault
	}
	return Broken
}

// trouble pauses sending, longer after each failure. The pause does not survive a
// restart, because the settings may have been corrected.
func (s *Service) trouble(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errs.Wrap(errs.Unavailable, ctx.Err(), "mail.stopping", "The server is stopping")
	}
	s.troubles++
	s.rest = s.opt.Clock.Latest().Add(backoff(s.troubles, maxPause))
	return errs.Wrap(errs.Unavailable, err, "mail.server_unusable", "The mail server cannot be used. Mail is queued until {until}", "until", s.rest.Format(time.RFC3339))
}

// note records the outcome of a try.
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

// markAll records every outcome that is not recorded yet. An outcome that cannot be
// written stays in memory and is written before the next message is sent, so that a
// temporary failure of the database does not send mails twice. For the same reason it
// continues after ctx ends.
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
