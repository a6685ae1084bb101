// Package errs is the one error type of the product. Every error that may
// reach a person carries a code (what kind of thing went wrong), a message
// written for that person, and a cause that only the log sees.
//
// Anything that is not an *Error is internal: the person gets a neutral
// sentence and a request id, the log gets the rest.
package errs

import (
	"errors"
	"fmt"
	"strings"
)

// Code says what kind of thing went wrong. httpapi maps each to one status.
type Code string

const (
	Invalid         Code = "invalid"         // the input can never work
	Unauthenticated Code = "unauthenticated" // who are you?
	Forbidden       Code = "forbidden"       // we know who you are; no
	Unproved        Code = "proof_required"  // this session must first prove again that its owner is there
	NotFound        Code = "not_found"       // there is no such thing, or not for you
	Conflict        Code = "conflict"        // it clashes with what is already there
	Refused         Code = "refused"         // well-formed, but a business rule says no
	Limited         Code = "limited"         // too much, too fast: later
	Unavailable     Code = "unavailable"     // nothing was written; the same request may work later
	Internal        Code = "internal"        // our fault
)

// Field is what is wrong with one field of the input.
type Field struct {
	Name    string `json:"field"`
	Message string `json:"message"`
}

// Error carries a code, a message for people and, for the log only, a cause.
type Error struct {
	Code    Code
	Message string
	Fields  []Field
	cause   error
}

// New makes an error with a message for people.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap keeps cause for the log behind a message for people.
func Wrap(code Code, cause error, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), cause: cause}
}

// At makes an error with a message for people about one field of the input.
func At(code Code, field, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Fields = []Field{{Name: field, Message: e.Message}}
	return e
}

// About says which field of the input an error for people is about, unless it
// says so itself. Other errors stay as they are.
func About(field string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Code == Internal || len(e.Fields) > 0 {
		return err
	}
	about := *e
	about.Fields = []Field{{Name: field, Message: e.Message}}
	return &about
}

// Fields joins field errors into one Invalid error, or returns nil when there
// are none, so that a parser can collect them all and return once.
func Fields(fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		parts[i] = f.Name + ": " + f.Message
	}
	return &Error{Code: Invalid, Message: strings.Join(parts, "; "), Fields: fields}
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

// CodeOf is the code of the outermost *Error in err's chain; Internal for any
// other error, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// MessageOf is what a person may read of err. Internal errors say nothing of
// their inside.
func MessageOf(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Code != Internal {
		return e.Message
	}
	return "Something went wrong on our side."
}

// Is reports whether err carries code.
func Is(err error, code Code) bool { return err != nil && CodeOf(err) == code }
