package httpx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/webui"
)

// docsSite is an API whose web app has the files of the viewer.
func docsSite(t *testing.T) *API {
	t.Helper()
	web, err := webui.New(fstest.MapFS{
		"index.html":                    {Data: []byte("<head></head>")},
		"api-docs/swagger-ui.css":       {Data: []byte(".swagger-ui{}")},
		"api-docs/swagger-ui-bundle.js": {Data: []byte("SwaggerUIBundle=1")},
	}, "https://leaf.example", func() []byte { return nil })
	if err != nil {
		t.Fatal(err)
	}
	a, _ := testAPI(t, Options{Version: "1.2.3", WebUI: web})
	return a
}

func TestTheDocsPageObeysTheContentSecurityPolicy(t *testing.T) {
	a := docsSite(t)
	w := do(a, "GET", "/api/docs", "")
	page := w.Body.String()
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(page, "Version 1.2.3.") {
		t.Fatalf("status %d, %s, %s", w.Code, w.Header().Get("Content-Type"), page)
	}
	if policy := w.Header()["Content-Security-Policy"]; fmt.Sprint(policy) != fmt.Sprint(fixedHeaders["Content-Security-Policy"]) {
		t.Errorf("the policy is %q", policy)
	}
	if found := regexp.MustCompile(`(?i)<script>|<style|\sstyle=|\son[a-z]+=|javascript:|(src|href)="(https?:)?//`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	files := regexp.MustCompile(`(?:stylesheet" href|script src)="([^"]*\.([a-z]+))"`).FindAllStringSubmatch(page, -1)
	if len(files) != 4 {
		t.Errorf("the page loads %v", files)
	}
	kinds := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}
	for _, file := range files {
		if w := do(a, "GET", file[1], ""); w.Code != 200 || w.Header().Get("Content-Type") != kinds[file[2]] || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %s", file[1], w.Code, w.Header().Get("Content-Type"))
		}
	}
	for _, name := range []string{"other.js", "index.html", "..%2findex.html"} {
		if w := do(a, "GET", "/api/docs/"+name, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
}

func TestThePageOfTheContractListsEveryStatusOfAProblem(t *testing.T) {
	page := do(docsSite(t), "GET", "/api/docs", "").Body.String()
	for _, status := range statusOf {
		if want := fmt.Sprintf("<code>%d</code> <span>%s</span>", status, http.StatusText(status)); strings.Count(page, want) != 1 {
			t.Errorf("the page has %s %d times", want, strings.Count(page, want))
		}
	}
}

func TestTheContractSaysWhichCallsNeedASession(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	var doc struct {
		Paths map[string]map[string]struct{ Security []any }
	}
	if err := json.Unmarshal(a.Contract(), &doc); err != nil || len(doc.Paths) < 2 {
		t.Fatal(doc, err)
	}
	for path, item := range doc.Paths {
		for method, op := range item {
			_, public := a.router.public[strings.ToUpper(method)+" "+path]
			if needs := len(op.Security) > 0; needs == public {
				t.Errorf("%s %s: public %t, but the contract says %v", method, path, public, op.Security)
			}
		}
	}
	if !bytes.Contains(a.Contract(), []byte(`"securitySchemes":{"session":{`)) {
		t.Error("the contract does not say what a session is")
	}
}

func TestTheContractForProgramsIsTheSameTextForTheSameRoutes(t *testing.T) {
	first, err := Contract(echo(nil))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if again, err := Contract(echo(nil)); err != nil || !bytes.Equal(first, again) {
			t.Fatalf("it changed: %v", err)
		}
	}
	text := string(first)
	if !strings.HasPrefix(text, "{\n  \"") || !strings.HasSuffix(text, "}\n") || !strings.Contains(text, `"version": "0"`) || !strings.Contains(text, `"/api/echo"`) {
		t.Errorf("got %s", text)
	}
}
