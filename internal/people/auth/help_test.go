package auth_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	uid      = int64(482915)
	stranger = int64(999999)
	password = "Correct horse 1"
	pin      = "Pin4you"
)

var (
	ctx    = context.Background()
	secret = []byte("0123456789abcdef0123456789abcdef")
	home   = netip.MustParseAddr("192.0.2.1")
	cheap  = auth.Params{Memory: 8, Time: 1, Threads: 1}
)

// fixture is a running ledger with auth and one member. At the end of the test it
// searches logs and errors for secrets.
type fixture struct {
	*testkit.Ledger
	*auth.Service
	t      *testing.T
	hasher *auth.Hasher
	out    *output
}

// output collects everything that people or logs get to see.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	secrets []string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// hide gives s back and has it searched for.
func (h *fixture) hide(s string) string {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	h.out.secrets = append(h.out.secrets, s)
	return s
}

// told notes an error that a caller got.
func (h *fixture) told(err error) error {
	if err != nil {
		_, _ = h.out.Write([]byte(err.Error() + "\n" + errs.MessageOf(err) + "\n"))
	}
	return err
}

func onSite(t *testing.T, test func(t *testing.T, h *fixture)) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) { test(t, newFixture(t, testkit.StartLedger(t, dsn))) })
}

// onSQLite is for rules that the engine has no part in.
func onSQLite(t *testing.T) *fixture {
	t.Parallel()
	return newFixture(t, testkit.StartLedger(t, testkit.SQLite(t)))
}

func newFixture(t *testing.T, l *testkit.Ledger) *fixture {
	t.Helper()
	h := &fixture{Ledger: l, t: t, hasher: auth.NewHasher(auth.HashOptions{Params: cheap}), out: &output{}}
	h.Service = h.service(auth.Options{})
	h.hide(password)
	h.hide(pin)
	h.hide(string(secret))
	h.join(uid)
	t.Cleanup(func() {
		seen := h.out.String()
		for _, s := range h.out.secrets {
			if len(s) > 5 && strings.Contains(seen, s) {
				t.Errorf("a secret was logged or told: %q", s)
			}
		}
	})
	return h
}

// service is one more service on the same database.
func (h *fixture) service(o auth.Options) *auth.Service {
	h.t.Helper()
	o.Clock, o.Hasher = h.Clock, h.hasher
	if o.Store == nil {
		o.Store = h.DB.Auth()
	}
	if o.Do == nil {
		o.Do = h.Sequencer
	}
	o.Log = slog.New(slog.NewTextHandler(h.out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if o.Secret == nil {
		o.Secret = secret
	}
	s, err := auth.New(o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(s.Close)
	return s
}

// command runs f as one command.
func (h *fixture) command(f func(tx *ledger.Tx) error) error {
	_, err := h.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, f(tx)
	}})
	return h.told(err)
}

func (h *fixture) must(err error) {
	h.t.Helper()
	if h.told(err) != nil {
		h.t.Fatal(err)
	}
}

// wants fails the test unless err is want.
func (h *fixture) wants(err, want error) {
	h.t.Helper()
	if h.told(err); !errors.Is(err, want) {
		h.t.Fatalf("got %v, want %v", err, want)
	}
}

// code fails the test unless err carries want.
func (h *fixture) code(err error, want errs.Kind) {
	h.t.Helper()
	if h.told(err); errs.KindOf(err) != want {
		h.t.Fatalf("got %v (%s), want %s", err, errs.KindOf(err), want)
	}
}

func (h *fixture) join(uid int64) {
	h.t.Helper()
	c, err := h.Prepare(ctx, password, pin)
	h.must(err)
	h.must(h.command(func(tx *ledger.Tx) error { return h.Add(ctx, tx, uid, c) }))
}

func (h *fixture) login(uid int64, password string) (auth.Grant, error) {
	g, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: home, ClaimedIP: "10.0.0.1", Agent: "test"}})
	h.hide(g.Token)
	return g, h.told(err)
}

func (h *fixture) mustLogin() auth.Grant {
	h.t.Helper()
	g, err := h.login(uid, password)
	h.must(err)
	return g
}

// good and bad fail the test unless the token opens, or does not open, its session.
func (h *fixture) good(s *auth.Service, token string) (auth.Session, string) {
	h.t.Helper()
	session, renewed, err := s.Check(ctx, token)
	h.hide(renewed)
	h.must(err)
	return session, renewed
}

func (h *fixture) bad(s *auth.Service, token string) {
	h.t.Helper()
	session, renewed, err := s.Check(ctx, token)
	h.code(err, errs.Unauthenticated)
	if errs.MessageOf(err) != "Please login to access this resource" || session.ID != "" || renewed != "" {
		h.t.Fatalf("told %q, gave %v and %q", errs.MessageOf(err), session, renewed)
	}
}

// retryAfter is what a Limited error says.
func retryAfter(t *testing.T, err error) time.Duration {
	t.Helper()
	var limited interface{ RetryAfter() time.Duration }
	if !errors.As(err, &limited) || !errs.Is(err, errs.Limited) {
		t.Fatalf("got %v, want Limited with RetryAfter", err)
	}
	return limited.RetryAfter()
}

// restart stops the ledger and the service and starts them again.
func (h *fixture) restart() {
	h.t.Helper()
	h.Close()
	h.Sequencer.Close()
	h.Ledger = testkit.StartLedgerWith(h.t, h.DB, h.Signer, h.Clock)
	h.Service = h.service(auth.Options{})
}

// parallel calls f n times side by side and counts the outcomes by error text.
func parallel(n int, f func() error) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := map[string]int{}
	for range n {
		wg.Go(func() {
			err := f()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				out["ok"]++
			} else {
				out[err.Error()]++
			}
		})
	}
	wg.Wait()
	return out
}

// applied makes a change that was prepared, in a separate command.
func (h *fixture) applied(c auth.Change, err error) error {
	if err != nil {
		return err
	}
	_, err = h.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, c.Apply(ctx, tx)
	}})
	return err
}
