package brand

import (
	"slices"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Public is the public part of a brand.
type Public struct {
	Site     Site           `json:"site"`
	Counters []ShownCounter `json:"counters" nullable:"false"`
	Demo     bool           `json:"demo" doc:"All people and money here are invented: every page says so."`
}

// ShownCounter is a counter on the landing page.
type ShownCounter struct {
	Label string `json:"label"`
	Value string `json:"value"`
	Live  bool   `json:"live" doc:"The value is counted now; else it is the brand's own text."`
}

// Figures are the live values.
type Figures struct {
	Business        money.Amount // packages bought and not returned
	Members, Active int64
	Now             time.Time
}

// Public is b without payment details and lessons, its counters resolved.
func (b *Brand) Public(f Figures) Public {
	p := Public{Site: b.Site, Counters: make([]ShownCounter, len(b.Counters))}
	p.Site.Pages = slices.DeleteFunc(slices.Clone(b.Site.Pages), isLesson)
	for i, c := range b.Counters {
		p.Counters[i] = ShownCounter{Label: c.Label, Value: c.Value}
		if c.Mode == "live" {
			p.Counters[i].Value, p.Counters[i].Live = b.live(c.Live, f), true
		}
	}
	return p
}

// Live are all LiveValues, formatted.
func (b *Brand) Live(f Figures) map[string]string {
	out := map[string]string{}
	for _, name := range LiveValues {
		out[name] = b.live(name, f)
	}
	return out
}

// live formats one of LiveValues.
func (b *Brand) live(name string, f Figures) string {
	switch name {
	case "business":
		return "$" + grouped(f.Business.Micros()/1_000_000)
	case "members":
		return grouped(f.Members)
	case "active":
		return grouped(f.Active)
	}
	began, _ := b.Site.founded()
	years := f.Now.Year() - began.Year()
	if f.Now.Before(began.AddDate(years, 0, 0)) {
		years--
	}
	return strconv.Itoa(max(years, 0))
}

// grouped formats 17502 as 17,502.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
