package mail_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// house is a running ledger with mail and a mail server.
type house struct {
	*testkit.Ledger
	t      *testing.T
	server *server
	mail   *mail.Service
}

// openHouse starts mail on dsn. change, when not nil, changes its options.
func openHouse(t *testing.T, dsn string, change func(*mail.Options)) *house {
	t.Helper()
	h := &house{Ledger: testkit.StartLedger(t, dsn), t: t, server: startServer(t, mail.StartTLS, false)}
	h.mail = h.service(change)
	return h
}

func (h *house) service(change func(*mail.Options)) *mail.Service {
	h.t.Helper()
	opt := mail.Options{
		Store: h.DB.Mail(), Clock: h.Clock, Do: h.Ledger, Log: testkit.Log(),
		Sender: sender(h.t, h.server, nil), PublicURL: "https://b.example",
	}
	if change != nil {
		change(&opt)
	}
	s, err := mail.New(opt)
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

// queue runs a command that queues one mail to each, and then ends as told.
func (h *house) queue(end error, to ...string) error {
	_, err := h.Do(context.Background(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		for _, one := range to {
			if err := h.mail.Queue(ctx, tx, one, mail.Welcome{Name: "Ann", UserID: 123456, TransactionPassword: "tp-secret"}); err != nil {
				return nil, err
			}
		}
		tx.AfterCommit(h.mail.Wake)
		return nil, end
	}})
	return err
}

func (h *house) mustQueue(to ...string) {
	h.t.Helper()
	if err := h.queue(nil, to...); err != nil {
		h.t.Fatal(err)
	}
}

// drain drains and wants so many sent.
func (h *house) drain(want int) {
	h.t.Helper()
	if sent, err := h.mail.Drain(context.Background()); err != nil || sent != want {
		h.t.Errorf("%d sent, %v; want %d", sent, err, want)
	}
}

// rows are the messages as stored, oldest first.
func (h *house) rows() []mail.Message {
	h.t.Helper()
	found, err := h.DB.Mail().Recent(context.Background(), 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

func (h *house) arrived() (to []string) {
	for _, d := range h.server.deliveries() {
		to = append(to, d.to)
	}
	return to
}

func (h *house) wantArrived(want ...string) {
	h.t.Helper()
	if got := h.arrived(); strings.Join(got, " ") != strings.Join(want, " ") {
		h.t.Errorf("arrived %q, want %q", got, want)
	}
}

func TestAMailIsSentIfItsCommandIsCommitted(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		if err := h.queue(errors.New("refused at the end"), "never@example.org"); err == nil {
			t.Fatal("the command did not fail")
		}
		h.mustQueue("a@example.org", "b@example.org")
		h.mustQueue("c@example.org")
		for i, m := range h.rows() {
			if m.ID != int64(i+1) || m.State != mail.Waiting || m.Tries != 0 || !m.CreatedAt.Equal(testkit.Epoch) || !m.DueAt.Equal(testkit.Epoch) || !m.SentAt.IsZero() {
				t.Errorf("got %+v", m)
			}
			if !strings.Contains(m.Text, "tp-secret") || !strings.Contains(m.Letter, "tp-secret") {
				t.Errorf("the letter is not in the outbox: %+v", m)
			}
		}
		if n, oldest, err := h.mail.Waiting(t.Context()); n != 3 || !oldest.Equal(testkit.Epoch) || err != nil {
			t.Errorf("waiting %d since %s, %v", n, oldest, err)
		}
		h.drain(3)
		h.drain(0)
		h.wantArrived("a@example.org", "b@example.org", "c@example.org")
		if n, oldest, err := h.mail.Waiting(t.Context()); n != 0 || !oldest.IsZero() || err != nil {
			t.Errorf("waiting %d since %s, %v", n, oldest, err)
		}
		testkit.Verify(t, h.Ledger)
	})
}

