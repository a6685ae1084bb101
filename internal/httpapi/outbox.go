package httpapi

import (
	"embed"
	"encoding/json"
	"html/template"
	"net"
	"net/http"
	"net/netip"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A demo has no mail server: its outbox can be read here, by this machine only, at
// an address that the start tells. Letters hold passwords: no page of another site
// that makes this browser ask may reach it, nor who comes through a proxy, of which
// this machine itself seems to ask if it adds no headers.

//go:embed outbox.html
var outboxFiles embed.FS

var outboxTemplate = template.Must(template.ParseFS(outboxFiles, "outbox.html"))

// letter is a mail as the outbox shows it.
type letter struct {
	To      string `json:"to"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
	At      moment `json:"at"`
}

// local tells whether this machine itself asks, by a name of its own.
func local(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(host)
	named := host == "localhost" || (err == nil && ip.IsLoopback())
	return named && direct(r)
}

// OutboxPath is where a demo's outbox is.
func OutboxPath(secret string) string { return "/dev/outbox/" + secret }

type outboxContent struct {
	Data    string // where the same is as JSON
	Letters []letter
}

func (a *API) letters(w http.ResponseWriter, r *http.Request) ([]letter, bool) {
	if !same(r.PathValue("secret"), a.opts.OutboxSecret) {
		a.fail(w, r, errs.New(errs.NotFound, "request.unknown_page", "There is no such page."))
		return nil, false
	}
	if !local(r) {
		a.fail(w, r, errs.New(errs.Forbidden, "request.outbox_local_only", "The demo's outbox can be read on this machine only."))
		return nil, false
	}
	found, err := a.opts.Outbox(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return nil, false
	}
	out := make([]letter, 0, len(found))
	for _, m := range found {
		out = append(out, letterOf(m))
	}
	w.Header().Set("Cache-Control", "no-store")
	return out, true
}

func letterOf(m mail.Message) letter { return letter{m.To, m.Subject, m.Text, at(m.CreatedAt)} }

func (a *API) outboxJSON(w http.ResponseWriter, r *http.Request) {
	if all, ok := a.letters(w, r); ok {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(all)
	}
}

func (a *API) outboxPage(w http.ResponseWriter, r *http.Request) {
	if all, ok := a.letters(w, r); ok {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = outboxTemplate.Execute(w, outboxContent{OutboxPath(a.opts.OutboxSecret) + "/letters.json", all})
	}
}
