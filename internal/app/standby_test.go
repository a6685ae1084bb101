package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// depositRoute is a public call that writes.
func depositRoute(a *App, o *httpx.Options) {
	o.Session = func(context.Context, string) (auth.Session, string, error) {
		return auth.Session{Kind: auth.KindMember, Owner: 100001}, "", nil
	}
	o.Routes = append(o.Routes, func(api huma.API) {
		huma.Register(api, huma.Operation{OperationID: "deposit", Method: http.MethodPost, Path: "/api/deposit"}, func(ctx context.Context, in *struct {
			Key string `header:"Idempotency-Key"`
		},
		) (*struct{ Body string }, error) {
			r, err := a.Ledger().Do(ctx, ledger.Command{Actor: "test", Key: in.Key, Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
				one := money.MustParse("1")
				p, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{
					{Account: ledger.MustAccount("A:CLIENT"), Delta: one}, {Account: ledger.MustAccount("L:FUND:FUNDS:100001"), Delta: one},
				}})
				return []byte(p.ID), err
			}})
			return &struct{ Body string }{string(r.Response)}, err
		})
	})
}

func depositAt(t *testing.T, url, key string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url+"/api/deposit", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

func TestStandbyForwardsWritesAndTakesOver(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t, "--db", dsn)
		first := newApp(t, cfg, depositRoute)
		stopFirst, firstDone := start(t, first)
		second := newApp(t, cfg, depositRoute)
		stopSecond, secondDone := start(t, second)
		if status, text := get(t, second.URL()+"/readyz"); status != 200 {
			t.Errorf("a standby is not ready: %d %s", status, text)
		}
		status, byLeader := depositAt(t, first.URL(), "k1")
		if status != 200 {
			t.Fatalf("the leader answered %d: %s", status, byLeader)
		}
		if status, again := depositAt(t, second.URL(), "k1"); status != 200 || again != byLeader {
			t.Errorf("the standby answered %d: %s; the leader %s", status, again, byLeader)
		}
		if status, text := depositAt(t, second.URL(), "k2"); status != 200 {
			t.Errorf("a write by way of the standby: %d %s", status, text)
		}
		// As after the leader was killed: its lease is valid, and nothing listens there.
		raw := testkit.Raw(t, dsn)
		stranger := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(stranger.Close)
		for _, holder := range []string{"http://127.0.0.1:1", stranger.URL} {
			if _, err := raw.ExecContext(t.Context(), "UPDATE head SET holder = $1", holder); err != nil {
				t.Fatal(err)
			}
			if status, text := get(t, second.URL()+"/readyz"); status != 503 {
				t.Errorf("a standby that cannot forward to %s is ready: %d %s", holder, status, text)
			}
		}
		stopFirst()
		if err := <-firstDone; err != nil {
			t.Error(err)
		}
		deadline := time.Now().Add(10 * time.Second)
		for status = 0; status != 200 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			status, _ = depositAt(t, second.URL(), "k3")
		}
		if status != 200 || second.isStandby() {
			t.Errorf("the standby did not take over: %d", status)
		}
		stopSecond()
		if err := <-secondDone; err != nil {
			t.Error(err)
		}
		v, err := Verify(t.Context(), cfg, false, nil)
		if err != nil || v.Ledger.Transfers != 3 {
			t.Errorf("verify: %d transfers, %v", v.Ledger.Transfers, err)
		}
	})
}

func TestMissingKeyIsNotReplaced(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	a := newApp(t, cfg, depositRoute)
	stop, done := start(t, a)
	if status, text := depositAt(t, a.URL(), "k"); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	stop()
	<-done
	other := cfg
	other.KeyFile += ".elsewhere"
	_, err := New(t.Context(), other, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "is missing") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

func TestKeysOfAnotherLedgerAreRefused(t *testing.T) {
	t.Parallel()
	cfg, other := testConfig(t), testConfig(t)
	for _, c := range []config.Config{cfg, other} {
		a := newApp(t, c, depositRoute)
		stop, done := start(t, a)
		if status, text := depositAt(t, a.URL(), "k"); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		stop()
		<-done
	}
	cfg.KeyFile = other.KeyFile
	if _, err := New(t.Context(), cfg, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "belong to ledger") {
		t.Errorf("got %v", err)
	}
}

func TestVerifyOfAMissingDatabaseIsOneSentence(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	if _, err := Verify(t.Context(), cfg, false, nil); err == nil || !strings.Contains(err.Error(), "There is no database") {
		t.Errorf("got %v", err)
	}
	db, err := store.Open(t.Context(), cfg.DB)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if v, err := Verify(t.Context(), cfg, true, nil); err != nil || v.Ledger.Transfers != 0 {
		t.Errorf("an empty ledger: %v", err)
	}
}
