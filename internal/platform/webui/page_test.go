package webui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAPageContainsItsScreenAndFiles(t *testing.T) {
	brand := `{"site":{"name":"A \u003cb\u003e \"B\"","list":["first"]}}`
	h, err := New(fstest.MapFS{
		"index.html": {Data: []byte("<head>" + brandSlot + "</head>" + rootSlot)},
		"pages.json": {Data: []byte(`{
			"/login": {"shell": "<p title=\"{{site.name}}\">{{site.list.0}}{{site.list.7}}{{site.name.x}}</p>", "files": ["/assets/a.js", "/assets/a.css"]},
			"/dashboard": {"shell": "<h1>Hello</h1>", "member": true}
		}`)},
	}, "https://leaf.example", func() []byte { return []byte(brand) })
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}

	for _, c := range []struct{ path, want string }{
		// Addresses ignore case; a brand's texts are text, wherever they stand.
		{"/Login", `<template id="shell"><p title="A &lt;b&gt; &#34;B&#34;">first</p></template>`},
		{"/LOGIN", `<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/a.js"><link rel="stylesheet" crossorigin href="/assets/a.css">`},
		{"/dashboard", `<template id="shell" data-member><h1>Hello</h1></template>`},
	} {
		if _, body := get(c.path); !strings.Contains(body, c.want) {
			t.Errorf("%s lacks %s:\n%s", c.path, c.want, body)
		}
	}
	if status, body := get("/nowhere"); status != http.StatusNotFound || strings.Contains(body, "template") || !strings.Contains(body, rootSlot) {
		t.Errorf("an unknown address brings a screen: %d\n%s", status, body)
	}
	if status, _ := get("/pages.json"); status != http.StatusNotFound {
		t.Errorf("the list of pages is served: %d", status)
	}

	brand = `{"site":{"list":["second"]}}`
	if _, body := get("/Login"); !strings.Contains(body, ">second</p>") {
		t.Errorf("another brand is not shown:\n%s", body)
	}
}

func TestEveryPageOfADemoSaysThatItIsOne(t *testing.T) {
	brand := `{"site":{},"demo":true}`
	h, err := New(fstest.MapFS{"index.html": {Data: []byte("<head>" + brandSlot + "</head><body>" + rootSlot)}}, "https://leaf.example", func() []byte { return []byte(brand) })
	if err != nil {
		t.Fatal(err)
	}
	page := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Body.String()
	}
	for _, path := range []string{"/", "/Login", "/dashboard", "/admin/funds", "/no/such"} {
		if body := page(path); !strings.Contains(body, `<span lang="en">Demo: all people and money here are invented</span>`) || !strings.Contains(body, `<span lang="hi">डेमो`) {
			t.Errorf("%s does not say so:\n%s", path, body)
		}
	}
	for _, real := range []string{`{"site":{},"demo":false}`, `{"site":{"name":"demo"}}`} {
		if brand = real; strings.Contains(page("/"), `id="demo"`) {
			t.Errorf("%s is called a demo", brand)
		}
	}
}

func TestPublicPagesDescribeThemselvesToOtherPrograms(t *testing.T) {
	brand := `{"site":{"name":"Leaf","title":"Leaf · Grow","logo_text":"LEAF","colours":{"light":{"primary":"#0b5f4c"},"dark":{"primary":"#35a586"}},
		"hero":{"heading":"Grow \u003cfast\u003e","lead":"Slowly & well"},"footer":{"social":[{"href":"https://social.example/leaf"}]},
		"pages":[{"slug":"terms","title":"Terms","paragraphs":["The rules."]}]}}`
	h, err := New(fstest.MapFS{
		"index.html": {Data: []byte("<head>" + titleSlot + brandSlot + "</head><noscript>" + scriptless + "</noscript>" + rootSlot)},
		"pages.json": {Data: []byte(`{
			"/": {"path": "/"},
			"/bifolia": {"path": "/Bifolia", "title": "Transparency", "text": "How {brand} handles money"},
			"/welcomepage": {"path": "/WelcomePage", "title": "Welcome", "hidden": true},
			"/dashboard": {"member": true}
		}`)},
	}, "https://leaf.example/", func() []byte { return []byte(brand) })
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	for _, c := range []struct {
		path string
		want []string
		not  string
	}{
		{"/", []string{
			`<title>Leaf · Grow</title><meta name="description" content="Slowly &amp; well">`, `<link rel="canonical" href="https://leaf.example/">`,
			`<meta property="og:image" content="https://leaf.example/share.png">`, `"@type":"Organization"`, `"sameAs":["https://social.example/leaf"]`,
			`<noscript>` + scriptless + `<h1>Grow &lt;fast&gt;</h1>`, `content="#35a586"`,
		}, "noindex"},
		{"/BIFOLIA", []string{
			`<title>Transparency · Leaf</title><meta name="description" content="How Leaf handles money">`, `<link rel="canonical" href="https://leaf.example/Bifolia">`,
			`<link rel="alternate" hreflang="hi" href="https://leaf.example/Bifolia?lang=hi">`, `<meta name="twitter:card" content="summary_large_image">`,
		}, "noindex"},
		{"/info/Terms", []string{`<title>Terms · Leaf</title>`, `href="https://leaf.example/info/terms"`, `<h1>Terms</h1><p>The rules.</p>`}, "noindex"},
		{"/WelcomePage", []string{`<title>Welcome · Leaf</title>`, "noindex"}, "canonical"},
		{"/dashboard", []string{`<title>Leaf</title>`, "noindex"}, "canonical"},
		{"/info/unknown", []string{"noindex"}, "canonical"},
		{"/robots.txt", []string{"Disallow: /api/\n", "Disallow: /dashboard\n", "Sitemap: https://leaf.example/sitemap.xml\n"}, "/bifolia"},
		{"/sitemap.xml", []string{"<loc>https://leaf.example/</loc>", "<loc>https://leaf.example/Bifolia</loc>", "<loc>https://leaf.example/info/terms</loc>"}, "Welcome"},
		{"/manifest.webmanifest", []string{`"name":"Leaf"`, `"short_name":"LEAF"`, `"theme_color":"#0b5f4c"`, `"/icon-192.png"`}, "robots"},
	} {
		status, body := get(c.path)
		if want := c.path != "/info/unknown"; want != (status == http.StatusOK) {
			t.Errorf("%s answers %d", c.path, status)
		}
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s lacks %s:\n%s", c.path, want, body)
			}
		}
		if strings.Contains(body, c.not) {
			t.Errorf("%s has %s:\n%s", c.path, c.not, body)
		}
	}
}
