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
	}, func() []byte { return []byte(brand) })
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
	if _, body := get("/nowhere"); strings.Contains(body, "template") || !strings.Contains(body, rootSlot) {
		t.Errorf("an unknown address brings a screen:\n%s", body)
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
	h, err := New(fstest.MapFS{"index.html": {Data: []byte("<head>" + brandSlot + "</head><body>" + rootSlot)}}, func() []byte { return []byte(brand) })
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
