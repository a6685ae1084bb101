package support

import (
	"context"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Options of a Service.
type Options struct {
	Store Store
}

// Service is what can be done at the help desk. What takes rows runs inside a
// command of the caller, who has made sure that the asker may.
type Service struct{ store Store }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt.Store} }

// Ask opens a ticket of the member uid. Invalid as ParseQuery says; Refused if
// the member has 20 open tickets.
func (s *Service) Ask(ctx context.Context, tx *ledger.Tx, uid int64, kind Kind, query string, at time.Time) (Ticket, error) {
	query, err := ParseQuery(query)
	if err != nil {
		return Ticket{}, err
	}
	open, err := s.store.CountOpen(ctx, tx, uid)
	if err != nil {
		return Ticket{}, err
	}
	if open >= maxOpen {
		return Ticket{}, errs.New(errs.Refused, "ticket.too_many_open", textTooManyOpen)
	}
	last, err := s.store.Last(ctx, tx)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{ID: max(last+1, firstTicket), UID: uid, Kind: kind, Query: query, Status: Open, CreatedAt: at}
	return t, s.store.Add(ctx, tx, t)
}

// Step is what an operator does about a ticket. Seen is how many acts its
// thread had when they looked at it.
type Step struct {
	Ticket, Seen int64
	By           actor.By
	At           time.Time
}

// do reads the ticket, lets change say what becomes of it, and writes it with
// the act. change may refuse.
//
// Errors: Forbidden if the operator is nobody; NotFound if there is no such
// ticket; Conflict if the thread has changed since it was seen, so that two
// operators do not do the same thing twice.
func (s *Service) do(ctx context.Context, tx *ledger.Tx, x Step, kind ActKind, text string, change func(t *Ticket) error) (was, is Ticket, err error) {
	if x.By.Operator <= 0 {
		return was, is, errs.New(errs.Forbidden, "ticket.operators_only", textNoOperator)
	}
	was, found, err := s.store.Get(ctx, tx, x.Ticket)
	switch {
	case err != nil:
		return was, is, err
	case !found:
		return was, is, errs.New(errs.NotFound, "ticket.not_found", textNoTicket)
	case was.Acts != x.Seen:
		return was, is, errs.New(errs.Conflict, "ticket.changed_meanwhile", textChanged)
	}
	is = was
	if err := change(&is); err != nil {
		return was, is, err
	}
	is.Acts++
	return was, is, s.store.Save(ctx, tx, is, Act{Ticket: is.ID, No: is.Acts, Kind: kind, By: x.By, Text: text, At: x.At})
}

// Answer tells the member something: the ticket is replied from then on.
// Invalid as ParseReply says; Conflict if it is closed; Refused after 20
// answers; otherwise as do says.
func (s *Service) Answer(ctx context.Context, tx *ledger.Tx, x Step, text string) (was, is Ticket, err error) {
	if text, err = ParseReply(text); err != nil {
		return was, is, err
	}
	return s.do(ctx, tx, x, ActAnswer, text, func(t *Ticket) error {
		answers, err := s.store.CountAnswers(ctx, tx, t.ID)
		switch {
		case err != nil:
			return err
		case t.Status == Closed:
			return errs.New(errs.Conflict, "ticket.closed", textClosed)
		case answers >= maxAnswers:
			return errs.New(errs.Refused, "ticket.too_many_answers", textManyAnswers)
		}
		// What the member was told before stays where the member looks.
		t.Reply = strings.TrimPrefix(t.Reply+"\n\n"+text, "\n\n")
		t.Status, t.Operator, t.RepliedAt = Replied, x.By.Operator, x.At
		if t.AnsweredAt.IsZero() {
			t.AnsweredAt = x.At
		}
		return nil
	})
}

// Close settles a ticket that has been answered. Refused if nobody has
// answered it; Conflict if it is closed; otherwise as do says.
func (s *Service) Close(ctx context.Context, tx *ledger.Tx, x Step) (was, is Ticket, err error) {
	return s.do(ctx, tx, x, ActClose, "", func(t *Ticket) error {
		switch {
		case t.Status == Closed:
			return errs.New(errs.Conflict, "ticket.closed", textClosed)
		case t.AnsweredAt.IsZero():
			return errs.New(errs.Refused, "ticket.unanswered", textUnanswered)
		}
		t.Status, t.ClosedAt = Closed, x.At
		return nil
	})
}

