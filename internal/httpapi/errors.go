package httpapi

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

	"github.com/bifolia/bifolia/internal/errs"
)

// statusOf is the one table from what went wrong to HTTP.
var statusOf = map[errs.Code]int{
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

// retryAfter is when to come back, for errors that do not say so themselves
// by a method RetryAfter() time.Duration.
var retryAfter = map[errs.Code]time.Duration{
	errs.Limited:     time.Minute,
	errs.Unavailable: 2 * time.Second,
}

// Problem is what every failed call answers (RFC 9457).
type Problem struct {
	Type            string       `json:"type" example:"about:blank" doc:"Always about:blank; code says which problem it is."`
	Title           string       `json:"title" example:"Bad Request"`
	Status          int          `json:"status" example:"400"`
	Detail          string       `json:"detail" example:"amount: must be positive" doc:"What went wrong, for people."`
	Code            errs.Code    `json:"code" enum:"invalid,unauthenticated,forbidden,proof_required,not_found,conflict,refused,limited,unavailable,internal" doc:"What went wrong, for programs."`
	RequestID       string       `json:"request_id" doc:"Finds this request in the log."`
	ShowableMessage string       `json:"showableMessage" doc:"What a client may show as it is."`
	Errors          []errs.Field `json:"errors,omitempty" doc:"What is wrong with each field."`

	cause error // for the log only
}

// Error makes a Problem what huma takes as an error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus tells huma the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType tells huma the media type.
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

func newProblem(status int, code errs.Code, detail string) *Problem {
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Code: code, Detail: detail,
	}
}

// problemOf turns any error into what its caller may see of it.
func problemOf(err error) *Problem {
	code := errs.CodeOf(err)
	status, known := statusOf[code]
	if !known {
		code, status = errs.Internal, http.StatusInternalServerError
		err = fmt.Errorf("error with an unknown code: %w", err)
	}
	p := newProblem(status, code, errs.MessageOf(err))
	var e *errs.Error
	if errors.As(err, &e) && code != errs.Internal {
		p.Errors = e.Fields
	}
	p.cause = err
	return p
}

func tooLarge(limit int64) *Problem {
	return newProblem(http.StatusRequestEntityTooLarge, errs.Invalid,
		fmt.Sprintf("The request body is larger than %d bytes.", limit))
}

// fail answers with what err means.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	a.writeProblem(w, r, problemOf(err))
}

func (a *API) writeProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	header := w.Header()
	for _, stale := range []string{"Content-Length", "Content-Encoding", "ETag", "Last-Modified"} {
		header.Del(stale) // they described an answer that will not come
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

// finishProblem does for typed calls what writeProblem does for plain ones.
func (a *API) finishProblem(ctx huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*Problem); ok {
		return a.finish(ctx.Context(), p, ctx.SetHeader), nil
	}
	return v, nil
}

// finish completes a problem with what only the request knows, sets the
// headers it needs and writes its cause to the log. It works on a copy: an
// error may be a shared variable.
func (a *API) finish(ctx context.Context, shared *Problem, setHeader func(name, value string)) *Problem {
	p := *shared
	if c := callOf(ctx); c != nil {
		p.RequestID, c.code = c.id, p.Code
	}
	if p.Code == errs.Internal {
		p.Detail = errs.MessageOf(nil) + " If you ask for help, please give the request id " + p.RequestID + "."
	}
	p.ShowableMessage = p.Detail
	if len(p.Errors) > 0 { // fields are named for programs; people see them
		texts := make([]string, 0, len(p.Errors))
		for _, f := range p.Errors {
			if !slices.Contains(texts, f.Message) {
				texts = append(texts, f.Message)
			}
		}
		p.ShowableMessage = strings.Join(texts, "; ")
	}
	switch p.Code {
	case errs.Unauthenticated:
		p.ShowableMessage = pleaseLogin
		setHeader("WWW-Authenticate", "Bearer")
	case errs.Limited, errs.Unavailable:
		setHeader("Retry-After", retrySeconds(p.Code, p.cause))
	}
	if p.cause != nil {
		a.log.LogAttrs(ctx, causeLevel(ctx, p.Code), "request failed",
			slog.String("request_id", p.RequestID),
			slog.String("code", string(p.Code)),
			slog.String("cause", p.cause.Error()))
	}
	return &p
}

