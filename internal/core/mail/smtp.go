package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	netmail "net/mail"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// How a connection to the mail server is protected.
const (
	StartTLS = "starttls" // begins in the clear, must change to TLS before anything is said
	TLS      = "tls"      // TLS from the first byte
	NoTLS    = "none"     // only on this machine
)

// SMTPOptions say how to reach a mail server.
type SMTPOptions struct {
	Addr           string // HOST:PORT
	User, Password string // no login when User is ""
	TLS            string // StartTLS unless given
	CAFile         string // the only authorities believed; the system's when ""
	From           string // who mails come from, as in "Bifolia <no-reply@example.org>"
	// PublicURL's host is how this installation introduces itself.
	PublicURL string
	// Timeout bounds connecting, and each message; 20 s unless given.
	Timeout time.Duration
}

const (
	smtpTimeout = 20 * time.Second
	quitTimeout = 2 * time.Second
)

// SMTP sends through a mail server.
type SMTP struct {
	opt  SMTPOptions
	host string
	port int
	helo string
	tls  *tls.Config // nil for NoTLS
}

// NewSMTP checks the options. It connects to nothing: a mail server that is
// down must not keep the product from starting.
//
// Errors: Invalid if an option cannot work.
func NewSMTP(opt SMTPOptions) (*SMTP, error) {
	host, port, err := net.SplitHostPort(opt.Addr)
	n, errPort := strconv.ParseUint(port, 10, 16)
	if err != nil || host == "" || errPort != nil || n == 0 {
		return nil, errs.New(errs.Invalid, "mail.smtp_addr", "The mail server's address is not HOST:PORT: correct smtp_addr.")
	}
	if _, err := netmail.ParseAddress(opt.From); err != nil || strings.ContainsFunc(opt.From, breaksLine) {
		return nil, errs.New(errs.Invalid, "mail.sender", "The sender of mails is not one address: correct mail_from.")
	}
	if opt.Timeout <= 0 {
		opt.Timeout = smtpTimeout
	}
	s := &SMTP{opt: opt, host: host, port: int(n), helo: helloName(opt.PublicURL)}
	switch opt.TLS {
	case "", StartTLS, TLS:
		s.tls = &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	case NoTLS:
		if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.Unmap().IsLoopback()) {
			return nil, errs.New(errs.Invalid, "mail.smtp_tls_needed", "Mails hold passwords, so only a mail server on this machine is reached without TLS: correct smtp_tls.")
		}
	default:
		return nil, errs.New(errs.Invalid, "mail.smtp_tls_unknown", "smtp_tls is not one of starttls, tls, none.")
	}
	if opt.CAFile != "" && s.tls != nil {
		raw, err := os.ReadFile(opt.CAFile)
		if err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "mail.authorities_unreadable", "The authorities of the mail server cannot be read: correct smtp_ca_file")
		}
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM(raw) {
			return nil, errs.New(errs.Invalid, "mail.authorities_empty", "The file of the mail server's authorities holds no certificate: correct smtp_ca_file.")
		}
	}
	return s, nil
}

// helloName is how a client that is found at publicURL introduces itself.
func helloName(publicURL string) string {
	_, host, _ := strings.Cut(publicURL, "://")
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host = strings.Trim(host, "[]"); host == "" {
		host = "localhost"
	}
	return mailHost(host)
}

// Open connects, encrypts and logs in.
func (s *SMTP) Open(ctx context.Context) (Connection, error) {
	raw, wire, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	// The library neither minds ctx after it has a connection nor closes one
	// that it cannot use.
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() })
	client, err := gomail.NewClient(s.host, s.options(wire)...)
	if err != nil {
		stop()
		return nil, errors.Join(err, raw.Close())
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return &smtpConnection{s, client, session, raw}, nil
}

// dial connects. wire is what to talk through; raw, below it, is what to close.
func (s *SMTP) dial(ctx context.Context) (raw, wire net.Conn, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	raw, err = new(net.Dialer).DialContext(ctx, "tcp", s.opt.Addr)
	if err != nil || s.opt.TLS != TLS {
		return raw, raw, err
	}
	secure := tls.Client(raw, s.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, nil, errors.Join(err, raw.Close())
	}
	return raw, secure, nil
}

