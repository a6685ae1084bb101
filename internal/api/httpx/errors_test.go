package httpx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestEachKindHasItsStatus(t *testing.T) {
	for kind, status := range map[errs.Kind]int{
		errs.Invalid: 400, errs.Unauthenticated: 401, errs.Forbidden: 403, errs.NotFound: 404, errs.Conflict: 409,
		errs.Refused: 422, errs.Limited: 429, errs.Unavailable: 503, errs.Internal: 500,
	} {
		a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
			return fmt.Errorf("while paying: %w", errs.Wrap(kind, errors.New("row 7 is locked"), "test.error", "The wallet holds less."))
		})}}, echoRoute)
		w := do(a, "POST", "/api/echo", goodBody)
		p := problem(t, w)
		want := map[errs.Kind]string{errs.Unauthenticated: "session.required", errs.Internal: "internal"}[kind]
		if w.Code != status || p.Code != cmp.Or(want, "test.error") {
			t.Errorf("%s: status %d, code %s", kind, w.Code, p.Code)
		}
		if strings.Contains(w.Body.String(), "row 7") || strings.Contains(w.Body.String(), "while paying") {
			t.Errorf("%s: the cause is shown: %s", kind, w.Body)
		}
		if shown := strings.Contains(p.Detail, "The wallet holds less."); shown == (kind == errs.Internal) {
			t.Errorf("%s: detail %q", kind, p.Detail)
		}
		if retry := w.Header().Get("Retry-After") != ""; retry != (kind == errs.Limited || kind == errs.Unavailable) {
			t.Errorf("%s: Retry-After %q", kind, w.Header().Get("Retry-After"))
		}
	}
}

func TestAnUnknownErrorIsHiddenFromTheClientAndLogged(t *testing.T) {
	for name, answer := range map[string]error{
		"any error":         errors.New("pq: relation wallet does not exist"),
		"huma's 500":        huma.Error500InternalServerError("pq: relation wallet does not exist"),
		"huma's with cause": huma.Error500InternalServerError("x", errors.New("pq: relation wallet does not exist")),
		"unknown kind":      errs.New("teapot", "test.error", "pq: relation wallet does not exist"),
	} {
		a, log := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error { return answer })}}, echoRoute)
		w := do(a, "POST", "/api/echo", goodBody)
		p := problem(t, w)
		if w.Code != 500 || p.Code != "internal" || strings.Contains(w.Body.String(), "relation") {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
		if !strings.Contains(p.Detail, p.RequestID) {
			t.Errorf("%s: the sentence does not give the request id: %q", name, p.Detail)
		}
		failed := log.records(t, "request failed")
		if len(failed) != 1 || failed[0]["request_id"] != p.RequestID || failed[0]["level"] != "ERROR" ||
			!strings.Contains(fmt.Sprint(failed[0]["cause"]), "relation wallet") {
			t.Errorf("%s: the log has %v", name, failed)
		}
	}
}

func TestValidationErrorsBecomeOneProblemWithFields(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	for name, c := range map[string]struct {
		path, body string
		status     int
		fields     []errs.Field
	}{
		"two fields at once": {
			"/api/echo", `{"name":"A"}`, 400,
			[]errs.Field{errs.NewField("amount", "field.required", "is required"), errs.NewField("name", "field.too_short", "must have at least {limit} characters", "limit", 2)},
		},
		"wrong kind":    {"/api/echo", `{"name":7,"amount":"1"}`, 400, []errs.Field{errs.NewField("name", "field.not_text", "must be text")}},
		"inside a list": {"/api/echo", `{"name":"Ada","amount":"1","tags":["a",2]}`, 400, []errs.Field{errs.NewField("tags[1]", "field.not_text", "must be text")}},
		"unknown field": {"/api/echo", `{"name":"Ada","amount":"1","x":1}`, 400, []errs.Field{errs.NewField("x", "field.unknown", "is not a field of this call")}},
		"query":         {"/api/echo?mode=z", goodBody, 400, []errs.Field{errs.NewField("mode", "field.none_of", `expected value to be one of "{choices}"`, "choices", "a, b")}},
		"not JSON":      {"/api/echo", `{"name"`, 400, []errs.Field{errs.NewField("body", "field.invalid", "{finding}", "finding", "unexpected end of JSON input")}},
		"no body":       {"/api/echo", "", 400, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := do(a, "POST", c.path, c.body)
			p := problem(t, w)
			want := "request.failed"
			switch len(c.fields) {
			case 1:
				want = c.fields[0].Code
			case 2:
				want = "request.invalid"
			}
			if w.Code != c.status || p.Code != want {
				t.Errorf("status %d, code %s: %s", w.Code, p.Code, w.Body)
			}
			if !sameFields(p.Errors, c.fields) {
				t.Errorf("got  %v\nwant %v", p.Errors, c.fields)
			}
		})
	}
}

