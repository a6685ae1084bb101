package auth

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// WithPasskey is what a use-case adds to a command about a passkey: mail, the
// record.
type WithPasskey func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator, p PasskeyRow) error

func (w WithPasskey) run(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator, p PasskeyRow) error {
	if w == nil {
		return nil
	}
	return w(ctx, tx, rows, o, p)
}

var (
	// ErrWrongProof is what does not prove again who an operator is.
	ErrWrongProof = errs.New(errs.Refused, "This is neither your password nor a code of your app that can be used now. Each code is good once.")
	// ErrWrongAnswer is a device's answer that adds no passkey.
	ErrWrongAnswer = errs.New(errs.Refused, "The passkey was not added: its answer came too late or does not hold. Begin again.")

	errNoPasskey      = errs.New(errs.NotFound, "You have no such passkey.")
	errManyPasskeys   = errs.New(errs.Refused, "You have ten passkeys: remove one first.")
	errPasskeysOthers = errs.New(errs.Forbidden, "This call is not for you.")
)

// AddOptions is what a browser needs to make a passkey.
type AddOptions struct {
	Flow       string // names the challenge when the answer comes
	Challenge  []byte
	Site       Site
	Handle     []byte
	Operator   Operator
	Algorithms []int64
	Have       []PasskeyRow // whose devices need no second one
}

