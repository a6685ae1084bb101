package auth

import (
	"context"
	"errors"
	"strconv"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// LoginRequest is a member who wants in.
type LoginRequest struct {
	UID      int64
	Password string
	From
}

// Login opens a member's session. A temporary password opens one too, once and
// before its time is up; it then takes the place of the password until it is
// changed, but signs nobody in again.
//
// An unknown id and a wrong password give the same error after the same work:
// two verifications, of dummies where there is nothing to verify, and one durable
// write of the wrong try.
//
// Errors: ErrWrongPassword; Limited, with RetryAfter, after too many wrong
// tries or while too many sign in; Unavailable.
func (s *Service) Login(ctx context.Context, r LoginRequest) (Grant, error) {
	try, err := s.throttle.take(ctx, memberKey(r.UID), r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.login(ctx, r, try)
	err = s.settle(ctx, try, err, ErrWrongPassword)
	if errors.Is(err, ErrWrongPassword) {
		s.log.Info("auth: wrong password", "uid", r.UID, "peer", r.Peer)
	}
	return grant, err
}

func memberKey(uid int64) string { return "member " + strconv.FormatInt(uid, 10) }

func (s *Service) login(ctx context.Context, r LoginRequest, y try) (Grant, error) {
	c, _, err := s.store.Credential(ctx, r.UID)
	if err != nil {
		return Grant{}, unreadable(err)
	}
	password := c.Password
	if c.MustChange {
		password = ""
	}
	ok, err := s.hasher.Verify(ctx, password, r.Password)
	if err != nil {
		return Grant{}, err
	}
	byTemporary := false
	if !ok {
		temporary := c.Temporary
		if !s.clock.Latest().Before(c.TemporaryUntil) {
			temporary = ""
		}
		if ok, err = s.hasher.Verify(ctx, temporary, r.Password); err != nil {
			return Grant{}, err
		}
		byTemporary = ok
	}
	if !ok {
		return Grant{}, ErrWrongPassword
	}
	if err := s.askChain(ctx, c); err != nil {
		return Grant{}, err
	}
	return answer(ctx, s, func(ctx context.Context, _ *ledger.Tx, rows ledger.Rows) (Grant, error) {
		if err := s.throttle.forgive(ctx, rows, y); err != nil {
			return Grant{}, err
		}
		return s.admit(ctx, rows, r, c, byTemporary)
	})
}

// admit opens the session of a member whose password, or temporary password,
// was verified against c: if c still stands.
func (s *Service) admit(ctx context.Context, rows ledger.Rows, r LoginRequest, c CredentialRow, byTemporary bool) (Grant, error) {
	now, found, err := s.credentialIn(ctx, rows, r.UID)
	if err != nil {
		return Grant{}, err
	}
	same := now.Password == c.Password && now.MustChange == c.MustChange
	if byTemporary {
		same = now.Temporary == c.Temporary && s.clock.Latest().Before(now.TemporaryUntil)
	}
	if !found || !same {
		return Grant{}, ErrWrongPassword
	}
	if byTemporary {
		now.Password, now.MustChange = now.Temporary, true
	}
	if now.Temporary != "" || len(now.Reset) > 0 {
		now.clearTemporary()
		if err := s.putCredential(ctx, rows, now); err != nil {
			return Grant{}, err
		}
	}
	return s.open(ctx, rows, Session{Kind: KindMember, Owner: r.UID, MustChange: byTemporary}, r.From)
}

// putCredential writes a row over one that is what the signed chain says.
func (s *Service) putCredential(ctx context.Context, rows ledger.Rows, c CredentialRow) error {
	return swapped(s.store.PutCredential(ctx, rows, c))
}

// askChain holds a credential against the chain before the command that goes by it,
// so that this need not. What was changed past the product is found there, which
// makes money stand still.
func (s *Service) askChain(ctx context.Context, c CredentialRow) error {
	if _, err := s.store.VouchedCredential(ctx, nil, c); err != nil && !errors.As(err, new(*ledger.TamperedError)) {
		return unreadable(err)
	}
	return nil
}

// credentialIn reads a credential that is what the signed chain says of it.
func (s *Service) credentialIn(ctx context.Context, rows ledger.Rows, uid int64) (CredentialRow, bool, error) {
	c, found, err := s.store.CredentialIn(ctx, rows, uid)
	return c, found, swapped(err)
}

// swapped tells a member whose password was changed past the product whom to ask.
// What was found stays the cause, for which money stands still.
func swapped(err error) error {
	if errors.As(err, new(*ledger.TamperedError)) {
		return errs.Wrap(errs.Conflict, err, "Your password or transaction password was changed by somebody who may not. Nothing is done until that is cleared up: contact support.")
	}
	return err
}

func unreadable(cause error) error {
	return errs.Wrap(errs.Unavailable, cause, "The database does not answer. Try again in a moment.")
}