// Reopen makes a closed ticket open again; a complaint's clocks still count
// from when it was made. Invalid for a reason that says nothing; Conflict if it
// is not closed; otherwise as do says.
func (s *Service) Reopen(ctx context.Context, tx *ledger.Tx, x Step, reason string) (was, is Ticket, err error) {
	if reason, err = parseReason(reason); err != nil {
		return was, is, err
	}
	return s.do(ctx, tx, x, ActReopen, reason, func(t *Ticket) error {
		if t.Status != Closed {
			return errs.New(errs.Conflict, "ticket.not_closed", textNotClosed)
		}
		t.Status, t.ClosedAt = Open, time.Time{}
		return nil
	})
}

// Assign makes the operator the one who works on a ticket, whoever did before.
// Conflict if they are already, or it is closed; otherwise as do says.
func (s *Service) Assign(ctx context.Context, tx *ledger.Tx, x Step) (was, is Ticket, err error) {
	return s.do(ctx, tx, x, ActAssign, "", func(t *Ticket) error {
		switch {
		case t.Status == Closed:
			return errs.New(errs.Conflict, "ticket.closed", textClosed)
		case t.Assignee.Operator == x.By.Operator:
			return errs.New(errs.Conflict, "ticket.yours_already", textAssigned)
		}
		t.Assignee = x.By
		return nil
	})
}

// Complaint makes a query a complaint, with its clocks from when it was made.
// There is no way back: it would stop them. Conflict if it is one, or is closed;
// otherwise as do says.
func (s *Service) Complaint(ctx context.Context, tx *ledger.Tx, x Step) (was, is Ticket, err error) {
	return s.do(ctx, tx, x, ActComplaint, "", func(t *Ticket) error {
		switch {
		case t.Status == Closed:
			return errs.New(errs.Conflict, "ticket.closed", textClosed)
		case t.Kind == KindComplaint:
			return errs.New(errs.Conflict, "ticket.complaint_already", textComplaint)
		}
		t.Kind = KindComplaint
		return nil
	})
}

// History lists a member's tickets, newest first, and how many there are in
// all. page counts from 1; Invalid if it is less, or if size is not 1 to 500.
func (s *Service) History(ctx context.Context, uid, page, size int64) ([]Ticket, int64, error) {
	if page < 1 || page > maxPage || size < 1 || size > maxSize {
		return nil, 0, errs.New(errs.Invalid, "ticket.page", textPage)
	}
	return s.store.History(ctx, uid, (page-1)*size, size)
}

// Find lists tickets of all members, and how many there are in all. Invalid,
// naming the field q, for a search that is too long.
func (s *Service) Find(ctx context.Context, f Filter) (Found, error) {
	f.Search = strings.TrimSpace(f.Search)
	if utf8.RuneCountInString(f.Search) > maxSearch || !utf8.ValidString(f.Search) || strings.ContainsFunc(f.Search, plain.Control) {
		return Found{}, wrongField("q", "ticket.search_length", textSearch)
	}
	if len(f.Words()) > maxWords {
		return Found{}, wrongField("q", "ticket.search_words", textWords)
	}
	return s.store.Find(ctx, f)
}

// Thread is a ticket with what was done about it, in order. NotFound if there
// is none.
func (s *Service) Thread(ctx context.Context, id int64) (Ticket, []Act, error) {
	t, acts, found, err := s.store.Thread(ctx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "ticket.not_found", textNoTicket)
	}
	return t, acts, err
}

// Each gives all of a member's tickets, newest first, by pages that go on after
// the last ticket of the one before: none comes twice.
func (s *Service) Each(ctx context.Context, uid int64, yield func(Ticket) error) error {
	for before := int64(math.MaxInt64); ; {
		all, err := s.store.Before(ctx, uid, before, maxSize)
		if err != nil {
			return err
		}
		for _, t := range all {
			if err := yield(t); err != nil {
				return err
			}
			before = t.ID
		}
		if len(all) < maxSize {
			return nil
		}
	}
}
