package mail_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// unsteady is a sequencer that sometimes cannot write, or does not lead.
type unsteady struct {
	ledger.Leader
	fails  atomic.Bool
	behind atomic.Bool
}

func (u *unsteady) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	if u.fails.Load() {
		return ledger.Result{}, errs.New(errs.Unavailable, "ledger.database_does_not_answer", "the database does not respond")
	}
	return u.Leader.Do(ctx, cmd)
}

func (u *unsteady) Ready() error {
	if u.behind.Load() {
		return errs.New(errs.Unavailable, "ledger.other_writer", "another process writes")
	}
	return u.Leader.Ready()
}

func TestAMailThatCouldNotBeMarkedIsNotSentAgain(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		u := &unsteady{}
		h := openHouse(t, dsn, func(o *mail.Options) { u.Leader = o.Do; o.Do = u })
		h.mustQueue("a@example.org", "b@example.org")
		u.fails.Store(true)
		for range 3 {
			if sent, err := h.mail.Drain(t.Context()); sent != 0 || !errs.Is(err, errs.Unavailable) {
				t.Errorf("got %d, %v", sent, err)
			}
			h.wantArrived("a@example.org") // and nothing more until that is written down
		}
		u.fails.Store(false)
		h.drain(1)
		h.wantArrived("a@example.org", "b@example.org")
		for _, m := range h.rows() {
			if m.State != mail.Sent || m.Tries != 1 {
				t.Errorf("got %+v", m)
			}
		}
	})
}

func TestACrashBeforeMarkingSendsTheSameMailAgainUnderItsName(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		u := &unsteady{}
		h := openHouse(t, dsn, func(o *mail.Options) { u.Leader = o.Do; o.Do = u })
		h.mustQueue("ann@example.org")
		u.fails.Store(true)
		if _, err := h.mail.Drain(t.Context()); err == nil {
			t.Fatal("it was marked")
		}
		h.Clock.Advance(time.Minute)
		h.mail = h.service(nil) // a new process, which remembers nothing
		h.drain(1)
		got := h.server.deliveries()
		if len(got) != 2 {
			t.Fatalf("%d arrived", len(got))
		}
		one, _, _ := parse(t, got[0].content)
		two, _, _ := parse(t, got[1].content)
		if one.Get("Message-Id") != two.Get("Message-Id") || one.Get("Date") != two.Get("Date") {
			t.Errorf("%v is not %v", one, two)
		}
	})
}

func TestAProcessThatDoesNotLeadSendsNothing(t *testing.T) {
	t.Parallel()
	u := &unsteady{}
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) { u.Leader = o.Do; o.Do = u })
	h.mustQueue("ann@example.org")
	u.behind.Store(true)
	if _, err := h.mail.Drain(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("got %v", err)
	}
	h.wantArrived()
	u.behind.Store(false)
	h.drain(1)
}

func TestAMailMarkedAsSentStaysSent(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.mustQueue("ann@example.org")
		h.drain(1)
		_, err := h.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			return nil, h.DB.Mail().Mark(ctx, tx, mail.Outcome{ID: 1, State: mail.Failed, Tries: 9})
		}})
		if m := h.rows()[0]; err != nil || m.State != mail.Sent || m.Tries != 1 {
			t.Errorf("got %+v, %v", m, err)
		}
	})
}

func TestAConnectionThatBreaksCostsOnlyTheMailUnderWay(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.server.rcpt = func(to string) error {
			if to == "b@example.org" {
				return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "closing"}
			}
			return nil
		}
		h.mustQueue("a@example.org", "b@example.org", "c@example.org")
		if sent, err := h.mail.Drain(t.Context()); sent != 1 || !errs.Is(err, errs.Unavailable) {
			t.Errorf("got %d, %v", sent, err)
		}
		h.wantArrived("a@example.org")
		if rows := h.rows(); rows[1].Tries != 1 || rows[2].Tries != 0 || rows[2].State != mail.Waiting {
			t.Errorf("got %+v", rows)
		}
		h.server.rcpt = nil
		h.Clock.Advance(30 * time.Second)
		h.drain(2)
		h.wantArrived("a@example.org", "c@example.org", "b@example.org")
	})
}

func TestASenderThatIsRefusedCostsNoTries(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), nil)
	h.server.from = func(string) error {
		return &smtp.SMTPError{Code: 553, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "not your address"}
	}
	h.mustQueue("ann@example.org")
	if _, err := h.mail.Drain(t.Context()); !errs.Is(err, errs.Unavailable) || !strings.Contains(err.Error(), "553") {
		t.Errorf("got %v", err)
	}
	if m := h.rows()[0]; m.State != mail.Waiting || m.Tries != 0 {
		t.Errorf("got %+v", m)
	}
}

func TestAClosedPortIsAServerThatIsDown(t *testing.T) {
	t.Parallel()
	// Port 1: no system hands it out, so nobody can come to listen there meanwhile.
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) { o.Sender = sender(t, &server{addr: "127.0.0.1:1"}, nil) })
	h.mustQueue("ann@example.org")
	if _, err := h.mail.Drain(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("got %v", err)
	}
	if m := h.rows()[0]; m.State != mail.Waiting || m.Tries != 0 {
		t.Errorf("got %+v", m)
	}
}

