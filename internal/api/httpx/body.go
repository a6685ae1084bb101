package httpx

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

// bodyLimit bounds a request body. A typed call builds a tree of its body, in
// which a value of two bytes takes up to a hundred: the bytes alone bound nothing.
type bodyLimit struct {
	bytes  int64
	values int // names and values
}

const (
	maxNesting = 64
	// Of public calls, which strangers send, and of members' calls.
	publicBytes, publicValues = 16 << 10, 256
	memberBytes, memberValues = 64 << 10, 2048
	operatorValues            = 20_000
)

// bodyLimit is what the body of a call may be. The longest is a file of
// evidence, which is not JSON and is read behind the guard.
func (a *API) bodyLimit(method, path string) bodyLimit {
	most := a.opts.MaxBodyBytes
	_, public := a.router.public[method+" "+path]
	switch {
	case public || !isAPIPath(path):
		return bodyLimit{min(most, publicBytes), publicValues}
	case path == EvidencePath:
		return bodyLimit{max(most, booking.MaxEvidence), 0}
	case strings.HasPrefix(path, operatorPrefix):
		return bodyLimit{most, operatorValues}
	}
	return bodyLimit{min(most, memberBytes), memberValues}
}

// checkInput looks at the query and the body of a call, behind the guard.
func (a *API) checkInput(next http.HandlerFunc) http.HandlerFunc {
	return a.checkQuery(a.checkBody(next))
}

// checkQuery refuses a parameter that stands twice in the query of a call, as checkBody
// refuses a name: no call takes one more than once.
func (a *API) checkQuery(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" && isAPIPath(r.URL.Path) {
			query := r.URL.Query()
			for _, name := range slices.Sorted(maps.Keys(query)) {
				if len(query[name]) > 1 {
					a.fail(w, r, standsTwice(name))
					return
				}
			}
		}
		next(w, r)
	}
}

func standsTwice(name string) error {
	return errs.BadField(cut(name, maxFieldName), "field.twice", "This name stands twice.")
}

// checkBody reads the body of a call and refuses one that is too large, nests too
// deep, has too many parts, or has a name twice in one object: of two amounts one
// would be taken silently, and whoever wrote or logged the request may have meant
// the other. It runs behind the guard, before anything is decoded.
func (a *API) checkBody(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if isSafe(r.Method) || !isAPIPath(r.URL.Path) || r.URL.Path == EvidencePath || r.Body == nil || r.Body == http.NoBody {
			next(w, r)
			return
		}
		limit := a.bodyLimit(r.Method, r.URL.Path)
		var raw bytes.Buffer
		if r.ContentLength > 0 && r.ContentLength <= limit.bytes {
			raw.Grow(int(r.ContentLength) + bytes.MinRead)
		}
		if _, err := io.Copy(&raw, r.Body); err != nil {
			a.writeProblem(w, r, knownCause(unreadableBody, []error{err}))
			return
		}
		if err := scanBody(raw.Bytes(), limit.values); err != nil {
			a.fail(w, r, err)
			return
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{&raw, r.Body}
		next(w, r)
	}
}

// scanBody looks at a JSON text without building anything of it. A name counts as
// repeated in whatever case: decoding takes all of them for the same field.
func scanBody(raw []byte, most int) error {
	err := shape.Scan{Values: most, Depth: maxNesting, Fold: folded, Repeated: func(_ int, name string) error { return standsTwice(name) }}.Read(raw)
	switch {
	case errors.Is(err, shape.ErrTooDeep):
		return errs.New(errs.Invalid, "request.too_deep", "The request body nests deeper than {most} levels.", "most", maxNesting)
	case errors.Is(err, shape.ErrTooMany):
		return errs.New(errs.Invalid, "request.too_many_values", "The request body has more fields and values than any call takes.")
	}
	return err
}

// folded is one spelling for all that strings.EqualFold takes for equal.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, strings.ToValidUTF8(name, string(utf8.RuneError)))
}

// evidencePath takes more than other calls do: a whole file.
const EvidencePath = "/api/operator/evidence"
