package auth

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// An operator's second factor is a secret in an authenticator app, which makes
// a code of six digits every half minute (RFC 6238), and ten recovery codes for
// the day on which the app is lost.

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
	freshFor      = 10 * time.Minute // since signing in, for what only a fresh session may
)

var secretText = base32.StdEncoding.WithPadding(base32.NoPadding)

// Factor is a second factor as its operator is told it, once.
type Factor struct {
	Secret   string   // base32
	Recovery []string // codes, each good once
	raw      []byte
}

// URI is what authenticator apps read, as a QR code or a link.
func (f Factor) URI(product, email string) (string, error) { return factorURI(product, email, f.raw) }

func factorURI(product, email string, raw []byte) (string, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: product, AccountName: email, Period: codePeriod, Secret: raw, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return "", errs.Wrap(errs.Internal, err, "auth: the link for authenticator apps could not be made")
	}
	return key.URL(), nil
}

// PrepareFactor makes a factor with fresh recovery codes, of a given secret or
// with "" of a random one. Invalid if the secret is not 16 to 64 bytes in
// base32.
func PrepareFactor(secret string) (Factor, error) {
	raw := make([]byte, secretBytes)
	if secret == "" {
		_, _ = rand.Read(raw) // never fails
	} else {
		var err error
		plain := strings.TrimRight(strings.ToUpper(strings.ReplaceAll(secret, " ", "")), "=")
		if raw, err = secretText.DecodeString(plain); err != nil || len(raw) < minSecret || len(raw) > maxSecret {
			return Factor{}, invalid("totp", "The secret is 16 to 64 bytes in base32: letters and the digits 2 to 7")
		}
	}
	f := Factor{Secret: secretText.EncodeToString(raw), raw: raw}
	for range recoveryCodes {
		c := randomReadable(recoveryLen)
		f.Recovery = append(f.Recovery, c[:4]+"-"+c[4:8]+"-"+c[8:])
	}
	return f, nil
}

// SetFactor gives an operator a factor that needs no confirming, in place of an
// earlier one: for who has a shell, and for demos.
func (s *Service) SetFactor(ctx context.Context, rows ledger.Rows, operator int64, f Factor) error {
	sealed, err := s.vault.seal(operator, f.raw)
	if err != nil {
		return err
	}
	row := FactorRow{Operator: operator, Secret: sealed, Set: s.clock.Now()}
	if err := s.store.PutFactor(ctx, rows, row); err != nil {
		return err
	}
	return s.store.SetRecovery(ctx, rows, operator, s.vault.recoveries(operator, f.Recovery))
}

// BeginFactor starts enrolment: it gives a fresh secret, which counts once
// ConfirmFactor has seen a code of it. Until then an earlier factor stays good.
//
// Errors: Forbidden unless the session is an operator's; Refused if the
// operator has a factor and the session is older than ten minutes.
func (s *Service) BeginFactor(ctx context.Context, session Session, product string) (secret, uri string, err error) {
	if err := s.mayEnrol(session); err != nil {
		return "", "", err
	}
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // never fails
	sealed, err := s.vault.seal(session.Operator, raw)
	if err != nil {
		return "", "", err
	}
	email, err := answer(ctx, s, func(ctx context.Context, _ *ledger.Tx, rows ledger.Rows) (string, error) {
		o, found, err := s.store.OperatorIn(ctx, rows, session.Operator)
		if err != nil || !found {
			return "", orElse(err, errPleaseLogin)
		}
		f, _, err := s.store.FactorIn(ctx, rows, session.Operator)
		if err != nil {
			return "", err
		}
		if len(f.Secret) > 0 && session.MustChange {
			return "", errPleaseLogin // another session has enrolled since
		}
		f.Operator, f.Pending, f.PendingAt = session.Operator, sealed, s.clock.Latest()
		return o.Email, s.store.PutFactor(ctx, rows, f)
	})
	if err != nil {
		return "", "", err
	}
	uri, err = factorURI(product, email, raw)
	return secretText.EncodeToString(raw), uri, err
}

