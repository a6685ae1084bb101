package auth_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
)

func TestPasskeysNeedASecureAddressWithAName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		demo bool
		want string
	}{
		{"https://Bifolia.example", false, "https://bifolia.example"},
		{"https://bifolia.example:443", false, "https://bifolia.example"},
		{"https://bifolia.example:8443", false, "https://bifolia.example:8443"},
		{"http://localhost:8080", false, "http://localhost:8080"},
		{"http://localhost:80", false, "http://localhost"},
		{"http://127.0.0.1:8080", true, "http://localhost:8080"},
		{"http://[::1]:8080", true, "http://localhost:8080"},
		{"http://127.0.0.1:8080", false, ""},
		{"http://192.0.2.1:8080", true, ""},
		{"https://192.0.2.1", true, ""},
		{"http://bifolia.example", true, ""},
		{"https://", false, ""},
		{"", false, ""},
	} {
		if got := auth.SiteOf(c.url, c.demo); got.Origin != c.want || (got.Origin == "") != (got.Host == "") {
			t.Errorf("%s (demo %v) is %+v, want %q", c.url, c.demo, got, c.want)
		}
	}
}
