package httpx

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/messages"
)

// A demo previews every kind of mail with invented data, to this machine only.

var mailsTemplate = template.Must(template.ParseFS(outboxFiles, "mails.html"))

// mailView is the language and the theme of previews.
type mailView struct {
	Language string
	Dark     bool
}

func (v mailView) Query() string {
	theme := "light"
	if v.Dark {
		theme = "dark"
	}
	return url.Values{"language": {v.Language}, "theme": {theme}}.Encode()
}

type mailLink struct {
	Query, Label string
	Shown        bool
}

type mailsContent struct {
	Query string
	Views []mailLink
	Mails []mail.Sample
}

// samples are the mails of the request's language.
func (a *API) samples(w http.ResponseWriter, r *http.Request) (mailView, []mail.Sample, bool) {
	v := mailView{messages.English, r.URL.Query().Get("theme") == "dark"}
	if language := r.URL.Query().Get("language"); slices.Contains(messages.Languages(), language) {
		v.Language = language
	}
	if !local(r) {
		a.fail(w, r, errs.New(errs.Forbidden, "request.mails_local_only", "The demo's mails can be read on this machine only."))
		return v, nil, false
	}
	all, err := a.opts.Samples(v.Language)
	if err != nil {
		a.fail(w, r, err)
	}
	return v, all, err == nil
}

func (a *API) mailsPage(w http.ResponseWriter, r *http.Request) {
	v, all, ok := a.samples(w, r)
	if !ok {
		return
	}
	content := mailsContent{Query: v.Query(), Mails: all}
	for _, language := range messages.Languages() {
		for _, dark := range []bool{false, true} {
			other := mailView{language, dark}
			content.Views = append(content.Views, mailLink{other.Query(), other.Query(), other == v})
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = mailsTemplate.Execute(w, content)
}

func (a *API) mailPage(w http.ResponseWriter, r *http.Request) {
	v, all, ok := a.samples(w, r)
	if !ok {
		return
	}
	at := slices.IndexFunc(all, func(m mail.Sample) bool { return m.Name == r.PathValue("name") })
	if at < 0 {
		a.fail(w, r, errs.New(errs.NotFound, "request.unknown_page", "There is no such page."))
		return
	}
	// A mail has its styles within it and loads nothing.
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(mail.InTheme(all[at].HTML, v.Dark)))
}
