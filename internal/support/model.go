// Package support is the help desk: members ask, operators reply.
package support

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/errs"
)

// Status is where a ticket stands.
type Status string

const (
	Open    Status = "open"
	Replied Status = "replied"
)

// Ticket is a member's query and the operator's reply, if there is one.
type Ticket struct {
	ID        int64
	UID       int64 // who asked
	Query     string
	Reply     string
	Status    Status
	Operator  int64 // who replied; 0 for nobody
	CreatedAt time.Time
	RepliedAt time.Time // zero until there is a reply
}

const (
	firstTicket = 100_001
	maxQuery    = 1000
	maxReply    = 4000
	maxOpen     = 20
	maxSize     = 500
	maxPage     = 1_000_000
)

// What people are told; screens match on the first.
const (
	TextQueryRequired = "Query is required"
	TextQueryLong     = "Query should not be greater than 1000 characters"
	TextQueryControl  = "Query must not have control characters"

	textReplyRequired = "Reply is required"
	textReplyLong     = "Reply should not be greater than 4000 characters"
	textReplyControl  = "Reply must not have control characters"
	textTooManyOpen   = "You have 20 queries that wait for a reply. Please wait for one before you send another."
	textNoTicket      = "There is no ticket with this id."
	textAnswered      = "This ticket has been answered already."
	textNoOperator    = "Only an operator can reply."
	textPage          = "page is at least 1, size is 1 to 500."
)

// ParseQuery reads what a member asks. Invalid, naming the field query, if it
// is blank, has more than 1000 characters, or has control characters other
// than line breaks.
func ParseQuery(s string) (string, error) {
	return parseText(s, "query", maxQuery, TextQueryRequired, TextQueryLong, TextQueryControl)
}

// ParseReply reads what an operator replies. Invalid, naming the field reply,
// in the same cases as ParseQuery, with room for 4000 characters.
func ParseReply(s string) (string, error) {
	return parseText(s, "reply", maxReply, textReplyRequired, textReplyLong, textReplyControl)
}

// parseText reads lines of text. The error's message is the text alone:
// screens show it as the outcome.
func parseText(s, field string, most int, required, long, control string) (string, error) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	var wrong string
	switch {
	case s == "":
		wrong = required
	case !utf8.ValidString(s), strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }):
		wrong = control
	case utf8.RuneCountInString(s) > most:
		wrong = long
	default:
		return s, nil
	}
	return "", &errs.Error{Code: errs.Invalid, Message: wrong, Fields: []errs.Field{{Name: field, Message: wrong}}}
}
