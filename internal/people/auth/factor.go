package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A second factor is a secret in an authenticator app, which makes a six-digit code
// every half minute (RFC 6238), and ten recovery codes for a lost app. Passkeys
// complement it; a member may have passkeys only.

const (
	codePeriod    = 30 // seconds
	codeSkew      = 1  // steps that the app's clock may be off, either way
	codeTries     = 5
	codeLock      = 15 * time.Minute
	secretBytes   = 20
	minSecret     = 16 // bytes; RFC 4226, 4
	maxSecret     = 64
	recoveryCodes = 10
	recoveryLen   = 12
	pendingLife   = 15 * time.Minute
)

var secretText = base32.StdEncoding.WithPadding(base32.NoPadding)

// Factor is a second factor as shown to its owner, once.
type Factor struct {
	Secret   string   // base32
	Recovery []string // single-use codes
	raw      []byte
}

// URI is the otpauth link for authenticator apps.
func (f Factor) URI(product, email string) (string, error) { return factorURI(product, email, f.raw) }

func factorURI(product, email string, raw []byte) (string, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: product, AccountName: email, Period: codePeriod, Secret: raw, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return "", fmt.Errorf("auth: the link for authenticator apps could not be made: %w", err)
	}
	return key.URL(), nil
}

// PrepareFactor makes a factor with new recovery codes, from the given secret or, if it
// is empty, a random one. Invalid if the secret is not 16 to 64 bytes in base32.
func PrepareFactor(secret string) (Factor, error) {
	raw := make([]byte, secretBytes)
	if secret == "" {
		_, _ = rand.Read(raw) // never fails
	} else {
		var err error
		plain := strings.TrimRight(strings.ToUpper(strings.ReplaceAll(secret, " ", "")), "=")
		if raw, err = secretText.DecodeString(plain); err != nil || len(raw) < minSecret || len(raw) > maxSecret {
			return Factor{}, errs.BadField("totp", "factor.secret_invalid", "The secret is 16 to 64 bytes in base32: letters and the digits 2 to 7")
		}
	}
	f := Factor{Secret: secretText.EncodeToString(raw), raw: raw}
	for range recoveryCodes {
		c := passwords.RandomText(recoveryLen)
		f.Recovery = append(f.Recovery, c[:4]+"-"+c[4:8]+"-"+c[8:])
	}
	return f, nil
}

// SetFactor sets an operator's factor without confirmation, in place of an earlier one.
// It is for the command line and demos.
func (s *Service) SetFactor(ctx context.Context, tx *ledger.Tx, operator int64, f Factor) error {
	o := ofOperator(operator)
	sealed, err := s.vault.seal(o, f.raw)
	if err != nil {
		return err
	}
	if err := s.store.PutFactor(ctx, tx, FactorRow{Owner: o, Secret: sealed, Set: s.clock.Now()}); err != nil {
		return err
	}
	return s.store.SetRecovery(ctx, tx, o, s.vault.recoveries(o, f.Recovery))
}

// Account is an account's name in an authenticator app.
type Account struct{ Product, Name string }

// BeginFactor makes a secret, which takes effect when ConfirmFactor receives a code of
// it. Until then an earlier factor stays valid. It takes evidence, however recent the
// sign-in. The exception is an operator who signed in with the password only and must
// enrol: that session can do nothing else.
//
// Errors: Forbidden unless the session is an operator's or a member's own; those
// of evidence.
func (s *Service) BeginFactor(ctx context.Context, session Session, account Account, e Evidence, from From) (secret, uri string, err error) {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails
	pend := func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (bool, error) {
		f := h.factor
		sealed, err := s.vault.sealAbout(pendingOf(o, session), raw)
		if err != nil {
			return false, err
		}
		f.Pending, f.PendingAt = sealed, s.clock.Latest()
		return true, s.store.PutFactor(ctx, tx, f)
	}
	if mustEnrol(session) {
		o := ofOperator(session.Operator)
		_, err = answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
			h, err := s.readHolder(ctx, tx, o)
			if err == nil && h.factor.on() {
				err = errPleaseLogin // another session has enrolled since
			}
			if err != nil {
				return false, err
			}
			return pend(ctx, tx, o, h)
		})
	} else {
		_, err = proving(ctx, s, session, e, from, pend)
	}
	if err != nil {
		return "", "", err
	}
	uri, err = factorURI(account.Product, account.Name, raw)
	return secretText.EncodeToString(raw), uri, err
}

// pendingOf binds an unconfirmed secret to the session that requested it, so that no
// other session gets the recovery codes.
func pendingOf(o Owner, session Session) []byte { return append(o.about(), session.ID...) }

// mustEnrol reports whether the session is of an operator without a second factor: it
// can only set one.
func mustEnrol(s Session) bool { return s.Kind == KindOperator && s.MustChange }