func TestWithoutAServerMailStaysQueuedAndTheStartWarns(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) {
		o.Sender, o.Log = nil, slog.New(slog.NewTextHandler(&log, nil))
	})
	h.mustQueue("ann@example.org")
	h.drain(0)
	h.Clock.Advance(100 * time.Hour)
	h.drain(0)
	if n, _, err := h.mail.Waiting(t.Context()); n != 1 || err != nil {
		t.Errorf("%d wait, %v", n, err)
	}
	if got := strings.Count(log.String(), "level=WARN"); got != 1 || !strings.Contains(log.String(), "smtp_addr") {
		t.Errorf("the log says: %s", log.String())
	}
	recent, err := h.mail.Recent(t.Context(), 10)
	if err != nil || len(recent) != 1 || recent[0].Text != "" || recent[0].HTML != "" {
		t.Errorf("a letter that waits can be read by others: %+v, %v", recent, err)
	}
}

func TestADemoKeepsMailsReadableAndSendsNone(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, func(o *mail.Options) {
			o.Sender, o.Keep, o.Brand = mail.Shelf{}, true, func() mail.Brand { return mail.Brand{Name: "Acme", Logo: "Acme"} }
		})
		h.mustQueue("a@example.org", "b@example.org", "c@example.org")
		h.drain(3)
		recent, err := h.mail.Recent(t.Context(), 2)
		if err != nil || len(recent) != 2 || recent[0].To != "c@example.org" || recent[1].To != "b@example.org" {
			t.Fatalf("got %+v, %v", recent, err)
		}
		m := recent[0]
		if m.State != mail.Sent || !strings.Contains(m.Text, "tp-secret") || !strings.Contains(m.Letter, "tp-secret") || m.Subject != "Welcome to Acme" {
			t.Errorf("got %+v", m)
		}
		h.wantArrived()
	})
}

func TestTheLoopSendsOnWakeAndStopsWithItsContext(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, func(o *mail.Options) { o.Every = time.Hour })
		arrived := make(chan struct{}, 10)
		h.server.data = func() error { arrived <- struct{}{}; return nil }
		h.mustQueue("before@example.org")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			h.mail.Loop(ctx)
		}()
		<-arrived // what waited at the start
		h.mustQueue("after@example.org")
		<-arrived // what was committed since, without waiting for the hour
		stop()
		<-done
		h.wantArrived("before@example.org", "after@example.org")
		for _, m := range h.rows() {
			if m.State != mail.Sent {
				t.Errorf("the stop left %+v", m)
			}
		}
	})
}

func TestTheLoopLooksByItself(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) { o.Every = time.Millisecond })
	arrived := make(chan struct{}, 10)
	h.server.data = func() error { arrived <- struct{}{}; return nil }
	looking := h.mail
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		looking.Loop(ctx)
	}()
	h.mail = h.service(nil) // queues without waking the other
	h.mustQueue("ann@example.org")
	<-arrived
	stop()
	<-done
}

func TestAStopWaitsForTheMailBeingSent(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) { o.Every = time.Hour })
	under, finish := make(chan struct{}), make(chan struct{})
	h.server.data = func() error {
		under <- struct{}{}
		<-finish
		return nil
	}
	h.mustQueue("a@example.org", "b@example.org")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.mail.Loop(ctx)
	}()
	<-under
	stop()
	close(finish)
	<-done
	h.wantArrived("a@example.org")
	if rows := h.rows(); rows[0].State != mail.Sent || rows[1].State != mail.Waiting || rows[1].Tries != 0 {
		t.Errorf("got %+v", rows)
	}
}

func TestAMailThatWasTakenIsSentThoughTheServerHangsUp(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	taken := make(chan error, 1)
	go func() { taken <- takeOneAndHangUp(listener) }()
	h := openHouse(t, testkit.SQLite(t), func(o *mail.Options) {
		o.Sender = sender(t, &server{addr: listener.Addr().String()}, func(s *mail.SMTPOptions) { s.TLS = mail.NoTLS })
	})
	h.mustQueue("ann@example.org")
	h.drain(1)
	if err := <-taken; err != nil {
		t.Fatal(err)
	}
	if m := h.rows()[0]; m.State != mail.Sent {
		t.Errorf("got %+v", m)
	}
}

// takeOneAndHangUp speaks just enough SMTP to take one message.
func takeOneAndHangUp(listener net.Listener) error {
	c, err := listener.Accept()
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	var seen []byte
	say := func(line, until string) bool {
		if _, err := c.Write([]byte(line + "\r\n")); err != nil {
			return false
		}
		buf := make([]byte, 4096)
		for !bytes.HasSuffix(seen, []byte(until)) {
			n, err := c.Read(buf)
			if err != nil {
				return false
			}
			seen = append(seen, buf[:n]...)
		}
		seen = nil
		return true
	}
	if !say("220 hello", "\r\n") || !say("250 hello", "\r\n") || !say("250 noop", "\r\n") || !say("250 from", "\r\n") ||
		!say("250 to", "\r\n") || !say("354 go on", "\r\n.\r\n") {
		return errors.New("the conversation ended early")
	}
	_, err = c.Write([]byte("250 taken\r\n"))
	return err
}

func TestLinksNeedAnAddress(t *testing.T) {
	t.Parallel()
	for _, publicURL := range []string{"", "b.example", "ftp://b.example", "https://b.example/x", "https://u@b.example", "https://"} {
		if _, err := mail.New(mail.Options{PublicURL: publicURL, Sender: mail.Shelf{}}); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: got %v", publicURL, err)
		}
	}
}
