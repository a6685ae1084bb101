// Package webui serves the built web app from inside the binary.
//
// Browsers may cache files with a hash of their content in the name (/assets/…) for ever;
// they never cache the page that refers to them, so a new release appears at the next
// load. A path in the form of a screen gets the page, because the app routes in the
// browser, with status 404 if no screen has it; a path in the form of a file gets the file or 404, so that a stale page never
// runs HTML as a script. Paths of the API and dotfiles are never served.
package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:embed all:dist
var embedded embed.FS

// Handler serves the app that was built into this binary. brand is JSON that is
// safe inside HTML, as encoding/json writes it. origin is the public address of the
// installation.
func Handler(origin string, brand func() []byte) http.Handler {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path: it is in the embed line above
	}
	h, err := New(dist, origin, brand)
	if err != nil {
		panic(err) // reading embedded files cannot fail
	}
	return h
}

// New serves the app in fsys. A file is read at the first request and then cached, so that
// entity tags always match the content.
func New(fsys fs.FS, origin string, brand func() []byte) (http.Handler, error) {
	h := &handler{files: map[string]func() *file{}, origin: strings.TrimRight(origin, "/"), brand: brand, screens: func() map[string]screen { return nil }}
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || hasDotfile(name) {
			return err
		}
		switch name {
		case "index.html":
			content, err := fs.ReadFile(fsys, name)
			h.index = string(content)
			return err
		case "pages.json":
			h.screens = sync.OnceValue(func() map[string]screen { return readScreens(fsys, name) })
			return nil
		}
		h.files["/"+name] = sync.OnceValue(func() *file { return readFile(fsys, name) })
		return nil
	})
	return h, err
}

// readScreens is slow compared with the start of the server, so it runs at the first
// request of a page.
func readScreens(fsys fs.FS, name string) (all map[string]screen) {
	content, err := fs.ReadFile(fsys, name)
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err)) // the build wrote it, and a test reads it
	}
	return all
}

func readFile(fsys fs.FS, name string) *file {
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		panic(err) // it was listed, and reading embedded files cannot fail
	}
	return newFile("/"+name, content)
}

type handler struct {
	files   map[string]func() *file
	index   string // "" if the web app was not built
	screens func() map[string]screen
	origin  string
	brand   func() []byte
	pages   sync.Map // of *page, by address; "" for screens that are not in screens
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	switch {
	case name == "/api" || strings.HasPrefix(name, "/api/"):
		refuse(w, http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed)
	case h.files[name] != nil:
		h.files[name]().serve(w, r, http.StatusOK)
	case h.index != "" && generated[name] != nil:
		newFile(name, generated[name](h)).serve(w, r, http.StatusOK)
	case !isScreen(name) && name != "/index.html":
		refuse(w, http.StatusNotFound)
	case h.index == "":
		notBuilt(w)
	default:
		p := h.shown(name)
		p.serve(w, r, p.status)
	}
}

// isScreen reports whether a path may be one of the app's screens.
func isScreen(name string) bool {
	return path.Ext(name) == "" && !hasDotfile(name) &&
		name != "/assets" && !strings.HasPrefix(name, "/assets/")
}

func hasDotfile(name string) bool {
	return strings.HasPrefix(name, ".") && name != "." || strings.Contains(name, "/.")
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, http.StatusText(status), status)
}

func notBuilt(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bifolia</title>
<h1>The web app is not in this binary</h1>
<p>The API works. To have the screens too, run <code>make build</code> and start the new binary.</p>
`))
}

// file is a file of the app, ready to be sent.
type file struct {
	content     []byte
	contentType string
	cache       string
	etag        string
	compress    bool

	once    sync.Once
	gzipped []byte // nil if gzip does not make it smaller
}

func newFile(name string, content []byte) *file {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	kind, known := types[ext]
	if !known {
		kind = fileType{"application/octet-stream", false}
	}
	f := &file{
		content:     content,
		contentType: kind.name,
		etag:        hex.EncodeToString(sum[:16]),
		compress:    kind.compress && len(content) >= 512,
	}
	switch {
	case ext == ".html":
		f.cache = "no-store"
	case strings.HasPrefix(name, "/assets/"):
		f.cache = "public, max-age=31536000, immutable"
	default:
		f.cache = "no-cache"
	}
	return f
}

type fileType struct {
	name     string
	compress bool
}

// types replaces the system's table, which differs between machines: browsers refuse
// scripts and styles with a wrong type.
var types = map[string]fileType{
	".html":        {"text/html; charset=utf-8", true},
	".js":          {"text/javascript; charset=utf-8", true},
	".mjs":         {"text/javascript; charset=utf-8", true},
	".css":         {"text/css; charset=utf-8", true},
	".json":        {"application/json", true},
	".map":         {"application/json", true},
	".webmanifest": {"application/manifest+json", true},
	".svg":         {"image/svg+xml", true},
	".txt":         {"text/plain; charset=utf-8", true},
	".xml":         {"application/xml", true},
	".ico":         {"image/x-icon", true},
	".wasm":        {"application/wasm", true},
	".ttf":         {"font/ttf", true},
	".png":         {"image/png", false},
	".jpg":         {"image/jpeg", false},
	".jpeg":        {"image/jpeg", false},
	".gif":         {"image/gif", false},
	".webp":        {"image/webp", false},
	".avif":        {"image/avif", false},
	".woff":        {"font/woff", false},
	".woff2":       {"font/woff2", false},
	".pdf":         {"application/pdf", false},
	".mp4":         {"video/mp4", false},
	".webm":        {"video/webm", false},
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	header := w.Header()
	content, etag := f.content, `"`+f.etag+`"`
	if f.compress {
		header.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			if zipped := f.zipped(); zipped != nil {
				// Different bytes need a different strong tag.
				content, etag = zipped, `"`+f.etag+`-gz"`
				header.Set("Content-Encoding", "gzip")
			}
		}
	}
	header.Set("Cache-Control", f.cache)
	header.Set("ETag", etag)
	if status == http.StatusOK && matches(r.Header.Get("If-None-Match"), etag) {
		header.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // an error means that the client has gone
	}
}

// zipped compresses a file once, at the first request, which keeps the start fast.
func (f *file) zipped() []byte {
	f.once.Do(func() {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return
		}
		if _, err := z.Write(f.content); err != nil || z.Close() != nil {
			return
		}
		if b.Len() < len(f.content) {
			f.gzipped = b.Bytes()
		}
	})
	return f.gzipped
}

// acceptsGzip reads an Accept-Encoding header. It ignores parts that it does not
// understand.
func acceptsGzip(header string) bool {
	accepted := false
	for part := range strings.SplitSeq(header, ",") {
		name, param, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		yes := true
		if q, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(param, " ", "")), "q="); ok {
			weight, err := strconv.ParseFloat(q, 64)
			yes = err == nil && weight > 0
		}
		if name == "gzip" {
			return yes // is more specific than *
		}
		accepted = yes
	}
	return accepted
}

// matches reads an If-None-Match header; the comparison is the weak one.
func matches(header, etag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == etag {
			return true
		}
	}
	return false
}
