package auth

import (
	"bytes"
	"context"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Assertion is a challenge that a passkey has signed.
type Assertion struct {
	Flow          string
	Credential    []byte
	ClientData    []byte
	Authenticator []byte
	Signature     []byte
	Handle        []byte // may be empty if the challenge names the owner
}

// Warning is a security event for its owner, which the caller mails. One of CodesLocked,
// Copied and Guessed is set.
type Warning struct {
	Owner       Owner
	CodesLocked time.Time   // five wrong codes came with the right password; no code is accepted until then
	Copied      *PasskeyRow // its counter went back: it may have been copied
	Guessed     bool        // five wrong proofs were given in a session, which has ended
	Address     string
}

var errPasskeyless = errs.New(errs.Refused, "passkey.none", "You have no passkey.")

// beginAssertion makes a challenge for a subject, to be signed by a passkey of the
// session's owner.
func (s *Service) beginAssertion(ctx context.Context, session Session, flow Flow, subject []byte) (SignInOptions, error) {
	site, err := s.PasskeySite()
	if err != nil {
		return SignInOptions{}, err
	}
	o, err := session.owner()
	if err != nil {
		return SignInOptions{}, err
	}
	if err := s.asks.Allow(o.String()); err != nil {
		return SignInOptions{}, err
	}
	c := s.newChallenge(flow, o, session.ID)
	return answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (SignInOptions, error) {
		have, err := s.store.Passkeys(ctx, tx, o)
		if err == nil && len(have) == 0 {
			err = errPasskeyless
		}
		if err != nil {
			return SignInOptions{}, err
		}
		return SignInOptions{Flow: c.ID, Challenge: c.Challenge, Site: site, Have: have}, s.addChallenge(ctx, tx, c, subject)
	})
}

// signed is an assertion verified before its command.
type signed struct {
	challenge ChallengeRow // without an id if it may not be signed here
	key       PasskeyRow
	uses      int64 // as the device counts
	good      bool
}

// readAssertion verifies an assertion; a nil one is not good.
func (s *Service) readAssertion(ctx context.Context, a *Assertion, flow Flow, o Owner, session string, subject []byte) (signed, error) {
	if a == nil || s.passkeys == nil {
		return signed{}, nil
	}
	c, err := s.challenge(ctx, a.Flow, flow, o, session, subject)
	if err != nil {
		return signed{}, err
	}
	return s.verified(ctx, *a, c)
}

// verified checks that a is c signed by a passkey of c's owner, for this site, by
// a device that verified its owner.
func (s *Service) verified(ctx context.Context, a Assertion, c ChallengeRow) (signed, error) {
	p, found, err := s.store.Passkey(ctx, nil, a.Credential)
	if err != nil {
		return signed{}, unreadable(err)
	}
	out := signed{challenge: c, key: p}
	if c.ID == "" || !found || (c.Owner != Owner{} && c.Owner != p.Owner) {
		return out, nil
	}
	if len(a.Handle) == 0 && c.Owner == p.Owner {
		a.Handle = p.Handle // devices may leave it out when they are told which passkeys may sign
	}
	out.uses, out.good = s.verifyPasskey(c, p, a)
	return out, nil
}

func (s *Service) verifyPasskey(c ChallengeRow, p PasskeyRow, a Assertion) (uses int64, ok bool) {
	key, err := s.vault.openAbout(aboutPasskey(p.Owner, p.Credential), p.Key)
	if err != nil {
		s.log.Error("auth: a passkey cannot be read: it was not written by this installation", "owner", p.Owner, "passkey", p.ID, "err", err)
		return 0, false
	}
	said := protocol.CredentialAssertionResponse{PublicKeyCredential: named(a.Credential)}
	said.AssertionResponse.ClientDataJSON = a.ClientData
	said.AssertionResponse.AuthenticatorData, said.AssertionResponse.Signature, said.AssertionResponse.UserHandle = a.Authenticator, a.Signature, a.Handle
	parsed, err := said.Parse()
	if err != nil {
		return 0, false
	}
	kept := webauthn.Credential{ID: p.Credential, PublicKey: key, Flags: webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(p.Flags))}
	whose := func(_, _ []byte) (webauthn.User, error) { return keyring{p.Handle, []webauthn.Credential{kept}}, nil }
	if _, _, err := s.passkeys.ValidatePasskeyLogin(whose, s.expected(c), parsed); err != nil {
		s.log.Info("auth: a passkey's answer does not hold", "owner", p.Owner, "passkey", p.ID, "err", err)
		return 0, false
	}
	return int64(parsed.Response.AuthenticatorData.Counter), true
}

// takeAssertion consumes the challenge, even if it then fails, and reports whether the
// verified passkey still exists. A counter that did not rise indicates a copied key.
func (s *Service) takeAssertion(ctx context.Context, tx *ledger.Tx, a signed, from From) (bool, error) {
	unused, err := s.useChallenge(ctx, tx, a.challenge)
	if err != nil || !unused || !a.good {
		return false, err
	}
	now, found, err := s.store.Passkey(ctx, tx, a.key.Credential)
	if err != nil || !found || now.ID != a.key.ID || now.Owner != a.key.Owner || !bytes.Equal(now.Key, a.key.Key) {
		return false, err
	}
	if a.uses <= now.Uses && (a.uses > 0 || now.Uses > 0) {
		return false, s.copied(ctx, tx, now, a.uses, from)
	}
	now.Uses, now.Used = a.uses, s.clock.Now()
	return true, s.store.PutPasskey(ctx, tx, now)
}

// copied reports a passkey whose counter went back.
func (s *Service) copied(ctx context.Context, tx *ledger.Tx, p PasskeyRow, uses int64, from From) error {
	tx.AfterCommit(func() {
		s.log.Error("auth: a passkey's counter went back: it may have been copied", "owner", p.Owner, "passkey", p.ID, "peer", from.Peer)
	})
	if p.Kind == KindOperator {
		o, found, err := s.store.OperatorIn(ctx, tx, p.Owner.ID)
		if err != nil || !found || !o.Ended.IsZero() {
			return err
		}
		said := map[string]any{"by": "passkey", "passkey": p.Name, "address": from.Peer.String(), "counted": p.Uses, "said": uses}
		if err := s.record(ctx, tx, Act{Operator: o.ID, Name: o.Email, Kind: "passkey refused", Became: said}); err != nil {
			return err
		}
	}
	if s.opt.Warn == nil {
		return nil
	}
	return s.opt.Warn(ctx, tx, Warning{Owner: p.Owner, Copied: &p, Address: from.Peer.String()})
}
