package public

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerNewsletter(api huma.API) {
	httpx.Post(api, httpx.TagPublic, "newsletter", "Subscribe to the newsletter", c.askNews)
	for _, link := range newsLinks {
		path := "/api/newsletter/" + link.path
		operation := func(method, suffix, summary string) huma.Operation {
			return huma.Operation{
				OperationID: httpx.OperationID("newsletter/" + link.path + suffix), Method: method, Path: path, Summary: summary, Tags: []string{httpx.TagPublic},
				Responses: map[string]*huma.Response{"200": {Description: "A page for people; what was done, as JSON, for programs.", Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}},
			}
		}
		// Mail scanners follow links, so only the button of the page changes anything.
		huma.Register(api, operation(http.MethodGet, "", "Show the page of a mailed link"), func(_ context.Context, in *newsPageInput) (*newsOutput, error) {
			page := words(in.Langs, link).ask
			page.Action = path + "?" + url.Values{"token": {in.Token}}.Encode()
			return c.newsPage(page)
		})
		huma.Register(api, operation(http.MethodPost, "/do", link.summary), func(ctx context.Context, in *newsInput) (*newsOutput, error) {
			return c.followNews(ctx, in, link)
		})
	}
	httpx.Get(api, httpx.TagOperator, "operator/newsletter", "List newsletter subscribers", c.newsList)
}

// followNews runs the action of a page's button.
func (c *Calls) followNews(ctx context.Context, in *newsInput, link newsLink) (*newsOutput, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	err := link.do(c.Newsletter, ctx, in.Token)
	forPeople, words := strings.Contains(in.Accept, "text/html"), words(in.Langs, link)
	switch {
	case errs.Is(err, errs.Refused) && forPeople:
		return c.newsPage(words.failed(errs.MessageOf(err)))
	case err != nil:
		return nil, err
	case forPeople:
		return c.newsPage(words.done)
	}
	body, err := json.Marshal(httpx.Envelope[string]{Data: link.words[english].done.Text})
	return &newsOutput{ContentType: "application/json", Body: body}, err
}

type askNewsBody struct {
	Email string `json:"email,omitempty"`
}

func (c *Calls) askNews(ctx context.Context, in *httpx.KeyedBody[askNewsBody]) (*httpx.Reply[string], error) {
	if err := httpx.LimitPeer(ctx, c.Limits.News); err != nil {
		return nil, err
	}
	if err := c.Newsletter.Ask(ctx, in.Body.Email); err != nil {
		return nil, err
	}
	return httpx.NewReply(c.Settings.Current().Site.Newsletter.Thanks), nil
}

type newsPageInput struct {
	Token string `query:"token" maxLength:"100" doc:"The token of an unsubscribe link; a confirmation link has it after the #."`
	Langs string `header:"Accept-Language" maxLength:"1000" doc:"The language of HTML pages: English or Hindi."`
}

type newsInput struct {
	Token  string `query:"token" required:"true" minLength:"1" maxLength:"100" doc:"The token in the mailed link."`
	Accept string `header:"Accept" maxLength:"1000"`
	Langs  string `header:"Accept-Language" maxLength:"1000" doc:"The language of HTML pages: English or Hindi."`
}

type newsOutput struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

//go:embed newsletter.html
var newsHTML string

//go:embed newsletter.js
var newsScript []byte

// Handlers are the routes that are not typed calls.
func Handlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		// The confirmation page reads its token by this script.
		"GET /api/newsletter.js": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			_, _ = w.Write(newsScript)
		},
	}
}

var newsTemplate = template.Must(template.New("newsletter").Parse(newsHTML))

// newsPage is a page with one question or message.
type newsPage struct{ Lang, Name, Title, Text, Button, Action string }

func (c *Calls) newsPage(p newsPage) (*newsOutput, error) {
	p.Name = c.Settings.Current().Site.Name
	var b bytes.Buffer
	err := newsTemplate.Execute(&b, p)
	return &newsOutput{ContentType: "text/html; charset=utf-8", Body: b.Bytes()}, err
}

type newsListInput struct {
	State string `query:"state" enum:"asked,confirmed,ended" default:"confirmed"`
	Page  string `query:"page"`
	Size  string `query:"size"`
}

type newsRow struct {
	Email     string          `json:"email"`
	State     string          `json:"state" enum:"asked,confirmed,ended"`
	Asked     httpx.Timestamp `json:"asked"`
	Confirmed httpx.Timestamp `json:"confirmed"`
	Ended     httpx.Timestamp `json:"ended"`
	End       string          `json:"unsubscribe" doc:"The unsubscribe link for newsletters to this address."`
}

func (c *Calls) newsList(ctx context.Context, in *newsListInput) (*httpx.List[newsRow], error) {
	var f httpx.FieldErrors
	number, size := f.Int("page", httpx.StringOrInt(in.Page), 1, 1, 1_000_000), f.Int("size", httpx.StringOrInt(in.Size), httpx.DefaultPageSize, 1, 500)
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, total, err := c.Newsletter.List(ctx, newsletter.State(in.State), number, size)
	if err != nil {
		return nil, err
	}
	rows := make([]newsRow, 0, len(found))
	for _, s := range found {
		rows = append(rows, newsRow{s.Email, string(s.State), httpx.ToTimestamp(s.Asked), httpx.ToTimestamp(s.Confirmed), httpx.ToTimestamp(s.Ended), c.Newsletter.EndLink(s)})
	}
	return httpx.NewList(rows, int(total), int(number), int(size)), nil
}
