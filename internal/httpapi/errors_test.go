package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/errs"
)

func TestEachCodeHasItsStatus(t *testing.T) {
	for code, status := range map[errs.Kind]int{
		errs.Invalid: 400, errs.Unauthenticated: 401, errs.Forbidden: 403, errs.NotFound: 404, errs.Conflict: 409,
		errs.Refused: 422, errs.Limited: 429, errs.Unavailable: 503, errs.Internal: 500,
	} {
		a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error {
			return fmt.Errorf("while paying: %w", errs.Wrap(code, errors.New("row 7 is locked"), "test.error", "The wallet holds less."))
		})}}, echoRoute)
		w := do(a, "POST", "/api/echo", goodBody)
		p := problem(t, w)
		if w.Code != status || p.Code != code {
			t.Errorf("%s: status %d, code %s", code, w.Code, p.Code)
		}
		if strings.Contains(w.Body.String(), "row 7") || strings.Contains(w.Body.String(), "while paying") {
			t.Errorf("%s: the cause is shown: %s", code, w.Body)
		}
		if shown := strings.Contains(p.Detail, "The wallet holds less."); shown == (code == errs.Internal) {
			t.Errorf("%s: detail %q", code, p.Detail)
		}
		if retry := w.Header().Get("Retry-After") != ""; retry != (code == errs.Limited || code == errs.Unavailable) {
			t.Errorf("%s: Retry-After %q", code, w.Header().Get("Retry-After"))
		}
	}
}

func TestAnUnknownErrorIsNeutralToTheCallerAndWholeInTheLog(t *testing.T) {
	for name, answer := range map[string]error{
		"any error":         errors.New("pq: relation wallet does not exist"),
		"huma's 500":        huma.Error500InternalServerError("pq: relation wallet does not exist"),
		"huma's with cause": huma.Error500InternalServerError("x", errors.New("pq: relation wallet does not exist")),
		"unknown code":      errs.New("teapot", "test.error", "pq: relation wallet does not exist"),
	} {
		a, log := testAPI(t, Options{Routes: []func(huma.API){echo(func(context.Context, *echoInput) error { return answer })}}, echoRoute)
		w := do(a, "POST", "/api/echo", goodBody)
		p := problem(t, w)
		if w.Code != 500 || p.Code != errs.Internal || strings.Contains(w.Body.String(), "relation") {
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

func TestWhatHumaFindsWrongBecomesOneProblemThatNamesTheFields(t *testing.T) {
	a, _ := testAPI(t, Options{Routes: []func(huma.API){echo(nil)}}, echoRoute)
	for name, c := range map[string]struct {
		path, body string
		status     int
		fields     []errs.Field
	}{
		"two fields at once": {
			"/api/echo", `{"name":"A"}`, 400,
			[]errs.Field{errs.NewField("amount", "field.required", "is required"), errs.NewField("name", "test.error", "must have at least 2 characters")},
		},
		"wrong kind":    {"/api/echo", `{"name":7,"amount":"1"}`, 400, []errs.Field{errs.NewField("name", "test.error", "must be text")}},
		"inside a list": {"/api/echo", `{"name":"Ada","amount":"1","tags":["a",2]}`, 400, []errs.Field{errs.NewField("tags[1]", "test.error", "must be text")}},
		"unknown field": {"/api/echo", `{"name":"Ada","amount":"1","x":1}`, 400, []errs.Field{errs.NewField("x", "test.error", "is not a field of this call")}},
		"query":         {"/api/echo?mode=z", goodBody, 400, []errs.Field{errs.NewField("mode", "test.error", `expected value to be one of "a, b"`)}},
		"not JSON":      {"/api/echo", `{"name"`, 400, []errs.Field{errs.NewField("body", "test.error", "unexpected end of JSON input")}},
		"no body":       {"/api/echo", "", 400, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := do(a, "POST", c.path, c.body)
			p := problem(t, w)
			if w.Code != c.status || p.Code != errs.Invalid {
				t.Errorf("status %d, code %s: %s", w.Code, p.Code, w.Body)
			}
			if !sameFields(p.Errors, c.fields) {
				t.Errorf("got  %v\nwant %v", p.Errors, c.fields)
			}
		})
	}
}

func sameFields(got, want []errs.Field) bool {
	asSet := func(list []errs.Field) map[errs.Field]bool {
		set := map[errs.Field]bool{}
		for _, f := range list {
			set[f] = true
		}
		return set
	}
	return len(got) == len(want) && reflect.DeepEqual(asSet(got), asSet(want))
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
	if p := problem(t, w); w.Code != http.StatusUnsupportedMediaType || p.Code != errs.Invalid {
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
	if first.RequestID == second.RequestID || first.Code != errs.NotFound || first.Detail != "There is no such member." {
		t.Errorf("%+v\n%+v", first, second)
	}
}
