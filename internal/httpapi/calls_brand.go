package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerBrand(api huma.API) {
	get(api, tagPublic, "brand", "Texts, colours and counters of the public pages", c.showBrand)
	get(api, tagPublic, "transparency", "What is owed, covered, booked and earned, as of the last close", c.showTransparency)
}

// ETagged is what answers that browsers may keep are asked with.
type ETagged struct {
	Known string `header:"If-None-Match" maxLength:"1000"`
}

// kept is an answer that browsers and proxies may keep for a minute, and then
// ask again whether it is still the same.
type kept[T any] struct {
	Status  int
	ETag    string `header:"ETag"`
	Caching string `header:"Cache-Control"`
	Body    envelope[T]
}

func keep[T any](known string, v T) (*kept[T], error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	out := &kept[T]{Status: http.StatusOK, ETag: `"` + hex.EncodeToString(sum[:12]) + `"`, Caching: "public, max-age=60", Body: envelope[T]{v}}
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

// BrandData is what showBrand answers, for the web page to carry.
func (c *Calls) BrandData() []byte {
	raw, err := json.Marshal(c.publicBrand())
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return raw
}

func (c *Calls) publicBrand() brand.Public {
	p := c.Settings.Current().Public(c.figures())
	p.Demo = c.Demo
	return p
}

// figures are what live counters show.
func (c *Calls) figures() brand.Figures {
	f := brand.Figures{Now: c.Clock.Now()}
	const root = 1 // everybody stands below the first member
	if first, found := c.Tree.Get(root); found {
		all := c.Tree.Downline(root)
		last, _ := c.Tree.State()
		f.Members, f.Active = int64(last), all.Active
		if first.Active {
			f.Active++
		}
		f.Business = money.Micro(all.Business[tree.Robot].Micros() + first.Business[tree.Robot].Micros())
	}
	return f
}

func (c *Calls) showTransparency(_ context.Context, in *ETagged) (*kept[*transparency.Report], error) {
	return keep(in.Known, c.Open.Current())
}
