package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// client is a caller at an address, perhaps with a token.
type client struct {
	s     *site
	uid   int64
	token string
	peer  string
}

// visitor is a caller at a new address.
func (s *site) visitor() client {
	s.peers++
	return client{s: s, peer: fmt.Sprintf("198.51.%d.%d:4711", s.peers/250, s.peers%250+1)}
}

type answer struct {
	t      *testing.T
	call   string
	status int
	header http.Header
	text   string
}

// send sends one request through the whole App. The header "Host" is the host. An operator
// signed in by signIn gives a proof when a call asks for it.
func (c client) send(method, path, body string, header ...string) answer {
	c.s.t.Helper()
	a := c.sendOnce(method, path, body, header...)
	word, known := c.s.proofs.Load(c.token)
	if !known || a.status != http.StatusForbidden || !strings.Contains(a.text, `"session.proof_required"`) {
		return a
	}
	c.post("operator/prove", m{"proof": word}).into(&m{})
	return c.sendOnce(method, path, body, header...)
}

func (c client) sendOnce(method, path, body string, header ...string) answer {
	c.s.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	r.RemoteAddr = c.peer
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.s.Handler().ServeHTTP(w, r)
	return answer{c.s.t, method + " " + path, w.Code, w.Header(), w.Body.String()}
}

func (c client) get(path string, header ...string) answer {
	c.s.t.Helper()
	return c.send(http.MethodGet, "/api/"+path, "", header...)
}

func (c client) post(path string, body m, header ...string) answer {
	c.s.t.Helper()
	text := ""
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			c.s.t.Fatal(err)
		}
		text = string(raw)
	}
	return c.send(http.MethodPost, "/api/"+path, text, header...)
}

// into reads a response that must be 200.
func (a answer) into(v any) answer {
	a.t.Helper()
	if a.status != http.StatusOK {
		a.t.Fatalf("%s answered %d: %s", a.call, a.status, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), v); err != nil {
		a.t.Fatalf("%s: %v in %s", a.call, err, a.text)
	}
	return a
}

// data is the data of a response that must be 200.
func (a answer) data() any {
	a.t.Helper()
	var body m
	a.into(&body)
	return body["data"]
}

// result is data.result, or data.Result.
func (a answer) result() string {
	a.t.Helper()
	data, _ := a.data().(m)
	if r, ok := data["Result"].(string); ok {
		return r
	}
	r, _ := data["result"].(string)
	return r
}

// rows is the list of a report.
func (a answer) rows() []any {
	a.t.Helper()
	data, _ := a.data().([]any)
	if len(data) == 0 {
		a.t.Fatalf("%s has no list: %s", a.call, a.text)
	}
	rows, _ := data[0].([]any)
	return rows
}

// refused fails unless the response is a problem of this status, and returns the fields it
// names.
func (a answer) refused(status int) []string {
	a.t.Helper()
	var p struct {
		Status          int
		Code            string
		ShowableMessage string
		Errors          []struct{ Field, Message string }
	}
	if err := json.Unmarshal([]byte(a.text), &p); err != nil || a.status != status || p.Status != status || p.Code == "" || p.ShowableMessage == "" {
		a.t.Errorf("%s answered %d, want a problem %d: %s", a.call, a.status, status, a.text)
	}
	var fields []string
	for _, e := range p.Errors {
		fields = append(fields, e.Field)
	}
	return fields
}

// unauthenticated fails unless the response ends a client's session.
func (a answer) unauthenticated() {
	a.t.Helper()
	a.refused(http.StatusUnauthorized)
	if !strings.Contains(a.text, `"showableMessage":"Please login to access this resource"`) || a.header.Get("WWW-Authenticate") != "Bearer" {
		a.t.Errorf("%s: %s", a.call, a.text)
	}
}

// names fails unless the response is 400 and names exactly these fields.
func (a answer) names(fields ...string) {
	a.t.Helper()
	got := a.refused(http.StatusBadRequest)
	slices.Sort(got)
	slices.Sort(fields)
	if !slices.Equal(got, fields) {
		a.t.Errorf("%s names %v, want %v: %s", a.call, got, fields, a.text)
	}
}