func TestASentMailIsMarkedAndEmptied(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.mustQueue("ann@example.org")
		h.Clock.Advance(time.Second)
		h.drain(1)
		m := h.rows()[0]
		if m.State != mail.Sent || m.Tries != 1 || m.Error != "" || m.Text != "" || m.HTML != "" || m.Letter != "" || !m.SentAt.Equal(testkit.Epoch.Add(time.Second)) {
			t.Errorf("got %+v", m)
		}
		header, text, html := parse(t, h.server.deliveries()[0].content)
		wantID := fmt.Sprintf("<1.%d@b.example>", testkit.Epoch.UnixMicro())
		if header.Get("Message-Id") != wantID || header.Get("Subject") != "Welcome to Bifolia" || header.Get("To") != "<ann@example.org>" {
			t.Errorf("got %v, want id %s", header, wantID)
		}
		if !strings.Contains(text, "tp-secret") || !strings.Contains(html, "tp-secret") || !strings.Contains(text, "https://b.example/Login") {
			t.Errorf("got text %q, HTML %q", text, html)
		}
	})
}

func TestAnInvalidRecipientFailsTheCommand(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), nil)
	for _, to := range []string{"", "ann@example.org\r\nBcc: eve@example.org", "Ann <ann@example.org>", "a@b.c,d@e.f"} {
		if err := h.queue(nil, to); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: got %v", to, err)
		}
	}
	if rows := h.rows(); len(rows) != 0 {
		t.Errorf("got %+v", rows)
	}
}

func TestAServerThatIsDownCostsNoTriesAndNoMail(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.server.down.Store(true)
		h.mustQueue("a@example.org", "b@example.org")
		for _, wait := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute} {
			if _, err := h.mail.Drain(t.Context()); !errs.Is(err, errs.Unavailable) {
				t.Fatalf("got %v", err)
			}
			h.Clock.Advance(wait - time.Second)
			h.drain(0) // it is left alone, which is no error
			h.Clock.Advance(time.Second)
		}
		for _, m := range h.rows() {
			if m.State != mail.Waiting || m.Tries != 0 {
				t.Errorf("got %+v", m)
			}
		}
		h.server.down.Store(false)
		h.drain(2)
		h.drain(0)
		h.wantArrived("a@example.org", "b@example.org")
	})
}

func TestAWrongPasswordCostsNoTries(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), nil)
	strict := startServer(t, mail.StartTLS, true)
	with := func(password string) {
		h.mail = h.service(func(o *mail.Options) {
			o.Sender = sender(t, strict, func(s *mail.SMTPOptions) { s.User, s.Password = mailUser, password })
		})
	}
	with("hunter22")
	h.mustQueue("ann@example.org")
	if sent, err := h.mail.Drain(t.Context()); sent != 0 || !errs.Is(err, errs.Unavailable) || strings.Contains(err.Error(), "hunter22") {
		t.Errorf("got %d, %v", sent, err)
	}
	if m := h.rows()[0]; m.State != mail.Waiting || m.Tries != 0 {
		t.Errorf("got %+v", m)
	}
	with(mailPassword) // the operator corrects it and restarts: at once
	h.drain(1)
}

func TestARefusedRecipientIsGivenUpAndDelaysNoOther(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.server.rcpt = func(to string) error {
			if to == "gone@example.org" {
				return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such person"}
			}
			return nil
		}
		h.mustQueue("gone@example.org", "ann@example.org")
		h.drain(1)
		h.wantArrived("ann@example.org")
		m := h.rows()[0]
		if m.State != mail.Failed || m.Tries != 1 || !strings.Contains(m.Error, "550") || m.Text != "" || m.HTML != "" || m.Letter != "" || !m.SentAt.IsZero() {
			t.Errorf("got %+v", m)
		}
		h.Clock.Advance(48 * time.Hour)
		h.drain(0)
	})
}

