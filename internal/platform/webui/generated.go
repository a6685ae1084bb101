package webui

import (
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
)

// generated are files that are made from the brand and the list of pages. They are
// small and rarely read, so they are made at each request.
var generated = map[string]func(*handler) []byte{
	"/robots.txt":           (*handler).robots,
	"/sitemap.xml":          (*handler).sitemap,
	"/manifest.webmanifest": (*handler).manifest,
}

// robots keeps search engines away from everything behind a sign-in.
func (h *handler) robots() []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\nDisallow: /api/\nDisallow: /admin\n")
	for _, key := range h.addresses() {
		if h.screens()[key].Member {
			b.WriteString("Disallow: " + key + "\n")
		}
	}
	b.WriteString("Sitemap: " + h.origin + "/sitemap.xml\n")
	return []byte(b.String())
}

// addresses are the addresses of all screens, sorted.
func (h *handler) addresses() []string {
	all := make([]string, 0, len(h.screens()))
	for key := range h.screens() {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// sitemap lists the public pages.
func (h *handler) sitemap() []byte {
	type place struct {
		Loc string `xml:"loc"`
	}
	set := struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []place  `xml:"url"`
	}{}
	for _, key := range h.addresses() {
		if s := h.screens()[key]; s.Path != "" && !s.Hidden {
			set.URL = append(set.URL, place{h.origin + s.Path})
		}
	}
	for _, p := range read(h.brand()).Site.Pages {
		set.URL = append(set.URL, place{h.origin + infoPath + p.Slug})
	}
	raw, err := xml.Marshal(set)
	if err != nil {
		panic(err) // strings always encode
	}
	return append([]byte(xml.Header), raw...)
}

// manifest lets a phone put the site on its home screen.
func (h *handler) manifest() []byte {
	site := read(h.brand()).Site
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	raw, err := json.Marshal(map[string]any{
		"id": "/", "start_url": "/", "scope": "/", "display": "standalone",
		"name": site.Name, "short_name": site.LogoText, "description": site.Tagline,
		"theme_color": site.Colours.Light.Primary, "background_color": site.Colours.Light.Primary,
		"icons": []icon{
			{"/icon-192.png", "192x192", "image/png", "any"},
			{"/icon-512.png", "512x512", "image/png", "any"},
			{"/icon-512.png", "512x512", "image/png", "maskable"},
		},
	})
	if err != nil {
		panic(err) // strings always encode
	}
	return raw
}
