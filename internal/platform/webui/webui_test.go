package webui

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

var script = strings.Repeat("console.log('leaf')\n", 100)

func built(t *testing.T) http.Handler {
	t.Helper()
	h, err := New(fstest.MapFS{
		"index.html":             {Data: []byte("<!doctype html><title>app</title>" + brandSlot + strings.Repeat(" ", 600))},
		"favicon.svg":            {Data: []byte("<svg/>")},
		"assets/app-3fa9c1.js":   {Data: []byte(script)},
		"assets/logo-77aa.woff2": {Data: []byte(strings.Repeat("x", 4000))},
		"assets/.hidden.js":      {Data: []byte("no")},
		"assets/odd.bin":         {Data: []byte("?")},
		".gitkeep":               {},
		".well-known/secret":     {Data: []byte("no")},
	}, "https://leaf.example", func() []byte { return []byte(`{"name":"Leaf"}`) })
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAnswersByPath(t *testing.T) {
	h := built(t)
	for _, c := range []struct {
		why, method, path string
		status            int
		cache, kind       string
	}{
		{"the page", "GET", "/", 200, "no-store", "text/html; charset=utf-8"},
		{"the page by name", "GET", "/index.html", 200, "no-store", "text/html; charset=utf-8"},
		{"a screen", "GET", "/Dashboard/Fund", 200, "no-store", "text/html; charset=utf-8"},
		{"a screen, head only", "HEAD", "/Login", 200, "no-store", "text/html; charset=utf-8"},
		{"a hashed file", "GET", "/assets/app-3fa9c1.js", 200, "public, max-age=31536000, immutable", "text/javascript; charset=utf-8"},
		{"another file", "GET", "/favicon.svg", 200, "no-cache", "image/svg+xml"},
		{"a file of unknown kind", "GET", "/assets/odd.bin", 200, "public, max-age=31536000, immutable", "application/octet-stream"},
		{"a missing hashed file", "GET", "/assets/app-000000.js", 404, "no-store", ""},
		{"a missing asset without extension", "GET", "/assets/app", 404, "no-store", ""},
		{"the folder of assets", "GET", "/assets/", 404, "no-store", ""},
		{"a missing file", "GET", "/missing.txt", 404, "no-store", ""},
		{"a dotfile", "GET", "/.gitkeep", 404, "no-store", ""},
		{"a dotfile among assets", "GET", "/assets/.hidden.js", 404, "no-store", ""},
		{"a file in a dot folder", "GET", "/.well-known/secret", 404, "no-store", ""},
		{"a dot folder that is not there", "GET", "/.git/config", 404, "no-store", ""},
		{"the API", "GET", "/api", 404, "no-store", ""},
		{"a call of the API", "GET", "/api/nothing", 404, "no-store", ""},
		{"a path that climbs", "GET", "/x/../api/nothing", 404, "no-store", ""},
		{"a path that climbs out", "GET", "/../../etc/passwd", 200, "no-store", "text/html; charset=utf-8"},
		{"writing", "POST", "/Login", 405, "no-store", ""},
	} {
		t.Run(c.why, func(t *testing.T) {
			w := ask(h, c.method, c.path)
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
			if got := w.Header().Get("Cache-Control"); got != c.cache {
				t.Errorf("Cache-Control %q, want %q", got, c.cache)
			}
			if got := w.Header().Get("Content-Type"); c.kind != "" && got != c.kind {
				t.Errorf("Content-Type %q, want %q", got, c.kind)
			}
			if c.method == "HEAD" && w.Body.Len() > 0 {
				t.Error("HEAD has a body")
			}
			if c.status == 405 && w.Header().Get("Allow") != "GET, HEAD" {
				t.Error("405 does not say what is allowed")
			}
		})
	}
}

func TestAnUnchangedFileIsNotSentAgain(t *testing.T) {
	h := built(t)
	for _, encoding := range []string{"", "gzip"} {
		first := ask(h, "GET", "/assets/app-3fa9c1.js", "Accept-Encoding", encoding)
		etag := first.Header().Get("ETag")
		for _, tag := range []string{etag, "W/" + etag, `"other", ` + etag, "*"} {
			again := ask(h, "GET", "/assets/app-3fa9c1.js", "Accept-Encoding", encoding, "If-None-Match", tag)
			if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("ETag") != etag {
				t.Errorf("encoding %q, If-None-Match %s: status %d, %d bytes", encoding, tag, again.Code, again.Body.Len())
			}
		}
		if w := ask(h, "GET", "/assets/app-3fa9c1.js", "Accept-Encoding", encoding, "If-None-Match", `"other"`); w.Code != 200 {
			t.Errorf("another tag: status %d", w.Code)
		}
	}
}

func TestTextIsCompressedIfAccepted(t *testing.T) {
	h := built(t)
	plain := ask(h, "GET", "/assets/app-3fa9c1.js")
	zipped := ask(h, "GET", "/assets/app-3fa9c1.js", "Accept-Encoding", "br, gzip")
	if plain.Body.String() != script || plain.Header().Get("Content-Encoding") != "" {
		t.Error("the plain file is not the file")
	}
	z, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	back, err := io.ReadAll(z)
	if err != nil || string(back) != script {
		t.Errorf("unzipped: %d bytes, %v", len(back), err)
	}
	if plain.Header().Get("ETag") == zipped.Header().Get("ETag") {
		t.Error("two different bodies share a strong entity tag")
	}
	for _, w := range []*httptest.ResponseRecorder{plain, zipped} {
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Error("caches are not told that the answer depends on Accept-Encoding")
		}
	}
	if w := ask(h, "GET", "/assets/logo-77aa.woff2", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("a font, already compressed, was compressed again")
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "br": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true,
		"gzip;q=0": false, "gzip; q=0.0, *": false, "*;q=0": false, "*, gzip;q=0": false, "gzip;q=x": false, "xgzip": false,
	} {
		if got := acceptsGzip(header); got != want {
			t.Errorf("%q: got %t", header, got)
		}
	}
}

