// Package support is the help desk: members ask, operators answer.
package support

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Status is a ticket's status.
type Status string

const (
	Open    Status = "open"
	Replied Status = "replied"
	Closed  Status = "closed"
)

// Kind is a ticket's kind.
type Kind string

const (
	KindQuery     Kind = "query"
	KindComplaint Kind = "complaint" // it has deadlines
)

// Deadlines of a complaint, counted from its creation.
const (
	AnswerWithin = 48 * time.Hour
	SettleWithin = 30 * 24 * time.Hour
)

// Ticket is a member's query and its state.
type Ticket struct {
	ID         int64
	UID        int64 // of the member
	Kind       Kind
	Query      string
	Reply      string // every answer so far, in order
	Status     Status
	Operator   int64    // of the last answer; 0 for none
	Assignee   actor.By // works on it
	CreatedAt  time.Time
	RepliedAt  time.Time // of the last answer; zero until there is one
	AnsweredAt time.Time // of the first
	ClosedAt   time.Time // zero unless it is closed
	Acts       int64     // number of acts in its thread
}

// Waits reports whether the ticket is pending: it is open, or an answered complaint that
// is not settled.
func (t Ticket) Waits() bool {
	return t.Status == Open || t.Kind == KindComplaint && t.Status != Closed
}

// Due is the next deadline: of a complaint's first answer, then of its settlement. Zero
// for none.
func (t Ticket) Due() time.Time {
	switch {
	case t.Kind != KindComplaint || t.Status == Closed:
		return time.Time{}
	case t.AnsweredAt.IsZero():
		return t.CreatedAt.Add(AnswerWithin)
	}
	return t.CreatedAt.Add(SettleWithin)
}

// Overdue reports whether the deadline has passed.
func (t Ticket) Overdue(now time.Time) bool {
	due := t.Due()
	return !due.IsZero() && due.Before(now)
}

// ActKind is an action on a ticket: a message of the member, or an action of an operator.
type ActKind string

const (
	ActAnswer    ActKind = "answer"
	ActClose     ActKind = "close"
	ActReopen    ActKind = "reopen"
	ActAssign    ActKind = "assign"
	ActComplaint ActKind = "complaint" // makes a query a complaint
	ActMessage   ActKind = "message"   // of the member
)

// Act is one action on a ticket. A message of the member has no operator.
type Act struct {
	Ticket, No int64
	Kind       ActKind
	actor.By
	Text string // the answer, the message, or the reason for reopening
	At   time.Time
}

// Filter selects tickets; zero values are open.
type Filter struct {
	Waiting       bool
	Status        Status
	Kind          Kind
	Overdue       time.Time // the deadline was before this
	Search        string    // a ticket's or member's number, or words of the query and its answers
	Offset, Limit int64
}

// Found is a page of tickets.
type Found struct {
	Tickets []Ticket
	Total   int64 // of all pages
	Partial bool  // the search was cut off: there may be more
}

// DueFirst selects the order of a to-do list: the next deadline first, then tickets
// without one, oldest first. Other lists are newest first.
func (f Filter) DueFirst() bool { return f.Waiting || f.Status == Open || !f.Overdue.IsZero() }

const (
	firstTicket = 100_001
	maxQuery    = 1000
	maxReply    = 4000
	maxAnswers  = 20
	maxMessages = 20
	maxReason   = 200
	maxSearch   = 100
	maxOpen     = 20
	maxSize     = 500
	maxPage     = 1_000_000
)

// Messages; screens match on the first.
const (
	TextQueryRequired = "Query is required"
	TextQueryLong     = "Query should not be greater than 1000 characters"
	TextQueryControl  = "Query must not have control characters"

	textReplyRequired = "Reply is required"
	textReplyLong     = "Reply should not be greater than 4000 characters"
	textReplyControl  = "Reply must not have control characters"
	textKind          = "A ticket is a query or a complaint."
	textTooManyOpen   = "You have 20 open queries. Please wait for a reply before you send another."
	textNoTicket      = "There is no ticket with this id."
	textChanged       = "This ticket has changed in the meantime. Reload it."
	textManyAnswers   = "This ticket has 20 answers: close it, and ask the member to open another."
	textManyMessages  = "You have sent 20 messages in this ticket. Please open another one."
	textMemberClosed  = "This ticket is closed. Please open another one."
	textUnanswered    = "Nobody has answered this ticket yet: answer it before you close it."
	textClosed        = "This ticket is closed: reopen it first."
	textNotClosed     = "This ticket is not closed."
	textAssigned      = "This ticket is yours already."
	textComplaint     = "This ticket is a complaint already."
	textNoOperator    = "Only an operator can do that."
	textPage          = "page is at least 1, size is 1 to 500."
	textSearch        = "Search for up to 100 characters."
	textWords         = "Search for up to 8 words."
	textReason        = "State the reason in 5 to 200 characters, on one line."
)

// ParseQuery parses a member's query. Invalid, at the field query, if it is blank, has
// more than 1000 characters, or control characters other than line breaks.
func ParseQuery(s string) (string, error) {
	return parseText(s, "query", maxQuery, queryTexts)
}

// ParseReply parses an operator's answer. Invalid, at the field reply, as for ParseQuery,
// with a limit of 4000 characters.
func ParseReply(s string) (string, error) {
	return parseText(s, "reply", maxReply, replyTexts)
}

// ParseKind parses a ticket's kind; "" is a query. Invalid, at the field kind, for
// anything else.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case "", KindQuery:
		return KindQuery, nil
	case KindComplaint:
		return k, nil
	}
	return "", wrongField("kind", "ticket.kind_unknown", textKind)
}

func parseReason(s string) (string, error) {
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n < 5 || n > maxReason || !utf8.ValidString(s) || strings.ContainsFunc(s, plain.Control) {
		return "", wrongField("reason", "approval.reason_5_200", textReason)
	}
	return s, nil
}

// textTexts are the errors about one kind of text, by the field's name.
type textTexts struct{ required, long, control func(field string) error }

var (
	queryTexts = textTexts{
		func(f string) error { return wrongField(f, "ticket.query_required", TextQueryRequired) },
		func(f string) error { return wrongField(f, "ticket.query_long", TextQueryLong) },
		func(f string) error { return wrongField(f, "ticket.query_control", TextQueryControl) },
	}
	replyTexts = textTexts{
		func(f string) error { return wrongField(f, "ticket.reply_required", textReplyRequired) },
		func(f string) error { return wrongField(f, "ticket.reply_long", textReplyLong) },
		func(f string) error { return wrongField(f, "ticket.reply_control", textReplyControl) },
	}
)

// parseText reads lines of text. The error's message is the text alone:
// screens show it as the outcome.
func parseText(s, field string, most int, texts textTexts) (string, error) {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	switch {
	case s == "":
		return "", texts.required(field)
	case !utf8.ValidString(s), strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && plain.Control(r) }):
		return "", texts.control(field)
	case utf8.RuneCountInString(s) > most:
		return "", texts.long(field)
	}
	return s, nil
}

// wrongField has the sentence alone as its message: screens show it as the outcome.
func wrongField(name, code, text string) error { return errs.At(errs.Invalid, name, code, text) }
