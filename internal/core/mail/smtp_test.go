package mail_test

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func message(to string) mail.Message {
	return mail.Message{
		ID: 7, To: to, Subject: "Grüße von Bifolia", CreatedAt: testkit.Epoch,
		Text: "Hello Änn,\n.\n" + strings.Repeat("a long line ", 30) + "\n", HTML: "<p>Hello Änn</p>\n",
	}
}

// send opens one connection and sends one message.
func send(t *testing.T, s *mail.SMTP, m mail.Message) error {
	t.Helper()
	c, err := s.Open(t.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Send(m, "7.1@b.example")
}

func fault(err error) mail.Fault {
	var f *mail.Failure
	if errors.As(err, &f) {
		return f.Fault
	}
	return 0
}

func TestMailArrivesInEveryModeWithAndWithoutLogin(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{mail.StartTLS, mail.TLS, mail.NoTLS} {
		for _, login := range []bool{false, true} {
			s := startServer(t, mode, login)
			err := send(t, sender(t, s, func(o *mail.SMTPOptions) {
				o.TLS = mode
				if login {
					o.User, o.Password = mailUser, mailPassword
				}
			}), message("ann@example.org"))
			if err != nil {
				t.Errorf("%s, login %t: %v", mode, login, err)
				continue
			}
			got := s.deliveries()
			if len(got) != 1 || got[0].from != "no-reply@b.example" || got[0].to != "ann@example.org" || (got[0].user == mailUser) != login {
				t.Errorf("%s, login %t: got %+v", mode, login, got)
			}
		}
	}
}

func TestAMailArrivesUnchanged(t *testing.T) {
	t.Parallel()
	s := startServer(t, mail.StartTLS, false)
	m := message("ann@example.org")
	if err := send(t, sender(t, s, nil), m); err != nil {
		t.Fatal(err)
	}
	header, text, html := parse(t, s.deliveries()[0].content)
	for name, want := range map[string]string{
		"From": `"Bifolia" <no-reply@b.example>`, "To": "<ann@example.org>", "Subject": m.Subject, "Message-Id": "<7.1@b.example>",
		"Date": "Sun, 15 Nov 2026 03:00:00 +0000", "Auto-Submitted": "auto-generated", "Mime-Version": "1.0", "Bcc": "", "User-Agent": "", "X-Mailer": "",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if text != m.Text || html != m.HTML {
		t.Errorf("got text %q, HTML %q", text, html)
	}
}

// parse takes a mail with a plain and an HTML part apart.
func parse(t *testing.T, raw string) (header netmail.Header, text, html string) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("content type %q, %v", kind, err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	m.Header["Subject"] = []string{subject}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range []struct {
		kind string
		body *string
	}{{"text/plain; charset=UTF-8", &text}, {"text/html; charset=UTF-8", &html}} {
		part, err := parts.NextRawPart()
		if err != nil || part.Header.Get("Content-Type") != want.kind {
			t.Fatalf("part %v, %v, not %s", part, err, want.kind)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		*want.body = strings.ReplaceAll(string(body), "\r\n", "\n")
	}
	if _, err := parts.NextRawPart(); !errors.Is(err, io.EOF) {
		t.Errorf("there is a third part: %v", err)
	}
	return m.Header, text, html
}

func TestAServerThatCannotProveItselfGetsNothing(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{mail.StartTLS, mail.TLS} {
		s, other := startServer(t, mode, true), startServer(t, mode, true)
		for name, change := range map[string]func(*mail.SMTPOptions){
			"the system's authorities": func(o *mail.SMTPOptions) { o.CAFile = "" },
			"another authority":        func(o *mail.SMTPOptions) { o.CAFile = other.caFile },
			"another name":             func(o *mail.SMTPOptions) { o.Addr = "localhost" + o.Addr[strings.LastIndex(o.Addr, ":"):] },
		} {
			c, err := sender(t, s, func(o *mail.SMTPOptions) {
				o.TLS, o.User, o.Password = mode, mailUser, mailPassword
				change(o)
			}).Open(t.Context())
			if err == nil {
				c.Close()
				t.Errorf("%s, %s: it was believed", mode, name)
			}
		}
	}
}

func TestAServerWithoutTLSGetsNothing(t *testing.T) {
	t.Parallel()
	s := startServer(t, mail.NoTLS, true)
	for _, mode := range []string{"", mail.StartTLS, mail.TLS} {
		c, err := sender(t, s, func(o *mail.SMTPOptions) {
			o.TLS, o.User, o.Password, o.Timeout = mode, mailUser, mailPassword, time.Second
		}).Open(t.Context())
		if err == nil {
			c.Close()
			t.Errorf("%q: it was spoken to in the clear", mode)
		}
	}
}

func TestAWrongPasswordIsSaidAndNotShown(t *testing.T) {
	t.Parallel()
	s := startServer(t, mail.StartTLS, true)
	_, err := sender(t, s, func(o *mail.SMTPOptions) { o.User, o.Password = mailUser, "hunter22" }).Open(t.Context())
	if err == nil || !strings.Contains(err.Error(), "535") || strings.Contains(err.Error(), "hunter22") {
		t.Errorf("got %v", err)
	}
}

func TestRepliesOfTheServerAreClassified(t *testing.T) {
	t.Parallel()
	reply := func(code int, a, b, c int) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{a, b, c}, Message: "no"}
	}
	for name, c := range map[string]struct {
		from, rcpt, data error
		want             mail.Fault
	}{
		"no such person":                   {rcpt: reply(550, 5, 1, 1), want: mail.Never},
		"mailbox full":                     {rcpt: reply(452, 4, 2, 2), want: mail.Later},
		"come back later":                  {rcpt: reply(451, 4, 7, 1), want: mail.Later},
		"not logged in":                    {rcpt: reply(530, 5, 7, 0), want: mail.Later},
		"no relaying":                      {rcpt: reply(554, 5, 7, 1), want: mail.Later},
		"content refused":                  {data: reply(554, 5, 6, 0), want: mail.Never},
		"content refused for now":          {data: reply(451, 4, 3, 0), want: mail.Later},
		"sender refused":                   {from: reply(553, 5, 1, 8), want: mail.Closed},
		"sender refused for now":           {from: reply(450, 4, 1, 8), want: mail.Closed},
		"closes down before the recipient": {from: reply(421, 4, 3, 2), want: mail.Closed},
		"closes down at the recipient":     {rcpt: reply(421, 4, 3, 2), want: mail.Broken},
	} {
		s := startServer(t, mail.StartTLS, false)
		s.from = func(string) error { return c.from }
		s.rcpt = func(to string) error {
			if to == "good@example.org" {
				return nil
			}
			return c.rcpt
		}
		s.data = func() error { return c.data }
		if err := send(t, sender(t, s, nil), message("ann@example.org")); fault(err) != c.want {
			t.Errorf("%s: got %d, %v, want %d", name, fault(err), err, c.want)
		}
	}
}

func TestAfterARefusalTheSameConnectionServesTheNext(t *testing.T) {
	t.Parallel()
	s := startServer(t, mail.StartTLS, false)
	s.rcpt = func(to string) error {
		if to == "bad@example.org" {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such person"}
		}
		return nil
	}
	c, err := sender(t, s, nil).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, to := range []string{"a@example.org", "bad@example.org", "b@example.org"} {
		if err := c.Send(message(to), to); (err != nil) != (to == "bad@example.org") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if got := s.deliveries(); len(got) != 2 || got[0].session != got[1].session {
		t.Errorf("got %+v", got)
	}
}

func TestASilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	silent, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	for _, mode := range []string{mail.StartTLS, mail.TLS} {
		s := sender(t, &server{addr: silent.Addr().String()}, func(o *mail.SMTPOptions) { o.TLS, o.Timeout = mode, 50*time.Millisecond })
		if _, err := s.Open(t.Context()); err == nil {
			t.Errorf("%s: it was taken for a mail server", mode)
		}
		s = sender(t, &server{addr: silent.Addr().String()}, func(o *mail.SMTPOptions) { o.TLS = mode })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := s.Open(ctx); err == nil {
			t.Errorf("%s: a stop did not end the wait", mode)
		}
		cancel()
	}
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	_, caFile := certificate(t)
	for name, change := range map[string]func(*mail.SMTPOptions){
		"address":          func(o *mail.SMTPOptions) { o.Addr = "mail.example" },
		"port":             func(o *mail.SMTPOptions) { o.Addr = "mail.example:0" },
		"mode":             func(o *mail.SMTPOptions) { o.TLS = "ssl" },
		"no TLS elsewhere": func(o *mail.SMTPOptions) { o.TLS = mail.NoTLS },
		"sender":           func(o *mail.SMTPOptions) { o.From = "nobody" },
		"line in sender":   func(o *mail.SMTPOptions) { o.From = "\"a\nb\" <a@b.c>" },
		"no CA file":       func(o *mail.SMTPOptions) { o.CAFile = "no/such" },
		"no CA in it":      func(o *mail.SMTPOptions) { o.CAFile = "smtp_test.go" },
	} {
		opt := mail.SMTPOptions{Addr: "mail.example:587", From: "a@b.c", CAFile: caFile}
		if _, err := mail.NewSMTP(opt); err != nil {
			t.Fatal(err)
		}
		change(&opt)
		if _, err := mail.NewSMTP(opt); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTheSenderFollowsTheSettings(t *testing.T) {
	t.Parallel()
	given := mail.SMTPOptions{Addr: "mail.example:587", From: "a@b.c"}
	for _, demo := range []bool{false, true} {
		s, err := mail.NewSender(given, demo)
		if _, ok := s.(*mail.SMTP); !ok || err != nil {
			t.Errorf("with a server, demo %t: %T, %v", demo, s, err)
		}
		s, err = mail.NewSender(mail.SMTPOptions{Addr: "mail.example"}, demo)
		if s != nil || !errs.Is(err, errs.Invalid) {
			t.Errorf("with a wrong address, demo %t: %T, %v", demo, s, err)
		}
	}
	if s, err := mail.NewSender(mail.SMTPOptions{}, true); s != (mail.Shelf{}) || err != nil {
		t.Errorf("a demo without a server: %T, %v", s, err)
	}
	if s, err := mail.NewSender(mail.SMTPOptions{}, false); s != nil || err != nil {
		t.Errorf("without a server: %T, %v", s, err)
	}
}

func TestARowThatWasTamperedWithCannotAddHeadersOrCommands(t *testing.T) {
	t.Parallel()
	s := startServer(t, mail.StartTLS, false)
	m := message("ann@example.org\r\nBcc: eve@example.org")
	if err := send(t, sender(t, s, nil), m); fault(err) != mail.Never {
		t.Errorf("got %v", err)
	}
	m = message("ann@example.org")
	m.Subject = "Hello\r\nBcc: eve@example.org\r\n\r\nbody"
	if err := send(t, sender(t, s, nil), m); err == nil {
		header, _, _ := parse(t, s.deliveries()[0].content)
		if header.Get("Bcc") != "" || len(s.deliveries()) != 1 {
			t.Errorf("a header was smuggled in: %v", header)
		}
	}
}
