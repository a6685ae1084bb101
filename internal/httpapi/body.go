package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
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
	case path == evidencePath:
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
		if isSafe(r.Method) || !isAPIPath(r.URL.Path) || r.URL.Path == evidencePath || r.Body == nil || r.Body == http.NoBody {
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

// scanBody looks at a JSON text without building anything of it. What is no JSON
// passes, since whoever decodes it refuses all of it before anything is built.
func scanBody(raw []byte, most int) error {
	s := bodyScan{left: most, seen: map[bodyName]bool{}}
	for i := 0; i < len(raw); {
		var err error
		if i, err = s.token(raw, i); err != nil {
			return err
		}
	}
	return nil
}

// bodyName is a name within one object of a body.
type bodyName struct {
	object int
	name   string // folded
}

type bodyScan struct {
	left    int                 // names and values that may still come
	depth   int                 // of open arrays and objects
	objects [maxNesting + 1]int // by depth: the number of the open object; 0 for an array
	opened  int                 // objects so far
	name    bool                // a string that comes now is a name
	seen    map[bodyName]bool
}

// token takes one token at i and gives where the next may begin.
func (s *bodyScan) token(raw []byte, i int) (int, error) {
	switch c := raw[i]; c {
	case ' ', '\t', '\r', '\n', ':':
		return i + 1, nil
	case ',':
		s.name = s.objects[s.depth] > 0
		return i + 1, nil
	case '}', ']':
		s.depth, s.name = max(s.depth-1, 0), false
		return i + 1, nil
	case '{', '[':
		return i + 1, s.open(c == '{')
	case '"':
		end := stringEnd(raw, i)
		if !s.name {
			return end, s.count()
		}
		s.name = false
		return end, s.once(raw[i:end])
	}
	end := i + 1
	for end < len(raw) && !strings.ContainsRune(" \t\r\n:,]}[{\"", rune(raw[end])) {
		end++
	}
	return end, s.count()
}

func (s *bodyScan) open(object bool) error {
	if s.depth++; s.depth > maxNesting {
		return errs.New(errs.Invalid, "request.too_deep", "The request body nests deeper than {most} levels.", "most", maxNesting)
	}
	s.objects[s.depth], s.name = 0, object
	if object {
		s.opened++
		s.objects[s.depth] = s.opened
	}
	return s.count()
}

func (s *bodyScan) count() error {
	if s.left--; s.left < 0 {
		return errs.New(errs.Invalid, "request.too_many_values", "The request body has more fields and values than any call takes.")
	}
	return nil
}

// once refuses a name that stands in its object already, in whatever case:
// decoding takes all of them for the same field.
func (s *bodyScan) once(quoted []byte) error {
	if err := s.count(); err != nil {
		return err
	}
	var name string
	if isText := json.Unmarshal(quoted, &name) == nil; !isText {
		return nil // not JSON: decoding refuses it
	}
	key := bodyName{s.objects[s.depth], folded(name)}
	if s.seen[key] {
		return standsTwice(name)
	}
	s.seen[key] = true
	return nil
}

// stringEnd is the index after the string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
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
