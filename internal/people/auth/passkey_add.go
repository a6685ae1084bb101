package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

var (
	// ErrWrongAnswer is a device's answer that adds no passkey.
	ErrWrongAnswer = errs.New(errs.Refused, "passkey.wrong_answer", "The passkey was not added: its answer came too late or does not hold. Begin again.")

	errNoPasskey    = errs.New(errs.NotFound, "passkey.not_found", "You have no such passkey.")
	errManyPasskeys = errs.New(errs.Refused, "passkey.too_many", "You have ten passkeys: remove one first.")
	errNoFactorYet  = errs.New(errs.Refused, "passkey.factor_needed", "Set a second factor in an authenticator app first.")
)

// AddOptions is the browser's input to create a passkey.
type AddOptions struct {
	Flow       string // identifies the challenge in the answer
	Challenge  []byte
	Site       Site
	Handle     []byte
	Algorithms []int64
	Have       []PasskeyRow // devices to exclude
}

// parsePasskeyName is Invalid for an unusable name.
func parsePasskeyName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName || !plain.Printable(name) {
		return "", errs.BadField("name", "passkey.name_length", "The name has 1 to 60 characters")
	}
	return name, nil
}

// BeginPasskey makes a challenge for a new passkey of the session's owner. It takes
// evidence with the second factor, because the passkey will replace it.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is an operator's or a
// member's own; Invalid for an unusable name; Refused if there are ten; those of
// evidence.
func (s *Service) BeginPasskey(ctx context.Context, session Session, name string, e Evidence, from From) (AddOptions, error) {
	site, err := s.PasskeySite()
	if err != nil {
		return AddOptions{}, err
	}
	if name, err = parsePasskeyName(name); err != nil {
		return AddOptions{}, err
	}
	return proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (AddOptions, error) {
		if o.Kind == KindOperator && !h.factor.on() {
			return AddOptions{}, errNoFactorYet
		}
		have, err := s.store.Passkeys(ctx, tx, o)
		if err != nil {
			return AddOptions{}, err
		}
		if len(have) >= maxPasskeys {
			return AddOptions{}, errManyPasskeys
		}
		c := s.newChallenge(flowAdd, o, session.ID)
		c.Name, c.Handle = name, make([]byte, handleBytes)
		_, _ = rand.Read(c.Handle) // never fails
		if len(have) > 0 {         // one name for the owner on all devices
			c.Handle = have[0].Handle
		}
		out := AddOptions{Flow: c.ID, Challenge: c.Challenge, Site: site, Handle: c.Handle, Have: have}
		for _, a := range algorithms {
			out.Algorithms = append(out.Algorithms, int64(a))
		}
		return out, s.addChallenge(ctx, tx, c, nil)
	})
}

// NewPasskey is a device's answer to AddOptions.
type NewPasskey struct {
	Flow       string
	Credential []byte
	ClientData []byte
	Object     []byte // the attestation object, of which only the key counts
	Transports []string
}

// AddPasskey completes BeginPasskey in the same session. If the owner had no second
// factor, it returns recovery codes. also, unless nil, runs in the same command. The
// challenge is consumed in any case.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is an operator's or a
// member's own; ErrWrongAnswer; Conflict if the device's key is known; Refused if
// there are ten; Unavailable.
func (s *Service) AddPasskey(ctx context.Context, session Session, n NewPasskey, also Also[PasskeyRow]) (PasskeyRow, []string, error) {
	if _, err := s.PasskeySite(); err != nil {
		return PasskeyRow{}, nil, err
	}
	o, err := session.owner()
	if err != nil {
		return PasskeyRow{}, nil, err
	}
	c, err := s.challenge(ctx, n.Flow, flowAdd, o, session.ID, nil)
	if err != nil {
		return PasskeyRow{}, nil, err
	}
	if c.ID == "" {
		return PasskeyRow{}, nil, ErrWrongAnswer
	}
	fresh, err := PrepareFactor("")
	if err != nil {
		return PasskeyRow{}, nil, err
	}
	p, wrong := s.verifyNew(c, n)
	type outcome struct {
		added    PasskeyRow
		recovery []string
		refused  error // an error of the command would restore the challenge
	}
	out, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (out outcome, err error) {
		unused, err := s.useChallenge(ctx, tx, c)
		if err != nil || !unused || wrong != nil {
			return outcome{refused: ErrWrongAnswer}, err
		}
		h, err := s.readHolder(ctx, tx, o)
		if err != nil || (o.Kind == KindOperator && !h.factor.on()) {
			return out, cmp.Or[error](err, errPleaseLogin)
		}
		if out.refused, err = s.checkNewPasskey(ctx, tx, p); err != nil || out.refused != nil {
			return out, err
		}
		if !h.factor.on() {
			out.recovery = fresh.Recovery
		}
		out.added, err = s.storePasskey(ctx, tx, h, p, out.recovery)
		if err != nil {
			return out, err
		}
		return out, also.run(ctx, tx, out.added)
	})
	if err == nil {
		err = out.refused
	}
	return out.added, out.recovery, err
}

