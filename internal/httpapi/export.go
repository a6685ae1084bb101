package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
)

// How files go out. Nothing is sent before the first rows are there, so that
// what goes wrong until then is told as any call tells it. What goes wrong
// later breaks the connection: nobody may take half a file for a whole one.

const (
	filesPerMember   = 2  // at the same time
	filesInAll       = 16 // of all members
	filesOfOperators = 8  // of all operators
)

// pace is how slowly a client may read a file; the server's own limit is for whole
// answers. It may be late by patience, which it gets back by reading: at less than
// leastSpeed it runs out, however often a few bytes are taken.
type pace struct {
	patience   time.Duration
	leastSpeed int // bytes a second
}

var filePace = pace{30 * time.Second, 8 << 10}

// file is one that is ready to be written.
type file struct {
	name   string // without its ending
	format export.Format
	table  export.Table
	rows   export.Source
}

// turnstile counts the files that are being written, those of operators apart:
// members keep none of them waiting.
type turnstile struct {
	mu  sync.Mutex
	by  map[int64]int
	all map[bool]int // of operators, or not
}

// enter takes the turn of a member, or with a negative number of an operator.
// Limited while they have all of their turns, or too many others write files.
func (t *turnstile) enter(uid int64) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by, t.all = map[int64]int{}, map[bool]int{}
	}
	operator, most := uid < 0, filesInAll
	if operator {
		most = filesOfOperators
	}
	if t.by[uid] >= filesPerMember || t.all[operator] >= most {
		return nil, errs.New(errs.Limited, "export.too_many_files", "Too many files are being made at the moment. Wait until one is done.")
	}
	t.by[uid]++
	t.all[operator]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.all[operator]--
		if t.by[uid]--; t.by[uid] == 0 {
			delete(t.by, uid)
		}
	}, nil
}

// send answers with a file. make prepares it; its rows are read while it is
// written, until the client is gone.
func (c *Calls) send(ctx context.Context, api huma.API, uid int64, make func() (file, error)) (*huma.StreamResponse, error) {
	leave, err := c.files.enter(uid)
	if err != nil {
		return nil, err
	}
	f, err := make()
	if err != nil {
		leave()
		return nil, err
	}
	return stream(ctx, api, leave, f.name+"."+string(f.format), f.format.Type(), func(w io.Writer) error {
		return export.Write(w, f.format, f.table, f.rows)
	}), nil
}

// stream answers with what write writes, and leaves when that is done.
func stream(ctx context.Context, api huma.API, leave func(), name, kind string, write func(io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		defer leave()
		_, w := humago.Unwrap(hctx)
		out := &fileWriter{w: w, control: http.NewResponseController(w), name: name, kind: kind, pace: filePace, late: filePace.patience}
		// The limit for reading a request would end this one, whose body has
		// been read.
		_ = out.control.SetReadDeadline(time.Time{})
		err := write(out)
		switch {
		case err == nil:
		case !out.begun && ctx.Err() == nil:
			writeHumaProblem(api, hctx, err)
		default:
			if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
				slog.WarnContext(ctx, "a file was not finished", "request_id", RequestID(ctx), "err", err)
			}
			panic(http.ErrAbortHandler)
		}
	}}
}

// writeHumaProblem answers a typed call with a problem outside of its handler.
func writeHumaProblem(api huma.API, hctx huma.Context, err error) {
	p := problemOf(err)
	var body any = p
	if done, err := api.Transform(hctx, strconv.Itoa(p.Status), p); err == nil {
		body = done
	}
	raw, _ := json.Marshal(body) // strings and numbers always encode
	hctx.SetHeader("Content-Type", problemType)
	hctx.SetStatus(p.Status)
	_, _ = hctx.BodyWriter().Write(append(raw, '\n'))
}

// fileWriter sends the head of a file with its first bytes.
type fileWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	name    string
	kind    string // the media type
	begun   bool
	pace    pace
	late    time.Duration // how long the client may still keep it waiting
}

func (f *fileWriter) Write(b []byte) (int, error) {
	if !f.begun {
		f.begun = true
		header := f.w.Header()
		header.Set("Content-Type", f.kind)
		header.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		f.w.WriteHeader(http.StatusOK)
	}
	began := time.Now()
	_ = f.control.SetWriteDeadline(began.Add(f.late))
	n, err := f.w.Write(b)
	f.late -= time.Since(began)
	f.late = min(f.late+time.Duration(n)*time.Second/time.Duration(f.pace.leastSpeed), f.pace.patience)
	if err == nil && f.late <= 0 {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}
