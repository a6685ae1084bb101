package mail

import (
	"os"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/messages"
)

func TestEveryKindHasASampleInEveryLanguage(t *testing.T) {
	s := &Service{opt: Options{Brand: DefaultBrand, PublicURL: "https://b.example", Clock: clock.NewFake(at)}}
	for _, language := range messages.Languages() {
		all, err := s.Samples(language)
		if err != nil {
			t.Fatal(err)
		}
		left := map[string]bool{}
		for kind := range kinds {
			left[kind] = true
		}
		for _, m := range samples() {
			delete(left, kindOf(m))
		}
		if len(left) > 0 {
			t.Errorf("without a sample: %v", left)
		}
		names := map[string]bool{}
		for _, m := range all {
			if m.Subject == "" || m.Text == "" || !strings.Contains(m.HTML, m.Subject) && !strings.Contains(m.HTML, "&#39;") || names[m.Name] {
				t.Errorf("%s: %q", m.Name, m.Subject)
			}
			names[m.Name] = true
			dark, light := InTheme(m.HTML, true), InTheme(m.HTML, false)
			if strings.Contains(dark+light, "prefers-color-scheme") || dark == light {
				t.Errorf("%s: it has no themes", m.Name)
			}
			if folder := os.Getenv("MAILS"); folder != "" {
				for theme, html := range map[string]string{"dark": dark, "light": light} {
					if err := os.WriteFile(folder+"/"+m.Name+"."+language+"."+theme+".html", []byte(html), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}
