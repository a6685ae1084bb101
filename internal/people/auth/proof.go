package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A token may be stolen. A harmful call therefore needs, besides the session, a recent
// proof within it that the operator is present.

// ProofLife is how long a proof within a session is valid.
const ProofLife = 5 * time.Minute

// clockSkew is how far another process's clock may be ahead.
const clockSkew = time.Minute

// ErrUnproved is the answer to calls that need a proof, without one.
var ErrUnproved = errs.New(errs.Unproved, "session.proof_required", "Confirm that it is you: by your password, a code of your app, or a passkey.")

// ProofRow is a proof as stored. MAC binds time and session with a key outside of the
// database.
type ProofRow struct {
	Session string
	At      time.Time
	MAC     []byte
}

// proof is the keyed hash of a session's proof at a time.
func (v *vault) proof(session Session, at time.Time) []byte {
	mac := hmac.New(sha256.New, v.mac)
	_, _ = mac.Write([]byte("proof "))
	_, _ = mac.Write(binary.BigEndian.AppendUint64(ofOperator(session.Operator).about(), uint64(at.UnixMicro())))
	_, _ = mac.Write([]byte(session.ID))
	return mac.Sum(nil)
}

// Prove records that the session's operator proved to be present, by the password, a
// code of the app or a passkey, and returns the end of its validity. A code is accepted
// once, and the fifth wrong proof ends the session. Six digits are a code: no
// operator's password is that short.
//
// Errors: Forbidden unless the session is an operator's; ErrWrongProof; Limited,
// with RetryAfter.
func (s *Service) Prove(ctx context.Context, session Session, proof string, passkey *Assertion, from From) (until time.Time, err error) {
	if session.Kind != KindOperator {
		return never, errNotYours
	}
	e := Evidence{Password: proof, Passkey: passkey, one: true}
	if isCode(proof) {
		e.Password, e.Code = "", proof
	}
	at, err := proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, _ Owner, _ holder) (time.Time, error) {
		return s.noteProof(ctx, tx, session)
	})
	if err != nil {
		return never, err
	}
	return at.Add(ProofLife), nil
}

func (s *Service) noteProof(ctx context.Context, tx *ledger.Tx, session Session) (time.Time, error) {
	at := s.clock.Latest().Truncate(time.Microsecond)
	return at, s.store.PutProof(ctx, tx, ProofRow{session.ID, at, s.vault.proof(session, at)}, at.Add(-ProofLife))
}

// Proved is ErrUnproved unless the session's operator proved to be present within
// ProofLife. A sign-in is not a proof: a token stolen right after it would profit.
func (s *Service) Proved(ctx context.Context, session Session) error {
	if session.Kind != KindOperator || session.MustChange {
		return ErrUnproved
	}
	p, found, err := s.store.Proof(ctx, session.ID)
	if err != nil {
		return unreadable(err)
	}
	if age := s.clock.Latest().Sub(p.At); !found || age < -clockSkew || age >= ProofLife || !hmac.Equal(p.MAC, s.vault.proof(session, p.At)) {
		return ErrUnproved
	}
	return nil
}

// isCode distinguishes a code of the app from a password.
func isCode(proof string) bool {
	n, err := strconv.ParseUint(digitsOnly(proof), 10, 32)
	return err == nil && len(digitsOnly(proof)) == 6 && n < 1_000_000
}
