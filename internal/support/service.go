package support

import (
	"context"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
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
func (s *Service) Ask(ctx context.Context, rows ledger.Rows, uid int64, query string, at time.Time) (Ticket, error) {
	query, err := ParseQuery(query)
	if err != nil {
		return Ticket{}, err
	}
	open, err := s.store.CountOpen(ctx, rows, uid)
	if err != nil {
		return Ticket{}, err
	}
	if open >= maxOpen {
		return Ticket{}, errs.New(errs.Refused, textTooManyOpen)
	}
	last, err := s.store.Last(ctx, rows)
	if err != nil {
		return Ticket{}, err
	}
	t := Ticket{ID: max(last+1, firstTicket), UID: uid, Query: query, Status: Open, CreatedAt: at}
	return t, s.store.Add(ctx, rows, t)
}

// Reply answers an open ticket. Invalid as ParseReply says; Forbidden if
// operator is nobody; NotFound if there is no such ticket; Conflict if it has
// been answered, so that two operators do not overwrite each other.
func (s *Service) Reply(ctx context.Context, rows ledger.Rows, ticket, operator int64, text string, at time.Time) (Ticket, error) {
	text, err := ParseReply(text)
	if err != nil {
		return Ticket{}, err
	}
	if operator <= 0 {
		return Ticket{}, errs.New(errs.Forbidden, textNoOperator)
	}
	t, ok, err := s.store.Get(ctx, rows, ticket)
	switch {
	case err != nil:
		return Ticket{}, err
	case !ok:
		return Ticket{}, errs.New(errs.NotFound, textNoTicket)
	case t.Status != Open:
		return Ticket{}, errs.New(errs.Conflict, textAnswered)
	}
	t.Reply, t.Status, t.Operator, t.RepliedAt = text, Replied, operator, at
	return t, s.store.SaveReply(ctx, rows, t)
}

// History lists a member's tickets, newest first, and how many there are in
// all. page counts from 1; Invalid if it is less, or if size is not 1 to 500.
func (s *Service) History(ctx context.Context, uid, page, size int64) ([]Ticket, int64, error) {
	if page < 1 || page > maxPage || size < 1 || size > maxSize {
		return nil, 0, errs.New(errs.Invalid, textPage)
	}
	return s.store.History(ctx, uid, (page-1)*size, size)
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
