package httpx

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

// A demo has no mail server. Its outbox is readable from this machine only, at a secret
// address that is printed at startup. Mails hold passwords, so neither a page of another
// site in the same browser nor a client behind a local proxy may reach it.

//go:embed outbox.html mails.html
var outboxFiles embed.FS

var outboxTemplate = template.Must(template.ParseFS(outboxFiles, "outbox.html"))

// letter is a mail in the outbox.
type letter struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	At      Timestamp `json:"at"`
}

// local tells whether the request comes from this machine and names it as the host.
func local(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(host)
	named := host == "localhost" || (err == nil && ip.IsLoopback())
	return named && direct(r)
}

// OutboxPath is the path of a demo's outbox.
func OutboxPath(secret string) string { return "/dev/outbox/" + secret }

type outboxContent struct {
	Data    string // the URL of the same data as JSON
	Letters []letter
}

func (a *API) letters(w http.ResponseWriter, r *http.Request) ([]letter, bool) {
	if !sameSecret(r.PathValue("secret"), a.opts.OutboxSecret) {
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
	out := Rows(found, letterOf)
	w.Header().Set("Cache-Control", "no-store")
	return out, true
}

func letterOf(m mail.Message) letter {
	return letter{m.To, m.Subject, m.Text, ToTimestamp(m.CreatedAt)}
}

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
