package brand

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// LiveValues are the live values of counters.
var LiveValues = []string{"business", "members", "active", "years"}

// usdtBank is the bank id of requests paid in USDT.
const usdtBank = 2

// pagePath is the path of plain pages.
const pagePath = "/info/"

type mistakes []errs.Field

func (m *mistakes) add(field, code, text string, params ...any) {
	*m = append(*m, errs.NewField(field, code, text, params...))
}

func (b *Brand) mistakes() []errs.Field {
	var m mistakes
	m.walk("", reflect.ValueOf(b).Elem(), "")
	b.checkContent(&m)
	b.checkBanks(&m)
	b.checkUSDT(&m)
	return m
}

// checkContent checks rules that tags cannot express.
func (b *Brand) checkContent(m *mistakes) {
	b.checkSite(m)
	b.checkLinks(m)
	for i, c := range b.Counters {
		if known := slices.Contains(LiveValues, c.Live); (c.Mode == "live" || c.Live != "") && !known {
			m.add(fmt.Sprintf("counters[%d].live", i), "field.not_one_of", "{value} is not one of {choices}", "value", strconv.Quote(c.Live), "choices", strings.Join(LiveValues, ", "))
		}
	}
}

func (b *Brand) checkBanks(m *mistakes) {
	seen := map[int64]bool{}
	for i, k := range b.Banks {
		at := fmt.Sprintf("banks[%d].id", i)
		switch {
		case k.ID == usdtBank:
			m.add(at, "brand.bank_id_of_usdt", "2 stands for USDT in fund requests: take another")
		case k.ID <= 0 || seen[k.ID]:
			m.add(at, "field.taken_or_not_positive", "{value} is taken or not positive", "value", k.ID)
		}
		seen[k.ID] = true
	}
}

func (b *Brand) checkUSDT(m *mistakes) {
	if _, ok := eip55.Parse(b.USDT); !ok && b.USDT != "" {
		m.add("usdt", "brand.usdt_address", "is not an address such as 0x5aAe… with the right capital letters")
	}
}

func (b *Brand) checkSite(m *mistakes) {
	s := &b.Site
	if _, ok := s.founded(); !ok {
		m.add("site.founded", "brand.founded_not_a_day", "{value} is not a day such as 2014-03-01", "value", strconv.Quote(s.Founded))
	}
	s.Colours.Light.check(m, "site.colours.light", "#ffffff")
	s.Colours.Dark.check(m, "site.colours.dark", "#14201c")
	for i, c := range s.Bot.Charts {
		for j, v := range c.Series {
			if len(v.Values) != len(c.Labels) {
				m.add(fmt.Sprintf("site.bot.charts[%d].series[%d].values", i, j), "brand.chart_values", "has {values} values for {labels} labels", "values", len(v.Values), "labels", len(c.Labels))
			}
		}
	}
	seen := map[string]bool{}
	for i, p := range s.Pages {
		at := fmt.Sprintf("site.pages[%d].slug", i)
		if !isSlug(p.Slug) {
			m.add(at, "brand.slug_characters", "{value} is not made of small letters, digits and hyphens", "value", strconv.Quote(p.Slug))
		} else if seen[p.Slug] {
			m.add(at, "field.value_taken", "{value} is taken", "value", strconv.Quote(p.Slug))
		}
		seen[p.Slug] = true
	}
}

func isSlug(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && s[0] != '-' && s[len(s)-1] != '-'
}

// checkLinks finds links to missing pages.
func (b *Brand) checkLinks(m *mistakes) {
	known := map[string]bool{}
	for _, p := range b.Site.Pages {
		known[p.Slug] = true
	}
	check := func(at string, l SiteLink) {
		if slug, ok := strings.CutPrefix(l.Href, pagePath); ok && !known[slug] {
			m.add(at+".href", "brand.page_unknown", "there is no page {page}", "page", strconv.Quote(slug))
		}
	}
	f := &b.Site.Footer
	for i, g := range f.Groups {
		for j, l := range g.Links {
			check(fmt.Sprintf("site.footer.groups[%d].links[%d]", i, j), l)
		}
	}
	check("site.footer.app_store", f.AppStore)
	check("site.footer.play_store", f.PlayStore)
	check("site.packages.view_more", b.Site.Packages.ViewMore)
	check("site.dashboard.exchange", b.Site.Dashboard.Exchange)
}

// walk checks every text and list by the tags of its field. tag is that of the field of
// v, or of the list that contains v.
func (m *mistakes) walk(at string, v reflect.Value, tag reflect.StructTag) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name := f.Tag.Get("json")
			if name == "" {
				continue
			}
			if at != "" {
				name = at + "." + name
			}
			m.walk(name, v.Field(i), f.Tag)
		}
	case reflect.Slice:
		m.items(at, v.Len(), tag.Get("items"))
		for i := range v.Len() {
			m.walk(at+"["+strconv.Itoa(i)+"]", v.Index(i), tag)
		}
	case reflect.String:
		m.text(at, v.String(), tag)
	}
}

func (m *mistakes) items(at string, n int, rule string) {
	low, high, isRange := strings.Cut(rule, "-")
	if !isRange {
		high = low
	}
	least, _ := strconv.Atoi(low)
	most, _ := strconv.Atoi(high)
	switch {
	case n >= least && n <= most:
	case least == most:
		m.add(at, "field.entries_exactly", "has {entries} entries, not {wanted}", "entries", n, "wanted", most)
	default:
		m.add(at, "field.entries_between", "has {entries} entries; {least} to {most} are possible", "entries", n, "least", least, "most", most)
	}
}

func (m *mistakes) text(at, s string, tag reflect.StructTag) {
	rule, isURL := tag.Lookup("url")
	if !isURL {
		rule = tag.Get("text")
	}
	limit, optional := strings.CutSuffix(rule, ",optional")
	most, _ := strconv.Atoi(limit)
	switch n := utf8.RuneCountInString(s); {
	case strings.TrimSpace(s) == "":
		if !optional || s != "" {
			m.add(at, "field.empty", "is empty")
		}
		return
	case n > most:
		m.add(at, "field.characters_most", "has {characters} characters; {most} are possible", "characters", n, "most", most)
	case strings.ContainsFunc(s, plain.Control) || !utf8.ValidString(s):
		m.add(at, "field.characters_hidden", "holds characters that cannot be shown")
	}
	if isURL && !isSafeURL(s) {
		m.add(at, "brand.link_start", "{value} does not begin with https://, mailto:, / or #", "value", strconv.Quote(s))
	}
	if enum := tag.Get("enum"); enum != "" && !slices.Contains(strings.Split(enum, ","), s) {
		m.add(at, "field.not_one_of", "{value} is not one of {choices}", "value", strconv.Quote(s), "choices", strings.ReplaceAll(enum, ",", ", "))
	}
}

// isSafeURL reports whether a link may lead to s: it cannot run a script, and a relative
// link stays on this site.
func isSafeURL(s string) bool {
	if strings.ContainsAny(s, "\\ \"<>") {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Hostname() != "" && u.User == nil
	case "mailto":
		return strings.Contains(u.Opaque, "@")
	}
	return u.Scheme == "" && u.Host == "" && (strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#"))
}