func sameFields(got, want []errs.Field) bool {
	byName := func(a, b errs.Field) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(got, byName)
	slices.SortFunc(want, byName)
	return slices.EqualFunc(got, want, func(a, b errs.Field) bool { return a.Name == b.Name && a.Equal(b.Text) })
}

func TestFieldErrorsOfACallKeepTheirNames(t *testing.T) {
	want := []errs.Field{errs.NewField("amount", "test.error", "must be positive"), errs.NewField("to", "test.error", "nobody has this id")}
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
		return errs.Fields(want)
	})}}, echoRoute)
	w := do(a, "POST", "/api/echo", goodBody)
	if p := problem(t, w); w.Code != 400 || !reflect.DeepEqual(p.Errors, want) {
		t.Errorf("status %d: %+v", w.Code, p)
	}
}

func TestASecretInABadBodyIsNeitherAnsweredNorLogged(t *testing.T) {
	a, log := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	for _, body := range []string{`{"name":"hunter22"`, `{"name":["hunter22"],"amount":"hunter22"}`, `"hunter22"`} {
		if w := do(a, "POST", "/api/echo?password=hunter22", body, "Authorization", "Bearer hunter22", "Cookie", "s=hunter22"); strings.Contains(w.Body.String(), "hunter22") {
			t.Errorf("%s: answered: %s", body, w.Body)
		}
	}
	if strings.Contains(log.String(), "hunter22") {
		t.Errorf("logged: %s", log)
	}
}

func TestAnotherContentTypeIsRefused(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	for _, kind := range []string{"application/json", "application/json; charset=utf-8"} {
		if w := doTyped(a, kind); w.Code != http.StatusOK {
			t.Errorf("%q: status %d", kind, w.Code)
		}
	}
	if w := doTyped(a, ""); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("a body of no kind: status %d", w.Code)
	}
	w := doTyped(a, "text/plain")
	if p := problem(t, w); w.Code != http.StatusUnsupportedMediaType || p.Code != "request.not_json" {
		t.Errorf("text: status %d: %s", w.Code, w.Body)
	}
}

func TestManyMistakesMakeAShortAnswer(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	body := `{"name":"Ada","amount":"1","tags":[` + strings.Repeat("1,", 200) + `1]}`
	w := do(a, "POST", "/api/echo", body)
	if p := problem(t, w); w.Code != 400 || len(p.Errors) > 50 || w.Body.Len() > 16<<10 {
		t.Errorf("status %d, %d errors, %d bytes", w.Code, len(p.Errors), w.Body.Len())
	}
}

type slowDown struct{ wait time.Duration }

func (s slowDown) Error() string             { return "slow down" }
func (s slowDown) RetryAfter() time.Duration { return s.wait }

func TestAnErrorMaySayWhenToComeBack(t *testing.T) {
	for wait, want := range map[time.Duration]string{1500 * time.Millisecond: "2", 0: "1", 15 * time.Minute: "900"} {
		a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
			return errs.Wrap(errs.Limited, slowDown{wait}, "test.error", "Too many tries.")
		})}}, echoRoute)
		if got := do(a, "POST", "/api/echo", goodBody).Header().Get("Retry-After"); got != want {
			t.Errorf("%v: Retry-After %q, want %q", wait, got, want)
		}
	}
}

func TestASharedErrorValueIsNotWrittenInto(t *testing.T) {
	shared := huma.Error404NotFound("There is no such member.")
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error { return shared })}}, echoRoute)
	first, second := problem(t, do(a, "POST", "/api/echo", goodBody)), problem(t, do(a, "POST", "/api/echo", goodBody))
	if first.RequestID == second.RequestID || first.Code != "request.failed" || first.Detail != "There is no such member." {
		t.Errorf("%+v\n%+v", first, second)
	}
}
