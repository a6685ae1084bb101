package httpx

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"path"
	"slices"
)

// GET /api/docs shows the contract. Swagger UI, which the web's build puts into the
// binary, renders the document that programs read; the page adds the general conventions.
// All files come from this server, as the content security policy requires.

//go:embed docs
var docsFiles embed.FS

var docsTemplate = template.Must(template.ParseFS(docsFiles, "docs/page.html"))

// docsStatus is a status of problems.
type docsStatus struct {
	Status int
	Title  string
}

// docsStatuses are the statuses of problems, in ascending order.
func docsStatuses() (all []docsStatus) {
	for _, status := range statusOf {
		all = append(all, docsStatus{status, http.StatusText(status)})
	}
	slices.SortFunc(all, func(a, b docsStatus) int { return cmp.Compare(a.Status, b.Status) })
	return slices.Compact(all)
}

func (a *API) docsPage(w http.ResponseWriter, r *http.Request) {
	var page bytes.Buffer
	err := docsTemplate.Execute(&page, struct {
		Version, PleaseLogin, ProblemType string
		Statuses                          []docsStatus
	}{a.opts.Version, pleaseLogin, problemType, docsStatuses()})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Bytes())
}

func docsStyle(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, docsFiles, "docs/page.css")
}

func docsScript(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, docsFiles, "docs/page.js")
}

// docsViewer serves a file of Swagger UI from the built web app.
func (a *API) docsViewer(w http.ResponseWriter, r *http.Request) {
	file := r.Clone(r.Context())
	file.URL.Path = "/api-docs/" + path.Base(r.PathValue("file"))
	a.opts.WebUI.ServeHTTP(w, file)
}