func (s *SMTP) options(wire net.Conn) []gomail.Option {
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithHELO(s.helo), gomail.WithTimeout(s.opt.Timeout),
		gomail.WithDialContextFunc(func(context.Context, string, string) (net.Conn, error) { return wire, nil }),
	}
	// PLAIN and LOGIN come first because every server knows them and TLS has
	// proved who listens.
	login := gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthPlain, gomail.SMTPAuthLogin)
	switch s.opt.TLS {
	case NoTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
		login = gomail.WithSMTPAuth(gomail.SMTPAuthPlainNoEnc)
	case TLS: // wire is encrypted; a second STARTTLS within is neither needed nor asked for
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithTLSConfig(s.tls.Clone()))
	}
	if s.opt.User != "" {
		options = append(options, login, gomail.WithUsername(s.opt.User), gomail.WithPassword(s.opt.Password))
	}
	return options
}

type smtpConnection struct {
	smtp    *SMTP
	client  *gomail.Client
	session *smtp.Client
	raw     net.Conn
}

func (c *smtpConnection) Close() {
	if c.session.HasConnection() && c.session.UpdateDeadline(quitTimeout) == nil {
		_ = c.session.Quit()
	}
	_ = c.raw.Close()
}

func (c *smtpConnection) Send(m Message, messageID string) error {
	msg, err := c.smtp.compose(m, messageID)
	if err != nil {
		return &Failure{Never, err}
	}
	err = c.client.SendWithSMTPClient(c.session, msg)
	// Once the server has said that it takes the message, a connection that
	// then breaks changes nothing.
	if err == nil || msg.IsDelivered() {
		return nil
	}
	f := &Failure{classify(err), err}
	if f.Fault == Later || f.Fault == Never {
		_ = c.session.Reset()
	}
	return f
}

func (s *SMTP) compose(m Message, messageID string) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(msg.From(s.opt.From), msg.To(m.To)); err != nil {
		return nil, err
	}
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(messageID)
	msg.SetDateWithValue(m.CreatedAt)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // no out-of-office replies, please
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return msg, nil
}

// classify tells what a failure means. What the server says before it hears the
// recipient is about us, not about the message.
func classify(err error) Fault {
	var e *gomail.SendError
	if !errors.As(err, &e) {
		return Broken
	}
	switch code := e.ErrorCode(); {
	case e.Reason == gomail.ErrConnCheck, e.Reason == gomail.ErrSMTPMailFrom:
		return Closed
	case e.Reason == gomail.ErrGetSender, e.Reason == gomail.ErrGetRcpts:
		return Never
	case code == 421: // it closes down
		return Broken
	case code == 530, code >= 500 && strings.HasPrefix(e.EnhancedStatusCode(), "5.7."):
		// Refused for lack of a right, such as relaying without having logged
		// in: that may be our settings, and somebody may correct them.
		return Later
	case code >= 500:
		return Never
	case code >= 400:
		return Later
	}
	return Broken
}

// NewSender is how mail leaves this installation: through the server of opt; in
// a demo without one, not at all, but as if; else nil, and mail waits.
//
// Errors: Invalid if an option cannot work.
func NewSender(opt SMTPOptions, demo bool) (Sender, error) {
	switch {
	case opt.Addr != "":
		s, err := NewSMTP(opt)
		if err != nil {
			return nil, err // not a *SMTP that is nil: the interface would not be
		}
		return s, nil
	case demo:
		return Shelf{}, nil
	}
	return nil, nil
}

// Shelf is the sender of a demo: it takes every message and sends none. They
// can be read in the outbox.
type Shelf struct{}

// Open always succeeds.
func (s Shelf) Open(context.Context) (Connection, error) { return s, nil }

// Send leaves the message where it is.
func (Shelf) Send(Message, string) error { return nil }

// Close does nothing.
func (Shelf) Close() {}
