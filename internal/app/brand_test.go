package app

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// brandFile is the demo brand with live counters, as a file.
func brandFile(t *testing.T) string {
	t.Helper()
	var b m
	if err := json.Unmarshal(brand.DemoBody(), &b); err != nil {
		t.Fatal(err)
	}
	b["site"].(m)["name"] = "Twofold"
	for _, i := range []int{0, 3} {
		b["counters"].([]any)[i].(m)["mode"] = "live"
	}
	raw, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "brand.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMailsHaveTheNameOfTheBrand(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--brand-file", brandFile(t))
	s.register(s.root.UID, tree.Left, "Anna Leaf")
	if l := s.letters("anna.leaf@mail.example"); len(l) != 1 || l[0].Subject != "Welcome to Twofold" || !strings.Contains(l[0].Text, "Thanks for joining Twofold.") {
		t.Errorf("mailed %+v", l)
	}
}

func TestPublicBrandHasCountersAndNoAccounts(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--brand-file", brandFile(t))
	uid := s.register(s.root.UID, tree.Left, "Anna Leaf")
	s.change(uid, true, "1250.75", "0", "0")
	var got struct{ Data brand.Public }
	first := s.visitor().get("brand").into(&got)
	if got.Data.Site.Name != "Twofold" || got.Data.Counters[0].Value != "$1,250" || got.Data.Counters[3].Value != "2" || got.Data.Counters[2].Value != "$5.5M" {
		t.Errorf("the brand is %s with %+v", got.Data.Site.Name, got.Data.Counters)
	}
	if demo := brand.Demo(); strings.Contains(first.text, demo.USDT) || strings.Contains(first.text, demo.Banks[0].Account) {
		t.Error("a visitor sees where members send money")
	}
	etag := first.header.Get("ETag")
	if first.header.Get("Cache-Control") != "public, max-age=60" || etag == "" {
		t.Errorf("the answer cannot be kept: %v", first.header)
	}
	if again := s.visitor().get("brand", "If-None-Match", `"x", W/`+etag); again.status != http.StatusNotModified || again.text != "" || again.header.Get("ETag") != etag {
		t.Errorf("asked again: %d %q", again.status, again.text)
	}
	s.change(uid, true, "1000", "0", "0")
	if again := s.visitor().get("brand", "If-None-Match", etag); again.status != http.StatusOK || !strings.Contains(again.text, "$2,250") {
		t.Errorf("after a sale: %d", again.status)
	}
}

func TestInvalidBrandFilePreventsStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "brand.json")
	if err := os.WriteFile(path, []byte(`{"usdt": 5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := New(t.Context(), testConfig(t, "--db", "sqlite:"+filepath.Join(t.TempDir(), "b.db"), "--brand-file", path), testkit.Log())
	if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), "usdt") || !strings.Contains(err.Error(), path) {
		t.Errorf("the start says %v", err)
	}
	if err == nil {
		_ = a.Close()
	}
}
