// Package brand is the installation's brand: name, colours, texts of the public pages,
// and the accounts that members pay to. It is one JSON file that an operator edits; a
// complete demo brand is embedded.
package brand

import (
	"bytes"
	_ "embed"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// Brand is a parsed and valid brand file. It is shared by readers and immutable.
//
// The tags have the limits of a file. text: the maximum number of characters; url: the
// same for a link; a text may be empty only with "optional". items: the number of entries
// of a list.
type Brand struct {
	Site     Site      `json:"site"`
	Counters []Counter `json:"counters" nullable:"false" items:"1-8"`
	// Banks and USDT are the accounts that members pay to. They are not part of Public.
	Banks []Bank `json:"banks" nullable:"false" items:"0-20"`
	USDT  string `json:"usdt" text:"42"`

	version string // changes with the file
}

// Site is the public content.
type Site struct {
	Name       string        `json:"name" text:"40"`
	LogoText   string        `json:"logo_text" text:"24"`
	Title      string        `json:"title" text:"90" doc:"The window's title on the landing page."`
	Tagline    string        `json:"tagline" text:"120"`
	Founded    string        `json:"founded" text:"10" doc:"A day such as 2014-03-01."`
	Colours    Colours       `json:"colours"`
	Risk       RiskNotice    `json:"risk"`
	Hero       Hero          `json:"hero"`
	Explainer  Explainer     `json:"explainer"`
	About      About         `json:"about"`
	Projects   Projects      `json:"projects"`
	Packages   Packages      `json:"packages"`
	FAQ        FAQ           `json:"faq"`
	Newsletter Newsletter    `json:"newsletter"`
	Bot        Bot           `json:"bot"`
	Footer     Footer        `json:"footer"`
	Pages      []SitePage    `json:"pages" nullable:"false" items:"1-40"`
	Dashboard  SiteDashboard `json:"dashboard"`
}

// Colours are the brand's colours, by theme.
type Colours struct {
	Light Palette `json:"light"`
	Dark  Palette `json:"dark"`
}

// Palette is the colours of buttons and links. Text on the fills must be readable.
type Palette struct {
	Primary      string `json:"primary" text:"7" doc:"The fill of buttons, as #0b5f4c."`
	PrimaryHover string `json:"primary_hover" text:"7"`
	OnPrimary    string `json:"on_primary" text:"7" doc:"The text on it."`
	Link         string `json:"link" text:"7"`
}

// RiskNotice is the notice beside every mention of returns.
type RiskNotice struct {
	Label  string `json:"label" text:"40"`
	Title  string `json:"title" text:"80"`
	Text   string `json:"text" text:"600"`
	Tag    string `json:"tag" text:"40" doc:"Its shortest form, on cards."`
	Footer string `json:"footer" text:"300"`
}

// Hero is the top of the landing page.
type Hero struct {
	Heading    string `json:"heading" text:"120"`
	Lead       string `json:"lead" text:"400"`
	SignUp     string `json:"sign_up" text:"30"`
	WatchVideo string `json:"watch_video" text:"30"`
}

// Explainer is the dialog of the hero's button.
type Explainer struct {
	Title string `json:"title" text:"80"`
	Steps []Note `json:"steps" nullable:"false" items:"1-8"`
	Close string `json:"close" text:"30"`
}

// Note is a title with a text.
type Note struct {
	Title string `json:"title" text:"80"`
	Text  string `json:"text" text:"500"`
}

// About is the block about the company.
type About struct {
	Heading     string   `json:"heading" text:"80"`
	Lead        string   `json:"lead" text:"400"`
	ExploreMore string   `json:"explore_more" text:"30"`
	Paragraphs  []string `json:"paragraphs" nullable:"false" items:"1-12" text:"1000" doc:"What the button shows."`
	Rules       []Note   `json:"rules" nullable:"false" items:"1-8"`
}

// Projects are the six projects of the community.
type Projects struct {
	Heading string `json:"heading" text:"80"`
	Lead    string `json:"lead" text:"400"`
	Items   []Note `json:"items" nullable:"false" items:"6"`
}

// Packages are the three products.
type Packages struct {
	Heading  string        `json:"heading" text:"80"`
	Lead     string        `json:"lead" text:"400"`
	Items    []PackageCard `json:"items" nullable:"false" items:"3"`
	ViewMore SiteLink      `json:"view_more"`
}

type PackageCard struct {
	Title  string `json:"title" text:"80"`
	Text   string `json:"text" text:"500"`
	Price  string `json:"price" text:"40,optional"`
	Notice string `json:"notice" text:"200,optional" doc:"The risk notice on this card; needed wherever money can be lost."`
}

// FAQ are the six questions.
type FAQ struct {
	Heading string     `json:"heading" text:"80"`
	Items   []Question `json:"items" nullable:"false" items:"6"`
}

// Question is one question with its answer.
type Question struct {
	Question string `json:"question" text:"160"`
	Answer   string `json:"answer" text:"1000"`
}

// Newsletter is the block to subscribe to the newsletter.
type Newsletter struct {
	Heading     string `json:"heading" text:"80"`
	Text        string `json:"text" text:"400"`
	Placeholder string `json:"placeholder" text:"40"`
	Submit      string `json:"submit" text:"30"`
	Thanks      string `json:"thanks" text:"200"`
}

// Bot is the section about the forex bot.
type Bot struct {
	Heading    string   `json:"heading" text:"80"`
	Paragraphs []string `json:"paragraphs" nullable:"false" items:"1-8" text:"1000"`
	Charts     []Chart  `json:"charts" nullable:"false" items:"3"`
}

// Chart is a chart with its data.
type Chart struct {
	Title  string        `json:"title" text:"80"`
	Note   string        `json:"note" text:"300" doc:"What it shows, and whether it is a sample."`
	Kind   string        `json:"kind" text:"10" enum:"line,bars"`
	Unit   string        `json:"unit" text:"10"`
	Labels []string      `json:"labels" nullable:"false" items:"2-60" text:"20"`
	Series []ChartSeries `json:"series" nullable:"false" items:"1-4"`
}

// ChartSeries are a chart's values, one for each label.
type ChartSeries struct {
	Name   string  `json:"name" text:"40"`
	Values []int64 `json:"values" nullable:"false" items:"2-60"`
}

// Footer is the footer of every public page.
type Footer struct {
	Groups    []LinkGroup `json:"groups" nullable:"false" items:"3"`
	AppStore  SiteLink    `json:"app_store"`
	PlayStore SiteLink    `json:"play_store"`
	Social    []Social    `json:"social" nullable:"false" items:"0-10"`
	Copyright string      `json:"copyright" text:"80"`
}

// LinkGroup are links under a title.
type LinkGroup struct {
	Title string     `json:"title" text:"40"`
	Links []SiteLink `json:"links" nullable:"false" items:"1-10"`
}

// SiteLink is a link within this site, to another, or to a mailbox.
type SiteLink struct {
	Label string `json:"label" text:"60"`
	Href  string `json:"href" url:"300"`
}

// Social is a link with the icon of a network.
type Social struct {
	Network string `json:"network" text:"20" enum:"facebook,instagram,linkedin,youtube,twitter,telegram,github"`
	Href    string `json:"href" url:"300"`
}

// SitePage is a plain page at /info/SLUG.
type SitePage struct {
	Slug       string   `json:"slug" text:"40" doc:"A page whose slug begins with lesson- is a lesson, which only owners of a package read."`
	Title      string   `json:"title" text:"80"`
	Paragraphs []string `json:"paragraphs" nullable:"false" items:"1-60" text:"2000"`
}

// SiteDashboard is the brand's part of the members' dashboard.
type SiteDashboard struct {
	Exchange    SiteLink `json:"exchange"`
	LiveRate    string   `json:"live_rate" text:"20"`
	Trends      []string `json:"trends" nullable:"false" items:"0-4" text:"10" doc:"Decorative; only shown with trends_label beside them."`
	TrendsLabel string   `json:"trends_label" text:"20"`
}

// Counter is a figure on the landing page: a fixed text, or a live value.
type Counter struct {
	Label string `json:"label" text:"40"`
	Value string `json:"value" text:"20" doc:"What is shown when the mode is fixed, and while a live value is not known."`
	Mode  string `json:"mode" text:"5" enum:"fixed,live"`
	Live  string `json:"live" text:"20,optional"`
}

// Bank is a bank account of the company.
type Bank struct {
	ID      int64  `json:"id"`
	Name    string `json:"bank_name" text:"60"`
	Holder  string `json:"acholdername" text:"60"`
	Account string `json:"account_number" text:"34"`
	IFSC    string `json:"ifsc" text:"20"`
	Branch  string `json:"branch" text:"60"`
}

// maxSize is the maximum size of a brand file.
const maxSize = 1 << 20

//go:embed demo.json
var demo []byte

// DemoBody is the demo brand's file.
func DemoBody() []byte { return bytes.Clone(demo) }

// Demo is the brand of an installation without a file.
func Demo() *Brand {
	b, err := Parse(demo)
	if err != nil {
		panic(fmt.Sprintf("the demo brand is wrong: %v", err))
	}
	return b
}

// Parse parses a brand. Invalid names every mistake at once: of the JSON's shape first,
// then of lengths, missing and forbidden values.
func Parse(raw []byte) (*Brand, error) {
	if len(raw) > maxSize {
		return nil, errs.New(errs.Invalid, "brand.file_too_large", "The brand has {bytes} bytes; it may have {most}.", "bytes", len(raw), "most", maxSize)
	}
	b := &Brand{}
	wrong, _ := shape.Read("brand", raw, b)
	if err := errs.Fields(wrong); err != nil {
		return nil, err
	}
	if err := errs.Fields(b.mistakes()); err != nil {
		return nil, err
	}
	b.USDT, _ = eip55.Parse(b.USDT)
	b.version = version(raw)
	return b, nil
}

// founded is the day the company was founded; false if it is invalid.
func (s Site) founded() (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, s.Founded)
	return t, err == nil
}
