package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// statusOf maps kinds of errors to HTTP statuses.
var statusOf = map[errs.Kind]int{
	errs.Invalid:         http.StatusBadRequest,
	errs.Unauthenticated: http.StatusUnauthorized,
	errs.Forbidden:       http.StatusForbidden,
	errs.Unproved:        http.StatusForbidden,
	errs.NotFound:        http.StatusNotFound,
	errs.Conflict:        http.StatusConflict,
	errs.Refused:         http.StatusUnprocessableEntity,
	errs.Limited:         http.StatusTooManyRequests,
	errs.Unavailable:     http.StatusServiceUnavailable,
	errs.Internal:        http.StatusInternalServerError,
}

// retryAfter is the default for errors without a method RetryAfter() time.Duration.
var retryAfter = map[errs.Kind]time.Duration{
	errs.Limited:     time.Minute,
	errs.Unavailable: 2 * time.Second,
}

// Problem is the response of every failed call (RFC 9457).
type Problem struct {
	Type            string            `json:"type" example:"about:blank" doc:"Always about:blank; code says which problem it is."`
	Title           string            `json:"title" example:"Bad Request"`
	Status          int               `json:"status" example:"400"`
	Detail          string            `json:"detail" example:"amount: must be positive" doc:"A readable explanation of the error."`
	Code            string            `json:"code" example:"fund.already_decided" doc:"The error code, for programs and translations."`
	Params          map[string]string `json:"params,omitempty" doc:"The parameters of the message, by name."`
	RequestID       string            `json:"request_id" doc:"The id of this request in the server log."`
	ShowableMessage string            `json:"showableMessage" doc:"A message that clients may show unchanged."`
	Errors          []errs.Field      `json:"errors,omitempty" doc:"The errors of single fields."`

	kind  errs.Kind
	cause error // for the log only
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type for huma.
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

func newProblem(status int, kind errs.Kind, text errs.Text) *Problem {
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Code: text.Code, Params: text.Params, Detail: text.Message, kind: kind,
	}
}

// problemOf returns what a client may see of an error.
func problemOf(err error) *Problem {
	kind := errs.KindOf(err)
	status, known := statusOf[kind]
	if !known {
		kind, status = errs.Internal, http.StatusInternalServerError
		err = fmt.Errorf("error of an unknown kind: %w", err)
	}
	p := newProblem(status, kind, errs.TextOf(err))
	if e, ok := errors.AsType[*errs.Error](err); ok && kind != errs.Internal {
		p.Errors = e.Fields
	}
	p.cause = err
	return p
}

func tooLarge(limit int64) *Problem {
	return newProblem(http.StatusRequestEntityTooLarge, errs.Invalid,
		errs.Say("request.too_large", "The request body is larger than {most} bytes.", "most", limit))
}

// fail answers with the problem of err.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	a.writeProblem(w, r, problemOf(err))
}

func (a *API) writeProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	header := w.Header()
	for _, stale := range []string{"Content-Length", "Content-Encoding", "ETag", "Last-Modified"} {
		header.Del(stale) // they describe a response that is not sent
	}
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", problemType)
	p = a.finish(r.Context(), p, header.Set)
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte(`{"status":500}`) // unreachable: strings and numbers always encode
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n'))
}

// finishProblem does for typed calls what writeProblem does for plain handlers.
func (a *API) finishProblem(ctx huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*Problem); ok {
		return a.finish(ctx.Context(), p, ctx.SetHeader), nil
	}
	return v, nil
}

