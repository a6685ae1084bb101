package auth

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// ErrWrongPasskey is the answer to every passkey that signs nobody in, whatever
// the reason.
var ErrWrongPasskey = errs.New(errs.Refused, "This passkey signs nobody in. Try again, or use your e-mail, password and code.")

// SignInOptions is what a browser needs to sign in by a passkey.
type SignInOptions struct {
	Flow      string // names the challenge when the answer comes
	Challenge []byte
	Site      Site
}

// BeginPasskeyLogin makes a challenge for whoever wants in.
//
// Errors: ErrNoPasskeys; Limited, with RetryAfter, after too many from one
// address; Unavailable.
func (s *Service) BeginPasskeyLogin(ctx context.Context, from From) (SignInOptions, error) {
	site, err := s.PasskeySite()
	if err != nil {
		return SignInOptions{}, err
	}
	if err := s.begins.Allow(addressKey(from.Peer)); err != nil {
		return SignInOptions{}, err
	}
	c := s.newChallenge(flowSignIn)
	err = s.write(ctx, func(ctx context.Context, _ *ledger.Tx, rows ledger.Rows) error {
		return s.store.AddChallenge(ctx, rows, c, s.clock.Latest())
	})
	if err != nil {
		return SignInOptions{}, err
	}
	return SignInOptions{Flow: c.ID, Challenge: c.Challenge, Site: site}, nil
}

// PasskeyLogin is an operator's device that has signed a challenge.
type PasskeyLogin struct {
	Flow          string
	Credential    []byte
	ClientData    []byte
	Authenticator []byte
	Signature     []byte
	Handle        []byte
	From
}

// LoginPasskey opens an operator's session by a passkey. Whatever is wrong, it
// answers the same, and the challenge is used up. A counter that did not rise
// tells of a copied key: then nobody is signed in, it is recorded, and warn,
// unless nil, runs in the same command.
//
// Errors: ErrNoPasskeys; ErrWrongPasskey; Limited, with RetryAfter; Unavailable.
func (s *Service) LoginPasskey(ctx context.Context, r PasskeyLogin, warn WithPasskey) (Grant, error) {
	if _, err := s.PasskeySite(); err != nil {
		return Grant{}, err
	}
	try, err := s.throttle.take(ctx, "", r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.loginPasskey(ctx, r, warn)
	try.end(err, ErrWrongPasskey)
	switch {
	case err == nil:
		s.log.Info("auth: an operator signed in by a passkey", "operator", grant.Session.Operator, "peer", r.Peer)
	case errors.Is(err, ErrWrongPasskey):
		s.log.Warn("auth: a wrong passkey", "peer", r.Peer)
	}
	return grant, err
}

func (s *Service) loginPasskey(ctx context.Context, r PasskeyLogin, warn WithPasskey) (Grant, error) {
	c, err := s.challenge(ctx, r.Flow, flowSignIn)
	if err != nil {
		return Grant{}, err
	}
	p, found, err := s.store.Passkey(ctx, nil, r.Credential)
	if err != nil {
		return Grant{}, unreadable(err)
	}
	uses, ok := int64(0), false
	if found && c.ID != "" {
		uses, ok = s.verifyPasskey(c, p, r)
	}
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) (Grant, error) {
		fresh, err := s.useChallenge(ctx, rows, c)
		if err != nil || !fresh || !ok {
			return Grant{}, err // told by a grant without a token: an error would keep the challenge
		}
		return s.admitPasskey(ctx, tx, rows, p, uses, r.From, warn)
	})
	if err == nil && grant.Token == "" {
		err = ErrWrongPasskey
	}
	return grant, err
}

// verifyPasskey tells whether r is c signed by p for this site, by a device that
// verified its owner, and how often that device says it has signed.
func (s *Service) verifyPasskey(c ChallengeRow, p PasskeyRow, r PasskeyLogin) (uses int64, ok bool) {
	key, err := s.vault.openAbout(aboutPasskey(p.Operator, p.Credential), p.Key)
	if err != nil {
		s.log.Error("auth: a passkey cannot be read: it was not written by this installation", "operator", p.Operator, "passkey", p.ID, "err", err)
		return 0, false
	}
	said := protocol.CredentialAssertionResponse{PublicKeyCredential: named(r.Credential)}
	said.AssertionResponse.ClientDataJSON = r.ClientData
	said.AssertionResponse.AuthenticatorData, said.AssertionResponse.Signature, said.AssertionResponse.UserHandle = r.Authenticator, r.Signature, r.Handle
	parsed, err := said.Parse()
	if err != nil {
		return 0, false
	}
	kept := webauthn.Credential{ID: p.Credential, PublicKey: key, Flags: webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(p.Flags))}
	whose := func(_, _ []byte) (webauthn.User, error) { return holder{p.Handle, []webauthn.Credential{kept}}, nil }
	if _, _, err := s.passkeys.ValidatePasskeyLogin(whose, s.expected(c), parsed); err != nil {
		s.log.Info("auth: a passkey's answer does not hold", "operator", p.Operator, "passkey", p.ID, "err", err)
		return 0, false
	}
	return int64(parsed.Response.AuthenticatorData.Counter), true
}

// admitPasskey opens the session of a passkey that was verified as p, if it
// still stands. It tells by a grant without a token that it does not.
func (s *Service) admitPasskey(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, p PasskeyRow, uses int64, from From, warn WithPasskey) (Grant, error) {
	now, found, err := s.store.Passkey(ctx, rows, p.Credential)
	if err != nil || !found || now.ID != p.ID || !bytes.Equal(now.Key, p.Key) {
		return Grant{}, err
	}
	o, enrolled, err := s.enrolled(ctx, rows, p.Operator)
	if err != nil || !enrolled {
		return Grant{}, err
	}
	said := map[string]any{"by": "passkey", "passkey": now.Name, "address": from.Peer.String()}
	if uses <= now.Uses && (uses > 0 || now.Uses > 0) {
		said["counted"], said["said"] = now.Uses, uses
		tx.AfterCommit(func() {
			s.log.Error("auth: a passkey's counter went back: it may have been copied", "operator", o.ID, "passkey", now.ID, "peer", from.Peer)
		})
		if err := s.record(ctx, rows, Act{Operator: o.ID, Name: o.Email, Kind: "passkey refused", Became: said}); err != nil {
			return Grant{}, err
		}
		return Grant{}, warn.run(ctx, tx, rows, o, now)
	}
	if err := s.store.UsedPasskey(ctx, rows, now.ID, uses, s.clock.Now()); err != nil {
		return Grant{}, err
	}
	if err := s.record(ctx, rows, Act{Operator: o.ID, Name: o.Email, Kind: "sign in", Became: said}); err != nil {
		return Grant{}, err
	}
	return s.open(ctx, rows, Session{Kind: KindOperator, Owner: o.ID, Operator: o.ID, Role: o.Role}, from)
}

// enrolled is an operator who has not ended and has a second factor: without
// one, a reset has taken the passkeys too.
func (s *Service) enrolled(ctx context.Context, rows ledger.Rows, operator int64) (Operator, bool, error) {
	o, found, err := s.store.OperatorIn(ctx, rows, operator)
	if err != nil || !found || !o.Ended.IsZero() {
		return Operator{}, false, err
	}
	if err := s.store.Vouched(ctx, rows, operator); err != nil {
		return Operator{}, false, err
	}
	f, _, err := s.store.FactorIn(ctx, rows, operator)
	return o.Operator, err == nil && len(f.Secret) > 0, err
}