var errNothingBegun = errs.New(errs.Refused, "factor.nothing_begun", "There is nothing to confirm any more: begin again.")

// ErrWrongCode is the answer to a code that does not match the new secret.
var ErrWrongCode = errs.New(errs.Refused, "factor.wrong_code", "This code does not fit. Wait for the next one in the app and try again.")

// ConfirmFactor completes BeginFactor with a code of the new secret and returns new
// recovery codes. Every other session of the owner ends; passkeys stay. also, unless
// nil, runs in the same command.
//
// Errors: Forbidden as for BeginFactor; ErrWrongCode; Refused if nothing is pending;
// Limited.
func (s *Service) ConfirmFactor(ctx context.Context, session Session, code string, from From, also Also[Owner]) (recovery []string, err error) {
	o := ofOperator(session.Operator)
	if !mustEnrol(session) {
		if o, err = session.owner(); err != nil {
			return nil, err
		}
	}
	try, err := s.throttle.take(ctx, "factor "+session.ID, from.Peer)
	if err != nil {
		return nil, err
	}
	fresh, err := PrepareFactor("")
	if err != nil {
		return nil, err
	}
	err = s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.throttle.forgive(ctx, tx, try); err != nil {
			return err
		}
		return s.confirm(ctx, tx, session, o, code, fresh.Recovery, also)
	})
	if err := s.settle(ctx, try, err, ErrWrongCode); err != nil {
		return nil, err
	}
	s.log.Info("auth: a second factor was set", "owner", o)
	return fresh.Recovery, nil
}

// Also is what a use-case adds to a command of auth about a T: mail, the audit log.
type Also[T any] func(ctx context.Context, tx *ledger.Tx, about T) error

func (a Also[T]) run(ctx context.Context, tx *ledger.Tx, about T) error {
	if a == nil {
		return nil
	}
	return a(ctx, tx, about)
}

func (s *Service) confirm(ctx context.Context, tx *ledger.Tx, session Session, o Owner, code string, recovery []string, also Also[Owner]) error {
	h, err := s.readHolder(ctx, tx, o)
	if err != nil {
		return err
	}
	f := h.factor
	if len(f.Pending) == 0 || s.clock.Latest().Sub(f.PendingAt) > pendingLife || (f.on() && mustEnrol(session)) {
		return errNothingBegun
	}
	raw, err := s.vault.openAbout(pendingOf(o, session), f.Pending)
	if err != nil {
		return errNothingBegun // in this session
	}
	step, ok := matchCode(raw, code, s.clock.Now())
	if !ok {
		return ErrWrongCode
	}
	sealed, err := s.vault.seal(o, raw)
	if err != nil {
		return err
	}
	if err := s.countFactorChange(ctx, tx, o); err != nil {
		return err
	}
	set := s.clock.Now()
	if err := s.store.PutFactor(ctx, tx, FactorRow{Owner: o, Secret: sealed, Set: set, Step: step}); err != nil {
		return err
	}
	if err := s.store.SetRecovery(ctx, tx, o, s.vault.recoveries(o, recovery)); err != nil {
		return err
	}
	if err := s.factorChanged(ctx, tx, o, set); err != nil {
		return err
	}
	if o.Kind == KindOperator {
		if err := s.store.Enrolled(ctx, tx, o.ID, session.ID); err != nil {
			return err
		}
		tx.AfterCommit(func() { s.cache.Drop(session.ID) }) // it is read anew, without the duty to enrol
	}
	if err := also.run(ctx, tx, o); err != nil {
		return err
	}
	return s.endOthersOf(ctx, tx, o, session.ID)
}

// RenewRecovery replaces all recovery codes. also, unless nil, runs in the same command.
//
// Errors: Refused without a second factor; those of evidence.
func (s *Service) RenewRecovery(ctx context.Context, session Session, e Evidence, from From, also Also[Owner]) ([]string, error) {
	fresh, err := PrepareFactor("")
	if err != nil {
		return nil, err
	}
	_, err = proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (bool, error) {
		if !h.factor.on() {
			return false, errNoFactor
		}
		if err := s.countFactorChange(ctx, tx, o); err != nil {
			return false, err
		}
		if err := s.store.SetRecovery(ctx, tx, o, s.vault.recoveries(o, fresh.Recovery)); err != nil {
			return false, err
		}
		if err := s.factorChanged(ctx, tx, o, h.factor.Set); err != nil {
			return false, err
		}
		return true, also.run(ctx, tx, o)
	})
	if err != nil {
		return nil, err
	}
	return fresh.Recovery, nil
}

var errNoFactor = errs.New(errs.Refused, "factor.none", "You have no second factor.")

