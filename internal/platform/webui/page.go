package webui

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// brandSlot is replaced by the brand, as data that the content security policy allows: the
// page is painted with the operator's texts without a further request.
const brandSlot = `<script type="application/json" id="brand"></script>`

// rootSlot is the element of the app; the screen's shell follows it.
const rootSlot = `<div id="root"></div>`

// screen is the build's data about an address (web/scripts/shells.mjs).
type screen struct {
	// Shell is the screen without data, painted while the scripts load. Texts of the
	// brand are {{named}} in it.
	Shell string `json:"shell"`
	// Member means that only signed-in members see the screen.
	Member bool `json:"member"`
	// Path is the address of a public screen as it is written; "" for other screens.
	Path string `json:"path"`
	// Hidden means that the screen makes sense only to the person who was sent there.
	Hidden bool `json:"hidden"`
	// Title and Text describe a public screen to other programs.
	Title string `json:"title"`
	Text  string `json:"text"`
	// Files are the scripts and styles it needs beyond those of every page.
	Files []string `json:"files"`
}

// page is the index with a screen and a brand.
type page struct {
	*file
	brand  []byte
	status int
}

// shown returns the page of an address with the current brand. The page is made and
// compressed again only when the brand has changed.
func (h *handler) shown(address string) *page {
	key := strings.ToLower(address)
	if key == "/index.html" {
		key = "/"
	}
	brand := h.brand()
	site := read(brand)
	shown, known := h.screens()[key]
	_, named := site.info(key)
	status := http.StatusOK
	if !known && !named {
		key = ""
		if len(h.screens()) > 0 {
			status = http.StatusNotFound
		}
	}
	if p, ok := h.pages.Load(key); ok && bytes.Equal(p.(*page).brand, brand) {
		return p.(*page)
	}
	content := strings.NewReplacer(
		brandSlot, shown.links()+strings.Replace(brandSlot, "><", ">"+string(brand)+"<", 1),
		rootSlot, demoBanner(brand)+rootSlot+shown.template(brand),
		titleSlot, site.head(h.origin, key, shown),
		scriptless, scriptless+site.plain(key),
	).Replace(h.index)
	p := &page{newFile("/index.html", []byte(content)), brand, status}
	h.pages.Store(key, p)
	return p
}

// demoBanner is shown on top of every page of a demo, whose people and money are not real.
// It is part of the page, so that the layout does not shift when the app loads, and it has
// all languages, of which the page shows its own (global.css).
func demoBanner(brand []byte) string {
	var b struct{ Demo bool }
	if err := json.Unmarshal(brand, &b); err != nil || !b.Demo {
		return ""
	}
	return `<aside id="demo" aria-label="Demo"><span lang="en">Demo: all people and money here are invented</span>` +
		`<span lang="hi">डेमो: यहाँ के सभी लोग और पैसे काल्पनिक हैं</span></aside>`
}

// links makes the browser fetch at once the files that the app would otherwise load one
// after the other. Scripts have a lower priority than the first paint.
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

// template returns the shell as a hidden template: a script in the page shows it if it fits
// the visitor (first-paint.js).
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

// named replaces the names in a shell by the brand's texts, and unknown names by "".
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

// inside returns a value of an object or a list, nil if there is none.
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