// mayEnrol: who signed in without a factor may only do this; who has one must
// just have proved it.
func (s *Service) mayEnrol(session Session) error {
	if session.Kind != KindOperator {
		return errs.New(errs.Forbidden, "This call is not for you.")
	}
	if !session.MustChange && s.clock.Latest().Sub(session.Created) > freshFor {
		return errs.New(errs.Refused, "Sign in again: a second factor is changed within ten minutes of signing in.")
	}
	return nil
}

// ErrWrongCode is a code that confirms nothing.
var ErrWrongCode = errs.New(errs.Refused, "This code does not fit. Wait for the next one in the app and try again.")

// ConfirmFactor ends enrolment with a code of the new secret and gives fresh
// recovery codes. Every other session of the operator ends. also, unless nil,
// runs in the same command.
//
// Errors: those of BeginFactor; ErrWrongCode; Refused if nothing waits to be
// confirmed; Limited.
func (s *Service) ConfirmFactor(ctx context.Context, session Session, code string, from From, also Also) (recovery []string, err error) {
	if err := s.mayEnrol(session); err != nil {
		return nil, err
	}
	try, err := s.throttle.take(ctx, "factor "+session.ID, from.Peer)
	if err != nil {
		return nil, err
	}
	fresh, err := PrepareFactor("")
	if err != nil {
		return nil, err
	}
	err = s.write(ctx, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) error {
		if err := s.throttle.forgive(ctx, rows, try); err != nil {
			return err
		}
		return s.confirm(ctx, tx, rows, session, code, fresh.Recovery, also)
	})
	if err := s.settle(ctx, try, err, ErrWrongCode); err != nil {
		return nil, err
	}
	s.log.Info("auth: an operator has set a second factor", "operator", session.Operator)
	return fresh.Recovery, nil
}

// Also is what a use-case adds to a command of auth's: mail, the record.
type Also func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator) error

func (a Also) run(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator) error {
	if a == nil {
		return nil
	}
	return a(ctx, tx, rows, o)
}

func (s *Service) confirm(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, session Session, code string, recovery []string, also Also) error {
	o, found, err := s.store.OperatorIn(ctx, rows, session.Operator)
	if err != nil || !found || !o.Ended.IsZero() {
		return orElse(err, errPleaseLogin)
	}
	f, _, err := s.store.FactorIn(ctx, rows, session.Operator)
	if err != nil {
		return err
	}
	if len(f.Pending) == 0 || s.clock.Latest().Sub(f.PendingAt) > pendingLife || (len(f.Secret) > 0 && session.MustChange) {
		return errs.New(errs.Refused, "There is nothing to confirm any more: begin again.")
	}
	raw, err := s.vault.open(o.ID, f.Pending)
	if err != nil {
		return err
	}
	step, ok := matchCode(raw, code, s.clock.Now())
	if !ok {
		return ErrWrongCode
	}
	if err := s.store.PutFactor(ctx, rows, FactorRow{Operator: o.ID, Secret: f.Pending, Set: s.clock.Now(), Step: step}); err != nil {
		return err
	}
	if err := s.store.SetRecovery(ctx, rows, o.ID, s.vault.recoveries(o.ID, recovery)); err != nil {
		return err
	}
	if err := s.store.Enrolled(ctx, rows, o.ID, session.ID); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.cache.drop(session.ID) }) // it is read anew, without the duty to enrol
	if err := also.run(ctx, tx, rows, o.Operator); err != nil {
		return err
	}
	return s.endAll(ctx, tx, rows, o.ID, session.ID, KindOperator)
}

