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

// The encryption of a connection to the mail server.
const (
	StartTLS = "starttls" // starts in the clear and must switch to TLS first
	TLS      = "tls"      // TLS from the first byte
	NoTLS    = "none"     // only on this machine
)

// SMTPOptions are the options of the connection to a mail server.
type SMTPOptions struct {
	Addr           string // HOST:PORT
	User, Password string // no login if User is ""
	TLS            string // StartTLS by default
	CAFile         string // the only trusted certificate authorities; the system's if ""
	From           string // the sender, as in "Bifolia <no-reply@example.org>"
	// PublicURL's host is the host name for HELO.
	PublicURL string
	// Timeout bounds connecting, and each message; 20 s by default.
	Timeout time.Duration
}

const (
	smtpTimeout = 20 * time.Second
	quitTimeout = 2 * time.Second
)

// SMTP sends messages through a mail server.
type SMTP struct {
	opt  SMTPOptions
	host string
	port int
	helo string
	tls  *tls.Config // nil for NoTLS
}

// NewSMTP checks the options. It does not connect, because the server must start even
// if the mail server is down.
//
// Errors: Invalid if an option cannot work.
func NewSMTP(opt SMTPOptions) (*SMTP, error) {
	host, port, err := net.SplitHostPort(opt.Addr)
	n, errPort := strconv.ParseUint(port, 10, 16)
	if err != nil || host == "" || errPort != nil || n == 0 {
		return nil, errs.New(errs.Invalid, "mail.smtp_addr", "The address of the mail server must be HOST:PORT. Correct smtp_addr.")
	}
	if _, err := netmail.ParseAddress(opt.From); err != nil || strings.ContainsFunc(opt.From, breaksLine) {
		return nil, errs.New(errs.Invalid, "mail.sender", "The sender of mails must be one address. Correct mail_from.")
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
			return nil, errs.New(errs.Invalid, "mail.smtp_tls_needed", "Mails contain passwords, so smtp_tls can be none only for a mail server on this machine. Correct smtp_tls.")
		}
	default:
		return nil, errs.New(errs.Invalid, "mail.smtp_tls_unknown", "smtp_tls must be starttls, tls or none.")
	}
	if opt.CAFile != "" && s.tls != nil {
		raw, err := os.ReadFile(opt.CAFile)
		if err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "mail.authorities_unreadable", "The certificate authorities of the mail server cannot be read. Correct smtp_ca_file")
		}
		s.tls.RootCAs = x509.NewCertPool()
		if !s.tls.RootCAs.AppendCertsFromPEM(raw) {
			return nil, errs.New(errs.Invalid, "mail.authorities_empty", "The file of the mail server's certificate authorities contains no certificate. Correct smtp_ca_file.")
		}
	}
	return s, nil
}

// helloName returns the host name for HELO from publicURL.
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
	// The library ignores ctx once it has a connection, and does not close a
	// connection that it cannot use.
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

// dial connects. wire is the connection to use, raw the one below it, to close.
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
	// PLAIN and LOGIN come first, because every server supports them and TLS has
	// authenticated the server.
	login := gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthPlain, gomail.SMTPAuthLogin)
	switch s.opt.TLS {
	case NoTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
		login = gomail.WithSMTPAuth(gomail.SMTPAuthPlainNoEnc)
	case TLS: // wire is encrypted, so STARTTLS is not needed
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
	// Once the server has accepted the message, a broken connection does not
	// matter.
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
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // prevents out-of-office replies
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	return msg, nil
}

// classify returns the Fault of a failure. A reply before the recipient is sent
// concerns the connection, not the message.
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
	case code == 421: // the server is shutting down
		return Broken
	case code == 530, code >= 500 && strings.HasPrefix(e.EnhancedStatusCode(), "5.7."):
		// Missing permission, such as relaying without a login: the settings may
		// be wrong and may be corrected.
		return Later
	case code >= 500:
		return Never
	case code >= 400:
		return Later
	}
	return Broken
}

// NewSender returns the Sender of an installation: the mail server of opt; Shelf in a
// demo without a mail server; otherwise nil, and mail stays in the outbox.
//
// Errors: Invalid if an option cannot work.
func NewSender(opt SMTPOptions, demo bool) (Sender, error) {
	switch {
	case opt.Addr != "":
		s, err := NewSMTP(opt)
		if err != nil {
			return nil, err // a nil *SMTP would be a non-nil Sender
		}
		return s, nil
	case demo:
		return Shelf{}, nil
	}
	return nil, nil
}

// Shelf is the Sender of a demo: it accepts every message and sends none. They can be
// read in the outbox.
type Shelf struct{}

// Open always succeeds.
func (s Shelf) Open(context.Context) (Connection, error) { return s, nil }

// Send does nothing.
func (Shelf) Send(Message, string) error { return nil }

// Close does nothing.
func (Shelf) Close() {}
