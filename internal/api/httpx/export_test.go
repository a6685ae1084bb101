package httpx

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
)

// fileServer offers files whose rows come from rows, for one member.
func fileServer(t *testing.T, format export.Format, rows func(ctx context.Context) export.Source) (*httptest.Server, *Base) {
	t.Helper()
	c := &Base{}
	route := func(api huma.API) {
		huma.Register(api, huma.Operation{OperationID: "file", Method: http.MethodGet, Path: "/api/file"}, func(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
			return c.SendFile(ctx, api, func() (File, error) {
				return File{"name", format, export.Table{Title: "t", Columns: []export.Column{{Title: "A", Width: 8}}}, rows(ctx)}, nil
			})
		})
	}
	a := newAPI(Options{Routes: []func(huma.API){route}}, map[string]string{"GET /api/file": "a test", "/": ""})
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	return server, c
}

func get1(t *testing.T, ctx context.Context, url string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/file", nil)
	if err != nil {
		t.Fatal(err)
	}
	return http.DefaultClient.Do(r)
}

func TestAClientThatIsGoneEndsTheReadingOfRows(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	server, c := fileServer(t, export.CSV, func(ctx context.Context) export.Source {
		return func(yield func([]export.Cell) error) (err error) {
			defer func() { ended <- err }()
			for err == nil { // for as long as somebody listens
				if err = ctx.Err(); err == nil {
					err = yield([]export.Cell{export.Text(strings.Repeat("x", 1000))})
				}
			}
			return err
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := get1(t, ctx, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 10_000)); err != nil {
		t.Fatal(err)
	}
	cancel()
	resp.Body.Close()
	if err := <-ended; err == nil {
		t.Error("it went on")
	}
	server.Close() // waits for what is under way
	if c.Files.all[false] != 0 || len(c.Files.by) != 0 {
		t.Errorf("the turn was not given back: %+v", c.Files.by)
	}
}

func TestOneMemberHasFewFilesMadeAtATime(t *testing.T) {
	t.Parallel()
	release, started := make(chan struct{}), make(chan struct{}, filesPerMember)
	server, _ := fileServer(t, export.CSV, func(context.Context) export.Source {
		return func(yield func([]export.Cell) error) error {
			started <- struct{}{}
			<-release
			return yield([]export.Cell{export.Count(1)})
		}
	})
	done := make(chan int, filesPerMember)
	for range filesPerMember {
		go func() {
			resp, err := get1(t, context.Background(), server.URL)
			if err != nil {
				done <- 0
				return
			}
			resp.Body.Close()
			done <- resp.StatusCode
		}()
	}
	for range filesPerMember {
		<-started
	}
	resp, err := get1(t, t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one more answers %d", resp.StatusCode)
	}
	close(release)
	for range filesPerMember {
		if status := <-done; status != http.StatusOK {
			t.Errorf("a file answered %d", status)
		}
	}
}

func TestAnErrorBeforeTheFirstByteIsAProblemAndALaterOneBreaksTheFile(t *testing.T) {
	t.Parallel()
	server, _ := fileServer(t, export.XLSX, func(context.Context) export.Source {
		return func(yield func([]export.Cell) error) error {
			_ = yield([]export.Cell{export.Count(1)})
			return errs.New(errs.Unavailable, "test.error", "The database rests.")
		}
	})
	resp, err := get1(t, t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Content-Type") != problemType || !strings.Contains(string(body), "rests") || resp.Header.Get("Content-Disposition") != "" {
		t.Errorf("%d %v %s", resp.StatusCode, resp.Header, body)
	}

	server, _ = fileServer(t, export.CSV, func(context.Context) export.Source {
		return func(yield func([]export.Cell) error) error {
			for range 1000 {
				if err := yield([]export.Cell{export.Text(strings.Repeat("x", 1000))}); err != nil {
					return err
				}
			}
			return errors.New("the disk is gone")
		}
	})
	if resp, err = get1(t, t.Context(), server.URL); err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err == nil {
		t.Error("half a file looks like a whole one")
	}
}

// Not parallel: it changes how slowly files may be read.
func TestASlowReaderHoldsNoDownload(t *testing.T) {
	defer func(was pace) { filePace = was }(filePace)
	filePace = pace{300 * time.Millisecond, 1 << 20}
	ended := make(chan error, 1)
	server, c := fileServer(t, export.CSV, func(context.Context) export.Source {
		return func(yield func([]export.Cell) error) (err error) {
			defer func() { ended <- err }()
			for err == nil { // there is always more to read
				err = yield([]export.Cell{export.Text(strings.Repeat("x", 1000))})
			}
			return err
		}
	})
	resp, err := get1(t, t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	began := time.Now()
	for running := true; running && time.Since(began) < 30*time.Second; { // 100 kB a second: something, always
		select {
		case err := <-ended:
			running = false
			if err == nil {
				t.Error("it ended without an error")
			}
		case <-time.After(10 * time.Millisecond):
			_, _ = io.ReadFull(resp.Body, make([]byte, 1000))
		}
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the reader held it for %s", took)
	}
	_ = resp.Body.Close()
	server.Close()
	if c.Files.all[false] != 0 {
		t.Error("the turn was not given back")
	}
}

func TestMembersDownloadsKeepNoOperatorWaiting(t *testing.T) {
	t.Parallel()
	var files fileSlots
	for uid := range int64(filesOfMembers) {
		if _, err := files.Acquire(100_000 + uid); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.Acquire(99); !errs.Is(err, errs.Limited) {
		t.Errorf("one more member: %v", err)
	}
	leave, err := files.Acquire(-1)
	if err != nil {
		t.Fatalf("an operator: %v", err)
	}
	leave()
}