// ResetFactor takes an operator's factor and every passkey away, within a
// command: the next sign-in, by the password alone, can do nothing but enrol.
// Every session of theirs ends. It tells how many passkeys there were. NotFound
// if there is no such operator; Conflict if there is no factor.
func (s *Service) ResetFactor(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, id int64) (o Operator, passkeys int64, err error) {
	o, err = s.OperatorOf(ctx, rows, id)
	if err != nil {
		return o, 0, err
	}
	f, _, err := s.store.FactorIn(ctx, rows, id)
	if err != nil {
		return o, 0, err
	}
	if len(f.Secret) == 0 {
		return o, 0, errs.New(errs.Conflict, "This operator has no second factor.")
	}
	if err := s.store.PutFactor(ctx, rows, FactorRow{Operator: id}); err != nil {
		return o, 0, err
	}
	if err := s.store.SetRecovery(ctx, rows, id, nil); err != nil {
		return o, 0, err
	}
	if passkeys, err = s.store.DropPasskeys(ctx, rows, id); err != nil {
		return o, 0, err
	}
	return o, passkeys, s.endOperatorSessions(ctx, tx, rows, id)
}

// Enrolment is how an operator stands with the second factor.
type Enrolment struct {
	Set          time.Time // zero while there is none
	RecoveryLeft int
}

// Enrolment reads it.
func (s *Service) Enrolment(ctx context.Context, operator int64) (Enrolment, error) {
	f, _, err := s.store.Factor(ctx, operator)
	if err != nil {
		return Enrolment{}, unreadable(err)
	}
	n, err := s.store.RecoveryLeft(ctx, operator)
	if err != nil {
		return Enrolment{}, unreadable(err)
	}
	return Enrolment{Set: f.Set, RecoveryLeft: n}, nil
}

// matchCode finds the step whose code this is. It tries every step that may
// be, found or not.
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

// digitsOnly drops the blanks by which people group a code.
func digitsOnly(s string) string { return strings.Join(strings.Fields(s), "") }

// vault seals secrets and hashes recovery codes, by keys that the database does
// not hold.
type vault struct {
	aead cipher.AEAD
	mac  []byte
}

func newVault(secret []byte) (*vault, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "bifolia operator factors", sha256.Size)
	if err != nil {
		return nil, err
	}
	mac, err := hkdf.Key(sha256.New, secret, nil, "bifolia recovery codes", sha256.Size)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &vault{aead, mac}, err
}

// about binds what is sealed to its operator: a row moved to another one opens
// nothing.
func about(operator int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(operator)) }

func (v *vault) seal(operator int64, raw []byte) ([]byte, error) {
	return v.sealAbout(about(operator), raw)
}

// sealAbout seals raw so that it opens only as what it was sealed as.
func (v *vault) sealAbout(what, raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return nil, errs.New(errs.Internal, "auth: an empty secret")
	}
	nonce := make([]byte, v.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return v.aead.Seal(nonce, nonce, raw, what), nil
}

func (v *vault) open(operator int64, sealed []byte) ([]byte, error) {
	return v.openAbout(about(operator), sealed)
}

func (v *vault) openAbout(what, sealed []byte) ([]byte, error) {
	n := v.aead.NonceSize()
	if len(sealed) < n {
		return nil, errs.New(errs.Internal, "auth: a sealed secret is too short")
	}
	raw, err := v.aead.Open(nil, sealed[:n], sealed[n:], what)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "auth: a secret was sealed with another key")
	}
	return raw, nil
}

// recovery is what is stored of a code as people type it.
func (v *vault) recovery(operator int64, code string) []byte {
	mac := hmac.New(sha256.New, v.mac)
	mac.Write(about(operator))
	mac.Write([]byte(strings.ToLower(strings.ReplaceAll(digitsOnly(code), "-", ""))))
	return mac.Sum(nil)
}

// invitation is the keyed hash of a link: who can only write to the database makes
// none that is taken.
func (v *vault) invitation(raw []byte) []byte {
	mac := hmac.New(sha256.New, v.mac)
	_, _ = mac.Write([]byte("invitation "))
	_, _ = mac.Write(raw)
	return mac.Sum(nil)
}

func (v *vault) recoveries(operator int64, codes []string) (hashes [][]byte) {
	for _, c := range codes {
		hashes = append(hashes, v.recovery(operator, c))
	}
	return hashes
}

// orElse is err, or what stands for it.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