// finish completes a problem with the data of the request, sets its headers and logs its
// cause. It works on a copy, because an error may be a shared variable.
func (a *API) finish(ctx context.Context, shared *Problem, setHeader func(name, value string)) *Problem {
	p := *shared
	c := callOf(ctx)
	if c != nil {
		p.RequestID = c.id
	}
	if p.kind == errs.Internal {
		text := errs.Say("internal", "Something went wrong on our side. If you ask for help, please give the request id {request_id}.", "request_id", p.RequestID)
		p.Code, p.Params, p.Detail = text.Code, text.Params, text.Message
	}
	p.ShowableMessage = p.Detail
	if len(p.Errors) > 0 { // users do not see the names of fields
		texts := make([]string, 0, len(p.Errors))
		for _, f := range p.Errors {
			if !slices.Contains(texts, f.Message) {
				texts = append(texts, f.Message)
			}
		}
		p.ShowableMessage = strings.Join(texts, "; ")
	}
	switch p.kind {
	case errs.Unauthenticated:
		p.Code, p.Params, p.ShowableMessage = sessionRequired, nil, pleaseLogin
		setHeader("WWW-Authenticate", "Bearer")
	case errs.Limited, errs.Unavailable:
		setHeader("Retry-After", retrySeconds(p.kind, p.cause))
	}
	if c != nil {
		c.code = p.Code
	}
	if p.cause != nil {
		a.log.LogAttrs(ctx, causeLevel(ctx, p.kind), "request failed",
			slog.String("request_id", p.RequestID),
			slog.String("code", p.Code),
			slog.String("cause", p.cause.Error()))
	}
	return &p
}

