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

// bodyLimit bounds a request body. Decoding builds a tree in which a value of two bytes
// takes up to a hundred, so a limit on bytes alone is not enough.
type bodyLimit struct {
	bytes  int64
	values int // names and values
}

const (
	maxNesting = 64
	// The limits of public calls and of members' calls.
	publicBytes, publicValues = 16 << 10, 256
	memberBytes, memberValues = 64 << 10, 2048
	operatorValues            = 20_000
)

// bodyLimit returns the limit of a call. Evidence files have the largest: they are not
// JSON and are read behind the guard.
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

// checkInput checks the query and the body of a call, behind the guard.
func (a *API) checkInput(next http.HandlerFunc) http.HandlerFunc {
	return a.checkQuery(a.checkBody(next))
}

// checkQuery rejects a query with a repeated parameter: no call takes a list there.
func (a *API) checkQuery(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" && isAPIPath(r.URL.Path) {
			query := r.URL.Query()
			for _, name := range slices.Sorted(maps.Keys(query)) {
				if len(query[name]) > 1 {
					a.fail(w, r, duplicateName(name))
					return
				}
			}
		}
		next(w, r)
	}
}

func duplicateName(name string) error {
	return errs.BadField(cut(name, maxFieldName), "field.twice", "This name stands twice.")
}

// checkBody reads the body of a call and rejects one that is too large, nests too deep,
// has too many values or repeats a name in an object: decoding would silently pick one of
// two amounts, and the sender or a log may mean the other. It runs behind the guard,
// before decoding.
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

// scanBody checks a JSON text without allocating values. Names that differ only in case
// count as repeated, because decoding maps them to the same field.
func scanBody(raw []byte, most int) error {
	err := shape.Scan{Values: most, Depth: maxNesting, Fold: foldName, Repeated: func(_ int, name string) error { return duplicateName(name) }}.Read(raw)
	switch {
	case errors.Is(err, shape.ErrTooDeep):
		return errs.New(errs.Invalid, "request.too_deep", "The request body nests deeper than {most} levels.", "most", maxNesting)
	case errors.Is(err, shape.ErrTooMany):
		return errs.New(errs.Invalid, "request.too_many_values", "The request body has more fields and values than any call takes.")
	}
	return err
}

// foldName maps names that are equal under strings.EqualFold to the same string.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, strings.ToValidUTF8(name, string(utf8.RuneError)))
}

// EvidencePath accepts whole files, larger than the bodies of other calls.
const EvidencePath = "/api/operator/evidence"
