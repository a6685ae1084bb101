// Package errs is the one error type of the product. Every error that may
// reach a person has a kind (what went wrong), a code with parameters (which
// sentence it is, for programs and translations), the sentence in English, and a
// cause that only the log sees.
//
// Anything that is not an *Error is internal: the person gets a neutral
// sentence and a request id, the log gets the rest.
package errs

import "errors"

// Kind says what kind of thing went wrong. httpapi maps each to one status.
type Kind string

const (
	Invalid         Kind = "invalid"         // the input can never work
	Unauthenticated Kind = "unauthenticated" // the caller has no session
	Forbidden       Kind = "forbidden"       // the caller has a session, which does not allow this
	Unproved        Kind = "proof_required"  // this session must first prove again that its owner is there
	NotFound        Kind = "not_found"       // there is no such thing, or not for this caller
	Conflict        Kind = "conflict"        // it clashes with what is already there
	Refused         Kind = "refused"         // well-formed, but a business rule says no
	Limited         Kind = "limited"         // too much, too fast: later
	Unavailable     Kind = "unavailable"     // nothing was written; the same request may work later
	Internal        Kind = "internal"        // a mistake of the server
)

// Error carries a kind, a text for people and, for the log only, a cause.
type Error struct {
	Kind Kind
	Text
	Fields []Field
	cause  error
}

// New makes an error with a text for people; Say explains its parameters.
func New(kind Kind, code, text string, params ...any) *Error {
	return &Error{Kind: kind, Text: Say(code, text, params...)}
}

// Wrap keeps cause for the log behind a text for people.
func Wrap(kind Kind, cause error, code, text string, params ...any) *Error {
	e := New(kind, code, text, params...)
	e.cause = cause
	return e
}

// At makes an error with a text for people about one field of the input.
func At(kind Kind, field, code, text string, params ...any) *Error {
	e := New(kind, code, text, params...)
	e.Fields = []Field{{Name: field, Text: e.Text}}
	return e
}

// About says which field of the input an error for people is about, unless it
// says so itself. Other errors stay as they are.
func About(field string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind == Internal || len(e.Fields) > 0 {
		return err
	}
	about := *e
	about.Fields = []Field{{Name: field, Text: e.Text}}
	return &about
}

// WithKind is a new error of another kind with the text of err.
func WithKind(kind Kind, err error) *Error {
	return &Error{Kind: kind, Text: TextOf(err)}
}

// Error is the whole story, for the log.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.cause.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }

// KindOf is the kind of the outermost *Error in err's chain; Internal for any
// other error, "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// TextOf is what a person may read of err. Internal errors say nothing of
// their inside.
func TextOf(err error) Text {
	var e *Error
	if errors.As(err, &e) && e.Kind != Internal {
		return e.Text
	}
	return Say("server.failed", "Something went wrong on our side.")
}

// MessageOf is the English sentence of TextOf.
func MessageOf(err error) string { return TextOf(err).Message }

// Is reports whether err is of kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }

// HasCode reports whether the outermost *Error in err's chain has code.
func HasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
