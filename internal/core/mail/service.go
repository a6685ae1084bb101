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

// Options of a Service.
type Options struct {
	Store Store
	Clock clock.Clock
	Do    ledger.Leader
	Log   *slog.Logger
	// Sender takes messages out of the house. Without one they wait.
	Sender Sender
	// Product is the name that mails use; Bifolia unless given.
	Product string
	// PublicURL is what links begin with, http(s)://HOST[:PORT]. Its host is
	// also that of Message-IDs, so all processes must have the same.
	PublicURL string
	// Keep leaves text and HTML in the outbox when a message is sent: a demo.
	Keep bool
	// Every is how often the outbox is looked at without being woken; 5 s
	// unless given.
	Every time.Duration
}

// Service queues mails and sends them.
type Service struct {
	opt  Options
	host string // of Message-IDs
	wake chan struct{}

	mu       sync.Mutex // one drain at a time, and guards what follows
	unmarked []Outcome  // tries that could not be written down yet
	troubles int        // drains in a row that the mail server ended
	rest     time.Time  // until when the mail server is left alone
}

const (
	pollEvery = 5 * time.Second
	maxRecent = 200
)

// New makes a Service. It logs a warning when nothing can be sent.
//
// Errors: Invalid if PublicURL is not http(s)://HOST[:PORT].
func New(opt Options) (*Service, error) {
	u, err := url.Parse(opt.PublicURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errs.New(errs.Invalid, "mail.public_url", "The address for links in mails is not http(s)://HOST[:PORT]: set public_url.")
	}
	if opt.Product == "" {
		opt.Product = "Bifolia"
	}
	if opt.Every <= 0 {
		opt.Every = pollEvery
	}
	if opt.Sender == nil {
		opt.Log.Warn("mail: no mail server is set, so mail waits in the outbox: set smtp_addr")
	}
	return &Service{opt: opt, host: mailHost(u.Hostname()), wake: make(chan struct{}, 1)}, nil
}

// Queue writes a mail into the outbox as part of a command. It is sent after
// the command is committed; tx.AfterCommit(s.Wake) makes that at once.
//
// Errors: Invalid if to is not one bare e-mail address.
func (s *Service) Queue(ctx context.Context, tx *ledger.Tx, to string, mail Mail) error {
	now := s.opt.Clock.Now()
	l, err := render(messages.English, s.opt.Product, s.opt.PublicURL, now, mail)
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
	if m.Letter, err = keep(mail); err != nil {
		return err
	}
	if m.About, err = about(m.Letter); err != nil {
		return err
	}
	m.CreatedAt, m.DueAt = now, s.opt.Clock.Latest()
	return s.opt.Store.Add(ctx, tx, m)
}

// Recent lists the latest messages, newest first, 200 at most, without their
// pages. Outside a demo they come without text too: that is for their recipients
// only.
func (s *Service) Recent(ctx context.Context, limit int) ([]Message, error) {
	found, err := s.opt.Store.Recent(ctx, min(max(limit, 1), maxRecent))
	if !s.opt.Keep {
		for i := range found {
			found[i].Text, found[i].HTML, found[i].Letter = "", "", ""
		}
	}
	return found, err
}

// Waiting counts the messages that wait and tells when the oldest of them was
// queued; the zero time if there is none.
func (s *Service) Waiting(ctx context.Context) (count int, oldest time.Time, err error) {
	return s.opt.Store.Waiting(ctx)
}

// Failed counts the messages that were given up.
func (s *Service) Failed(ctx context.Context) (int, error) { return s.opt.Store.Failed(ctx) }

// Forged counts the messages that were given up because somebody has changed them.
func (s *Service) Forged(ctx context.Context) (int, error) { return s.opt.Store.Forged(ctx) }

// Wake makes Loop look at the outbox now. It never blocks.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake already, or about to be
	}
}

// Loop drains the outbox when it is woken, and from time to time, until ctx
// ends. A message that is under way then is finished and marked first. It may
// run in every process: only the one that leads sends.
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

// drainAll drains until nothing more goes out.
func (s *Service) drainAll(ctx context.Context) {
	for ctx.Err() == nil {
		sent, err := s.Drain(ctx)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("mail: not everything could be sent", "err", err)
		}
		if err != nil || sent == 0 {
			return
		}
	}
}