func causeLevel(ctx context.Context, code errs.Code) slog.Level {
	switch {
	case hungUp(ctx):
		return slog.LevelInfo // not our fault
	case code == errs.Internal:
		return slog.LevelError
	case code == errs.Unavailable:
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

func retrySeconds(code errs.Code, cause error) string {
	after := retryAfter[code]
	var says interface{ RetryAfter() time.Duration }
	if errors.As(cause, &says) {
		after = says.RetryAfter()
	}
	return strconv.Itoa(max(1, int(math.Ceil(after.Seconds()))))
}

// huma keeps the maker of its errors in a package variable. Nothing else in
// the program uses huma, so it is set once, before anything runs.
func init() { huma.NewError = newHumaError }

// codeOfStatus reads a status that huma chose.
func codeOfStatus(status int) errs.Code {
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

const mustBeJSON = "The body must be JSON, with Content-Type: application/json."

// newHumaError turns huma's own findings, and what calls return through it,
// into problems.
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
		p := newProblem(status, errs.Internal, "")
		p.cause = errors.Join(append([]error{errors.New(message)}, list...)...)
		return p
	}
	return newProblem(status, codeOfStatus(status), message)
}

// unreadableBody is how huma says that a body did not come to its end.
const unreadableBody = "cannot read request body"

// knownCause looks for an error that says more than huma's status does.
func knownCause(message string, list []error) *Problem {
	for _, err := range list {
		var size *http.MaxBytesError
		var ours *errs.Error
		switch {
		case errors.As(err, &size):
			return tooLarge(size.Limit)
		case errors.As(err, &ours) && (ours.Code != errs.Invalid || len(list) == 1):
			return problemOf(err)
		}
	}
	switch message {
	case "unexpected error occurred":
		return problemOf(errors.Join(list...))
	case unreadableBody:
		p := newProblem(http.StatusBadRequest, errs.Invalid, "The request body could not be read to its end.")
		p.cause = errors.Join(list...)
		return p
	}
	return nil
}

// maxFieldName is how much of a name that a caller invented is repeated.
const maxFieldName = 60

// fieldErrors names every field that huma found wrong. Values are left out,
// since they may be secrets, and the list is cut, since a body of a million
// wrong items is no reason to send a million sentences. Of fields that the call
// does not have the first few are named.
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
			fields = append(fields, errs.Field{Name: "request", Message: ours.Message})
		case errors.As(err, &detailer):
			d := detailer.ErrorDetail()
			if d.Message == validation.MsgUnexpectedProperty {
				if unknown++; unknown > mostUnknown {
					continue
				}
			}
			fields = append(fields, fieldOf(d))
		default:
			fields = append(fields, errs.Field{Name: "request", Message: err.Error()})
		}
	}
	return fields
}

var beforeRequired, afterRequired, _ = strings.Cut(validation.MsgExpectedRequiredProperty, "%s")

// fieldOf names a field as the form or the program calls it, without the part
// of the request that it was in.
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
		return errs.Field{Name: name, Message: "is required"}
	}
	message := plainly(d.Message)
	if strings.HasPrefix(message, "required ") && strings.HasSuffix(message, " parameter is missing") {
		message = "is required"
	}
	if strings.HasPrefix(message, "json: ") {
		message = "does not fit what this call takes" // the rest names Go types
	}
	return errs.Field{Name: cut(field, maxFieldName), Message: message}
}

// plainly says in words for people what huma says in its own.
func plainly(message string) string {
	for _, w := range []struct{ machine, people string }{
		{"expected value to match at least one schema", "must be text or a whole number"},
		{"expected string", "must be text"},
		{"expected number", "must be a number"},
		{"expected integer", "must be a whole number"},
		{"expected boolean", "must be true or false"},
		{"expected object", "must be an object"},
		{"unexpected property", "is not a field of this call"},
	} {
		if strings.HasPrefix(message, w.machine) {
			return w.people
		}
	}
	if limit, ok := strings.CutPrefix(message, "expected length <= "); ok {
		return "must have at most " + limit + " characters"
	}
	if limit, ok := strings.CutPrefix(message, "expected length >= "); ok {
		return "must have at least " + limit + " characters"
	}
	return message
}
