package mail

import (
	"context"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/messages"
)

type Options struct {
	Store Store
	Clock clock.Clock
	Do    ledger.Leader
	Log   *slog.Logger
	// Sender sends messages. Without one they stay in the outbox.
	Sender Sender
	// Brand is the brand in force; DefaultBrand by default.
	Brand func() Brand
	// PublicURL is the start of links, http(s)://HOST[:PORT]. Message-IDs use its
	// host, so all processes must have the same.
	PublicURL string
	// Keep leaves text and HTML in the outbox after a message is sent, in a demo.
	Keep bool
	// Every is the interval at which the outbox is drained without Wake; 5 s by
	// default.
	Every time.Duration
}

// Service queues mails and sends them.
type Service struct {
	opt  Options
	host string // of Message-IDs
	wake chan struct{}

	mu       sync.Mutex // one drain at a time; guards the fields below
	unmarked []Outcome  // outcomes that are not recorded yet
	troubles int        // drains in a row that the mail server ended
	rest     time.Time  // the end of the pause after a failure
}

const (
	pollEvery = 5 * time.Second
	maxRecent = 200
)

// New makes a Service. It logs a warning if no mail can be sent.
//
// Errors: Invalid if PublicURL is not http(s)://HOST[:PORT].
func New(opt Options) (*Service, error) {
	u, err := url.Parse(opt.PublicURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errs.New(errs.Invalid, "mail.public_url", "The address for links in mails must be http(s)://HOST[:PORT]. Set public_url.")
	}
	if opt.Brand == nil {
		opt.Brand = DefaultBrand
	}
	if opt.Every <= 0 {
		opt.Every = pollEvery
	}
	if opt.Sender == nil {
		opt.Log.Warn("mail: no mail server is set, so mail stays in the outbox: set smtp_addr")
	}
	return &Service{opt: opt, host: mailHost(u.Hostname()), wake: make(chan struct{}, 1)}, nil
}

// Queue writes a mail to the outbox as part of a command. It is sent after the command
// is committed, and at once with tx.AfterCommit(s.Wake).
//
// Errors: Invalid if to is not one bare e-mail address.
func (s *Service) Queue(ctx context.Context, tx *ledger.Tx, to string, mail Mail) error {
	now := s.opt.Clock.Now()
	l, err := render(messages.English, s.opt.Brand(), s.opt.PublicURL, now, mail)
	if err != nil {
		return err
	}
	text, err := l.plain()
	if err != nil {
		return err
	}
	m, err := Compose(to, l.Subject, text)
	if err != nil {
		return err
	}
	if m.Letter, err = encode(mail); err != nil {
		return err
	}
	if m.About, err = about(m.Letter); err != nil {
		return err
	}
	m.CreatedAt, m.DueAt = now, s.opt.Clock.Latest()
	return s.opt.Store.Add(ctx, tx, m)
}

// Recent lists the latest messages, newest first, 200 at most, without HTML. Outside a
// demo it omits the text too, which is for the recipients only.
func (s *Service) Recent(ctx context.Context, limit int) ([]Message, error) {
	found, err := s.opt.Store.Recent(ctx, min(max(limit, 1), maxRecent))
	for i := range found {
		if !s.opt.Keep {
			found[i].Text, found[i].Letter = "", ""
		} else if err := s.write(&found[i]); err != nil {
			return nil, err
		}
		found[i].HTML = ""
	}
	return found, err
}

// Waiting returns the number of queued messages and when the oldest was queued; the
// zero time if there is none.
func (s *Service) Waiting(ctx context.Context) (count int, oldest time.Time, err error) {
	return s.opt.Store.Waiting(ctx)
}

// Failed returns the number of messages that were given up.
func (s *Service) Failed(ctx context.Context) (int, error) { return s.opt.Store.Failed(ctx) }

// Forged returns the number of messages that were given up because their rows were
// changed.
func (s *Service) Forged(ctx context.Context) (int, error) { return s.opt.Store.Forged(ctx) }

// Wake makes Loop drain the outbox now. It never blocks.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // already pending
	}
}

// Loop drains the outbox after Wake and at intervals, until ctx ends. It first
// finishes and marks a message that is being sent. It may run in every process: only
// the leading one sends.
func (s *Service) Loop(ctx context.Context) {
	tick := time.NewTicker(s.opt.Every)
	defer tick.Stop()
	for {
		if s.opt.Do.Ready() == nil {
			s.drainAll(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick.C:
		}
	}
}

// drainAll drains until no due message is left.
func (s *Service) drainAll(ctx context.Context) {
	for ctx.Err() == nil {
		sent, err := s.Drain(ctx)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("mail: some messages could not be sent", "err", err)
		}
		if err != nil || sent == 0 {
			return
		}
	}
}
