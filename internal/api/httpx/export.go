package httpx

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

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
)

// Files are streamed. Nothing is sent before the first rows are ready, so that an error
// until then is an ordinary problem. A later error breaks the connection, so that no
// client takes half a file for a whole one.

const (
	filesPerMember   = 2  // at the same time
	filesOfMembers   = 16 // of all members
	filesOfOperators = 8  // of all operators
)

// pace is the slowest speed at which a client may read a file; the server's own write
// timeout is for whole responses. A client may lag by patience, which it regains by
// reading. Below minBytesPerSecond it runs out, even if a few bytes are read all the time.
type pace struct {
	patience          time.Duration
	minBytesPerSecond int // bytes a second
}

var filePace = pace{30 * time.Second, 8 << 10}

type File struct {
	Name   string // without the extension
	Format export.Format
	Table  export.Table
	Rows   export.Source
}

// fileSlots counts the files being written. Operators have separate slots, so that members
// cannot block them.
type fileSlots struct {
	mu  sync.Mutex
	by  map[int64]int
	all map[bool]int // by whether the caller is an operator
}

// Acquire takes a slot for a member, or for an operator by the negative id. It returns
// Limited if the caller has used up all slots or too many others are writing files.
func (t *fileSlots) Acquire(uid int64) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by, t.all = map[int64]int{}, map[bool]int{}
	}
	operator, most := uid < 0, filesOfMembers
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

// AcquireFileSlot takes a slot for the caller.
func (b *Base) AcquireFileSlot(ctx context.Context) (leave func(), err error) {
	s := SessionOf(ctx)
	if s.Kind == auth.KindOperator {
		return b.Files.Acquire(-s.Owner)
	}
	return b.Files.Acquire(s.Owner)
}

// SendFile responds with a file. make prepares it; its rows are read while it is written,
// until the client disconnects.
func (b *Base) SendFile(ctx context.Context, api huma.API, make func() (File, error)) (*huma.StreamResponse, error) {
	leave, err := b.AcquireFileSlot(ctx)
	if err != nil {
		return nil, err
	}
	f, err := make()
	if err != nil {
		leave()
		return nil, err
	}
	return StreamFile(ctx, api, leave, f.Name+"."+string(f.Format), f.Format.Type(), func(w io.Writer) error {
		return export.Write(w, f.Format, f.Table, f.Rows)
	}), nil
}

// StreamFile responds with the output of write, and calls leave when done.
func StreamFile(ctx context.Context, api huma.API, leave func(), name, kind string, write func(io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		defer leave()
		_, w := humago.Unwrap(hctx)
		out := &fileWriter{w: w, control: http.NewResponseController(w), name: name, kind: kind, pace: filePace, late: filePace.patience}
		// The read timeout would end this request, whose body has been read.
		_ = out.control.SetReadDeadline(time.Time{})
		err := write(out)
		switch {
		case err == nil:
		case !out.started && ctx.Err() == nil:
			writeHumaProblem(api, hctx, err)
		default:
			if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
				slog.WarnContext(ctx, "a file was not finished", "request_id", RequestID(ctx), "err", err)
			}
			panic(http.ErrAbortHandler)
		}
	}}
}

// writeHumaProblem answers a typed call with a problem outside its handler.
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

// fileWriter sends the headers of a file with its first bytes.
type fileWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	name    string
	kind    string // the media type
	started bool
	pace    pace
	late    time.Duration // how long the client may still block the server
}

func (f *fileWriter) Write(b []byte) (int, error) {
	if !f.started {
		f.started = true
		header := f.w.Header()
		header.Set("Content-Type", f.kind)
		header.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		f.w.WriteHeader(http.StatusOK)
	}
	began := time.Now()
	_ = f.control.SetWriteDeadline(began.Add(f.late))
	n, err := f.w.Write(b)
	f.late -= time.Since(began)
	f.late = min(f.late+time.Duration(n)*time.Second/time.Duration(f.pace.minBytesPerSecond), f.pace.patience)
	if err == nil && f.late <= 0 {
		err = os.ErrDeadlineExceeded
	}
	return n, err
}
