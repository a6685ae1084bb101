package public

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerBrand(api huma.API) {
	httpx.Get(api, httpx.TagPublic, "brand", "Retrieve the texts, colours and counters of the public pages", c.showBrand)
	httpx.Get(api, httpx.TagPublic, "transparency", "Retrieve public figures as of the last close: owed, covered, booked and earned", c.showTransparency)
}

// ETagged is the input of calls with a cacheable response.
type ETagged struct {
	Known string `header:"If-None-Match" maxLength:"1000"`
}

// kept is a response that browsers and proxies may cache for a minute and then revalidate.
type kept[T any] struct {
	Status  int
	ETag    string `header:"ETag"`
	Caching string `header:"Cache-Control"`
	Body    httpx.Envelope[T]
}

func keep[T any](known string, v T) (*kept[T], error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	out := &kept[T]{Status: http.StatusOK, ETag: `"` + hex.EncodeToString(sum[:12]) + `"`, Caching: "public, max-age=60", Body: httpx.Envelope[T]{Data: v}}
	for tag := range strings.SplitSeq(known, ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == out.ETag || tag == "*" {
			out.Status = http.StatusNotModified
		}
	}
	return out, nil
}

func (c *Calls) showBrand(_ context.Context, in *ETagged) (*kept[brand.Public], error) {
	return keep(in.Known, c.publicBrand())
}

// BrandData is the response of showBrand, for embedding in the web page.
func (c *Calls) BrandData() []byte {
	raw, err := json.Marshal(c.publicBrand())
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return raw
}

func (c *Calls) publicBrand() brand.Public {
	p := c.Settings.Current().Public(FiguresOf(c.Clock, c.Tree))
	p.Demo = c.Demo
	return p
}

// FiguresOf returns the live counters.
func FiguresOf(c clock.Clock, t *tree.Service) brand.Figures {
	f := brand.Figures{Now: c.Now()}
	const root = 1 // all members are below the first one
	if first, found := t.Get(root); found {
		all := t.Downline(root)
		last, _ := t.State()
		f.Members, f.Active = int64(last), all.Active
		if first.Active {
			f.Active++
		}
		f.Business = money.Micro(all.Business[tree.Robot].Micros() + first.Business[tree.Robot].Micros())
	}
	return f
}

func (c *Calls) showTransparency(_ context.Context, in *ETagged) (*kept[*transparency.Report], error) {
	return keep(in.Known, c.Transparency.Current())
}
