package webui

import (
	"encoding/json"
	"html"
	"strings"
)

// titleSlot is replaced by the title of an address and by what other programs read of a
// page: search engines, and messengers that show a link.
const titleSlot = `<title>Bifolia</title>`

// scriptless is shown by browsers without scripts; the texts of public pages follow it.
const scriptless = `<p>This site needs JavaScript to sign in. These are its public texts.</p>`

// languages of the screens, the default first. An address shows another one with
// ?lang=hi.
var languages = []string{"en", "hi"}

// look is what the server reads of the brand.
type look struct {
	Site struct {
		Name, Title, Tagline string
		LogoText             string `json:"logo_text"`
		Colours              struct{ Light, Dark struct{ Primary string } }
		Hero                 struct{ Heading, Lead string }
		Risk                 note
		About                struct {
			Heading, Lead string
			Paragraphs    []string
			Rules         []note
		}
		Projects, Packages struct {
			Heading, Lead string
			Items         []note
		}
		FAQ struct {
			Heading string
			Items   []struct{ Question, Answer string }
		}
		Bot struct {
			Heading    string
			Paragraphs []string
		}
		Footer struct {
			Groups []struct {
				Links []struct{ Label, Href string }
			}
			Social []struct{ Href string }
		}
		Pages []info
	}
}

type note struct{ Title, Text, Price, Notice string }

// info is a plain page of the brand.
type info struct {
	Slug, Title string
	Paragraphs  []string
}

func read(brand []byte) (l look) {
	_ = json.Unmarshal(brand, &l) // a brand that cannot be read has no texts
	return l
}

const infoPath = "/info/"

// info returns the brand's page of an address.
func (l look) info(key string) (info, bool) {
	slug, is := strings.CutPrefix(key, infoPath)
	for _, p := range l.Site.Pages {
		if is && strings.ToLower(p.Slug) == slug {
			return p, true
		}
	}
	return info{}, false
}

// head returns the title of an address and the tags below it.
func (l look) head(origin, key string, s screen) string {
	name, title, text, path := l.Site.Name, s.Title, s.Text, s.Path
	if name == "" {
		name = "Bifolia"
	}
	if p, found := l.info(key); found {
		title, path = p.Title, infoPath+p.Slug
		if len(p.Paragraphs) > 0 {
			text = p.Paragraphs[0]
		}
	}
	switch {
	case key == "/" && l.Site.Title != "":
		title = l.Site.Title
	case title == "":
		title = name
	case !strings.Contains(title, name):
		title += " · " + name
	}
	if text == "" {
		text = l.Site.Hero.Lead
	}
	text = strings.ReplaceAll(text, "{brand}", name)
	var b strings.Builder
	tag := func(before, value, after string) { b.WriteString(before + html.EscapeString(value) + after) }
	tag("<title>", title, "</title>")
	tag(`<meta name="description" content="`, text, `">`)
	if c := l.Site.Colours; c.Light.Primary != "" {
		tag(`<meta name="theme-color" media="(prefers-color-scheme: light)" content="`, c.Light.Primary, `">`)
		tag(`<meta name="theme-color" media="(prefers-color-scheme: dark)" content="`, c.Dark.Primary, `">`)
	}
	b.WriteString(`<link rel="manifest" href="/manifest.webmanifest">`)
	if path == "" || s.Hidden {
		b.WriteString(`<meta name="robots" content="noindex">`)
		return b.String()
	}
	tag(`<link rel="canonical" href="`, origin+path, `">`)
	for _, language := range languages {
		tag(`<link rel="alternate" hreflang="`+language+`" href="`, origin+path+"?lang="+language, `">`)
	}
	tag(`<link rel="alternate" hreflang="x-default" href="`, origin+path, `">`)
	for _, property := range [][2]string{
		{"og:type", "website"},
		{"og:site_name", name},
		{"og:title", title},
		{"og:description", text},
		{"og:url", origin + path},
		{"og:image", origin + "/share.png"},
		{"og:image:width", "1200"},
		{"og:image:height", "630"},
	} {
		tag(`<meta property="`+property[0]+`" content="`, property[1], `">`)
	}
	for _, card := range [][2]string{{"card", "summary_large_image"}, {"title", title}, {"description", text}, {"image", origin + "/share.png"}} {
		tag(`<meta name="twitter:`+card[0]+`" content="`, card[1], `">`)
	}
	if key == "/" {
		b.WriteString(`<script type="application/ld+json">` + string(l.organization(origin, name)) + `</script>`)
	}
	return b.String()
}

// organization is the brand as schema.org data. encoding/json escapes < and >.
func (l look) organization(origin, name string) []byte {
	same := []string{}
	for _, s := range l.Site.Footer.Social {
		same = append(same, s.Href)
	}
	raw, err := json.Marshal(map[string]any{
		"@context": "https://schema.org", "@type": "Organization",
		"name": name, "slogan": l.Site.Tagline, "url": origin + "/", "logo": origin + "/icon-512.png", "sameAs": same,
	})
	if err != nil {
		panic(err) // strings always encode
	}
	return raw
}

// plain returns the texts of a public page for browsers without scripts.
func (l look) plain(key string) string {
	var b strings.Builder
	line := func(element, text string) {
		if text != "" {
			b.WriteString("<" + element + ">" + html.EscapeString(text) + "</" + element + ">")
		}
	}
	page, found := l.info(key)
	site := l.Site
	switch {
	case found:
		line("h1", page.Title)
		for _, p := range page.Paragraphs {
			line("p", p)
		}
	case key == "/":
		line("h1", site.Hero.Heading)
		line("p", site.Hero.Lead)
		line("p", strings.TrimSpace(site.Risk.Title+" "+site.Risk.Text))
		line("h2", site.About.Heading)
		line("p", site.About.Lead)
		for _, r := range site.About.Rules {
			line("h3", r.Title)
			line("p", r.Text)
		}
		for _, p := range site.About.Paragraphs {
			line("p", p)
		}
		for _, list := range []struct {
			Heading, Lead string
			Items         []note
		}{site.Projects, site.Packages} {
			line("h2", list.Heading)
			line("p", list.Lead)
			for _, item := range list.Items {
				line("h3", strings.TrimSpace(item.Title+" "+item.Price))
				line("p", item.Text)
				line("p", item.Notice)
			}
		}
		line("h2", site.FAQ.Heading)
		for _, q := range site.FAQ.Items {
			line("h3", q.Question)
			line("p", q.Answer)
		}
		line("h2", site.Bot.Heading)
		for _, p := range site.Bot.Paragraphs {
			line("p", p)
		}
	default:
		return ""
	}
	b.WriteString("<ul>")
	for _, group := range site.Footer.Groups {
		for _, link := range group.Links {
			b.WriteString(`<li><a href="` + html.EscapeString(link.Href) + `">` + html.EscapeString(link.Label) + `</a></li>`)
		}
	}
	b.WriteString("</ul>")
	return b.String()
}
