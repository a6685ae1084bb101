package httpapi

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

	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerNewsletter(api huma.API) {
	post(api, tagPublic, "newsletter", "Ask for the newsletter", c.askNews)
	for _, link := range newsLinks {
		path := "/api/newsletter/" + link.path
		operation := func(method, suffix, summary string) huma.Operation {
			return huma.Operation{
				OperationID: operationID("newsletter/" + link.path + suffix), Method: method, Path: path, Summary: summary, Tags: []string{tagPublic},
				Responses: map[string]*huma.Response{"200": {Description: "A page for people; what was done, as JSON, for programs.", Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}},
			}
		}
		// Programs that look at mails follow links: only the button changes
		// something.
		huma.Register(api, operation(http.MethodGet, "", "The page that a mailed link leads to"), func(_ context.Context, in *newsPageInput) (*newsOutput, error) {
			page := words(in.Langs, link).ask
			page.Action = path + "?" + url.Values{"token": {in.Token}}.Encode()
			return c.newsPage(page)
		})
		huma.Register(api, operation(http.MethodPost, "/do", link.summary), func(ctx context.Context, in *newsInput) (*newsOutput, error) {
			return c.followNews(ctx, in, link)
		})
	}
	get(api, tagOperator, "operator/newsletter", "Who wants the newsletter", c.newsList)
}

// followNews does what the button of a page asks for.
func (c *Calls) followNews(ctx context.Context, in *newsInput, link newsLink) (*newsOutput, error) {
	if err := perPeer(ctx, c.limits.lookup); err != nil {
		return nil, err
	}
	err := link.do(c.News, ctx, in.Token)
	forPeople, words := strings.Contains(in.Accept, "text/html"), words(in.Langs, link)
	switch {
	case errs.Is(err, errs.Refused) && forPeople:
		return c.newsPage(words.failed(errs.MessageOf(err)))
	case err != nil:
		return nil, err
	case forPeople:
		return c.newsPage(words.done)
	}
	body, err := json.Marshal(envelope[string]{link.words[english].done.Text})
	return &newsOutput{ContentType: "application/json", Body: body}, err
}

type askNewsInput struct {
	Keyed
	Body askNewsBody
}

type askNewsBody struct {
	Email string `json:"email,omitempty"`
}

func (c *Calls) askNews(ctx context.Context, in *askNewsInput) (*reply[string], error) {
	if err := perPeer(ctx, c.limits.news); err != nil {
		return nil, err
	}
	if err := c.News.Ask(ctx, in.Body.Email); err != nil {
		return nil, err
	}
	return answer(c.Settings.Current().Site.Newsletter.Thanks), nil
}

type newsPageInput struct {
	Token string `query:"token" maxLength:"100" doc:"What the link that ends a subscription carries; that of a confirmation stands after the #."`
	Langs string `header:"Accept-Language" maxLength:"1000" doc:"Pages for people are in English or Hindi."`
}

type newsInput struct {
	Token  string `query:"token" required:"true" minLength:"1" maxLength:"100" doc:"What the mailed link carries."`
	Accept string `header:"Accept" maxLength:"1000"`
	Langs  string `header:"Accept-Language" maxLength:"1000" doc:"Pages for people are in English or Hindi."`
}

type newsOutput struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

//go:embed newsletter.html
var newsHTML string

//go:embed newsletter.js
var newsScript []byte

// newsletterScript is what the page of a confirmation needs to read its token.
func newsletterScript(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(newsScript)
}

var newsTemplate = template.Must(template.New("newsletter").Parse(newsHTML))

// newsPage is a page that asks or tells one thing.
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
	Email     string `json:"email"`
	State     string `json:"state" enum:"asked,confirmed,ended"`
	Asked     moment `json:"asked"`
	Confirmed moment `json:"confirmed"`
	Ended     moment `json:"ended"`
	End       string `json:"unsubscribe" doc:"The link that letters to this address must carry."`
}

func (c *Calls) newsList(ctx context.Context, in *newsListInput) (*list[newsRow], error) {
	var f fields
	number, size := f.code("page", text(in.Page), 1, 1, 1_000_000), f.code("size", text(in.Size), defaultSize, 1, 500)
	if err := f.err(); err != nil {
		return nil, err
	}
	found, total, err := c.News.List(ctx, newsletter.State(in.State), number, size)
	if err != nil {
		return nil, err
	}
	rows := make([]newsRow, 0, len(found))
	for _, s := range found {
		rows = append(rows, newsRow{s.Email, string(s.State), at(s.Asked), at(s.Confirmed), at(s.Ended), c.News.EndLink(s)})
	}
	return pageOf(rows, int(total), int(number), int(size)), nil
}
