package brand

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestTheDemoBrandIsWhole(t *testing.T) {
	t.Parallel()
	b := Demo()
	if len(b.Site.Projects.Items) != 6 || len(b.Site.FAQ.Items) != 6 || len(b.Site.Bot.Charts) != 3 || len(b.Banks) == 0 || b.USDT == "" {
		t.Fatalf("something is missing: %+v", b)
	}
	for _, title := range []string{"About Us", "Teams", "Services", "Features", "Terms and Conditions", "Privacy Policy", "FAQs", "Support Center", "Careers", "Updates", "Job", "Announce"} {
		if !slices.ContainsFunc(b.Site.Footer.Groups, func(g LinkGroup) bool {
			return slices.ContainsFunc(g.Links, func(l SiteLink) bool { return l.Label == title })
		}) {
			t.Errorf("the footer has no %s", title)
		}
	}
}

// edit is the demo brand with changes.
func edit(t *testing.T, change func(map[string]any)) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(DemoBody(), &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// named are the fields that Parse complains about.
func named(t *testing.T, raw []byte) []string {
	t.Helper()
	_, err := Parse(raw)
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid {
		t.Fatalf("Parse says %v", err)
	}
	var all []string
	for _, f := range e.Fields {
		all = append(all, f.Name)
	}
	slices.Sort(all)
	return all
}

func at(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		m = m[p].(map[string]any)
	}
	return m
}

func TestEveryMistakeIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	got := named(t, edit(t, func(m map[string]any) {
		m["colour"] = "red"
		delete(at(m, "site", "hero"), "lead")
		at(m, "site", "risk")["Title"] = "x"
		m["counters"].([]any)[0].(map[string]any)["value"] = 5
	}))
	if want := []string{"colour", "counters[0].value", "site.hero.lead", "site.risk.Title"}; !slices.Equal(got, want) {
		t.Errorf("of shape: %v, not %v", got, want)
	}
	got = named(t, edit(t, func(m map[string]any) {
		at(m, "site")["name"] = strings.Repeat("ä", 41)
		at(m, "site")["founded"] = "1.3.2014"
		at(m, "site", "hero")["heading"] = "  "
		at(m, "site", "hero")["lead"] = "a\x07b"
		at(m, "site", "colours", "light")["on_primary"] = "#0b5f4d"
		at(m, "site", "colours", "dark")["link"] = "green"
		at(m, "site", "projects")["items"] = at(m, "site", "projects")["items"].([]any)[:5]
		at(m, "site", "packages", "view_more")["href"] = "/info/nowhere"
		at(m, "site")["pages"].([]any)[0].(map[string]any)["slug"] = "Terms & more"
		at(m, "site", "bot")["charts"].([]any)[0].(map[string]any)["labels"] = []string{"a", "b"}
		c := m["counters"].([]any)
		c[0].(map[string]any)["live"] = "profit"
		c[1].(map[string]any)["mode"] = "often"
		c[2].(map[string]any)["mode"] = "live"
		m["banks"].([]any)[0].(map[string]any)["id"] = 2
		m["usdt"] = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	}))
	want := []string{
		"banks[0].id", "counters[0].live", "counters[1].mode", "counters[2].live",
		"site.bot.charts[0].series[0].values", "site.bot.charts[0].series[1].values",
		"site.colours.dark.link", "site.colours.light.on_primary", "site.colours.light.on_primary",
		"site.footer.groups[1].links[0].href", "site.founded", "site.hero.heading", "site.hero.lead", "site.name",
		"site.packages.view_more.href", "site.pages[0].slug", "site.projects.items", "usdt",
	}
	if !slices.Equal(got, want) {
		t.Errorf("of rules: %v\nnot %v", got, want)
	}
}

func TestLinksLeadOnlyToSafePlaces(t *testing.T) {
	t.Parallel()
	for href, want := range map[string]bool{
		"https://example.org/a?b=c": true, "mailto:a@example.org": true, "/Signup": true, "/#About": true, "#Faq": true,
		"http://example.org/": false, "javascript:alert(1)": false, "JavaScript:alert(1)": false, "data:text/html,x": false, "//evil.example": false,
		"/\\evil.example": false, "https://": false, "https://a:b@example.org": false, "Signup": false, "https://exa mple.org": false,
		" https://example.org": false, "vbscript:x": false, "": false, "https:example.org": false,
	} {
		if got := isSafeURL(href); got != want {
			t.Errorf("isSafeURL(%q) = %v", href, got)
		}
	}
}

func TestTheContrastIsThatOfWCAG(t *testing.T) {
	t.Parallel()
	if c := contrast("#000000", "#ffffff"); c != 21_000 {
		t.Errorf("black on white: %d", c)
	}
	if c := contrast("#767676", "#ffffff"); c < 4500 || c > 4600 {
		t.Errorf("the lightest grey that is readable on white: %d", c)
	}
}

func TestAChangedFileIsReadAndAWrongOneIsNot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "brand.json")
	write := func(raw []byte) {
		t.Helper()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := func(n string) []byte {
		return edit(t, func(m map[string]any) { at(m, "site")["name"] = n })
	}
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	if _, err := Open(path, false, logger); !errs.Is(err, errs.Refused) {
		t.Errorf("a missing file: %v", err)
	}
	write([]byte(`{"site": 1}`))
	if _, err := Open(path, false, logger); !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), "site") {
		t.Errorf("a wrong file: %v", err)
	}
	write(name("First"))
	s, err := Open(path, false, logger)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		raw  []byte
		want string
	}{{name("Second"), "Second"}, {[]byte("{"), "Second"}, {name(""), "Second"}, {name("Third"), "Third"}} {
		write(step.raw)
		s.Look()
		if got := s.Current().Site.Name; got != step.want {
			t.Errorf("the brand is %q, not %q", got, step.want)
		}
	}
	if !strings.Contains(log.String(), "site.name: is empty") {
		t.Errorf("the log does not name the mistake: %s", log.String())
	}
}

// Invented figures and accounts of the demo are not shown outside a demo.
func TestOnlyADemoShowsInventedTrendsAndAccounts(t *testing.T) {
	t.Parallel()
	for _, demo := range []bool{true, false} {
		s, err := Open("", demo, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if b := s.Current(); (len(b.Site.Dashboard.Trends) > 0) != demo || (len(b.Banks) > 0) != demo || (b.USDT != "") != demo {
			t.Errorf("demo %v: %v, %v, %q", demo, b.Site.Dashboard.Trends, b.Banks, b.USDT)
		}
	}
}

// A brand that is taken is shown to everybody: its address has its capitals, and what
// is not taken is Invalid and named.
func FuzzParse(f *testing.F) {
	demo, err := os.ReadFile("demo.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(demo)
	f.Add([]byte(`{"usdt":"0x"}`))
	f.Add([]byte(`{"site":{"faq":{"items":[null]}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Parse(raw)
		if err != nil {
			if !errs.Is(err, errs.Invalid) || errs.MessageOf(err) == "" {
				t.Fatal(err)
			}
			return
		}
		if is, ok := eip55.Parse(b.USDT); !ok || is != b.USDT {
			t.Errorf("deposits go to %q", b.USDT)
		}
	})
}
