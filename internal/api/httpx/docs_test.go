package httpx

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// docsNode stands in itself, twice.
type docsNode struct {
	Name     string               `json:"name"`
	Left     *docsNode            `json:"left,omitempty"`
	Below    []docsNode           `json:"below"`
	ByName   map[string]*docsNode `json:"byName,omitempty"`
	Internal string               `json:"internal,omitempty" hidden:"true"`
}

type docsInput struct {
	ID     string `path:"id" doc:"Which one <b>exactly</b>"`
	Page   int    `query:"page" default:"1" minimum:"1"`
	Key    string `header:"Idempotency-Key" maxLength:"120"`
	Filter string `query:"filter,omitempty" enum:"open,closed"`
	Body   struct {
		Amount string    `json:"amount" pattern:"^[0-9]+(\\.[0-9]{1,6})?$" example:"12.50" doc:"How much"`
		Digits string    `json:"digits" pattern:"^[0-9]{6}$"`
		Side   string    `json:"side" enum:"left,right"`
		Long   string    `json:"long" minLength:"30" maxLength:"40"`
		Short  string    `json:"short" maxLength:"2"`
		Count  int       `json:"count" minimum:"5" maximum:"9"`
		Few    int       `json:"few" exclusiveMaximum:"1"`
		Step   int       `json:"step" multipleOf:"250"`
		When   time.Time `json:"when"`
		Mail   string    `json:"mail" format:"email"`
		Yes    bool      `json:"yes"`
		Pair   []string  `json:"pair" minItems:"2" maxItems:"3" maxLength:"3"`
		Rows   [][]int   `json:"rows"`
		Free   any       `json:"free"`
		Root   docsNode  `json:"root"`
		Note   string    `json:"note,omitempty" default:"none"`
	}
}

type docsOutput struct {
	Renewed string `header:"X-Renewed-Token" doc:"The next token."`
	Body    struct {
		Data [][]docsNode `json:"data"`
	}
}

const docsRoute = "POST /api/things/{id}"

// docsAPI has a call that uses most of what a contract can say.
func docsAPI(t *testing.T, public ...string) *API {
	t.Helper()
	a, _ := testAPI(t, Options{Version: "1.2.3", Routes: []func(huma.API){echo(nil), func(api huma.API) {
		huma.Register(api, huma.Operation{
			OperationID: "change-thing", Method: http.MethodPost, Path: "/api/things/{id}",
			Tags: []string{"Things"}, Summary: "Change a <thing>", Description: "It is changed & kept.", Deprecated: true,
		}, func(context.Context, *docsInput) (*docsOutput, error) { return &docsOutput{}, nil })
		huma.Register(api, huma.Operation{Method: http.MethodGet, Path: "/api/things-id", Tags: []string{"Things"}},
			func(context.Context, *struct{}) (*docsOutput, error) { return &docsOutput{}, nil })
	}}}, public...)
	return a
}

func docsText(t *testing.T, a *API) string {
	t.Helper()
	w := do(a, "GET", "/api/docs", "")
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	return w.Body.String()
}

// article is what the page says of one call.
func article(t *testing.T, page, id string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `<article aria-labelledby="`+id+`">`)
	text, _, closed := strings.Cut(rest, "</article>")
	if !found || !closed {
		t.Fatalf("the page does not tell of %s", id)
	}
	return text
}

func TestThePageOfTheContractNeedsNothingThatThePolicyForbids(t *testing.T) {
	a := docsAPI(t)
	page := docsText(t, a)
	if found := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|javascript:|(src|href)="(https?:)?//`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	if policy := do(a, "GET", "/api/docs", "").Header().Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'self';") {
		t.Errorf("the policy is %q", policy)
	}
	for _, link := range regexp.MustCompile(`<link rel="stylesheet" href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		w := do(a, "GET", link[1], "")
		if w.Code != 200 || w.Header().Get("Content-Type") != "text/css; charset=utf-8" || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %s", link[1], w.Code, w.Header().Get("Content-Type"))
		}
		if strings.Contains(w.Body.String(), "url(") || strings.Contains(w.Body.String(), "@import") {
			t.Errorf("%s loads something else", link[1])
		}
	}
}

func TestThePageTellsOfEveryCallOfTheContract(t *testing.T) {
	page := docsText(t, docsAPI(t))
	for _, call := range []struct {
		id   string
		want []string
	}{
		{"get-api-version", []string{">GET<", ">/api/version<", "Which release answers", ">public<", `&#34;version&#34;: &#34;1.4.0&#34;`}},
		{"post-api-echo", []string{">POST<", ">/api/echo<", ">needs a session<", "at least 2 characters", "&#34;a&#34;", "in the query"}},
		{"get-api-things-id", []string{">needs a session<", "array of array of object or null", ">may be missing<"}},
	} {
		text := article(t, page, call.id)
		for _, want := range call.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page does not say %s:\n%s", call.id, want, text)
			}
		}
	}
	text := article(t, page, "post-api-things--id")
	for _, want := range []string{
		"Change a &lt;thing&gt;", "It is changed &amp; kept.", ">deprecated<", "Which one &lt;b&gt;exactly&lt;/b&gt;", "in the path", "in the header",
		"1 if left out", "&#34;none&#34; if left out", "at least 5; at most 9", "less than 1", "a multiple of 250", "each at most 3 characters", "at least 2 items; at most 3 items",
		"string (date-time)", "with the same fields as the DocsNode it stands in", "any name", "The next token.", `a <a href="#problems">problem</a>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if answer := article(t, page, "get-api-things-id"); strings.Contains(answer, ">required<") {
		t.Error("the page asks callers for what they get")
	}
	if strings.Contains(page, "internal</code> <span class") {
		t.Error("the page shows a field that the contract hides")
	}
}

func TestEveryLinkOnThePageLeadsSomewhereAndNoPlaceHasTwoNames(t *testing.T) {
	page := docsText(t, docsAPI(t))
	var ids []string
	for _, m := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if slices.Contains(ids, m[1]) {
			t.Errorf("%s is there twice", m[1])
		}
		ids = append(ids, m[1])
	}
	for _, m := range regexp.MustCompile(`"#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !slices.Contains(ids, m[1]) {
			t.Errorf("#%s leads nowhere", m[1])
		}
	}
	taken := map[string]bool{}
	if a, b := anchor(taken, "get/api/a-b"), anchor(taken, "get/api/a/b"); a == b {
		t.Errorf("two calls share %s", a)
	}
}

func TestTheExampleOnThePageIsABodyThatTheCallTakes(t *testing.T) {
	a := docsAPI(t, docsRoute, echoRoute)
	var doc docsDocument
	dec := json.NewDecoder(bytes.NewReader(a.Contract()))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	page := docsText(t, a)
	for path, item := range doc.Paths {
		op := item["post"]
		if op == nil {
			continue
		}
		example := indented(doc.exampleOf(op.RequestBody.Content["application/json"]))
		if w := do(a, "POST", strings.ReplaceAll(path, "{id}", "x")+"?mode=a&filter=open", example); w.Code >= 300 {
			t.Errorf("%s: status %d: %s\n%s", path, w.Code, w.Body, example)
		}
		if !strings.Contains(page, strings.NewReplacer(`"`, "&#34;", "+", "&#43;").Replace(example)) {
			t.Errorf("%s: the page does not show %s", path, example)
		}
	}
}

func TestTheContractSaysWhichCallsNeedASession(t *testing.T) {
	a := docsAPI(t, docsRoute)
	var doc docsDocument
	if err := json.Unmarshal(a.Contract(), &doc); err != nil {
		t.Fatal(err)
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
