package httpx

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The contract for people: GET /api/docs. The page is made once, when first asked for, from
// the same document that programs read, so it cannot say anything else. It has
// no script, and its style is a file of its own, because the content security
// policy allows neither inline.

//go:embed docs/page.html
var docsHTML string

//go:embed docs/page.css
var docsCSS []byte

var docsTemplate = template.Must(template.New("docs").Parse(docsHTML))

func (a *API) docsPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(a.docs())
}

func docsStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(docsCSS)
}

// docsView is what the page shows.
type docsView struct {
	Title, Version, PleaseLogin string
	Groups                      []docsGroup
	Statuses                    []docsStatus
	Problem                     docsContent
}

type docsGroup struct {
	ID, Name, Description string
	Calls                 []docsCall
}

type docsCall struct {
	ID, Method, Path, Summary, Description string
	Public, Deprecated                     bool
	Params                                 []docsField
	Body                                   []docsContent
	BodyRequired                           bool
	Answers                                []docsAnswer
}

type docsAnswer struct {
	Status, Description string
	Problem             bool
	Headers             []docsField
	Contents            []docsContent
}

// docsContent is one form that a body or an answer takes.
type docsContent struct {
	Media, Type string
	Fields      []docsField
	Example     string
}

type docsStatus struct {
	Status int
	Title  string
}

// ungrouped is where calls without a tag stand.
const ungrouped = "General"

// renderDocs makes the page of a contract.
func renderDocs(contract []byte) ([]byte, error) {
	doc := &docsDocument{}
	dec := json.NewDecoder(bytes.NewReader(contract))
	dec.UseNumber() // limits and examples are shown as they are written
	if err := dec.Decode(doc); err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	view := docsView{
		Title: doc.Info.Title, Version: doc.Info.Version, PleaseLogin: pleaseLogin,
		Groups: doc.groups(), Statuses: docsStatuses(),
		Problem: doc.content(problemType, docsMedia{Schema: &docsSchema{Ref: schemaPrefix + "Problem"}}),
	}
	answered(view.Problem.Fields)
	var out bytes.Buffer
	if err := docsTemplate.Execute(&out, view); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// docsStatuses are the statuses of problems, in order.
func docsStatuses() (all []docsStatus) {
	for _, status := range statusOf {
		all = append(all, docsStatus{status, http.StatusText(status)})
	}
	slices.SortFunc(all, func(a, b docsStatus) int { return cmp.Compare(a.Status, b.Status) })
	return slices.Compact(all)
}

// groups are the calls by their first tag. Tags that the document declares
// come first, in its order; the rest follow by name.
func (d *docsDocument) groups() (groups []docsGroup) {
	calls := map[string][]docsCall{}
	ids := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range []string{"get", "post", "put", "patch", "delete", "head", "options", "trace"} {
			op := d.Paths[path][method]
			if op == nil {
				continue
			}
			name := ungrouped
			if len(op.Tags) > 0 {
				name = op.Tags[0]
			}
			c := d.call(strings.ToUpper(method), path, op)
			c.ID = anchor(ids, method+path)
			calls[name] = append(calls[name], c)
		}
	}
	add := func(name, description string) {
		if calls[name] != nil {
			groups = append(groups, docsGroup{anchor(ids, "tag-"+name), name, description, calls[name]})
			delete(calls, name)
		}
	}
	for _, t := range d.Tags {
		add(t.Name, t.Description)
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		add(name, "")
	}
	return groups
}

func (d *docsDocument) call(method, path string, op *docsOperation) docsCall {
	c := docsCall{
		Method: method, Path: path, Summary: op.Summary, Description: op.Description,
		Public: len(op.Security) == 0, Deprecated: op.Deprecated,
	}
	for _, p := range op.Parameters {
		f := d.field(p.Name, p.Schema, p.Required, nil)
		f.In, f.Description = p.In, cmp.Or(p.Description, f.Description)
		c.Params = append(c.Params, f)
	}
	if op.RequestBody != nil {
		c.Body, c.BodyRequired = d.contents(op.RequestBody.Content), op.RequestBody.Required
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		c.Answers = append(c.Answers, d.answer(status, op.Responses[status]))
	}
	return c
}

func (d *docsDocument) answer(status string, r docsResponse) docsAnswer {
	a := docsAnswer{Status: status, Description: r.Description}
	if code, err := strconv.Atoi(status); err == nil && a.Description == http.StatusText(code) {
		a.Status += " " + a.Description
		a.Description = ""
	}
	if _, a.Problem = r.Content[problemType]; a.Problem {
		return a // all problems are alike: the page shows them once
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		h := r.Headers[name]
		f := d.field(name, h.Schema, h.Required, nil)
		f.Description = cmp.Or(h.Description, f.Description)
		a.Headers = append(a.Headers, f)
	}
	answered(a.Headers)
	a.Contents = d.contents(r.Content)
	for _, c := range a.Contents {
		answered(c.Fields)
	}
	return a
}

func (d *docsDocument) contents(content map[string]docsMedia) (all []docsContent) {
	for _, media := range slices.Sorted(maps.Keys(content)) {
		all = append(all, d.content(media, content[media]))
	}
	return all
}

func (d *docsDocument) content(media string, m docsMedia) docsContent {
	whole := d.field("", m.Schema, false, nil)
	c := docsContent{Media: media, Type: whole.Type, Fields: whole.Fields}
	if strings.HasSuffix(media, "json") {
		c.Example = indented(d.exampleOf(m))
	}
	return c
}

func indented(v any) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return "" // unreachable: it was read from JSON or made of strings and numbers
	}
	return strings.TrimSpace(out.String())
}

// anchor makes a name for a place on the page that no other place has.
func anchor(taken map[string]bool, text string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return '-'
	}, text), "-")
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = name + "-" + strconv.Itoa(n)
	}
	taken[unique] = true
	return unique
}
