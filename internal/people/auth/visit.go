package auth

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

const (
	ticketLife = 2 * time.Minute
	minReason  = 5
	maxReason  = 200
)

// MintTicket makes a one-time ticket, valid for two minutes, by which the operator
// impersonates the member. It is stored and recorded with the reason.
//
// Errors: Forbidden unless the session is of an operator whose role may impersonate;
// Invalid if the reason is not 5 to 200 characters; NotFound if there is no such member.
func (s *Service) MintTicket(ctx context.Context, operator Session, uid int64, reason string) (enpass string, err error) {
	if operator.Kind != KindOperator || !operator.Role.MayVisit() {
		return "", errMayNotVisit
	}
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n < minReason || n > maxReason || !plain.Printable(reason) {
		return "", errs.BadField("reason", "auth.visit_reason", "State the reason in 5 to 200 characters, on one line")
	}
	now := s.clock.Latest()
	t := TicketRow{ID: newID(), UID: uid, Operator: operator.Operator, Reason: reason, Created: now, Expires: now.Add(ticketLife)}
	if enpass, err = s.tickets.sign(KindVisit, t.ID, t.UID, t.Operator, t.Expires); err != nil {
		return "", err
	}
	err = s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		o, err := s.visitor(ctx, tx, t.Operator, errMayNotVisit)
		if err != nil {
			return err
		}
		if c, found, err := s.credentialIn(ctx, tx, uid); err != nil {
			return err
		} else if !found || c.Password == erasedHash {
			return errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")
		}
		if err := s.store.AddTicket(ctx, tx, t); err != nil {
			return err
		}
		return s.record(ctx, tx, Act{Operator: o.ID, Name: o.Email, Kind: "visit ticket", Member: uid, Became: map[string]any{"ticket": t.ID, "until": t.Expires}, Reason: reason})
	})
	if err != nil {
		return "", err
	}
	s.log.Info("auth: visit ticket minted", "ticket", t.ID, "operator", t.Operator, "uid", uid, "reason", reason)
	return enpass, nil
}

var errMayNotVisit = errs.New(errs.Forbidden, "operator.visit_not_allowed", "Your role may not enter members' sessions.")

// visitor is the operator, or the error no if they ended or their role may not
// impersonate.
func (s *Service) visitor(ctx context.Context, tx *ledger.Tx, operator int64, no error) (OperatorRow, error) {
	o, found, err := s.store.OperatorIn(ctx, tx, operator)
	if err == nil && (!found || !o.Ended.IsZero() || !o.Role.MayVisit()) {
		err = no
	}
	return o, err
}

// VisitRequest is an operator's request with a ticket.
type VisitRequest struct {
	UID    int64
	Enpass string // blanks in it are restored to the + they were
	From
}

// Visit opens a session of the member for the operator who minted the ticket, and
// consumes the ticket. The session names the operator and the reason.
//
// Errors: ErrWrongTicket for every failure; Limited, with RetryAfter, after too many
// wrong ones from one address; Unavailable.
func (s *Service) Visit(ctx context.Context, r VisitRequest) (Grant, error) {
	try, err := s.throttle.take(ctx, "", r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.visit(ctx, r)
	try.end(err, ErrWrongTicket)
	switch {
	case err == nil:
		s.log.Info("auth: an operator visits", "session", grant.Session.ID, "operator", grant.Session.Operator, "uid", r.UID, "reason", grant.Session.Reason, "peer", r.Peer)
	case errors.Is(err, ErrWrongTicket):
		s.log.Warn("auth: wrong visit ticket", "uid", r.UID, "peer", r.Peer)
	}
	return grant, err
}

func (s *Service) visit(ctx context.Context, r VisitRequest) (Grant, error) {
	c, ok := s.tickets.read(strings.ReplaceAll(r.Enpass, " ", "+"))
	if !ok || !c.about(KindVisit, r.UID, c.Operator) {
		return Grant{}, ErrWrongTicket
	}
	return answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (Grant, error) {
		t, found, err := s.store.TicketIn(ctx, tx, c.ID)
		if err != nil {
			return Grant{}, err
		}
		now := s.clock.Latest()
		if !found || t.UID != r.UID || t.Operator != c.Operator || !t.Used.IsZero() || !now.Before(t.Expires) {
			return Grant{}, ErrWrongTicket
		}
		o, err := s.visitor(ctx, tx, t.Operator, ErrWrongTicket)
		if err != nil {
			return Grant{}, err
		}
		if err := s.store.UseTicket(ctx, tx, t.ID, now); err != nil {
			return Grant{}, err
		}
		if err := s.record(ctx, tx, Act{Operator: o.ID, Name: o.Email, Kind: "visit", Member: t.UID, Became: map[string]any{"ticket": t.ID, "address": r.Peer.String()}, Reason: t.Reason}); err != nil {
			return Grant{}, err
		}
		return s.open(ctx, tx, Session{Kind: KindVisit, Owner: t.UID, Operator: t.Operator, Role: o.Role, Reason: t.Reason}, r.From)
	})
}