func TestFirstReadersMayComeTogether(t *testing.T) {
	h := built(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if w := ask(h, "GET", "/assets/app-3fa9c1.js", "Accept-Encoding", "gzip"); w.Code != 200 {
				t.Errorf("status %d", w.Code)
			}
		})
	}
	wg.Wait()
}

func TestWithoutABuiltAppThePageSaysHowToBuildIt(t *testing.T) {
	h, err := New(fstest.MapFS{".gitkeep": {}}, "https://leaf.example", func() []byte { return nil })
	if err != nil {
		t.Fatal(err)
	}
	w := ask(h, "GET", "/")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "make build") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if w := ask(h, "GET", "/assets/app.js"); w.Code != 404 {
		t.Errorf("a missing asset: status %d", w.Code)
	}
}

func TestTheEmbeddedAppIsServable(t *testing.T) {
	h := Handler("https://leaf.example", func() []byte { return []byte("{}") })
	if w := ask(h, "GET", "/.gitkeep"); w.Code != 404 {
		t.Errorf("the placeholder is served: status %d", w.Code)
	}
	want := http.StatusOK
	if h.(*handler).index == "" { // nothing was built
		want = http.StatusServiceUnavailable
	}
	if w := ask(h, "GET", "/Login"); w.Code != want {
		t.Errorf("a screen: status %d, not %d", w.Code, want)
	}
}

func TestThePageCarriesTheBrandOfNow(t *testing.T) {
	brand := `{"name":"First"}`
	h, err := New(fstest.MapFS{"index.html": {Data: []byte("<!doctype html>" + brandSlot)}}, "https://leaf.example", func() []byte { return []byte(brand) })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"First", "Second"} {
		brand = `{"name":"` + name + `"}`
		for range 2 {
			want := `<!doctype html><script type="application/json" id="brand">` + brand + `</script>`
			if got := ask(h, "GET", "/Login").Body.String(); got != want {
				t.Errorf("the page is %s", got)
			}
		}
	}
}
