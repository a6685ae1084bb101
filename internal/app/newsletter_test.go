package app

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

var newsLinks = regexp.MustCompile(`https?://[^/]+(/api/newsletter/\S+)`)

// newsLetter returns the confirm link and the unsubscribe link of the last newsletter mail
// to an address.
func (s *site) newsLetter(to string) (confirm, end string) {
	s.t.Helper()
	all := s.letters(to)
	if len(all) == 0 {
		s.t.Fatalf("no letter to %s", to)
	}
	links := newsLinks.FindAllStringSubmatch(all[0].Text, -1)
	if len(links) != 2 {
		s.t.Fatalf("the letter has links %v", links)
	}
	// The page's script sends the part after the #.
	return strings.Replace(links[0][1], "#", "?token=", 1), links[1][1]
}

func (s *site) subscribers(state string) (emails []string) {
	s.t.Helper()
	for _, row := range s.operator().get("operator/newsletter?state=" + state).rows() {
		emails = append(emails, row.(m)["email"].(string))
	}
	return emails
}

func TestNewsletterAddressTakesConfirmation(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		thanks := s.visitor().post("newsletter", m{"email": "  Anna.Leaf@Example.org "}).data()
		confirm, end := s.newsLetter("anna.leaf@example.org")
		if got := s.subscribers("confirmed"); len(got) != 0 {
			t.Fatalf("before the link was followed: %v", got)
		}

		page := s.visitor().send(http.MethodGet, confirm, "", "Accept", "text/html")
		if page.status != 200 || !strings.Contains(page.text, "<form method=\"post\"") || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			t.Errorf("the link leads to %d %s", page.status, page.text)
		}
		for langs, want := range map[string]string{"hi-IN,hi;q=0.9,en;q=0.8": `lang="hi"`, "de,en;q=0.5": `lang="en"`, "*;;q=x": `lang="en"`} {
			if page := s.visitor().send(http.MethodGet, confirm, "", "Accept", "text/html", "Accept-Language", langs); !strings.Contains(page.text, want) {
				t.Errorf("for %s: %s", langs, page.text)
			}
		}
		if got := s.subscribers("confirmed"); len(got) != 0 {
			t.Errorf("looking at the link confirmed it: %v", got)
		}
		for range 2 { // a second click is not an error
			if done := s.visitor().send(http.MethodPost, confirm, "", "Accept", "text/html", "Content-Type", "application/x-www-form-urlencoded"); done.status != 200 || !strings.Contains(done.text, "confirmed") {
				t.Errorf("the button: %d %s", done.status, done.text)
			}
		}
		if got := s.subscribers("confirmed"); !slices.Equal(got, []string{"anna.leaf@example.org"}) {
			t.Errorf("after it: %v", got)
		}

		// Known or not, the response is the same, and no second mail is sent.
		s.clock.Advance(2 * time.Hour)
		if again := s.visitor().post("newsletter", m{"email": "anna.leaf@example.org"}).data(); again != thanks {
			t.Errorf("for a known address: %v, for an unknown one %v", again, thanks)
		}
		if n := len(s.letters("anna.leaf@example.org")); n != 1 {
			t.Errorf("a confirmed address got %d letters", n)
		}

		for range 2 {
			if done := s.visitor().send(http.MethodPost, end, ""); done.data() != "You get no more letters." {
				t.Errorf("the end: %v", done.text)
			}
		}
		if got := s.subscribers("ended"); len(got) != 1 || len(s.subscribers("confirmed")) != 0 {
			t.Errorf("after the end: %v", got)
		}
		s.visitor().send(http.MethodPost, confirm, "").refused(http.StatusUnprocessableEntity)
	})
}

func TestNewsletterLinkExpiresAndIsReplaced(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	ask := func() { s.visitor().post("newsletter", m{"email": "bo@example.org"}).data() }
	ask()
	ask() // within the hour: no second letter
	first, _ := s.newsLetter("bo@example.org")
	if n := len(s.letters("bo@example.org")); n != 1 {
		t.Errorf("%d letters within an hour", n)
	}
	s.clock.Advance(2 * time.Hour)
	ask()
	second, end := s.newsLetter("bo@example.org")
	s.visitor().send(http.MethodPost, first, "").refused(http.StatusUnprocessableEntity)
	s.clock.Advance(49 * time.Hour)
	s.visitor().send(http.MethodPost, second, "").refused(http.StatusUnprocessableEntity)

	// Unconfirmed addresses are deleted; their links do not affect others.
	s.clock.Advance(100 * time.Hour)
	s.visitor().post("newsletter", m{"email": "cy@example.org"}).data()
	if got := s.subscribers("asked"); !slices.Equal(got, []string{"cy@example.org"}) {
		t.Errorf("kept: %v", got)
	}
	s.visitor().send(http.MethodPost, end, "").refused(http.StatusUnprocessableEntity)
	if got := s.subscribers("asked"); len(got) != 1 {
		t.Errorf("an old link ended another subscription: %v", got)
	}
}

func TestNewsletterRefusesInvalidAddresses(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	for _, email := range []string{"", "a", "a@b", "Anna <a@example.org>", "a@example.org, b@example.org", "a@example.org\r\nBcc: x@example.org", "\"a b\"@example.org", "a@[127.0.0.1]", strings.Repeat("a", 95) + "@example.org"} {
		if fields := s.visitor().post("newsletter", m{"email": email}).refused(http.StatusBadRequest); !slices.Equal(fields, []string{"email"}) {
			t.Errorf("%q: %v", email, fields)
		}
	}
	for _, path := range []string{"confirm", "unsubscribe"} {
		for _, token := range []string{"x", strings.Repeat("A", 43), strings.Repeat("%00", 20)} {
			s.visitor().send(http.MethodPost, "/api/newsletter/"+path+"?token="+token, "").refused(http.StatusUnprocessableEntity)
		}
	}
	one := s.visitor()
	for i := 0; i < 25; i++ {
		if a := one.post("newsletter", m{"email": "dee@example.org"}); a.status == http.StatusTooManyRequests {
			if i != 20 {
				t.Errorf("limited after %d", i)
			}
			return
		}
	}
	t.Error("one address may ask for ever")
}

func TestOnlyOperatorsSeeNewsletterAddresses(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	s.login(s.root.UID, rootPassword).get("operator/newsletter").refused(http.StatusForbidden)
	for _, role := range auth.Roles() {
		s.hire(role).get("operator/newsletter").data()
	}
	s.operator().get("operator/newsletter?state=all").refused(http.StatusBadRequest)
}
