package webui

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"strings"
)

// brandSlot is where the page takes the brand, as data that no policy forbids:
// it paints at once with the operator's texts, and asks for nothing first.
const brandSlot = `<script type="application/json" id="brand"></script>`

// rootSlot is where the app shows itself; the screen's shell comes after it.
const rootSlot = `<div id="root"></div>`

// screen is what the build knows of an address (web/scripts/shells.mjs).
type screen struct {
	// Shell is the screen before it has asked for anything: what is painted
	// while the scripts are on their way. Texts of the brand are {{named}} in it.
	Shell string `json:"shell"`
	// Member says that only who is signed in sees it.
	Member bool `json:"member"`
	// Files are the scripts and styles it needs beyond those of every page.
	Files []string `json:"files"`
}

// page is the index with a screen and a brand in it.
type page struct {
	*file
	brand []byte
}

// shown is the page of an address with the brand of now. It is made again, and
// compressed again, only when the brand is another one.
func (h *handler) shown(address string) *page {
	key := strings.ToLower(address)
	shown, known := h.screens()[key]
	if !known {
		key = ""
	}
	brand := h.brand()
	if p, ok := h.pages.Load(key); ok && bytes.Equal(p.(*page).brand, brand) {
		return p.(*page)
	}
	content := strings.NewReplacer(
		brandSlot, shown.links()+strings.Replace(brandSlot, "><", ">"+string(brand)+"<", 1),
		rootSlot, demoBanner(brand)+rootSlot+shown.template(brand),
	).Replace(h.index)
	p := &page{newFile("/index.html", []byte(content)), brand}
	h.pages.Store(key, p)
	return p
}

// demoBanner stands above every page of a demo: nobody is to take its people and its
// money for real. It is in the page from the first byte, so that nothing moves when
// the app comes, and in both languages, of which the page shows its own (global.css).
func demoBanner(brand []byte) string {
	var b struct{ Demo bool }
	if err := json.Unmarshal(brand, &b); err != nil || !b.Demo {
		return ""
	}
	return `<aside id="demo" aria-label="Demo"><span lang="en">Demo: all people and money here are invented</span>` +
		`<span lang="hi">डेमो: यहाँ के सभी लोग और पैसे काल्पनिक हैं</span></aside>`
}

// links has the browser fetch at once what the app would otherwise ask for one
// after the other. Scripts give way to what is painted first.
func (s screen) links() string {
	var b strings.Builder
	for _, name := range s.Files {
		if strings.HasSuffix(name, ".css") {
			b.WriteString(`<link rel="stylesheet" crossorigin href="` + name + `">`)
		} else {
			b.WriteString(`<link rel="modulepreload" fetchpriority="low" crossorigin href="` + name + `">`)
		}
	}
	return b.String()
}

// template is the shell as a template, which nothing shows by itself: whether it
// fits who is looking, a script in the page decides (first-paint.js).
func (s screen) template(brand []byte) string {
	if s.Shell == "" {
		return ""
	}
	attribute := ""
	if s.Member {
		attribute = " data-member"
	}
	return `<template id="shell"` + attribute + `>` + named(s.Shell, brand) + `</template>`
}

var name = regexp.MustCompile(`{{[\w.]+}}`)

// named puts the brand's texts in the places of their names; what it does not
// have is left empty.
func named(shell string, brand []byte) string {
	var values any
	if err := json.Unmarshal(brand, &values); err != nil {
		return ""
	}
	return name.ReplaceAllStringFunc(shell, func(path string) string {
		at := values
		for step := range strings.SplitSeq(strings.Trim(path, "{}"), ".") {
			at = inside(at, step)
		}
		text, _ := at.(string)
		return html.EscapeString(text)
	})
}

// inside is a value of an object or a list, nil if there is none.
func inside(at any, step string) any {
	switch here := at.(type) {
	case map[string]any:
		return here[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i < len(here) {
			return here[i]
		}
	}
	return nil
}