func causeLevel(ctx context.Context, kind errs.Kind) slog.Level {
	switch {
	case clientClosed(ctx):
		return slog.LevelInfo // not an error of the server
	case kind == errs.Internal:
		return slog.LevelError
	case kind == errs.Unavailable:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

func retrySeconds(kind errs.Kind, cause error) string {
	after := retryAfter[kind]
	var says interface{ RetryAfter() time.Duration }
	if errors.As(cause, &says) {
		after = says.RetryAfter()
	}
	return strconv.Itoa(max(1, int(math.Ceil(after.Seconds()))))
}

// huma takes the constructor of its errors from a package variable. Nothing else in the
// program uses huma, so it is set once, before anything runs.
func init() { huma.NewError = newHumaError }

// kindOfStatus maps a status chosen by huma to a kind.
func kindOfStatus(status int) errs.Kind {
	switch status {
	case http.StatusUnauthorized:
		return errs.Unauthenticated
	case http.StatusForbidden:
		return errs.Forbidden
	case http.StatusNotFound:
		return errs.NotFound
	case http.StatusConflict:
		return errs.Conflict
	case http.StatusUnprocessableEntity:
		return errs.Refused
	case http.StatusTooManyRequests:
		return errs.Limited
	case http.StatusServiceUnavailable:
		return errs.Unavailable
	}
	if status >= http.StatusInternalServerError {
		return errs.Internal
	}
	return errs.Invalid
}

var mustBeJSON = errs.Say("request.not_json", "The body must be JSON, with Content-Type: application/json.")

// newHumaError turns huma's validation errors, and the errors that calls return through
// it, into problems.
func newHumaError(status int, message string, list ...error) huma.StatusError {
	if p := knownCause(message, list); p != nil {
		return p
	}
	switch {
	case status == http.StatusUnsupportedMediaType:
		return newProblem(status, errs.Invalid, mustBeJSON)
	case message == "validation failed":
		return problemOf(errs.Fields(fieldErrors(list)))
	case status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable:
		p := newProblem(status, errs.Internal, errs.Text{})
		p.cause = errors.Join(append([]error{errors.New(message)}, list...)...)
		return p
	}
	return newProblem(status, kindOfStatus(status), errs.Say("request.failed", "{finding}", "finding", message))
}

// unreadableBody is huma's message for a body that could not be read to its end.
const unreadableBody = "cannot read request body"

// knownCause looks for an error that is more specific than huma's status.
func knownCause(message string, list []error) *Problem {
	for _, err := range list {
		var size *http.MaxBytesError
		var ours *errs.Error
		switch {
		case errors.As(err, &size):
			return tooLarge(size.Limit)
		case errors.As(err, &ours) && (ours.Kind != errs.Invalid || len(list) == 1):
			return problemOf(err)
		}
	}
	switch message {
	case "unexpected error occurred":
		return problemOf(errors.Join(list...))
	case unreadableBody:
		p := newProblem(http.StatusBadRequest, errs.Invalid, errs.Say("request.body_cut_off", "The request body could not be read to its end."))
		p.cause = errors.Join(list...)
		return p
	}
	return nil
}

// maxFieldName is the part of an invented field name that is repeated to the client.
const maxFieldName = 60

// fieldErrors lists the fields that huma rejected. Values are left out, since they may be
// secrets, and the list is cut, so that a body with a million errors does not give a
// million messages. Only the first few unknown fields are named.
func fieldErrors(list []error) (fields []errs.Field) {
	const most, mostUnknown = 50, 5
	unknown := 0
	for _, err := range list {
		var ours *errs.Error
		var detailer huma.ErrorDetailer
		switch {
		case len(fields) >= most:
			return fields
		case errors.As(err, &ours) && len(ours.Fields) > 0:
			fields = append(fields, ours.Fields...)
		case errors.As(err, &ours):
			fields = append(fields, errs.Field{Name: "request", Text: ours.Text})
		case errors.As(err, &detailer):
			d := detailer.ErrorDetail()
			if d.Message == validation.MsgUnexpectedProperty {
				if unknown++; unknown > mostUnknown {
					continue
				}
			}
			fields = append(fields, fieldOf(d))
		default:
			fields = append(fields, errs.Field{Name: "request", Text: finding(err.Error())})
		}
	}
	return fields
}

var beforeRequired, afterRequired, _ = strings.Cut(validation.MsgExpectedRequiredProperty, "%s")

// fieldOf names a field as the client does, without the part of the request that holds it.
func fieldOf(d *huma.ErrorDetail) errs.Field {
	place, field, nested := strings.Cut(d.Location, ".")
	if !nested {
		field = place
	}
	if name, ok := strings.CutPrefix(d.Message, beforeRequired); ok {
		name = strings.TrimSuffix(name, afterRequired)
		if nested {
			name = field + "." + name
		}
		return errs.Field{Name: name, Text: fieldRequired}
	}
	return errs.Field{Name: cut(field, maxFieldName), Text: readable(d.Message)}
}

var fieldRequired = errs.Say("field.required", "is required")

// finding wraps an original message of huma.
func finding(message string) errs.Text {
	return errs.Say("field.invalid", "{finding}", "finding", message)
}

// readableMessages are replacements for huma's messages, by prefix.
var readableMessages = []struct {
	machine string
	people  errs.Text
}{
	{"expected value to match at least one schema", errs.Say("field.not_text_or_number", "must be text or a whole number")},
	{"expected string", errs.Say("field.not_text", "must be text")},
	{"expected number", errs.Say("field.not_a_number", "must be a number")},
	{"expected integer", errs.Say("field.not_a_whole_number", "must be a whole number")},
	{"expected boolean", errs.Say("field.not_true_or_false", "must be true or false")},
	{"expected object", errs.Say("field.object_needed", "must be an object")},
	{"unexpected property", errs.Say("field.unknown", "is not a field of this call")},
	{"json: ", errs.Say("field.does_not_fit", "does not fit what this call takes")}, // the rest of the message names Go types
}

// readable returns a user-friendly form of a message of huma.
func readable(message string) errs.Text {
	for _, w := range readableMessages {
		if strings.HasPrefix(message, w.machine) {
			return w.people
		}
	}
	if limit, ok := strings.CutPrefix(message, "expected length <= "); ok {
		return errs.Say("field.too_long", "must have at most {limit} characters", "limit", limit)
	}
	if limit, ok := strings.CutPrefix(message, "expected length >= "); ok {
		return errs.Say("field.too_short", "must have at least {limit} characters", "limit", limit)
	}
	if choices, ok := strings.CutPrefix(message, `expected value to be one of "`); ok {
		return errs.Say("field.none_of", `expected value to be one of "{choices}"`, "choices", strings.TrimSuffix(choices, `"`))
	}
	if strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " parameter is missing") {
		return fieldRequired
	}
	return finding(message)
}