// BeginPasskey makes a challenge for a new passkey of the session's operator,
// who proves again by password or code who they are.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is an operator's; Invalid
// for a name that is none; ErrWrongProof; Refused if there are ten; Limited.
func (s *Service) BeginPasskey(ctx context.Context, session Session, name, proof string, from From) (AddOptions, error) {
	site, err := s.PasskeySite()
	if err != nil {
		return AddOptions{}, err
	}
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName || !isPlain(name) {
		return AddOptions{}, invalid("name", "The name has 1 to 60 characters")
	}
	c := s.newChallenge(flowAdd)
	c.Operator, c.Session, c.Name, c.Handle = session.Operator, session.ID, name, make([]byte, handleBytes)
	_, _ = rand.Read(c.Handle) // never fails
	return proving(ctx, s, session, proof, from, func(ctx context.Context, _ *ledger.Tx, rows ledger.Rows, o Operator) (AddOptions, error) {
		c := c // a command may run twice
		have, err := s.store.Passkeys(ctx, rows, o.ID)
		if err != nil {
			return AddOptions{}, err
		}
		if len(have) >= maxPasskeys {
			return AddOptions{}, errManyPasskeys
		}
		if len(have) > 0 { // one name for the operator on all devices
			c.Handle = have[0].Handle
		}
		out := AddOptions{Flow: c.ID, Challenge: c.Challenge, Site: site, Handle: c.Handle, Operator: o, Have: have}
		for _, a := range algorithms {
			out.Algorithms = append(out.Algorithms, int64(a))
		}
		return out, s.store.AddChallenge(ctx, rows, c, s.clock.Latest())
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

// AddPasskey ends what BeginPasskey began in the same session. also, unless
// nil, runs in the same command. The challenge is used up, whatever comes.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is an operator's;
// ErrWrongAnswer; Conflict if the device's key is known; Refused if there are
// ten; Unavailable.
func (s *Service) AddPasskey(ctx context.Context, session Session, n NewPasskey, also WithPasskey) (PasskeyRow, error) {
	if _, err := s.PasskeySite(); err != nil {
		return PasskeyRow{}, err
	}
	if session.Kind != KindOperator || session.MustChange {
		return PasskeyRow{}, errPasskeysOthers
	}
	c, err := s.challenge(ctx, n.Flow, flowAdd)
	if err != nil {
		return PasskeyRow{}, err
	}
	if c.ID == "" || c.Operator != session.Operator || c.Session != session.ID {
		return PasskeyRow{}, ErrWrongAnswer
	}
	p, wrong := s.verifyNew(c, n)
	type outcome struct {
		added   PasskeyRow
		refused error // beside it, because an error would bring the challenge back
	}
	out, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) (out outcome, err error) {
		fresh, err := s.useChallenge(ctx, rows, c)
		if err != nil || !fresh || wrong != nil {
			return outcome{refused: ErrWrongAnswer}, err
		}
		o, enrolled, err := s.enrolled(ctx, rows, p.Operator)
		if err != nil || !enrolled {
			return out, orElse(err, errPleaseLogin)
		}
		if out.refused, err = s.room(ctx, rows, p); err != nil || out.refused != nil {
			return out, err
		}
		out.added = p
		if out.added.ID, err = s.store.AddPasskey(ctx, rows, p); err != nil {
			return out, err
		}
		return out, also.run(ctx, tx, rows, o, out.added)
	})
	if err == nil {
		err = out.refused
	}
	return out.added, err
}

// verifyNew is the passkey that n makes of c.
func (s *Service) verifyNew(c ChallengeRow, n NewPasskey) (PasskeyRow, error) {
	said := protocol.CredentialCreationResponse{PublicKeyCredential: named(n.Credential)}
	said.AttestationResponse.ClientDataJSON, said.AttestationResponse.AttestationObject = n.ClientData, n.Object
	parsed, err := said.Parse()
	if err != nil {
		return PasskeyRow{}, err
	}
	made, err := s.passkeys.CreateCredential(holder{handle: c.Handle}, s.expected(c), parsed)
	if err != nil {
		s.log.Info("auth: a new passkey's answer does not hold", "operator", c.Operator, "err", err)
		return PasskeyRow{}, err
	}
	if len(made.ID) > maxCredential {
		return PasskeyRow{}, ErrWrongAnswer
	}
	sealed, err := s.vault.sealAbout(aboutPasskey(c.Operator, made.ID), made.PublicKey)
	if err != nil {
		return PasskeyRow{}, err
	}
	return PasskeyRow{
		Operator: c.Operator, Credential: made.ID, Handle: c.Handle, Name: c.Name, Key: sealed, Created: s.clock.Now(),
		Flags: int64(made.Flags.ProtocolValue()), Uses: int64(made.Authenticator.SignCount), Transports: transports(n.Transports),
	}, nil
}

// transports are hints to browsers; what is none is dropped.
func transports(said []string) (kept []string) {
	for _, t := range said {
		word := t != "" && len(t) <= 20 && strings.Trim(t, "abcdefghijklmnopqrstuvwxyz-") == ""
		if word && !slices.Contains(kept, t) && len(kept) < maxTransports {
			kept = append(kept, t)
		}
	}
	return kept
}

// room says what keeps p from being added; nil if nothing does.
func (s *Service) room(ctx context.Context, rows ledger.Rows, p PasskeyRow) (refused, err error) {
	have, err := s.store.Passkeys(ctx, rows, p.Operator)
	if err != nil {
		return nil, err
	}
	_, known, err := s.store.Passkey(ctx, rows, p.Credential)
	switch {
	case err != nil:
		return nil, err
	case known:
		return errs.New(errs.Conflict, "This device has a passkey here already."), nil
	case len(have) >= maxPasskeys:
		return errManyPasskeys, nil
	}
	return nil, nil
}

// RemovePasskey removes one of the session's operator, who proves again by
// password or code who they are. Every other session of theirs ends, because
// the device may be in wrong hands. also, unless nil, runs in the same command.
//
// Errors: Forbidden unless the session is an operator's; NotFound;
// ErrWrongProof; Limited.
func (s *Service) RemovePasskey(ctx context.Context, session Session, id int64, proof string, from From, also WithPasskey) error {
	_, err := proving(ctx, s, session, proof, from, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator) (bool, error) {
		all, err := s.store.Passkeys(ctx, rows, o.ID)
		if err != nil {
			return false, err
		}
		i := slices.IndexFunc(all, func(p PasskeyRow) bool { return p.ID == id })
		if i < 0 {
			return false, errNoPasskey
		}
		if err := s.store.DropPasskey(ctx, rows, id); err != nil {
			return false, err
		}
		if err := also.run(ctx, tx, rows, o, all[i]); err != nil {
			return false, err
		}
		return true, s.endAll(ctx, tx, rows, o.ID, session.ID, KindOperator)
	})
	return err
}