// DisableFactor removes a member's factor and every passkey. Every other session of
// the member ends. also, unless nil, runs in the same command.
//
// Errors: Forbidden for operators, who cannot be without one; Refused without a
// second factor; those of evidence.
func (s *Service) DisableFactor(ctx context.Context, session Session, e Evidence, from From, also Also[Owner]) error {
	if session.Kind == KindOperator {
		return errNotYours
	}
	_, err := proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (bool, error) {
		if !h.factor.on() {
			return false, errNoFactor
		}
		if err := s.countFactorChange(ctx, tx, o); err != nil {
			return false, err
		}
		if _, err := s.removeFactor(ctx, tx, o); err != nil {
			return false, err
		}
		if err := also.run(ctx, tx, o); err != nil {
			return false, err
		}
		return true, s.endOthersOf(ctx, tx, o, session.ID)
	})
	return err
}

// removeFactor removes an owner's second factor and returns the number of removed passkeys.
func (s *Service) removeFactor(ctx context.Context, tx *ledger.Tx, o Owner) (passkeys int64, err error) {
	if err := s.store.PutFactor(ctx, tx, FactorRow{Owner: o}); err != nil {
		return 0, err
	}
	if err := s.store.SetRecovery(ctx, tx, o, nil); err != nil {
		return 0, err
	}
	if passkeys, err = s.store.DropPasskeys(ctx, tx, o); err != nil {
		return 0, err
	}
	return passkeys, s.factorChanged(ctx, tx, o, never)
}

// ResetFactor removes an operator's factor and every passkey, within a command, and
// ends all their sessions. The next sign-in, with the password only, can do nothing but
// enrol. It returns the number of removed passkeys. NotFound if there is no such
// operator; Conflict if there is no factor.
func (s *Service) ResetFactor(ctx context.Context, tx *ledger.Tx, id int64) (o Operator, passkeys int64, err error) {
	o, err = s.OperatorOf(ctx, tx, id)
	if err != nil {
		return o, 0, err
	}
	f, _, err := s.store.Factor(ctx, tx, ofOperator(id))
	if err != nil {
		return o, 0, err
	}
	if !f.on() {
		return o, 0, errs.New(errs.Conflict, "operator.no_factor", "This operator has no second factor.")
	}
	if passkeys, err = s.removeFactor(ctx, tx, ofOperator(id)); err != nil {
		return o, 0, err
	}
	return o, passkeys, s.endOperatorSessions(ctx, tx, id)
}

// ResetMemberFactor removes a member's factor and every passkey, within a command of
// an operator who has identified the member. All the member's sessions end. NotFound if
// there is no such member; Conflict if there is no factor.
func (s *Service) ResetMemberFactor(ctx context.Context, tx *ledger.Tx, uid int64) (passkeys int64, err error) {
	c, found, err := s.credentialIn(ctx, tx, uid)
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")
	case c.FactorSet.IsZero():
		return 0, errs.New(errs.Conflict, "member.no_factor", "This member has no second factor.")
	}
	if passkeys, err = s.removeFactor(ctx, tx, ofMember(uid)); err != nil {
		return 0, err
	}
	return passkeys, s.EndMemberSessions(ctx, tx, uid)
}

// Enrolment is the state of an owner's second factor.
type Enrolment struct {
	Set          time.Time // zero while there is none
	App          bool      // there is a secret in an app
	RecoveryLeft int
}

// Enrolment reads an operator's state.
func (s *Service) Enrolment(ctx context.Context, operator int64) (Enrolment, error) {
	return s.enrolment(ctx, ofOperator(operator))
}

// MemberEnrolment reads a member's state.
func (s *Service) MemberEnrolment(ctx context.Context, uid int64) (Enrolment, error) {
	e, err := s.enrolment(ctx, ofMember(uid))
	if err != nil {
		return Enrolment{}, err
	}
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return Enrolment{}, unreadable(err)
	}
	e.Set = c.FactorSet
	e.App = e.App && !e.Set.IsZero()
	return e, nil
}

func (s *Service) enrolment(ctx context.Context, o Owner) (Enrolment, error) {
	f, _, err := s.store.Factor(ctx, nil, o)
	if err != nil {
		return Enrolment{}, unreadable(err)
	}
	n, err := s.store.RecoveryLeft(ctx, o)
	if err != nil {
		return Enrolment{}, unreadable(err)
	}
	return Enrolment{Set: f.Set, App: len(f.Secret) > 0, RecoveryLeft: n}, nil
}

// matchCode finds the time step of a code. It always computes every allowed step.
func matchCode(raw []byte, code string, now time.Time) (step int64, ok bool) {
	code = digitsOnly(code)
	secret := secretText.EncodeToString(raw)
	at := now.Unix() / codePeriod
	for s := at - codeSkew; s <= at+codeSkew; s++ {
		want, err := hotp.GenerateCode(secret, uint64(s))
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = s, true
		}
	}
	return step, ok
}

// digitsOnly drops the blanks that group a code.
func digitsOnly(s string) string { return strings.Join(strings.Fields(s), "") }