// A mail of a kind that this version does not know goes out as text alone.
func TestMailOfOtherVersionsIsSent(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		for _, m := range []mail.Message{
			{To: "later@example.org", Subject: "Later", Text: "later", Letter: `{"Kind":"of a later version","Mail":{}}`},
		} {
			if _, err := h.Do(context.Background(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				m.CreatedAt, m.DueAt = h.Clock.Now(), h.Clock.Now()
				return nil, h.DB.Mail().Add(ctx, tx, m)
			}}); err != nil {
				t.Fatal(err)
			}
		}
		h.drain(1)
		h.wantArrived("later@example.org")
		all := h.server.deliveries()
		if later := all[0].content; !strings.Contains(later, "later") || strings.Contains(later, "text/html") {
			t.Errorf("got %q", later)
		}
		for _, m := range h.rows() {
			if m.State != mail.Sent || m.Text != "" || m.HTML != "" || m.Letter != "" {
				t.Errorf("got %+v", m)
			}
		}
	})
}

func TestATemporaryRefusalIsTriedAgainEverMoreSlowly(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		var refused atomic.Int64
		h.server.rcpt = func(string) error {
			refused.Add(1)
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "later"}
		}
		h.mustQueue("ann@example.org", "bob@example.org")
		wait := 30 * time.Second
		for try := int64(1); try <= 12; try++ {
			h.drain(0)
			if refused.Load() != 2*try {
				t.Fatalf("%d refused after try %d", refused.Load(), try)
			}
			m := h.rows()[0]
			if m.Tries != int(try) || !strings.Contains(m.Error, "451") || (m.State == mail.Failed) != (try == 12) {
				t.Fatalf("try %d: got %+v", try, m)
			}
			if try < 12 && !m.DueAt.Equal(h.Clock.Latest().Add(wait)) {
				t.Fatalf("try %d: due %s, now %s", try, m.DueAt, h.Clock.Latest())
			}
			h.Clock.Advance(wait - time.Second)
			h.drain(0)
			h.Clock.Advance(time.Second)
			wait = min(2*wait, time.Hour)
		}
		h.Clock.Advance(48 * time.Hour)
		h.drain(0)
		if refused.Load() != 24 {
			t.Errorf("%d tries", refused.Load())
		}
	})
}

func TestATemporarilyRefusedMailIsSentOnce(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), nil)
	var calls atomic.Int64
	h.server.rcpt = func(string) error {
		if calls.Add(1) == 1 {
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "later"}
		}
		return nil
	}
	h.mustQueue("ann@example.org")
	h.drain(0)
	h.Clock.Advance(30 * time.Second)
	h.drain(1)
	h.drain(0)
	h.wantArrived("ann@example.org")
	if m := h.rows()[0]; m.Tries != 2 || m.Error != "" || m.State != mail.Sent {
		t.Errorf("got %+v", m)
	}
}

func TestDrainsAtTheSameTimeSendOnce(t *testing.T) {
	testkit.Engines(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		const n = 20
		for i := range n {
			h.mustQueue(fmt.Sprintf("m%d@example.org", i))
		}
		var wg sync.WaitGroup
		var total atomic.Int64
		for range 8 {
			wg.Go(func() {
				sent, err := h.mail.Drain(context.Background())
				if err != nil {
					t.Error(err)
				}
				total.Add(int64(sent))
			})
		}
		wg.Wait()
		if got := h.arrived(); len(got) != n || total.Load() != n {
			t.Errorf("%d arrived, %d counted: %q", len(got), total.Load(), got)
		}
	})
}

func TestARestartBetweenQueueingAndSendingLosesNothing(t *testing.T) {
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := openHouse(t, dsn, nil)
		h.mustQueue("ann@example.org")
		h.Close()
		_ = h.DB.Close()
		h.Ledger = testkit.StartLedgerWith(t, testkit.Open(t, dsn), h.Signer, h.Clock)
		h.mail = h.service(nil)
		h.drain(1)
		h.wantArrived("ann@example.org")
	})
}

func TestABatchIsOneConnectionAndBounded(t *testing.T) {
	t.Parallel()
	h := openHouse(t, testkit.SQLite(t), nil)
	var to []string
	for i := range 60 {
		to = append(to, fmt.Sprintf("m%02d@example.org", i))
	}
	h.mustQueue(to...)
	h.drain(50)
	h.drain(10)
	h.wantArrived(to...)
	if n := h.server.sessions.Load(); n > 2*2 { // each begins anew after STARTTLS
		t.Errorf("%d sessions", n)
	}
}
