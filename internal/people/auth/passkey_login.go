package auth

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// ErrWrongPasskey is the answer to every failed sign-in by passkey.
var ErrWrongPasskey = errs.New(errs.Refused, "passkey.sign_in_failed", "This passkey signs nobody in. Try again, or use your e-mail, password and code.")

// SignInOptions is the browser's input to sign a challenge with a passkey.
type SignInOptions struct {
	Flow      string // identifies the challenge in the answer
	Challenge []byte
	Site      Site
	Have      []PasskeyRow // which may sign; empty if any may
}

// BeginPasskeyLogin makes a challenge for an operator's sign-in.
//
// Errors: ErrNoPasskeys; Limited, with RetryAfter, after too many from one
// address; Unavailable.
func (s *Service) BeginPasskeyLogin(ctx context.Context, from From) (SignInOptions, error) {
	site, err := s.PasskeySite()
	if err != nil {
		return SignInOptions{}, err
	}
	if err := s.begins.Allow(from.Peer); err != nil {
		return SignInOptions{}, err
	}
	c := s.newChallenge(flowSignIn, Owner{}, "")
	err = s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.addChallenge(ctx, tx, c, nil)
	})
	if err != nil {
		return SignInOptions{}, err
	}
	return SignInOptions{Flow: c.ID, Challenge: c.Challenge, Site: site}, nil
}

// PasskeyLogin is an operator's signed challenge.
type PasskeyLogin struct {
	Assertion
	From
}

// LoginPasskey opens an operator's session by a passkey. Every failure has the same
// answer, and the challenge is consumed. A counter that did not rise indicates a copied
// key: the sign-in fails, is recorded, and the operator is warned.
//
// Errors: ErrNoPasskeys; ErrWrongPasskey; Limited, with RetryAfter; Unavailable.
func (s *Service) LoginPasskey(ctx context.Context, r PasskeyLogin) (Grant, error) {
	if _, err := s.PasskeySite(); err != nil {
		return Grant{}, err
	}
	try, err := s.throttle.take(ctx, "", r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.loginPasskey(ctx, r)
	try.end(err, ErrWrongPasskey)
	switch {
	case err == nil:
		s.signInLimits.count(operatorAccount(grant.Session.Owner), r.Peer)
		s.log.Info("auth: an operator signed in by a passkey", "operator", grant.Session.Operator, "session", grant.Session.ID, "peer", r.Peer)
	case errors.Is(err, ErrWrongPasskey):
		s.log.Warn("auth: a wrong passkey", "peer", r.Peer)
	}
	return grant, err
}

func (s *Service) loginPasskey(ctx context.Context, r PasskeyLogin) (Grant, error) {
	c, err := s.challenge(ctx, r.Flow, flowSignIn, Owner{}, "", nil)
	if err != nil {
		return Grant{}, err
	}
	signed, err := s.verified(ctx, r.Assertion, c)
	if err != nil {
		return Grant{}, err
	}
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (Grant, error) {
		// A grant without a token reports a failure: an error would restore the challenge.
		good, err := s.takeAssertion(ctx, tx, signed, r.From)
		if err != nil || !good || signed.key.Kind != KindOperator {
			return Grant{}, err
		}
		h, err := s.readHolder(ctx, tx, signed.key.Owner)
		switch {
		case errors.Is(err, errPleaseLogin): // the operator has ended
			return Grant{}, nil
		case err != nil || !h.factor.on(): // a reset has taken the passkeys too
			return Grant{}, err
		}
		o := h.operator.Operator
		said := map[string]any{"by": "passkey", "passkey": signed.key.Name, "address": r.Peer.String()}
		if err := s.record(ctx, tx, Act{Operator: o.ID, Name: o.Email, Kind: "sign in", Became: said}); err != nil {
			return Grant{}, err
		}
		return s.open(ctx, tx, Session{Kind: KindOperator, Owner: o.ID, Operator: o.ID, Role: o.Role}, r.From)
	})
	if err == nil && grant.Token == "" {
		err = ErrWrongPasskey
	}
	return grant, err
}
