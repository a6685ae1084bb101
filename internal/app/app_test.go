package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func testConfig(t *testing.T, args ...string) config.Config {
	t.Helper()
	args = append([]string{"--addr", "127.0.0.1:0", "--data-dir", filepath.Join(t.TempDir(), "data")}, args...)
	cfg, _, err := config.Load("serve", args, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func newApp(t *testing.T, cfg config.Config, opts ...Option) *App {
	t.Helper()
	a, err := New(t.Context(), cfg, slog.New(slog.DiscardHandler), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// start runs a; it returns a function to stop it and the result of Run.
func start(t *testing.T, a *App) (stop func(), done <-chan error) {
	t.Helper()
	if _, err := a.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	result := make(chan error, 1)
	go func() { result <- a.Run(ctx) }()
	return cancel, result
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, strings.TrimSpace(string(text))
}

// slow is a web page that blocks until released.
func slow() (opt Option, begun, end chan struct{}) {
	begun, end = make(chan struct{}), make(chan struct{})
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		select {
		case <-end:
			_, _ = io.WriteString(w, "finished")
		case <-r.Context().Done():
		}
	})
	return func(_ *App, o *httpx.Options) { o.WebUI = page }, begun, end
}

func TestServerAnswersUntilItIsStopped(t *testing.T) {
	a := newApp(t, testConfig(t, "--metrics-addr", "127.0.0.1:0"), WithVersion("1.2.3"))
	stop, done := start(t, a)
	for path, want := range map[string]string{
		"/healthz": "ok", "/readyz": "ready", "/api/version": `{"data":{"version":"1.2.3"}}`,
	} {
		if status, text := get(t, a.URL()+path); status != 200 || text != want {
			t.Errorf("%s: status %d: %s", path, status, text)
		}
	}
	if status, text := get(t, "http://"+a.metrics.Addr().String()+"/metrics"); status != 200 || !strings.Contains(text, "go_goroutines") {
		t.Errorf("/metrics: status %d", status)
	}
	if status, _ := get(t, a.URL()+"/metrics"); status != 404 {
		t.Errorf("/metrics beside the app: status %d", status)
	}
	if status, _ := get(t, a.URL()+"/api/nothing"); status != 404 {
		t.Errorf("/api/nothing: status %d", status)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("Run: %v", err)
	}
	if _, err := http.Get(a.URL() + "/healthz"); err == nil {
		t.Error("it still answers")
	}
}

func TestConcurrentRequestIsFinishedBeforeShutdown(t *testing.T) {
	page, begun, end := slow()
	a := newApp(t, testConfig(t), page)
	closed := make(chan struct{})
	a.onClose("store", func(context.Context) error { close(closed); return nil })
	stop, done := start(t, a)

	answer := make(chan string, 1)
	go func() {
		_, text := get(t, a.URL()+"/slow")
		answer <- text
	}()
	<-begun
	stop()
	testkit.WaitUntil(t, "readiness is false", func() bool { return a.ready(t.Context()) != nil })
	testkit.WaitUntil(t, "no connection is accepted", func() bool {
		conn, err := net.DialTimeout("tcp", a.address(), time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	select {
	case <-closed:
		t.Error("a part was closed under a running request")
	case err := <-done:
		t.Errorf("Run ended before the request: %v", err)
	default:
	}
	close(end)
	if text := <-answer; text != "finished" {
		t.Errorf("the answer is %q", text)
	}
	if err := <-done; err != nil {
		t.Errorf("Run: %v", err)
	}
	<-closed
}

func TestConcurrentSlowRequestIsCutOffAtShutdown(t *testing.T) {
	page, begun, _ := slow()
	a := newApp(t, testConfig(t, "--shutdown-timeout", "50ms"), page)
	stop, done := start(t, a)
	failed := make(chan error, 1)
	go func() {
		res, err := http.Get(a.URL() + "/slow")
		if err == nil {
			_, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
		}
		failed <- err
	}()
	<-begun
	stop()
	if err := <-done; errs.KindOf(err) != errs.Unavailable || !strings.Contains(err.Error(), "within 50ms") {
		t.Errorf("Run: %v", err)
	}
	<-failed
}

func TestPartsCloseInReverseOrderAndAllErrorsAreReturned(t *testing.T) {
	a := newApp(t, testConfig(t))
	var order []string
	for _, name := range []string{"store", "ledger", "jobs"} {
		a.onClose(name, func(ctx context.Context) error {
			if _, limited := ctx.Deadline(); !limited {
				t.Errorf("%s may take for ever", name)
			}
			order = append(order, name)
			if name != "ledger" {
				return errors.New("stuck")
			}
			return nil
		})
	}
	first, second := a.Close(), a.Close()
	if want := []string{"jobs", "ledger", "store"}; !reflect.DeepEqual(order, want) {
		t.Errorf("closed %v", order)
	}
	if first == nil || first.Error() != "closing jobs: stuck\nclosing store: stuck" || second == nil {
		t.Errorf("got %v, then %v", first, second)
	}
}

func TestServerIsReadyWhenEveryPartIs(t *testing.T) {
	a := newApp(t, testConfig(t))
	var broken atomic.Bool
	a.onReady("store", func(context.Context) error {
		if broken.Load() {
			return errors.New("no disk")
		}
		return nil
	})
	start(t, a)
	if status, _ := get(t, a.URL()+"/readyz"); status != 200 {
		t.Errorf("status %d", status)
	}
	broken.Store(true)
	if status, text := get(t, a.URL()+"/readyz"); status != 503 || strings.Contains(text, "disk") {
		t.Errorf("status %d: %s", status, text)
	}
}

func TestTakenAddressIsOneSentence(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	addr := taken.Addr().String()
	_, err = New(t.Context(), testConfig(t, "--addr", addr), slog.New(slog.DiscardHandler))
	if want := "Address " + addr + " is already in use: stop what listens there or choose another with --addr."; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	if errs.KindOf(err) != errs.Conflict {
		t.Errorf("its code is %s", errs.KindOf(err))
	}
}

func TestForeignAddressIsOneSentence(t *testing.T) {
	if _, err := New(t.Context(), testConfig(t, "--addr", "192.0.2.1:1"), slog.New(slog.DiscardHandler)); err == nil || err.Error() != "Cannot listen at 192.0.2.1:1: cannot assign requested address." {
		t.Errorf("got %v", err)
	}
}

func TestDataFolderThatCannotBeMadeIsOneSentence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := testConfig(t, "--data-dir", filepath.Join(file, "data"))
	_, err := New(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasSuffix(err.Error(), "/file/data cannot be made: not a directory.") {
		t.Errorf("got %v", err)
	}
}

func TestURLAndAdvertiseURL(t *testing.T) {
	for _, c := range []struct {
		args      []string
		host      string // of URL
		advertise string // "" when it is the same
	}{
		{[]string{"--addr", "127.0.0.1:0"}, "127.0.0.1", ""},
		{[]string{"--addr", ":0"}, "127.0.0.1", ""},
		{[]string{"--addr", "localhost:0"}, "localhost", ""},
		{[]string{"--addr", ":0", "--advertise-url", "https://node-1.example"}, "127.0.0.1", "https://node-1.example"},
	} {
		a := newApp(t, testConfig(t, c.args...))
		addr, err := a.Listen()
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(addr.String())
		if want := "http://" + c.host + ":" + port; a.URL() != want || port == "0" {
			t.Errorf("%v: URL is %s, want %s", c.args, a.URL(), want)
		}
		if want := c.advertise; want != "" && a.AdvertiseURL() != want || want == "" && a.AdvertiseURL() != a.URL() {
			t.Errorf("%v: advertised as %s", c.args, a.AdvertiseURL())
		}
	}
}

func TestServerLimitsEveryWait(t *testing.T) {
	s := newApp(t, testConfig(t)).server
	if s.ReadHeaderTimeout != 5*time.Second || s.ReadTimeout != 30*time.Second || s.WriteTimeout != time.Minute ||
		s.IdleTimeout != 2*time.Minute || s.MaxHeaderBytes != 32<<10 || s.ErrorLog == nil {
		t.Errorf("got %+v", s)
	}
}
