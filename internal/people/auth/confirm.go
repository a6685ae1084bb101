package auth

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A member with a second factor confirms every transfer of money out. A code comes
// with its request; a passkey signs a challenge bound to the request.

// Confirmation is a second factor given for one request.
type Confirmation struct {
	Code    string     // of the app; recovery codes are for sign-ins only
	Passkey *Assertion // of a challenge by BeginConfirmation; takes precedence over Code
}

var (
	// ErrWrongConfirmation is the answer to an invalid code or passkey.
	ErrWrongConfirmation = errs.New(errs.Refused, "auth.wrong_confirmation", "This code or passkey does not confirm it. Each code is good once, and a passkey's answer for what it was asked for; after five wrong tries this session ends.")
	errFactorGone        = errs.New(errs.Conflict, "factor.changed_meanwhile", "Your second factor was changed in the meantime. Try again.")
)

// HasFactor reports within a command whether a member has a second factor.
func (s *Service) HasFactor(ctx context.Context, tx *ledger.Tx, uid int64) (bool, error) {
	c, _, err := s.credentialIn(ctx, tx, uid)
	return !c.FactorSet.IsZero(), err
}

// BeginConfirmation makes a challenge by which a passkey of the session's member
// confirms the request named by subject.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is a member's own; Refused if
// there is no passkey; Limited.
func (s *Service) BeginConfirmation(ctx context.Context, session Session, subject []byte) (SignInOptions, error) {
	if session.Kind == KindOperator {
		return SignInOptions{}, errNotYours
	}
	return s.beginAssertion(ctx, session, flowConfirm, subject)
}

// Confirmed is a verified confirmation. Use consumes its code.
type Confirmed struct {
	s     *Service
	owner Owner
	code  string
	key   *PasskeyRow // signed; its challenge is consumed
}

// CheckConfirmation verifies that c confirms the request named by subject. A wrong
// confirmation is counted for the session, durably, before it is answered, and the
// fifth ends the session; sign-ins are not affected. A right code is not consumed
// yet, so that a request refused for another reason does not cost it. A passkey's
// challenge is consumed in any case.
//
// Errors: Forbidden unless the session is a member's own; ErrWrongConfirmation;
// Limited, with RetryAfter, after too many tries.
func (s *Service) CheckConfirmation(ctx context.Context, session Session, subject []byte, c Confirmation, from From) (Confirmed, error) {
	o, err := session.owner()
	if err != nil {
		return Confirmed{}, err
	}
	if o.Kind != KindMember {
		return Confirmed{}, errNotYours
	}
	try, err := s.throttle.takeIn(ctx, "deed "+o.String(), session, from.Peer)
	if err != nil {
		return Confirmed{}, err
	}
	out, err := s.checkConfirmation(ctx, session, o, subject, c, from, try)
	return out, s.settleIn(ctx, try, err, ErrWrongConfirmation, session, from)
}

func (s *Service) checkConfirmation(ctx context.Context, session Session, o Owner, subject []byte, c Confirmation, from From, y try) (Confirmed, error) {
	out := Confirmed{s: s, owner: o, code: c.Code}
	if c.Passkey != nil {
		a, err := s.readAssertion(ctx, c.Passkey, flowConfirm, o, session.ID, subject)
		if err != nil {
			return Confirmed{}, err
		}
		good, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
			return s.takeAssertion(ctx, tx, a, from)
		})
		if err == nil && !good {
			err = ErrWrongConfirmation
		}
		out.key = &a.key
		return out, err
	}
	good, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		h, err := s.readHolder(ctx, tx, o)
		if err != nil {
			return false, err
		}
		_, good := s.matchFactor(h.factor, c.Code)
		if !good || !h.factor.on() {
			y.miss()
			return false, nil
		}
		return true, s.throttle.forgive(ctx, tx, y)
	})
	if err == nil && !good {
		err = ErrWrongConfirmation
	}
	return out, err
}

// Use consumes the confirmation within the command that it confirms.
// ErrWrongConfirmation if the code was used meanwhile; Conflict if the second factor
// changed.
func (c Confirmed) Use(ctx context.Context, tx *ledger.Tx) error {
	h, err := c.s.readHolder(ctx, tx, c.owner)
	if err != nil {
		return err
	}
	if !h.factor.on() {
		return errFactorGone
	}
	if c.key != nil {
		now, found, err := c.s.store.Passkey(ctx, tx, c.key.Credential)
		if err == nil && (!found || now.ID != c.key.ID || now.Owner != c.owner) {
			err = errFactorGone
		}
		return err
	}
	step, good := c.s.matchFactor(h.factor, c.code)
	if !good {
		return ErrWrongConfirmation
	}
	f := h.factor
	f.Step = step
	return c.s.store.PutFactor(ctx, tx, f)
}
