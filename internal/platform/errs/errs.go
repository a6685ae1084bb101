// Package errs defines the error type for users. Such an error has a kind, a code with
// parameters (for programs and translations), a sentence in English, and a cause that is
// only logged.
//
// Any error that is not an *Error is internal: the user gets a neutral sentence and a
// request id, and the details are logged.
package errs

import "errors"

// Kind is the kind of an error. Package httpx maps each to one status.
type Kind string

const (
	Invalid         Kind = "invalid"         // the input is never valid
	Unauthenticated Kind = "unauthenticated" // the caller has no session
	Forbidden       Kind = "forbidden"       // the caller's session does not allow this
	Unproved        Kind = "proof_required"  // the caller must first confirm their identity again
	NotFound        Kind = "not_found"       // the object does not exist, or not for this caller
	Conflict        Kind = "conflict"        // the request conflicts with the current state
	Refused         Kind = "refused"         // a business rule refuses a well-formed request
	Limited         Kind = "limited"         // too many requests
	Unavailable     Kind = "unavailable"     // nothing was written; a retry may succeed
	Internal        Kind = "internal"        // a failure of the server
)

// Error has a kind, a text for users and, for the log only, a cause.
type Error struct {
	Kind Kind
	Text
	Fields []Field
	cause  error
}

// New makes an error with a text for users; see Say for its parameters.
func New(kind Kind, code, text string, params ...any) *Error {
	return &Error{Kind: kind, Text: Say(code, text, params...)}
}

// Wrap makes an error with a text for users and a cause for the log.
func Wrap(kind Kind, cause error, code, text string, params ...any) *Error {
	e := New(kind, code, text, params...)
	e.cause = cause
	return e
}

// At makes an error with a text for users about one field of the input.
func At(kind Kind, field, code, text string, params ...any) *Error {
	e := New(kind, code, text, params...)
	e.Fields = []Field{{Name: field, Text: e.Text}}
	return e
}

// About sets the field of the input that an error for users is about, unless the error
// has one. It returns other errors unchanged.
func About(field string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind == Internal || len(e.Fields) > 0 {
		return err
	}
	about := *e
	about.Fields = []Field{{Name: field, Text: e.Text}}
	return &about
}

// WithKind makes an error of another kind with the text of err.
func WithKind(kind Kind, err error) *Error {
	return &Error{Kind: kind, Text: TextOf(err)}
}

// Error returns the text and the cause, for the log.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// KindOf returns the kind of the outermost *Error in err's chain; Internal for any other
// error, "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// TextOf returns the text of err for users. That of an internal error reveals no details.
func TextOf(err error) Text {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != Internal {
		return e.Text
	}
	return Say("server.failed", "Something went wrong on our side.")
}

// MessageOf returns the English sentence of TextOf.
func MessageOf(err error) string { return TextOf(err).Message }

// Is reports whether err is of kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
