package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/bifolia/bifolia/internal/errs"
)

// namesOnce refuses bodies of operators' calls in which a name stands twice in
// one object: of two amounts one would be taken silently, and whoever wrote or
// logged the request may have meant the other.
func (a *API) namesOnce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" || isSafe(r.Method) || !strings.HasPrefix(r.URL.Path, operatorPrefix) || r.Body == nil {
			next.ServeHTTP(w, r)
			return
		}
		raw, err := io.ReadAll(r.Body)
		if name := twice(raw); name != "" {
			a.fail(w, r, errs.Fields([]errs.Field{{Name: name, Message: "This name stands twice."}}))
			return
		}
		again := io.Reader(bytes.NewReader(raw))
		if err != nil { // whoever reads the body says what is wrong with it
			again = io.MultiReader(again, failing{err})
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{again, r.Body}
		next.ServeHTTP(w, r)
	})
}

// failing gives an error that was met before.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// twice is a name that stands twice in one object of a JSON text, capitals or
// not; empty if there is none, or the text is no JSON, which others find out.
func twice(raw []byte) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	type level struct {
		names map[string]bool // nil in an array
		value bool            // what comes next is a value, not a name
	}
	var in []level
	for {
		t, err := d.Token()
		if err != nil {
			return ""
		}
		top := len(in) - 1
		if name, ok := t.(string); ok && top >= 0 && in[top].names != nil && !in[top].value {
			key := strings.ToLower(name)
			if in[top].names[key] {
				return name
			}
			in[top].names[key], in[top].value = true, true
			continue
		}
		switch t {
		case json.Delim('{'):
			in = append(in, level{names: map[string]bool{}})
			continue
		case json.Delim('['):
			in = append(in, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			in = in[:top]
		}
		if len(in) > 0 {
			in[len(in)-1].value = false
		}
	}
}
