package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// ErrWrongSecond is the answer to a wrong code or passkey at the second step.
var ErrWrongSecond = errs.New(errs.Refused, "auth.wrong_second_step", "This code or passkey is wrong. Each code is good once; after five wrong codes none is taken for 15 minutes.")

// ErrSecondOver is the answer to a second step that comes too late, or after the
// password or the second factor changed.
var ErrSecondOver = errs.New(errs.Refused, "auth.sign_in_expired", "This sign-in has run out. Enter your user id and password again.")

// SecondStep is the browser's input for the second step of signing in.
type SecondStep struct {
	SignInOptions      // Have is empty if there is no passkey
	App           bool // a code of an app, or a recovery code, is accepted
	Until         time.Time
}

// byPassword and byTemporary bind a second step to the secret of the first, so that a
// change of the secret voids the step. A password is identified by the time it was set,
// because it may be rehashed meanwhile.
func byPassword(c CredentialRow) []byte {
	return fmt.Appendf(nil, "password %d %t", c.PasswordAt.UnixMicro(), c.MustChange)
}

func byTemporary(c CredentialRow) []byte { return []byte("temporary " + c.Temporary) }

// beginSecond begins the second step after a right password.
func (s *Service) beginSecond(ctx context.Context, tx *ledger.Tx, c CredentialRow, temporary bool) (Grant, error) {
	o := ofMember(c.UID)
	h, err := s.readHolder(ctx, tx, o)
	if err != nil {
		return Grant{}, err
	}
	step := &SecondStep{App: len(h.factor.Secret) > 0}
	if s.passkeys != nil {
		step.Site = s.opt.Site
		if step.Have, err = s.store.Passkeys(ctx, tx, o); err != nil {
			return Grant{}, err
		}
	}
	w := s.newChallenge(flowSecond, o, "")
	step.Flow, step.Challenge, step.Until = w.ID, w.Challenge, w.Expires
	subject := byPassword(c)
	if temporary {
		subject = byTemporary(c)
	}
	return Grant{Second: step}, s.addChallenge(ctx, tx, w, subject)
}

// SecondLogin is a member's second step.
type SecondLogin struct {
	Flow    string
	Code    string     // of the app, or a recovery code
	Passkey *Assertion // takes precedence over Code
	From
}

// LoginSecond opens the session after the second step. A wrong code can be retried,
// five times in all; a wrong passkey ends the sign-in.
//
// Errors: ErrWrongSecond; ErrSecondOver; Limited, with RetryAfter, while codes are
// locked or after too many tries; Unavailable.
func (s *Service) LoginSecond(ctx context.Context, r SecondLogin) (Grant, error) {
	w, err := s.pendingChallenge(ctx, r.Flow, flowSecond)
	if err != nil {
		return Grant{}, err
	}
	account := ""
	if w.ID != "" {
		account = "second " + w.String()
	}
	try, err := s.throttle.take(ctx, account, r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.loginSecond(ctx, r, w, try)
	err = s.settle(ctx, try, err, ErrWrongSecond)
	switch {
	case err == nil:
		s.log.Info("auth: a member signed in", "uid", w.Owner.ID, "session", grant.Session.ID, "peer", r.Peer)
	case errors.Is(err, ErrWrongSecond):
		s.log.Info("auth: a wrong second factor", "owner", w.Owner, "peer", r.Peer)
	}
	return grant, err
}

func (s *Service) loginSecond(ctx context.Context, r SecondLogin, w ChallengeRow, y try) (Grant, error) {
	if w.ID == "" {
		return Grant{}, ErrSecondOver
	}
	var a signed
	if r.Passkey != nil && s.passkeys != nil {
		var err error
		if a, err = s.verified(ctx, *r.Passkey, w); err != nil {
			return Grant{}, err
		}
	}
	// A wrong code must be stored, and an error would roll that back.
	var refused error
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (Grant, error) {
		refused = nil
		c, _, err := s.credentialIn(ctx, tx, w.Owner.ID)
		if err != nil {
			return Grant{}, err
		}
		temporary := c.Temporary != "" && s.clock.Latest().Before(c.TemporaryUntil) && s.isBound(w, byTemporary(c))
		if c.FactorSet.IsZero() || (!temporary && !s.isBound(w, byPassword(c))) {
			return Grant{}, ErrSecondOver
		}
		good, err := s.takeSecond(ctx, tx, w, r, a)
		if err != nil {
			return Grant{}, err
		}
		if !good {
			y.miss()
			refused = ErrWrongSecond
			return Grant{}, nil
		}
		if err := s.throttle.forgive(ctx, tx, y); err != nil {
			return Grant{}, err
		}
		return s.enter(ctx, tx, c, temporary, r.From)
	})
	if err == nil {
		err = refused
	}
	return grant, err
}

// takeSecond consumes a member's second factor and the pending sign-in.
func (s *Service) takeSecond(ctx context.Context, tx *ledger.Tx, w ChallengeRow, r SecondLogin, a signed) (bool, error) {
	if r.Passkey != nil {
		a.challenge = w // a wrong answer ends it too
		return s.takeAssertion(ctx, tx, a, r.From)
	}
	h, err := s.readHolder(ctx, tx, w.Owner)
	if err != nil {
		return false, err
	}
	if err := s.checkCodesLocked(h.factor); err != nil {
		return false, err
	}
	good, err := s.takeCode(ctx, tx, h, r.Code)
	if err != nil || !good {
		return false, err
	}
	unused, err := s.useChallenge(ctx, tx, w)
	if err == nil && !unused {
		err = ErrSecondOver
	}
	return err == nil, err
}

// checkCodesLocked is Limited while wrong codes have locked a factor.
func (s *Service) checkCodesLocked(f FactorRow) error {
	if wait := f.Locked.Sub(s.clock.Latest()); wait > 0 {
		return ratelimit.NewLimited(wait, "auth.too_many_codes", "Too many wrong codes. Try again in {minutes} minutes, or use a passkey.", "minutes", int64((wait+time.Minute-1)/time.Minute))
	}
	return nil
}
