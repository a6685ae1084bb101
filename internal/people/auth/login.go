package auth

import (
	"context"
	"errors"
	"net/netip"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// LoginRequest is a member's sign-in.
type LoginRequest struct {
	UID      int64
	Password string
	From
}

// Login opens a member's session. A temporary password opens one too, once and before
// it expires; it then replaces the password until that is changed, but does not sign
// in again.
//
// An unknown id and a wrong password give the same error after the same work: two
// verifications, of dummies if necessary, and one durable write of the attempt.
//
// A member with a second factor gets a grant with Second set instead of a session, and
// continues with LoginSecond.
//
// Errors: ErrWrongPassword; Limited, with RetryAfter, after too many wrong
// tries or while too many sign in; Unavailable.
func (s *Service) Login(ctx context.Context, r LoginRequest) (Grant, error) {
	if err := s.signInLimits.look(memberKey(r.UID), r.Peer); err != nil {
		return Grant{}, err
	}
	familiar, err := s.familiar(ctx, KindMember, r.UID, r.Peer)
	if err != nil {
		return Grant{}, err
	}
	try, err := s.throttle.takeFrom(ctx, memberKey(r.UID), r.Peer, familiar)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.login(ctx, s.queueFor(familiar, s.anonymous), r, try)
	err = s.settle(ctx, try, err, ErrWrongPassword)
	switch {
	case err == nil && grant.Second == nil:
		s.log.Info("auth: a member signed in", "uid", r.UID, "session", grant.Session.ID, "peer", r.Peer)
	case errors.Is(err, ErrWrongPassword):
		s.log.Info("auth: wrong password", "uid", r.UID, "peer", r.Peer)
	}
	return grant, err
}

// CheckPassword verifies a member's password without opening a session. Wrong passwords
// are counted with those at sign-in; a temporary password is wrong here. Errors: those
// of Login.
func (s *Service) CheckPassword(ctx context.Context, uid int64, password string, peer netip.Addr) error {
	familiar, err := s.familiar(ctx, KindMember, uid, peer)
	if err != nil {
		return err
	}
	try, err := s.throttle.takeFrom(ctx, memberKey(uid), peer, familiar)
	if err != nil {
		return err
	}
	return s.settle(ctx, try, s.checkPassword(ctx, s.queueFor(familiar, s.anonymous), uid, password, try), ErrWrongPassword)
}

func (s *Service) checkPassword(ctx context.Context, h *Hasher, uid int64, password string, y try) error {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return unreadable(err)
	}
	right, err := h.Verify(ctx, c.Password, password)
	if err != nil {
		return err
	}
	if !right || c.MustChange {
		y.miss()
		return ErrWrongPassword
	}
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, _, err := s.credentialIn(ctx, tx, uid)
		if err != nil {
			return err
		}
		if !s.samePassword(c.Password, now.Password, c.PasswordAt, now.PasswordAt) || now.MustChange {
			return ErrWrongPassword
		}
		return s.throttle.forgive(ctx, tx, y)
	})
}

func memberKey(uid int64) string { return "member " + strconv.FormatInt(uid, 10) }

func (s *Service) login(ctx context.Context, h *Hasher, r LoginRequest, y try) (Grant, error) {
	c, _, err := s.store.Credential(ctx, r.UID)
	if err != nil {
		return Grant{}, unreadable(err)
	}
	password := c.Password
	if c.MustChange {
		password = ""
	}
	temporary := c.Temporary
	if !s.clock.Latest().Before(c.TemporaryUntil) {
		temporary = ""
	}
	which, err := h.verifyAny(ctx, r.Password, password, temporary)
	if err != nil {
		return Grant{}, err
	}
	if which < 0 {
		y.miss()
		return Grant{}, ErrWrongPassword
	}
	byTemporary := which == 1
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (Grant, error) {
		if err := s.throttle.forgive(ctx, tx, y); err != nil {
			return Grant{}, err
		}
		return s.admit(ctx, tx, r, c, byTemporary)
	})
	if err != nil {
		return Grant{}, err
	}
	s.signInLimits.count(memberKey(r.UID), r.Peer)
	if !byTemporary {
		s.renewPassword(ctx, h, c, r.Password)
	}
	return grant, nil
}

// admit opens the session of a member whose password, or temporary password, was
// verified against c, if c did not change since.
func (s *Service) admit(ctx context.Context, tx *ledger.Tx, r LoginRequest, c CredentialRow, byTemporary bool) (Grant, error) {
	now, found, err := s.credentialIn(ctx, tx, r.UID)
	if err != nil {
		return Grant{}, err
	}
	same := s.samePassword(c.Password, now.Password, c.PasswordAt, now.PasswordAt) && now.MustChange == c.MustChange
	if byTemporary {
		same = now.Temporary == c.Temporary && s.clock.Latest().Before(now.TemporaryUntil)
	}
	if !found || !same {
		return Grant{}, ErrWrongPassword
	}
	if !now.FactorSet.IsZero() {
		return s.beginSecond(ctx, tx, now, byTemporary)
	}
	return s.enter(ctx, tx, now, byTemporary, r.From)
}

// enter opens the session of a fully verified member. A temporary password is consumed.
func (s *Service) enter(ctx context.Context, tx *ledger.Tx, c CredentialRow, byTemporary bool, from From) (Grant, error) {
	if byTemporary {
		c.Password, c.MustChange = c.Temporary, true
	}
	if c.Temporary != "" || len(c.Reset) > 0 {
		c.clearTemporary()
		if err := s.putCredential(ctx, tx, c); err != nil {
			return Grant{}, err
		}
	}
	return s.open(ctx, tx, Session{Kind: KindMember, Owner: c.UID, MustChange: byTemporary}, from)
}

// putCredential writes a row over one that matches the signed chain.
func (s *Service) putCredential(ctx context.Context, tx *ledger.Tx, c CredentialRow) error {
	return asTampered(s.store.PutCredential(ctx, tx, c))
}

// credentialIn reads a credential that matches the signed chain.
func (s *Service) credentialIn(ctx context.Context, tx *ledger.Tx, uid int64) (CredentialRow, bool, error) {
	c, found, err := s.store.CredentialIn(ctx, tx, uid)
	return c, found, asTampered(err)
}

// asTampered tells a member whose password was changed outside the server to contact
// support. The cause stays wrapped: it freezes payments.
func asTampered(err error) error {
	if errors.As(err, new(*ledger.TamperedError)) {
		return errs.Wrap(errs.Conflict, err, "auth.credentials_tampered", "Your password or transaction password was changed by somebody who may not. Nothing is done until that is cleared up: contact support.")
	}
	return err
}

func unreadable(cause error) error {
	return errs.Wrap(errs.Unavailable, cause, "auth.database_silent", "The database does not answer. Try again in a moment.")
}
