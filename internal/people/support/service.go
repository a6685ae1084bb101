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

// Options configures a Service.
type Options struct {
	Store Store
}

// Service is the help desk. Methods with a tx run within a command of the caller, who
// has checked permissions.
type Service struct{ store Store }

func New(opt Options) *Service { return &Service{opt.Store} }

// Ask opens a ticket of the member uid. Invalid as for ParseQuery; Refused if the member
// has 20 open tickets.
func (s *Service) Ask(ctx context.Context, tx *ledger.Tx, uid int64, kind Kind, query string, at time.Time) (Ticket, error) {
	query, err := ParseQuery(query)
	if err != nil {
		return Ticket{}, err
	}
	if err := s.mayOpen(ctx, tx, uid); err != nil {
		return Ticket{}, err
	}
	last, err := s.store.Last(ctx, tx)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{ID: max(last+1, firstTicket), UID: uid, Kind: kind, Query: query, Status: Open, CreatedAt: at}
	return t, s.store.Add(ctx, tx, t)
}

// Say adds a message of the member uid to the member's ticket, which is open then.
//
// Errors: Invalid as for ParseQuery; NotFound if the member has no such ticket; Refused if
// it is closed, has 20 messages of the member, or the member has 20 open tickets.
func (s *Service) Say(ctx context.Context, tx *ledger.Tx, uid, ticket int64, text string, at time.Time) error {
	text, err := ParseQuery(text)
	if err != nil {
		return err
	}
	t, found, err := s.store.Get(ctx, tx, ticket)
	switch {
	case err != nil:
		return err
	case !found || t.UID != uid:
		return errs.New(errs.NotFound, "ticket.not_found", textNoTicket)
	case t.Status == Closed:
		return errs.New(errs.Refused, "ticket.closed_for_member", textMemberClosed)
	}
	said, err := s.store.CountActs(ctx, tx, t.ID, ActMessage)
	if err != nil {
		return err
	}
	if said >= maxMessages {
		return errs.New(errs.Refused, "ticket.too_many_messages", textManyMessages)
	}
	if t.Status != Open {
		if err := s.mayOpen(ctx, tx, uid); err != nil {
			return err
		}
	}
	t.Status = Open
	t.Acts++
	return s.store.Save(ctx, tx, t, Act{Ticket: t.ID, No: t.Acts, Kind: ActMessage, Text: text, At: at})
}

// mayOpen returns Refused if the member has 20 open tickets.
func (s *Service) mayOpen(ctx context.Context, tx *ledger.Tx, uid int64) error {
	open, err := s.store.CountOpen(ctx, tx, uid)
	if err == nil && open >= maxOpen {
		err = errs.New(errs.Refused, "ticket.too_many_open", textTooManyOpen)
	}
	return err
}

// Step is an operator's action on a ticket. Seen is the number of acts in the thread that
// the operator saw.
type Step struct {
	Ticket, Seen int64
	By           actor.By
	At           time.Time
}

// do reads the ticket, applies change, which may refuse, and writes it with the act.
//
// Errors: Forbidden without an operator; NotFound if there is no such ticket; Conflict if
// the thread has changed since it was seen, so that two operators do not do the same
// thing twice.
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

// Answer replies to the member. Invalid as for ParseReply; Conflict if the ticket is
// closed; Refused after 20 answers; otherwise as for do.
func (s *Service) Answer(ctx context.Context, tx *ledger.Tx, x Step, text string) (was, is Ticket, err error) {
	if text, err = ParseReply(text); err != nil {
		return was, is, err
	}
	return s.do(ctx, tx, x, ActAnswer, text, func(t *Ticket) error {
		answers, err := s.store.CountActs(ctx, tx, t.ID, ActAnswer)
		switch {
		case err != nil:
			return err
		case t.Status == Closed:
			return errs.New(errs.Conflict, "ticket.closed", textClosed)
		case answers >= maxAnswers:
			return errs.New(errs.Refused, "ticket.too_many_answers", textManyAnswers)
		}
		// Earlier answers stay visible to the member.
		t.Reply = strings.TrimPrefix(t.Reply+"\n\n"+text, "\n\n")
		t.Status, t.Operator, t.RepliedAt = Replied, x.By.Operator, x.At
		if t.AnsweredAt.IsZero() {
			t.AnsweredAt = x.At
		}
		return nil
	})
}

// Close closes an answered ticket. Refused if nobody answered it; Conflict if it is
// closed; otherwise as for do.
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

// Reopen opens a closed ticket again; a complaint's deadlines still count from its
// creation. Invalid for an unusable reason; Conflict if it is not closed; otherwise as
// for do.
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

// Assign assigns a ticket to the operator, in place of an earlier assignee. Conflict if
// they have it already, or it is closed; otherwise as for do.
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

// Complaint makes a query a complaint, with its deadlines from its creation. It cannot be
// undone, because that would stop the deadlines. Conflict if it is one, or is closed;
// otherwise as for do.
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

// History lists a member's tickets, newest first, and returns their total. page counts
// from 1; Invalid if it is less, or if size is not 1 to 500.
func (s *Service) History(ctx context.Context, uid, page, size int64) ([]Ticket, int64, error) {
	if page < 1 || page > maxPage || size < 1 || size > maxSize {
		return nil, 0, errs.New(errs.Invalid, "ticket.page", textPage)
	}
	return s.store.History(ctx, uid, (page-1)*size, size)
}

// Find lists tickets of all members and returns their total. Invalid, at the field q, for
// a search that is too long.
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

// Thread is a ticket with its acts, in order. NotFound if there is none.
func (s *Service) Thread(ctx context.Context, id int64) (Ticket, []Act, error) {
	t, acts, found, err := s.store.Thread(ctx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "ticket.not_found", textNoTicket)
	}
	return t, acts, err
}

// ThreadOf is Thread for the member uid. NotFound for another member's ticket too.
func (s *Service) ThreadOf(ctx context.Context, uid, id int64) (Ticket, []Act, error) {
	t, acts, err := s.Thread(ctx, id)
	if err == nil && t.UID != uid {
		return Ticket{}, nil, errs.New(errs.NotFound, "ticket.not_found", textNoTicket)
	}
	return t, acts, err
}

// Each yields all of a member's tickets, newest first. It reads in batches, each starting
// after the last ticket of the one before: none comes twice.
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