// storePasskey adds p and, with recovery codes, turns the owner's second factor on.
func (s *Service) storePasskey(ctx context.Context, tx *ledger.Tx, h holder, p PasskeyRow, recovery []string) (PasskeyRow, error) {
	if err := s.countFactorChange(ctx, tx, p.Owner); err != nil {
		return p, err
	}
	set := h.factor.Set
	if len(recovery) > 0 {
		set = s.clock.Now()
		if err := s.store.PutFactor(ctx, tx, FactorRow{Owner: p.Owner, Set: set}); err != nil {
			return p, err
		}
		if err := s.store.SetRecovery(ctx, tx, p.Owner, s.vault.recoveries(p.Owner, recovery)); err != nil {
			return p, err
		}
	}
	var err error
	if p.ID, err = s.store.AddPasskey(ctx, tx, p); err != nil {
		return p, err
	}
	return p, s.factorChanged(ctx, tx, p.Owner, set)
}

// verifyNew verifies answer n to challenge c and returns its passkey.
func (s *Service) verifyNew(c ChallengeRow, n NewPasskey) (PasskeyRow, error) {
	said := protocol.CredentialCreationResponse{PublicKeyCredential: named(n.Credential)}
	said.AttestationResponse.ClientDataJSON, said.AttestationResponse.AttestationObject = n.ClientData, n.Object
	parsed, err := said.Parse()
	if err != nil {
		return PasskeyRow{}, err
	}
	made, err := s.passkeys.CreateCredential(keyring{handle: c.Handle}, s.expected(c), parsed)
	if err != nil {
		s.log.Info("auth: a new passkey's answer does not hold", "owner", c.Owner, "err", err)
		return PasskeyRow{}, err
	}
	if len(made.ID) > maxCredential {
		return PasskeyRow{}, ErrWrongAnswer
	}
	sealed, err := s.vault.sealAbout(aboutPasskey(c.Owner, made.ID), made.PublicKey)
	if err != nil {
		return PasskeyRow{}, err
	}
	return PasskeyRow{
		Owner: c.Owner, Credential: made.ID, Handle: c.Handle, Name: c.Name, Key: sealed, Created: s.clock.Now(),
		Flags: int64(made.Flags.ProtocolValue()), Uses: int64(made.Authenticator.SignCount), Transports: transports(n.Transports),
	}, nil
}

// transports keeps the valid hints to browsers.
func transports(said []string) (kept []string) {
	for _, t := range said {
		word := t != "" && len(t) <= 20 && strings.Trim(t, "abcdefghijklmnopqrstuvwxyz-") == ""
		if word && !slices.Contains(kept, t) && len(kept) < maxTransports {
			kept = append(kept, t)
		}
	}
	return kept
}

// checkNewPasskey returns the reason not to add p; nil if there is none.
func (s *Service) checkNewPasskey(ctx context.Context, tx *ledger.Tx, p PasskeyRow) (refused, err error) {
	have, err := s.store.Passkeys(ctx, tx, p.Owner)
	if err != nil {
		return nil, err
	}
	_, known, err := s.store.Passkey(ctx, tx, p.Credential)
	switch {
	case err != nil:
		return nil, err
	case known:
		return errs.New(errs.Conflict, "passkey.device_known", "This device has a passkey here already."), nil
	case len(have) >= maxPasskeys:
		return errManyPasskeys, nil
	}
	return nil, nil
}

// own finds a passkey of an owner. NotFound if the owner has no such passkey.
func (s *Service) own(ctx context.Context, tx *ledger.Tx, o Owner, id int64) (p PasskeyRow, count int, err error) {
	all, err := s.store.Passkeys(ctx, tx, o)
	if err != nil {
		return p, 0, err
	}
	i := slices.IndexFunc(all, func(p PasskeyRow) bool { return p.ID == id })
	if i < 0 {
		return p, 0, errNoPasskey
	}
	return all[i], len(all), nil
}

// RemovePasskey removes a passkey of the session's owner. Every other session of
// theirs ends, because the device may be lost. The last passkey of a member without an
// app takes the second factor with it. also, unless nil, runs in the same command.
//
// Errors: Forbidden unless the session is an operator's or a member's own; NotFound;
// those of evidence.
func (s *Service) RemovePasskey(ctx context.Context, session Session, id int64, e Evidence, from From, also Also[PasskeyRow]) error {
	_, err := proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (bool, error) {
		p, count, err := s.own(ctx, tx, o, id)
		if err == nil {
			err = s.countFactorChange(ctx, tx, o)
		}
		if err != nil {
			return false, err
		}
		if count == 1 && len(h.factor.Secret) == 0 {
			_, err = s.removeFactor(ctx, tx, o)
		} else if err = s.store.DropPasskey(ctx, tx, p); err == nil {
			err = s.factorChanged(ctx, tx, o, h.factor.Set)
		}
		if err != nil {
			return false, err
		}
		if err := also.run(ctx, tx, p); err != nil {
			return false, err
		}
		return true, s.endOthersOf(ctx, tx, o, session.ID)
	})
	return err
}

// RenamePasskey renames a passkey of the session's owner, without evidence.
//
// Errors: Forbidden unless the session is an operator's or a member's own; Invalid
// for an unusable name; NotFound.
func (s *Service) RenamePasskey(ctx context.Context, session Session, id int64, name string) error {
	o, err := session.owner()
	if err != nil {
		return err
	}
	if name, err = parsePasskeyName(name); err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		p, _, err := s.own(ctx, tx, o, id)
		if err != nil {
			return err
		}
		p.Name = name
		return s.store.PutPasskey(ctx, tx, p)
	})
}
